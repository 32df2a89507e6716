"""Costs, zones of control, ways, marches, boats, sight."""
