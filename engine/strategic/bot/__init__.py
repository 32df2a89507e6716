"""Computer players for the strategic layer: situation, aims and orders of one side."""
