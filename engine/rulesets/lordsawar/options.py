"""The options of a game (sections 0 and 20), and the presets that set several of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from engine.core.options import Value
from engine.core.record import Record

OnOff: TypeAlias = Literal["off", "on"]


class Options(Record, frozen=True):
    """Options chosen before a game; the defaults are those of the rule book."""

    combat_rule: Literal["deterministic", "dice"] = "deterministic"
    intense_combat: OnOff = "off"
    ship_strength: Literal["fixed4", "capped4"] = "fixed4"
    open_ground: Literal["grass", "wide"] = "grass"
    upkeep_phase: Literal["round_end", "turn_start"] = "round_end"
    combat_log: OnOff = "off"
    military_advisor: OnOff = "off"
    quests: Literal["per_player", "per_hero", "none"] = "per_player"
    neutral_cities: Literal["average", "strong", "active", "defensive"] = "average"
    razing_cities: Literal["always", "on_capture", "never"] = "always"
    sacking_mode: Literal["always", "on_capture", "on_quest", "never"] = "always"
    vectoring_mode: Literal["two_turns", "by_distance"] = "two_turns"
    build_production: Literal["always", "usually", "seldom", "never"] = "always"
    quick_start: Literal["none", "even", "head_start"] = "none"
    hidden_map: OnOff = "off"
    diplomacy: OnOff = "off"
    cusp_of_war: OnOff = "off"
    random_turns: OnOff = "off"
    view_enemies: OnOff = "off"
    view_production: OnOff = "off"
    start_gold: int = 131
    hidden_ruins: int = 1


PRESETS: Final[Mapping[str, Mapping[str, Value]]] = {
    "beginner": {
        "start_gold": 131,
        "hidden_ruins": 1,
        "view_enemies": "on",
        "view_production": "on",
        "quests": "none",
        "neutral_cities": "average",
        "diplomacy": "off",
    },
    "intermediate": {
        "start_gold": 128,
        "hidden_ruins": 2,
        "view_enemies": "off",
        "view_production": "on",
        "quests": "per_player",
        "neutral_cities": "strong",
        "diplomacy": "on",
    },
    "advanced": {
        "start_gold": 124,
        "hidden_ruins": 3,
        "view_enemies": "off",
        "view_production": "off",
        "quests": "per_player",
        "hidden_map": "on",
        "neutral_cities": "active",
        "razing_cities": "on_capture",
        "diplomacy": "on",
    },
    "greatest": {
        "start_gold": 121,
        "hidden_ruins": 4,
        "view_enemies": "off",
        "view_production": "off",
        "quests": "per_player",
        "hidden_map": "on",
        "neutral_cities": "defensive",
        "razing_cities": "never",
        "diplomacy": "on",
        "cusp_of_war": "on",
    },
}
"""Options that each preset sets; computer players get their level at their seats.

Rules: LW-20.1.
"""

NEW_MAP: Final = (
    "map_seed",
    "map_size",
    "map_width",
    "map_height",
    "water",
    "hills",
    "forest",
    "swamp",
    "cities",
)
"""Options that only a scenario with a new map has. See: LW-20."""

LEAST_SIDE: Final = 28
"""Minimum width and height of a new map; the book has none."""
