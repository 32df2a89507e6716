"""Purchases. Rules: KA-6.5, KA-9, KA-10.4."""

from __future__ import annotations

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.board import Decision


def buy(
    decision: Decision,
    seat: int,
    command: do.BuyUnit | do.UpgradeUnit | do.BringIn | do.SwapCard | do.BuyCard,
) -> None:
    """Buy what the command names. Rules: KA-6.5."""
    raise NotImplementedError
