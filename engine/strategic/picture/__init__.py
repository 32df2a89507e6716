"""Picture of the strategic layer: cities, stacks and heroes as clients show them."""
