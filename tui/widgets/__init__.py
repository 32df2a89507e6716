"""Widgets: the parts of which screens are built."""
