"""Scenario files: the faults that are refused, and their messages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.core.codec import convert, plain
from engine.core.ruleset import ScenarioFault
from engine.rulesets.lordsawar import setup
from engine.rulesets.lordsawar.scenario_codec import position
from engine.rulesets.lordsawar.scene import Map
from engine.strategic.pieces import NOBODY
from tests.rulesets.lordsawar.lands import SMALL, scene, start

CITY = SMALL["cities"][0]
OTHER = SMALL["cities"][1]
SITE = SMALL["sites"][0]
TYPE = {"id": 0, "key": "a", "name": "a"} | dict.fromkeys(
    ("strength", "turns", "cost", "move", "price", "order"), 1
)

FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"rows": []}, "rows: there are no rows", "LW-20"),
    ({"rows": ["cc.", "cc"]}, "rows[1]: 2 tiles wide, not 3", "LW-20"),
    ({"rows": ["cc?", "cc."]}, "rows[0]: the sign '?' is none of", "LW-1"),
    ({"rows": ["." * 113] * 2, "roads": []}, "rows: 113 x 2 tiles; from 2 x 2 to", "LW-20"),
    ({"roads": ["......."]}, "roads: 1 rows, the map has 4", "LW-20"),
    ({"roads": ["+......", *["......."] * 3]}, "roads[0]: none can be at (0, 0): city", "LW-19.5"),
    ({"roads": ["......+", *["......."] * 3]}, "roads[0]: none can be at (6, 0): water", "LW-19.5"),
    (
        {"roads": [".......", "...+...", ".......", "......."]},
        "roads[1]: none can be at (3, 1): a site",
        "LW-19.5",
    ),
    ({"sides": SMALL["sides"][:1]}, "sides: 1 sides; 2 to 8 can play", "LW-19.3"),
    ({"sides": [{"capital": [0, 0]}] * 2}, "sides[1].capital: is another side's", "LW-19.5"),
    ({"sides": [{"capital": [0, 0]}, {}]}, "sides[1].capital: is no city's top left", "LW-19.5"),
    ({"sides": [{"capital": [0, 0], "gold": -1}, {}]}, "sides[0].gold: -1 is not", "LW-13.1"),
    ({"sides": [{"capital": [0, 0], "order": [1]}, {}]}, "sides[0].order: 1 places", "LW-2.2"),
    ({"sides": [{"capital": [0, 0], "stances": [0, 3]}, {}]}, "sides[0].stances: must", "LW-16"),
    ({"sides": [{"capital": [0, 0], "flag": [1, 1]}, {}]}, "sides[0]: has what is for", "LW-17"),
    ({"cities": [CITY]}, "rows[2]: the city tile (3, 2) is of no city", "LW-1"),
    ({"cities": [CITY, OTHER | {"x": 4}]}, "cities[1]: (5, 2) is water, not city", "LW-1"),
    ({"cities": [CITY, CITY]}, "cities[1]: (0, 0) is a tile of cities[0] too", "LW-1"),
    ({"cities": [CITY | {"x": -1}, OTHER]}, "cities[0]: (-1, 0) and the tiles beside", "LW-1"),
    ({"cities": [CITY | {"slots": ["knights"]}, OTHER]}, "cities[0].slots[0]: there is", "LW-9"),
    ({"cities": [CITY | {"slots": ["hero"]}, OTHER]}, "cities[0].slots[0]: no city", "LW-9"),
    ({"cities": [CITY | {"slots": ["scouts"] * 5}, OTHER]}, "cities[0].slots: 4 are", "LW-13.2"),
    ({"cities": [CITY | {"owner": 2}, OTHER]}, "cities[0].owner: there is no side 2", "LW-19.3"),
    ({"cities": [CITY | {"owner": 1}, OTHER]}, "sides[0].capital: is a city of side 1", "LW-19.5"),
    ({"cities": [CITY | {"name": "n" * 25}, OTHER]}, "cities[0].name: 25 letters", "LW-1"),
    ({"cities": [CITY | {"razed": True}, OTHER]}, "cities[0].razed: a razed city", "LW-13.3"),
    (
        {"cities": [CITY | {"slots": [{"unit": "scouts", "strength": 10}]}, OTHER]},
        "cities[0].slots[0].strength: 10 is not from 1 to 9",
        "LW-9",
    ),
    ({"sites": [{"x": 2, "y": 9}]}, "sites[0]: is off the map", "LW-14"),
    ({"sites": [{"x": 0, "y": 0}]}, "sites[0]: none can be at (0, 0): city", "LW-14"),
    ({"sites": [SITE, SITE]}, "sites[1]: (3, 1) has something already", "LW-14"),
    ({"sites": [SITE | {"kind": "relic"}]}, "sites[0].kind: there is no 'relic'", "LW-14"),
    ({"sites": [SITE | {"guardian": 29}]}, "sites[0].guardian: 29 is not from -1 to 28", "LW-14"),
    ({"sites": [SITE | {"ally": 28}]}, "sites[0].ally: there is no type 28", "LW-14"),
    ({"sites": [SITE | {"known_to": 256}]}, "sites[0].known_to: 256 is not", "LW-14"),
    ({"signs": [{"x": 0, "y": 9, "text": ""}]}, "signs[0]: is off the map", "LW-1"),
    ({"units": [TYPE, TYPE]}, "units: 0 is given twice", "LW-9"),
    ({"units": [TYPE, TYPE | {"id": 1}]}, "units: two types have the same key", "LW-9"),
    ({"units": [TYPE | {"id": 200}]}, "units[0].id: is not from 0 to 199", "LW-9"),
    ({"units": [TYPE | {"strength": 10}]}, "units[0].strength: 10 is not from 1 to 9", "LW-9"),
    (
        {"items": [{"id": 0, "kind": "weapon", "value": 1, "name": "a", "where": "carried"}]},
        "items[0].where: is for mid-game",
        "LW-11",
    ),
    (
        {"items": [{"id": 3, "kind": "weapon", "value": 1, "name": "a"}] * 2},
        "items: 3 is given twice",
        "LW-11",
    ),
    ({"rewards": [{"id": 2}]}, "rewards[0].id: there is no site 2", "LW-14"),
    ({"rewards": [{"id": 0}, {"id": 0}]}, "rewards: 0 is given twice", "LW-14"),
    ({"rewards": [{"id": 0, "kind": "fame"}]}, "rewards[0].kind: there is no 'fame'", "LW-14"),
    ({"rewards": [{"id": 0, "kind": "item"}]}, "rewards[0].item: is no item", "LW-14"),
    ({"rewards": [{"id": 0, "kind": "allies"}]}, "rewards[0].ally: is no type", "LW-14"),
    ({"rewards": [{"id": 0, "kind": "ruin"}]}, "rewards[0].site: is no site", "LW-14"),
    ({"rewards": [{"id": 0, "kind": "map"}]}, "rewards[0]: is off the map", "LW-14"),
    ({"rewards": [{"id": 0, "count": 9}]}, "rewards[0].count: 9 is not from 0 to 8", "LW-14"),
    ({"options": {"hidden": "on"}}, "options: there is no option 'hidden'", "LW-0"),
    ({"options": {"quests": "maybe"}}, "options: option quests: 'maybe' is none of", "LW-0"),
    ({"new": {}}, "new: goes with neither rows, sides, cities nor now", "LW-20"),
    ({"title": "t" * 161}, "title: 161 letters", "LW-1"),
]


def test_the_small_scenario_is_sound() -> None:
    setup.check(scene())


@pytest.mark.rule("LW-1.2", "LW-19.3", "LW-19.5")
@pytest.mark.parametrize(
    ("changes", "words", "rule"), FAULTS, ids=[words for _, words, _ in FAULTS]
)
def test_fault_is_reported_in_one_line_with_its_place(
    changes: dict[str, Any], words: str, rule: str
) -> None:
    with pytest.raises(ScenarioFault, match=re.escape(words)) as told:
        setup.check(scene(**changes))
    assert "\n" not in str(told.value)
    assert told.value.rule == rule


# -- positions in mid-game -------------------------------------------------------------------------


def moment(**changes: Any) -> Map:
    """Return the small scenario in mid-game, with changed fields of ``now``."""
    described: dict[str, Any] = plain(position(start(scene())))
    now = described["now"] | {"order": [0, 1], "armies": []} | changes
    made = convert(described | {"now": now}, Map)
    assert isinstance(made, Map)
    return made


ARMY = {"id": 7, "owner": 0, "type": 1, "x": 2, "y": 0, "strength": 2, "max_move": 12}
ARMY |= {"points": 12, "upkeep": 3}

MOMENTS: list[tuple[dict[str, Any], str]] = [
    ({"order": [0, 0]}, "now.order: must be sides, each once"),
    ({"at": 2}, "now.at: is no place in now.order"),
    ({"turn": 0}, "now.turn: 0 is not from 1 to 100000"),
    ({"treaties": [[0, 2]]}, "now.treaties: must be 2 rows of 2"),
    ({"treaties": [[0, 2], [1, 0]]}, "now.treaties[0]: must be the same both ways"),
    ({"proposals": [[-1, -1]]}, "now.proposals: must be 2 rows of 2"),
    ({"proposals": [[-1, 3], [-1, -1]]}, "now.proposals: must be from -1 to 2"),
    ({"opinions": [[8, 16], [8, 8]]}, "now.opinions: must be from 0 to 15"),
    ({"winners": [0]}, "now.winners: must be sides, of a game that is over"),
    ({"armies": [ARMY | {"type": 30}]}, "now.armies[0].type: there is no type 30"),
    ({"armies": [ARMY | {"owner": 5}]}, "now.armies[0].owner: there is no side 5"),
    ({"armies": [ARMY | {"x": 9}]}, "now.armies[0]: is off the map"),
    ({"armies": [ARMY | {"strength": 10}]}, "now.armies[0].strength: is not from 1 to 9"),
    ({"armies": [ARMY | {"type": 27}]}, "now.armies[0].hero: goes with the type of heroes"),
    ({"armies": [ARMY | {"goal": [9, 9]}]}, "now.armies[0].goal: is off the map"),
    ({"armies": [ARMY, ARMY]}, "now.armies: a number stands twice"),
    (
        {"armies": [ARMY, ARMY | {"id": 8, "owner": NOBODY}]},
        "now.armies[1]: (2, 0) has armies of another side too",
    ),
    ({"armies": [ARMY | {"id": n} for n in range(1, 10)]}, "now.armies: 9 stand on (2, 0)"),
    ({"conditions": [{"id": 7}]}, "now.conditions[0].id: there is no army 7"),
    (
        {"armies": [ARMY], "conditions": [{"id": 7, "xp": "1.5"}]},
        "now.conditions[0].xp: is no fraction",
    ),
    ({"armies": [ARMY], "conditions": [{"id": 7}] * 2}, "now.conditions: an army has two"),
    (
        {"transits": [{"id": 3, "army": ARMY | {"id": 3, "home": 0}, "target": 2, "due": 3}]},
        "now.transits[0].target: is neither a city nor -2",
    ),
    ({"discovered": ["ff"]}, "now.discovered: 1 rows, the map has 4"),
    ({"secret": "12"}, "now.secret: must be 32 hexadecimal digits"),
    ({"question": {"kind": "fate", "side": 0, "city": 2}}, "now.question.city: is no city"),
    ({"question": {"kind": "sage", "side": 0, "site": 0}}, "now.question.army: is no army"),
]


@pytest.mark.rule("LW-16", "LW-17", "LW-19.5")
@pytest.mark.parametrize(("changes", "words"), MOMENTS, ids=[words for _, words in MOMENTS])
def test_fault_in_mid_game_is_reported_with_its_place(changes: dict[str, Any], words: str) -> None:
    setup.check(moment())
    with pytest.raises(ScenarioFault, match=re.escape(words)) as told:
        setup.check(moment(**changes))
    assert told.value.rule.startswith("LW-")


@pytest.mark.rule("LW-16")
def test_missing_opinions_and_proposals_have_default_values() -> None:
    now = start(moment(opinions=[], proposals=[]))
    assert now.opinions == ((8, 8), (8, 8))
    assert now.proposals == ((-1, -1), (-1, -1))
