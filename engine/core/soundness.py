"""Logs that were written by somebody else: what they provoke is told as a broken log.

A file with right checksums can hold any events. Most that do not fit fail while they are applied;
others lead to a position that only fails when it is looked at. ``log_faults`` stands around both.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from engine.core.archive import Header, SaveFault
from engine.core.log import EventLog
from engine.core.printable import clipped
from engine.core.refused import Refused
from engine.core.replay import BrokenLog, verify
from engine.core.ruleset import AnyRuleset

_PROVOKED = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Exceptions of code that is given impossible values."""


@contextlib.contextmanager
def log_faults(rules: AnyRuleset, log: EventLog[Any, Any]) -> Iterator[None]:
    """Turn what a log provokes into BrokenLog, which names the entry and event that do not fit.

    A log that today's rules decide in the same way provokes nothing: what is raised over one is a
    fault of the program, or a refusal with a reason, and passes unchanged.

    Raises:
        BrokenLog: something was raised, and the log is not what the rules make of its commands.
    """
    try:
        yield
    except (BrokenLog, Refused):
        raise
    except _PROVOKED as problem:
        if not _is_a_slip(problem):
            raise
        found = verify(rules, log).divergence
        if found is None:
            raise
        reason = f"{found.field}: recorded {found.recorded}, now {found.now}"
        raised = f"{type(problem).__name__}: {problem}"
        raise BrokenLog(found.seq, found.event, f"{reason}; {raised}") from problem


@contextlib.contextmanager
def position_faults(log: EventLog[Any, Any]) -> Iterator[None]:
    """As ``log_faults``, where nobody waits for the log to be decided again: a preview.

    Raises:
        BrokenLog: something was raised; it names the last entry.
    """
    try:
        yield
    except (BrokenLog, Refused):
        raise
    except _PROVOKED as problem:
        if not _is_a_slip(problem):
            raise
        raise BrokenLog(log.head, -1, f"{type(problem).__name__}: {problem}") from problem


def _is_a_slip(problem: Exception) -> bool:
    """Whether this is Python's own exception rather than one that says something to people."""
    return type(problem).__module__.partition(".")[0] in ("builtins", "msgspec", "numpy")


def check_seats(rules: AnyRuleset, header: Header, state: Any) -> None:
    """Refuse a header that does not say who plays.

    Raises:
        SaveFault: a seat of the game has no player, or a player has no seat.
    """
    seats = max(map(len, rules.statistics(state).values()), default=0)
    told = [player.seat for player in header.players]
    if sorted(told) != list(range(seats)):
        shown = clipped(", ".join(map(str, told)), 60) or "nobody"
        raise SaveFault(f"the header has players for the seats {shown}; the game has {seats}")
    for player in header.players:
        if player.bot and player.bot not in rules.bots:
            level, known = clipped(player.bot, 40), ", ".join(rules.bots)
            raise SaveFault(f"there is no computer player {level!r}; known: {known}")
