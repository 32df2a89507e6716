"""What clients are shown of worlds of cities and stacks."""
