"""What clients show of a world of cities, stacks and heroes, whatever the rule book."""
