"""The battle: its steps, casualties, outcome and invasion. Rules: KA-7, KA-8."""

from __future__ import annotations

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.board import Decision


def attack(decision: Decision, seat: int, command: do.Attack) -> None:
    """Declare a battle. Rules: KA-7.2."""
    raise NotImplementedError


def choose_losses(decision: Decision, seat: int, command: do.ChooseLosses) -> None:
    """Choose one's own casualties. Rules: KA-7.7."""
    raise NotImplementedError


def invade(decision: Decision, seat: int, command: do.Invade) -> None:
    """Move into the conquered tile. Rules: KA-7.10."""
    raise NotImplementedError


def go_on(decision: Decision) -> None:
    """Carry the battle on until a seat has to choose, or it is over. Rules: KA-7.1."""
    raise NotImplementedError
