"""Measurements. Each command prints ratios and bars; milliseconds apply to this machine only."""
