"""Writes a line of ten megabytes, then 100 kB lines after each error."""

import sys

from manners import play

lengths = [10_000_000]


def write() -> None:
    """Write a line that is too long."""
    sys.stdout.write("x" * lengths[-1] + "\n")
    sys.stdout.flush()
    lengths.append(100_000)


play(write)
