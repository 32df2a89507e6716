"""Exit codes of the program: the one place that says what they mean."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a program that called this one may conclude."""

    OK = 0
    """Done."""
    REFUSED = 1
    """A command was refused, or a log and today's rules part."""
    USAGE = 2
    """Wrong arguments, or an input file that is wrong."""
    DAMAGED = 3
    """A save cannot be read or written."""
    STUCK = 4
    """Computer players did not bring a game to its end."""
    BROKEN = 70
    """A fault in the program itself, which does not go away by beginning anew."""
    INTERRUPTED = 130
    """Ctrl-C. What was acknowledged is kept."""


class Stuck(Exception):
    """Computer players do not bring a game on; the text says in one line why."""


class Wrong(Exception):
    """An input is wrong; the text is one line for people."""
