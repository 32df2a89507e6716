"""Widgets: the parts of screens."""
