"""Takes two gigabytes of memory."""

from manners import play

play(lambda: bytearray(2 << 30))
