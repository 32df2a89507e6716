"""Turns and phases, who has to act, and the end of the game. Rules: KA-6, KA-16, KA-17."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.kaladan.board import Decision
from engine.rulesets.kaladan.state import State


def owing(state: State) -> frozenset[int]:
    """The seat that has to act; empty when the game is over."""
    raise NotImplementedError


def end_phase(decision: Decision, seat: int) -> None:
    """End the phase. Rules: KA-6."""
    raise NotImplementedError


def go_on(decision: Decision) -> None:
    """Carry the game on until a seat has to choose: phases, events, battles, the end."""
    raise NotImplementedError


def statistics(state: State) -> Mapping[str, tuple[int, ...]]:
    """Numbers of each seat: castles, tiles, units, gold."""
    raise NotImplementedError
