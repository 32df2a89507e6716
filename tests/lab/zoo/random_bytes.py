"""Writes random bytes."""

import random
import sys

from manners import play

dice = random.Random(7)  # noqa: S311 - of the zoo


def write() -> None:
    """Write a line of random bytes."""
    sys.stdout.buffer.write(dice.randbytes(200).replace(b"\n", b"") + b"\n")
    sys.stdout.flush()


play(write)
