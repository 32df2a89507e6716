"""Commands, and the codes of their refusals (section 17)."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from engine.core.record import Command
from engine.tabletop.focus import Direction


class StepUnit(Command, frozen=True, tag="step"):
    """Move a unit one tile. See: WD-MOVE-1, WD-MOVE-2."""

    unit: int
    direction: Direction


class MoveUnit(Command, frozen=True, tag="move"):
    """Move a unit along a path; each tile is next to the one before. See: WD-MOVE-7."""

    unit: int
    path: tuple[tuple[int, int], ...]


class Attack(Command, frozen=True, tag="attack"):
    """Attack the unit, or besiege the building, on a tile. See: WD-ATT-1, WD-SIEGE-1."""

    unit: int
    at: tuple[int, int]


class WorkGate(Command, frozen=True, tag="gate"):
    """Shut or open a gate site. See: WD-GATE-3."""

    at: tuple[int, int]


class EndPhase(Command, frozen=True, tag="end-phase"):
    """End one's own phase. See: WD-TURN-6."""


AnyCommand: TypeAlias = StepUnit | MoveUnit | Attack | WorkGate | EndPhase


class Refusal(StrEnum):
    """Codes of refusals, a closed list."""

    WRONG_PHASE = "WRONG_PHASE"
    NOT_YOURS = "NOT_YOURS"
    NO_POINTS = "NO_POINTS"
    TOO_DEAR = "TOO_DEAR"
    OFF_MAP = "OFF_MAP"
    OCCUPIED = "OCCUPIED"
    BLOCKED = "BLOCKED"
    ATTACK_SPENT = "ATTACK_SPENT"
    OUT_OF_REACH = "OUT_OF_REACH"
    NO_TARGET = "NO_TARGET"
    NOT_YOUR_LAND = "NOT_YOUR_LAND"
    NO_GATE_SITE = "NO_GATE_SITE"
    SITE_RUINED = "SITE_RUINED"
    GAME_OVER = "GAME_OVER"
