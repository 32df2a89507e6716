"""Mechanics of any game, as pure functions."""
