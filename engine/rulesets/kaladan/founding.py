"""The set-up phases: world, realms, castles, first units. Rules: KA-5."""

from __future__ import annotations

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.board import Decision


def found(
    decision: Decision,
    seat: int,
    command: do.PlaceTile | do.ChooseRealm | do.PlaceCastle | do.Deploy,
) -> None:
    """Carry out a command of the set-up. Rules: KA-5."""
    raise NotImplementedError


def go_on(decision: Decision) -> None:
    """Carry the set-up on until a seat has to choose, or round 1 begins. Rules: KA-5."""
    raise NotImplementedError
