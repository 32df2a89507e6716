"""Magic in a battle: statements, effects in their stages, after-battle cards.

Rules: KA-7.3, KA-7.4, KA-7.8, KA-10.
"""

from __future__ import annotations

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.board import Decision


def declare(decision: Decision, seat: int, command: do.DeclareMagic) -> None:
    """Say in or out. Rules: KA-7.3."""
    raise NotImplementedError


def aim(decision: Decision, seat: int, command: do.Aim) -> None:
    """Choose the targets of one's own card. Rules: KA-7.4."""
    raise NotImplementedError


def play_after(decision: Decision, seat: int, command: do.AfterMagic) -> None:
    """Play an after-battle card, or none. Rules: KA-7.8."""
    raise NotImplementedError
