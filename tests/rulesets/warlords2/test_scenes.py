"""Scenario files: the faults that are refused, and their messages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.core.codec import convert, plain
from engine.core.dice import Seeded
from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.events import GameSet
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.scenario_codec import position
from engine.rulesets.warlords2.scene import Map
from engine.strategic.commands import EndTurn
from engine.strategic.pieces import NOBODY

SMALL: dict[str, Any] = {
    "name": "t",
    "title": "T",
    "about": "",
    "rows": ["cc....w", "cc.x..w", "...ccww", "f..cc~~"],
    "roads": [".......", "..+....", ".......", "......."],
    "sides": [{"capital": [0, 0]}, {"capital": [3, 2]}],
    "cities": [{"x": 0, "y": 0, "slots": ["scouts"]}, {"x": 3, "y": 2, "slots": ["archers"]}],
    "sites": [{"x": 3, "y": 1}],
}


def scene(**changes: Any) -> Map:
    """Return the small scenario with changed fields."""
    made = convert(SMALL | changes, Map)
    assert isinstance(made, Map)
    return made


CITY = SMALL["cities"][0]
OTHER = SMALL["cities"][1]

FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"rows": []}, "rows: there are no rows"),
    ({"rows": ["cc.", "cc"]}, "rows[1]: 2 tiles wide, not 3"),
    ({"rows": ["cc?", "cc."]}, "rows[0]: the sign '?' is none of"),
    ({"rows": ["." * 113, "." * 113], "roads": []}, "rows: 113 x 2 tiles; from 2 x 2 to"),
    ({"roads": ["......."]}, "roads: 1 rows, the map has 4"),
    ({"roads": ["+......", ".......", ".......", "......."]}, "roads[0]: none can be at (0, 0)"),
    ({"sides": SMALL["sides"][:1]}, "sides: 1 sides; 2 to 8 can play"),
    ({"sides": [{"capital": [0, 0]}, {"capital": [0, 0]}]}, "sides[1].capital: is another side's"),
    ({"sides": [{"capital": [0, 0]}, {}]}, "sides[1].capital: is no city's top left tile"),
    ({"sides": [{"capital": [0, 0], "gold": 30001}, {"capital": [3, 2]}]}, "sides[0].gold: 30001"),
    ({"sides": [{"capital": [0, 0], "level": 4}, {"capital": [3, 2]}]}, "sides[0].level: 4"),
    ({"sides": [{"capital": [0, 0], "order": [1]}, {"capital": [3, 2]}]}, "sides[0].order: 1"),
    ({"sides": [{"capital": [0, 0], "flag": [1, 1]}, {"capital": [3, 2]}]}, "sides[0]: has what"),
    ({"cities": [CITY]}, "rows[2]: the city tile (3, 2) is of no city"),
    ({"cities": [CITY, OTHER | {"x": 4}]}, "cities[1]: (5, 2) is shore, not city"),
    ({"cities": [CITY, CITY]}, "cities[1]: (0, 0) is a tile of cities[0] too"),
    ({"cities": [CITY | {"x": -1}, OTHER]}, "cities[0]: (-1, 0) and the tiles beside are off"),
    ({"cities": [CITY | {"slots": ["knights"]}, OTHER]}, "cities[0].slots[0]: there is no unit"),
    ({"cities": [CITY | {"slots": ["hero"]}, OTHER]}, "cities[0].slots[0]: no city makes heroes"),
    ({"cities": [CITY | {"slots": ["scouts"] * 5}, OTHER]}, "cities[0].slots: 4 are possible"),
    ({"cities": [CITY | {"owner": 2}, OTHER]}, "cities[0].owner: there is no side 2"),
    ({"cities": [CITY | {"owner": 1}, OTHER]}, "sides[0].capital: is a city of side 1"),
    ({"cities": [CITY | {"name": "n" * 16}, OTHER]}, "cities[0].name: 16 letters; 15 are possible"),
    ({"cities": [CITY | {"name": "\x07"}, OTHER]}, "cities[0].name: has a sign in it"),
    ({"cities": [CITY | {"razed": True}, OTHER]}, "cities[0].razed: a razed city is for mid-game"),
    (
        {"cities": [CITY | {"slots": [{"unit": "scouts", "move": 0}]}, OTHER]},
        "cities[0].slots[0].move: 0 is not from 1 to 99",
    ),
    ({"sites": [{"x": 2, "y": 0}]}, "sites[0]: (2, 0) is plains, not ground of a site"),
    ({"sites": [{"x": 3, "y": 1}] * 2}, "sites[1]: (3, 1) has something already"),
    ({"sites": [{"x": 3, "y": 1, "guardian": 10}]}, "sites[0].guardian: 10 is not from 0 to 9"),
    ({"sites": [{"x": 3, "y": 1, "kind": "pit"}]}, "sites[0].kind: there is no 'pit' in this"),
    (
        {"items": [{"id": 0, "kind": "lute", "value": 1, "name": "a"}]},
        "items[0].kind: there is no 'lute' in this game",
    ),
    (
        {"pool": [{"id": 0, "kind": "lute", "value": 1, "name": "a"}]},
        "pool[0].kind: there is no 'lute' in this game",
    ),
    ({"sites": [{"x": 3, "y": 1, "ally": 29}]}, "sites[0].ally: there is no type 29"),
    ({"ports": [[7, 0]]}, "ports[0]: (7, 0) is off the map"),
    ({"ports": [[1, 0], [1, 0]]}, "ports: (1, 0) is given twice"),
    ({"signs": [{"x": 0, "y": 9, "text": ""}]}, "signs[0]: is off the map"),
    ({"signs": [{"x": 0, "y": 0, "text": ""}] * 17473}, "signs: 17473 are given, 17472 are"),
    ({"items": [{"id": 1, "kind": "weapon", "value": 1, "name": "a"}]}, "items[0].id: is 1"),
    (
        {"items": [{"id": 0, "kind": "weapon", "value": 1, "name": "a", "where": "carried"}]},
        "items[0].where: is for mid-game",
    ),
    ({"options": {"hidden": "on"}}, "options: there is no option 'hidden'"),
    ({"options": {"quests": "maybe"}}, "options: option quests: 'maybe' is none of on, off"),
    ({"art": ["00"]}, "art: 1 rows, the map has 4"),
    ({"art": ["00" * 7] * 4}, "art[0]: the picture at (0, 0) is of another terrain"),
    ({"art": ["0z" * 7] * 4}, "art[0]: not all are hexadecimal digits"),
    ({"table": "00"}, "table: 2 hexadecimal digits, not 512"),
    ({"table": "0e" * 256}, "table: there is no terrain 14"),
    ({"table": "01" * 256}, "table: the cities of 0 are no cities"),
    (
        {
            "units": [
                {"id": 64, "key": "a", "name": "a"}
                | dict.fromkeys(("strength", "turns", "cost", "move", "price", "order"), 1)
            ]
        },
        "units[0].id: is not from",
    ),
    ({"new": {}}, "new: goes with neither rows, sides, cities nor now"),
    ({"title": "t" * 161}, "title: 161 letters"),
]


def test_the_small_scenario_is_sound() -> None:
    setup.check(scene())


@pytest.mark.rule("W2-16.4", "W2-1.8")
@pytest.mark.parametrize(("changes", "words"), FAULTS, ids=[words for _, words in FAULTS])
def test_fault_is_reported_in_one_line_with_its_place(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ScenarioFault, match=re.escape(words)) as told:
        setup.check(scene(**changes))
    assert "\n" not in str(told.value)
    assert told.value.rule.startswith("W2-")


def moment(**changes: Any) -> dict[str, Any]:
    """Return the small scenario in mid-game as plain data, with changed fields of ``now``."""
    first = setup.begin(scene(), {}, Seeded(b"scenes", 0, "t"))[0]
    assert isinstance(first, GameSet)
    told: dict[str, Any] = plain(position(first.start))
    return told | {"now": told["now"] | {"order": [0, 1]} | changes}


@pytest.mark.rule("W2-12.1", "W2-12.2")
def test_missing_stances_in_mid_game_default_to_the_treaties() -> None:
    here = moment(treaties=[[0, 1], [1, 0]])
    bare = convert(here | {"sides": [one | {"stances": []} for one in here["sides"]]}, Map)
    setup.check(bare)
    (first,) = setup.begin(bare, {"diplomacy": "on"}, Seeded(b"scenes", 0, "t"))
    assert isinstance(first, GameSet)
    assert [side.stances for side in first.start.sides.values()] == [(0, 1), (1, 0)]
    assert RULES.decide(first.start, 0, EndTurn(), Seeded(b"scenes", 1, "decide"))


ARMY = {"id": 7, "owner": 0, "type": 2, "x": 2, "y": 0, "strength": 2, "max_move": 12}
ARMY |= {"points": 12, "upkeep": 1}

MOMENTS: list[tuple[dict[str, Any], str]] = [
    ({"order": [0, 0]}, "now.order: must be sides, each once"),
    ({"at": 2}, "now.at: is no place in now.order"),
    ({"turn": 0}, "now.turn: is not from 1 to 100000"),
    ({"treaties": [[0, 2]]}, "now.treaties: must be 2 rows of 2"),
    ({"treaties": [[0, 2], [1, 0]]}, "now.treaties[0]: must be the same both ways"),
    ({"treaties": [[0, 3], [3, 0]]}, "now.treaties[0]: must be 0, 1 or 2"),
    ({"winners": [0]}, "now.winners: must be sides, of a game that is over"),
    ({"armies": [ARMY | {"type": 30}]}, "now.armies[0].type: there is no type 30"),
    ({"armies": [ARMY | {"owner": 5}]}, "now.armies[0].owner: there is no side 5"),
    ({"armies": [ARMY | {"x": 9}]}, "now.armies[0]: is off the map"),
    ({"armies": [ARMY | {"strength": 10}]}, "now.armies[0].strength: is not from 1 to 9"),
    ({"armies": [ARMY | {"type": 28}]}, "now.armies[0].hero: goes with the type of heroes"),
    ({"armies": [ARMY, ARMY]}, "now.armies: a number stands twice"),
    (
        {"armies": [ARMY, ARMY | {"id": 8, "owner": NOBODY}]},
        "now.armies[1]: (2, 0) has armies of another side too",
    ),
    ({"armies": [ARMY | {"id": n} for n in range(1, 10)]}, "now.armies: 9 stand on (2, 0)"),
    (
        {"transits": [{"id": 3, "army": ARMY | {"id": 3, "home": 0}, "target": 2, "due": 3}]},
        "now.transits[0].target: is neither a city nor -2",
    ),
    ({"towers": [{"id": 3, "x": 2, "y": 0, "owner": 0}]}, "now.towers[0].id: is not y * width"),
    ({"discovered": ["ff"]}, "now.discovered: 1 rows, the map has 4"),
    ({"armies": [ARMY | {"hp": {"most": 9}}]}, "now.armies[0].hp: no wounds last in this game"),
    ({"question": {"kind": "toast", "side": 0}}, "now.question.kind: there is no 'toast' in this"),
    ({"question": {"kind": "fate", "side": 0, "city": 2}}, "now.question.city: is no city"),
    ({"question": {"kind": "sage", "side": 0, "site": 0}}, "now.question.army: is no army"),
]


@pytest.mark.rule("W2-6.1", "W2-13.1")
@pytest.mark.parametrize(("changes", "words"), MOMENTS, ids=[words for _, words in MOMENTS])
def test_fault_in_mid_game_is_reported_with_its_place(changes: dict[str, Any], words: str) -> None:
    setup.check(convert(moment(), Map))
    with pytest.raises(ScenarioFault, match=re.escape(words)):
        setup.check(convert(moment(**changes), Map))


@pytest.mark.rule("W2-16.4")
@pytest.mark.parametrize("field", ["capital", "flag"])
def test_capital_and_flag_in_mid_game_must_be_on_the_map(field: str) -> None:
    made = moment()
    made["sides"][1][field] = [1, -90]
    with pytest.raises(ScenarioFault, match=re.escape(f"sides[1].{field}: is off the map")):
        setup.check(convert(made, Map))
