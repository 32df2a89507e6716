"""Widgets: parts of which screens are made."""
