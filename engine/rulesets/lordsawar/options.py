"""The options of a game (sections 0 and 20), and the presets that set several of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, cast

from engine.core.codec import convert, plain
from engine.core.options import Option, Value, settle
from engine.core.record import Record

Switch: TypeAlias = Literal["off", "on"]


class Options(Record, frozen=True):
    """What was chosen before the game; the defaults are those of the rule book."""

    combat_rule: Literal["deterministic", "dice"] = "deterministic"
    intense_combat: Switch = "off"
    ship_strength: Literal["fixed4", "capped4"] = "fixed4"
    open_ground: Literal["grass", "wide"] = "grass"
    upkeep_phase: Literal["round_end", "turn_start"] = "round_end"
    combat_log: Switch = "off"
    military_advisor: Switch = "off"
    quests: Literal["per_player", "per_hero", "none"] = "per_player"
    neutral_cities: Literal["average", "strong", "active", "defensive"] = "average"
    razing_cities: Literal["always", "on_capture", "never"] = "always"
    sacking_mode: Literal["always", "on_capture", "on_quest", "never"] = "always"
    vectoring_mode: Literal["two_turns", "by_distance"] = "two_turns"
    build_production: Literal["always", "usually", "seldom", "never"] = "always"
    quick_start: Literal["none", "even", "head_start"] = "none"
    hidden_map: Switch = "off"
    diplomacy: Switch = "off"
    cusp_of_war: Switch = "off"
    random_turns: Switch = "off"
    view_enemies: Switch = "off"
    view_production: Switch = "off"
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
"""Options that the presets set; the level of computer players is chosen at their seats.

Rules: LW-20.
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
"""Options for a scenario with a new map, and for no other. Rules: LW-20."""

_LARGEST: Final = (112, 156)
"""Width and height of the largest map. Rules: LW-20."""

LEAST_SIDE: Final = 28
"""Least width and height of a new map; the book has none."""


def declared() -> tuple[Option, ...]:
    """All options. Rules: LW-0, LW-20."""
    return (*_battle_options(), *_game_options(), *_view_options(), *_new_map())


def _battle_options() -> tuple[Option, ...]:
    return (
        _words(
            "preset",
            "Several options at once; each may still be set apart",
            "LW-20",
            beginner="all is seen, no quests, no treaties",
            intermediate="quests, treaties, stronger neutral cities",
            advanced="a hidden map, and neutral cities that defend themselves",
            greatest="as advanced, nothing is razed, and computers turn on people in round 9",
        ),
        _words(
            "combat_rule",
            "How battles are fought",
            "LW-4.1",
            deterministic="without chance: the forecast is certain",
            dice="with dice",
        ),
        _on_off(
            "intense_combat", "Hits are counted in 24 steps of strength instead of 20", "LW-4.1"
        ),
        _words(
            "ship_strength",
            "Strength of armies aboard",
            "LW-3.1",
            fixed4="always 4",
            capped4="their own, 4 at most",
        ),
        _words(
            "open_ground",
            "What counts as open ground in battle",
            "LW-3.2",
            grass="grass",
            wide="grass, swamp and water",
        ),
        _on_off("combat_log", "Battles are written out hit by hit", "LW-8"),
        _on_off("military_advisor", "People may ask for a forecast before they attack", "LW-7"),
    )


