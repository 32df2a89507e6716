"""The rule switches and options of a game (section 0.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, cast

from engine.core.codec import convert, plain
from engine.core.options import Option, Value, settle
from engine.core.record import Record


class Options(Record, frozen=True):
    """What was chosen before the game; the defaults are the ``seed`` column of section 0.1."""

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
    """Slots vary a little at the start (section 9.1)."""
    bonus_cap: int = 5
    """Most that a side's bonus comes to (section 8.3), data of a scenario."""


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
"""Options for a scenario with a new map, and for no other. Rules: W2-15."""

_SWITCH: Final = ("on", "off")


def declared() -> tuple[Option, ...]:
    """All options. Rules: W2-0.1."""
    return (*_switches(), *_game_options(), *_new_map())


def _switches() -> tuple[Option, ...]:
    return (
        _words(
            "column",
            "All rule switches at once; each may still be set apart",
            "W2-0.1",
            seed="the rules of the book",
            classic="the rules of the original program",
        ),
        _words(
            "cost_table",
            "What terrain costs on foot",
            "W2-4.1",
            seed="forest 3, hills 4, mountains 6, desert 5, bridges 3",
            classic="forest 4, hills 6, mountains closed, desert 2, bridges 1",
        ),
        _words(
            "road_rule",
            "What roads do",
            "W2-4.4",
            cap2="a tile on a road that goes on costs 2 at most",
            cost1="a tile with a road costs 1, except for flyers",
        ),
        _number(
            "zoc_penalty", "Points for coming close to an enemy, off the roads", "W2-4.5c", 0, 9
        ),
        _words(
            "flying_step",
            "What a tile costs flyers",
            "W2-5.2",
            one="always 1",
            cap2="2 at most; 2 over water and mountains closed on foot",
        ),
        _words(
            "group_ability",
            "Who must know woods or hills for a group to be quick there",
            "W2-6.2",
            all="every army",
            any="one army",
        ),
        _on_off("hero_rides_flyers", "A hero flies along with flyers", "W2-6.1"),
        _words(
            "attack_step",
            "What an attack costs",
            "W2-6.4",
            one="1 point",
            terrain="what the tile costs, 2 at least",
        ),
        _number(
            "radius_human_far", "How far round a way may be looked for, in tiles", "W2-5.5", 6, 156
        ),
        _on_off("intense_combat", "Battles with 24-sided dice instead of 20-sided ones", "W2-8.5"),
        _number("bonus_cap", "Most that the bonus of a side comes to", "W2-8.3", 0, 15),
    )


def _game_options() -> tuple[Option, ...]:
    return (
        _on_off("hidden_map", "What nobody has seen yet is dark", "W2-11"),
        _on_off("diplomacy", "Sides begin at peace instead of war", "W2-12.1"),
        _on_off("quests", "Temples send heroes on quests", "W2-10.6"),
        _on_off("random_turns", "The order of the sides is drawn every round", "W2-13.1"),
        _on_off("quick_start", "All cities are dealt out with armies at the start", "W2-9.7"),
        _words(
            "neutral_strength",
            "Who keeps the cities of nobody",
            "W2-9.7",
            average="scouts",
            strong="the city's own armies",
            active="the city's own armies, and it makes more when attacked",
        ),
        _on_off("raze_allowed", "Cities may be razed", "W2-9.2"),
        _on_off(
            "novice_hero_shield", "Heroes of people cannot be hurt by armies of nobody", "W2-8.5"
        ),
        _on_off("classic_navy", "Cities may make navies", "W2-9.1"),
        _on_off("variation", "What cities make varies a little from the usual numbers", "W2-9.1"),
    )


def _new_map() -> tuple[Option, ...]:
    return (
        _number("map_seed", "Tells a new map from others", "W2-15", 0, 999_999),
        _number("map_width", "Tiles of a new map from west to east", "W2-15", 28, 112),
        _number("map_height", "Tiles of a new map from north to south", "W2-15", 28, 156),
        _number("water", "Water of a new map, 0 little to 6 much", "W2-15.1", 0, 6),
        _number("hills", "Hills and mountains of a new map, 0 few to 6 many", "W2-15.3", 0, 6),
        _number("forest", "Forest of a new map, 0 little to 6 much", "W2-15.5", 0, 6),
        _number("cities", "Cities of a new map, 0 few to 6 many", "W2-15.7", 0, 6),
    )


def _words(name: str, text: str, rule: str, **choices: str) -> Option:
    return Option(name, None, text, rule, tuple(choices), tuple(choices.values()))


def _on_off(name: str, text: str, rule: str) -> Option:
    return Option(name, None, text, rule, _SWITCH, ("yes", "no"))


def _number(name: str, text: str, rule: str, low: int, high: int) -> Option:
    return Option(name, None, text, rule, low=low, high=high)


def settled(given: Mapping[str, Value], scenario: Mapping[str, Value]) -> Options:
    """The options of a game: defaults, overruled by the scenario, then by the player.

    A column stands for all its switches. Options of new maps are left out. Rules: W2-0.1.

    Raises:
        OptionFault: an option is unknown or invalid.
    """
    chosen: dict[str, Value] = {}
    for wishes in (scenario, given):
        checked = settle(declared(), wishes)
        column = checked.pop("column", None)
        chosen |= CLASSIC if column == "classic" else _BOOK if column == "seed" else {}
        chosen |= {name: value for name, value in checked.items() if name not in NEW_MAP}
    return cast("Options", convert(chosen, Options))


def as_mapping(options: Options) -> dict[str, Value]:
    """Values of all options by name."""
    return cast("dict[str, Value]", plain(options))


_BOOK: Final[Mapping[str, Value]] = {
    name: value for name, value in as_mapping(Options()).items() if name in CLASSIC
}

OPTIONS: Final = declared()
"""All options."""
