"""Why a command is refused (section 17): the closed list of this game."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """The codes of the rule book."""

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
