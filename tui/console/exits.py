"""Exit codes of the program, and the exceptions behind them."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit code of the program."""

    OK = 0
    """Done."""
    REFUSED = 1
    """A command was refused, or a log and today's rules differ."""
    USAGE = 2
    """Wrong arguments, or an input file that is wrong."""
    DAMAGED = 3
    """A save cannot be read or written."""
    STUCK = 4
    """Computer players did not bring a game to its end."""
    BROKEN = 70
    """A fault in the program itself, which a new start does not repair."""
    INTERRUPTED = 130
    """Ctrl-C. Everything acknowledged is saved."""


class Stuck(Exception):
    """Computer players do not bring a game on; the text is one line."""


class Wrong(Exception):
    """An input is wrong; the text is one line for people."""
