"""Writes lines that look like JSON but are not."""

import sys

from manners import play


def write() -> None:
    """Write a line with single quotes and a trailing comma."""
    sys.stdout.write("{'type': 'act', 'command': 'end-phase',}\n")
    sys.stdout.flush()


play(write)
