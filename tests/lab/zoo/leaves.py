"""Exits in the middle of the game."""

import sys

from manners import play

play(lambda: sys.exit(3))
