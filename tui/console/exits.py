"""Exit codes of the program, and the exceptions behind them."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit code of the process."""

    OK = 0
    """Done."""
    REFUSED = 1
    """A command was refused, or a log and the current rules disagree."""
    USAGE = 2
    """Wrong arguments, a wrong input file, or an output that cannot be written."""
    DAMAGED = 3
    """A save is damaged, or cannot be read or written."""
    STUCK = 4
    """Computer players did not finish a game, or a simulated game was lost."""
    BROKEN = 70
    """A fault in the program itself; a restart does not help."""
    INTERRUPTED = 130
    """Interrupted by Ctrl-C; acknowledged commands are saved."""


class Stuck(Exception):
    """Computer players make no progress; the text is the reason in one line."""


class Wrong(Exception):
    """An input is wrong; the text is one line for the user."""
