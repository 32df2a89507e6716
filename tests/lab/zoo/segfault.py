"""Dies of a segmentation fault."""

from ctypes import string_at

from manners import play

play(lambda: string_at(0))
