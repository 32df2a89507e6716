"""Pictures of worlds of cities and stacks, for clients."""
