"""Measurements. Each command prints ratios and bars; milliseconds are only this machine's."""
