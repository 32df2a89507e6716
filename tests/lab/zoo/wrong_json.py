"""Writes lines that look like JSON and are none."""

import sys

from manners import play


def write() -> None:
    """Write such a line."""
    sys.stdout.write("{'type': 'act', 'command': 'end-phase',}\n")
    sys.stdout.flush()


play(write)