def _game_options() -> tuple[Option, ...]:
    return (
        _words(
            "upkeep_phase",
            "When accounts are settled, armies heal and cities produce",
            "LW-13.1",
            round_end="for all at the end of a round",
            turn_start="for each side at the start of its turn",
        ),
        _words(
            "quests",
            "Quests that temples give",
            "LW-15",
            per_player="one for each side",
            per_hero="one for each hero",
            none="none",
        ),
        _words(
            "neutral_cities",
            "Who keeps the cities of nobody",
            "LW-17",
            average="one army, the weakest the city makes",
            strong="one army, the strongest the city makes",
            active="one strong army, and more after an attack",
            defensive="two quick armies, and more while there is money",
        ),
        _words(
            "razing_cities",
            "When cities may be razed",
            "LW-13.3",
            always="at any time",
            on_capture="when they are taken",
            never="never",
        ),
        _words(
            "sacking_mode",
            "When cities may be sacked and pillaged",
            "LW-13.3",
            always="when they are taken",
            on_capture="when they are taken, and not later",
            on_quest="on a quest that asks for it",
            never="never",
        ),
        _words(
            "vectoring_mode",
            "How long armies are on their way to another city",
            "LW-13.4",
            two_turns="two rounds",
            by_distance="one to five rounds by the distance",
        ),
        _words(
            "build_production",
            "Which cities can buy new types",
            "LW-20",
            always="all",
            usually="two in three",
            seldom="one in ten, and capitals",
            never="none",
        ),
        _words(
            "quick_start",
            "Cities dealt out at the start",
            "LW-20",
            none="none",
            even="the nearest to everybody, as many to each",
            head_start="one in twenty to each computer player",
        ),
        _number(
            "start_gold", "Gold at the start, where the scenario says nothing", "LW-20", 0, 10_000
        ),
        _number("hidden_ruins", "Ruins hidden at the start, in percent", "LW-19.5", 0, 100),
        _on_off("diplomacy", "Sides begin at peace instead of war", "LW-16"),
        _on_off("cusp_of_war", "In round 9 computers declare war on people", "LW-16"),
        _on_off("random_turns", "The order of the sides is drawn every round", "LW-17"),
    )


def _view_options() -> tuple[Option, ...]:
    return (
        _on_off("hidden_map", "What nobody has seen yet is dark", "LW-17"),
        _on_off("view_enemies", "What stacks of others consist of can be seen", "LW-17"),
        _on_off("view_production", "What cities of others can make can be seen", "LW-20"),
    )


def _new_map() -> tuple[Option, ...]:
    return (
        _number("map_seed", "Tells a new map from others", "LW-20", 0, 999_999),
        _words(
            "map_size",
            "Size of a new map",
            "LW-20",
            tiny="50x75 tiles",
            small="70x105 tiles",
            normal="112x156 tiles",
        ),
        _number("map_width", "Tiles of a new map in a row", "LW-20", LEAST_SIDE, _LARGEST[0]),
        _number("map_height", "Rows of a new map", "LW-20", LEAST_SIDE, _LARGEST[1]),
        _number("water", "Water of a new map, in percent", "LW-20", 0, 60),
        _number("hills", "Hills and mountains of a new map, in percent", "LW-20", 0, 40),
        _number("forest", "Forest of a new map, in percent", "LW-20", 0, 40),
        _number("swamp", "Swamp of a new map, in percent", "LW-20", 0, 20),
        _number("cities", "Cities of a new map", "LW-20", 4, 100),
    )


def _words(name: str, text: str, rule: str, **choices: str) -> Option:
    return Option(name, None, text, rule, tuple(choices), tuple(choices.values()))


def _on_off(name: str, text: str, rule: str) -> Option:
    return Option(name, None, text, rule, ("on", "off"), ("yes", "no"))


def _number(name: str, text: str, rule: str, low: int, high: int) -> Option:
    return Option(name, None, text, rule, low=low, high=high)


def settled(given: Mapping[str, Value], scenario: Mapping[str, Value]) -> Options:
    """The options of a game: defaults, overruled by the scenario, then by the player.

    A preset stands for all its options. Options of new maps are left out. Rules: LW-0, LW-20.

    Raises:
        OptionFault: an option is unknown or invalid.
    """
    chosen: dict[str, Value] = {}
    for wishes in (scenario, given):
        checked = settle(OPTIONS, wishes)
        chosen |= PRESETS.get(str(checked.pop("preset", "")), {})
        chosen |= {name: value for name, value in checked.items() if name not in NEW_MAP}
    return cast("Options", convert(chosen, Options))


def as_mapping(options: Options) -> dict[str, Value]:
    """Values of all options by name."""
    return cast("dict[str, Value]", plain(options))


OPTIONS: Final = declared()
"""All options."""
