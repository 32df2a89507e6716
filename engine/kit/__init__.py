"""Mechanics that any game can use, as pure functions."""
