"""Writes half a line and leaves."""

import sys

from manners import play


def leave() -> None:
    """Write half a line and exit."""
    sys.stdout.write('{"type":"act","comm')
    sys.exit(0)


play(leave)
