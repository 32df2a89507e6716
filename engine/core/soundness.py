"""Untrusted logs: exceptions that they provoke become ``BrokenLog``.

A file with valid checksums can hold any events. Most invalid ones fail while they are applied;
others lead to a state that fails only when it is viewed or drawn. ``log_faults`` covers both.
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
from engine.core.ruleset import AnyRuleset, ScenarioFault

_PROVOKED = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Exceptions that code raises for impossible values."""


@contextlib.contextmanager
def log_faults(rules: AnyRuleset, log: EventLog[Any, Any]) -> Iterator[None]:
    """In a ``with`` block, turn exceptions that a log provokes into BrokenLog at its first fault.

    If the current rules verify the log, the exception is a bug of the program or a refusal, and
    passes unchanged.

    Raises:
        BrokenLog: an exception was raised, and the log does not verify.
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


def check_position(rules: AnyRuleset, log: EventLog[Any, Any], state: Any) -> None:
    """Refuse to continue from a position that no game reaches, before anything computes with it.

    A number in it may be so large that a computer player takes all memory. A position that the
    rules refuse as a scenario is still accepted if they verify the log.

    Raises:
        BrokenLog: the position is impossible, and the log does not verify.
    """
    try:
        if rules.owes(state):
            rules.check(rules.position(state))
    except (ScenarioFault, *_PROVOKED) as problem:
        found = verify(rules, log).divergence
        if found is not None:
            reason = f"{found.field}: recorded {found.recorded}, now {found.now}"
            raise BrokenLog(found.seq, found.event, f"{reason}; {problem}") from problem


@contextlib.contextmanager
def position_faults(log: EventLog[Any, Any]) -> Iterator[None]:
    """In a ``with`` block, turn all exceptions into BrokenLog without verifying the log.

    Raises:
        BrokenLog: an exception was raised; it names the last entry.
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
    """Return whether an exception is from Python or a library, without a text for people."""
    return type(problem).__module__.partition(".")[0] in ("builtins", "msgspec", "numpy")


def check_seats(rules: AnyRuleset, header: Header, state: Any) -> None:
    """Refuse a header whose players do not match the seats of the game.

    Raises:
        SaveFault: a seat has no player, a player has no seat, or a level is unknown.
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
