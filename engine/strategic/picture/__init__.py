"""Picture of the strategic layer: everything that clients show of cities, stacks and heroes."""
