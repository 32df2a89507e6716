"""The rule switches and options of a game (section 0.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from engine.core.options import Value
from engine.core.record import Record


class Options(Record, frozen=True):
    """Options chosen before the game; the defaults are the ``seed`` column of section 0.1."""

    cost_table: Literal["seed", "classic"] = "seed"
    road_rule: Literal["cap2", "cost1"] = "cap2"
    zoc_penalty: int = 2
    flying_step: Literal["one", "cap2"] = "one"
    group_ability: Literal["all", "any"] = "all"
    hero_rides_flyers: Literal["on", "off"] = "off"
    attack_step: Literal["one", "terrain"] = "one"
    radius_human_far: int = 20
    intense_combat: Literal["on", "off"] = "off"
    hidden_map: Literal["on", "off"] = "off"
    diplomacy: Literal["on", "off"] = "off"
    quests: Literal["on", "off"] = "off"
    random_turns: Literal["on", "off"] = "off"
    quick_start: Literal["on", "off"] = "off"
    neutral_strength: Literal["average", "strong", "active"] = "average"
    raze_allowed: Literal["on", "off"] = "on"
    novice_hero_shield: Literal["on", "off"] = "off"
    classic_navy: Literal["on", "off"] = "off"
    variation: Literal["on", "off"] = "off"
    """Small variation of slots at the start (section 9.1)."""
    bonus_cap: int = 5
    """Maximum of a side's bonus (section 8.3), data of a scenario."""


CLASSIC: Final[Mapping[str, Value]] = {
    "cost_table": "classic",
    "road_rule": "cost1",
    "zoc_penalty": 0,
    "flying_step": "cap2",
    "group_ability": "any",
    "hero_rides_flyers": "on",
    "attack_step": "terrain",
    "radius_human_far": 50,
}
"""Switches of the column ``classic``. Rules: W2-0.1."""

NEW_MAP: Final = (
    "map_seed",
    "map_width",
    "map_height",
    "water",
    "hills",
    "forest",
    "cities",
)
"""Options that apply only to a scenario with a new map. See: W2-15."""
