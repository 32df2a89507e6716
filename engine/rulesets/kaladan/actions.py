"""Free spawn, moves and marches. Rules: KA-6.3, KA-6.4, KA-6.6."""

from __future__ import annotations

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.board import Decision


def spawn(decision: Decision, seat: int, command: do.Spawn) -> None:
    """Put a Basic unit on a castle tile for nothing. Rules: KA-6.3."""
    raise NotImplementedError


def move(decision: Decision, seat: int, command: do.MoveUnits) -> None:
    """Move units to an adjacent tile. Rules: KA-6.4."""
    raise NotImplementedError


def march(decision: Decision, seat: int, command: do.March) -> None:
    """March along own tiles. Rules: KA-6.6."""
    raise NotImplementedError
