"""Short games with every value of every switch, a few random games, and tests of their checks.

The long version is ``python -m tests.strategic.soak``, with and without ``--switches``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from engine.core.containers import Plane, Roster
from engine.core.record import replace
from engine.rulesets.warlords2.options import NEW_MAP
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.setup import OPTIONS
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import city_art
from engine.strategic import events as ev
from engine.strategic.pieces import NONE, Item, Quest, Question, Tower, Transit
from tests.coverings import pairs, values_of
from tests.strategic import happenings, hiding, invariants, switched
from tests.strategic.chances import covered, game
from tests.strategic.fleets import FLEETS
from tests.strategic.ground import LIGHT, NAVY, army, city, slot, world
from tests.strategic.playing import play

SWITCHES = [one for one in OPTIONS if one.name != "column" and one.name not in NEW_MAP]


@pytest.mark.rule("W2-0.1", "W2-17")
@pytest.mark.parametrize("number", range(len(covered())))
def test_games_with_any_switches_keep_the_invariants(number: int, tmp_path: Path) -> None:
    report = play(covered()[number], number, 3, tmp_path)
    assert report.orders > 5


@pytest.mark.rule("W2-0.1")
def test_each_pair_of_switch_values_is_in_some_game() -> None:
    played = {pair for drawn in covered() for pair in pairs(dict(drawn.options))}
    for one, other in combinations(SWITCHES, 2):
        for first, second in product(values_of(one), values_of(other)):
            assert ((one.name, first), (other.name, second)) in played
    for column in ("seed", "classic"):
        assert any(drawn.options.get("column") == column for drawn in covered())


@pytest.mark.rule("W2-0.1", "W2-6.1", "W2-6.6")
def test_covering_games_have_mixed_fleets_and_riding_heroes(tmp_path: Path) -> None:
    wanted = {
        "a fleet of ships and armies aboard sailed",
        "a hero rode over water with flyers",
        "ships fought",
    }
    came = set[str]()
    for number, drawn in enumerate(covered()):
        if drawn.scenario == FLEETS.name and not wanted <= came:
            folder = tmp_path / str(number)
            folder.mkdir()
            came |= play(drawn, number, 3, folder).came
    assert wanted <= came <= set(switched.ALL)


@pytest.mark.rule("W2-17")
@pytest.mark.parametrize("seed", range(1, 7))
def test_random_games_keep_the_invariants(seed: int, tmp_path: Path) -> None:
    report = play(game(seed, small=True), seed, 4, tmp_path)
    assert report.orders > 5
    assert report.events > report.orders


# -- faults are found ------------------------------------------------------------------------------


def realm(**more: Any) -> State:
    """Return a sound position: side 0 has city 1 and three armies, side 1 an army."""
    home = city(1, 0, 0, 0)
    armies = (army(1, 0, 0), army(2, 3, 1), army(9, 4, 2, owner=1))
    state = world(["...~.", "...~.", "....."], armies=armies, cities=[home], **more)
    art = state.art.edit()
    art[0:2, 0:2] = [city_art(0)[:2], city_art(0)[2:]]
    return replace(state, art=Plane(art), armies=state.armies.put(army(2, 2, 1)))


def change_army(state: State, number: int, **more: Any) -> State:
    return replace(state, armies=state.armies.put(replace(state.armies[number], **more)))


def change_city(state: State, **more: Any) -> State:
    return replace(state, cities=state.cities.put(replace(state.cities[1], **more)))


def change_side(state: State, **more: Any) -> State:
    return replace(state, sides=state.sides.put(replace(state.sides[0], **more)))


def crowd(state: State) -> State:
    return replace(state, armies=state.armies.put(*(army(20 + k, 0, 2) for k in range(9))))


WRONG: dict[str, Callable[[State], State]] = {
    "armies stand on": crowd,
    "armies of two sides": lambda s: change_army(s, 9, x=2, y=1),
    "stands in city": lambda s: change_army(s, 9, x=1, y=1),
    "100 points": lambda s: change_army(s, 2, points=100),
    "has strength 10": lambda s: change_army(s, 2, strength=10),
    "is no water": lambda s: change_army(s, 2, aboard=True),
    "stands on the water": lambda s: change_army(s, 2, x=3),
    "stand on land": lambda s: replace(s, armies=s.armies.put(army(5, 2, 2, NAVY))),
    "on the map and off": lambda s: replace(
        s, transits=Roster([Transit(id=2, army=army(2, 0, 0), target=1, due=2)])
    ),
    "is due in round 4": lambda s: replace(
        s, transits=Roster([Transit(id=7, army=army(7, 0, 0), target=1, due=4)])
    ),
    "5 slots": lambda s: change_city(s, slots=(slot(LIGHT),) * 5, defence=2),
    "defence 2": lambda s: change_city(s, defence=2),
    "makes number 1 of 1": lambda s: change_city(s, making=1),
    "tiles of its own": lambda s: change_city(s, x=1),
    "looks like": lambda s: change_city(s, owner=1),
    "is asked in the turn": lambda s: replace(s, question=Question("hero", 1)),
    "30001 gold": lambda s: change_side(s, gold=30001),
    "side 0 is out": lambda s: change_side(s, alive=False),
    "quest of side 0": lambda s: change_side(s, quest=Quest("plunder", hero=1)),
    "flag of side 0": lambda s: change_side(s, flag=(0, 0)),
    "sides 0 and 1 stand": lambda s: replace(s, treaties=((0, 1), (2, 0))),
    "is carried": lambda s: replace(
        s, items=Roster([Item(1, "weapon", 1, "Sword", where="carried", holder=1)])
    ),
    "is ground": lambda s: replace(
        s, items=Roster([Item(1, "weapon", 1, "Sword", "ground", x=3, y=0)])
    ),
    "keeps the tower": lambda s: replace(s, towers=Roster([Tower(id=11, x=1, y=2, owner=0)])),
    "in the order": lambda s: replace(s, order=(0, 0)),
    "forgotten": lambda s: replace(s, discovered=Plane(s.discovered.edit() * 0)),
}


def test_the_realm_is_sound() -> None:
    assert not [*invariants.of_position(realm(), realm())]


@pytest.mark.parametrize("words", list(WRONG))
def test_a_broken_position_is_noticed(words: str) -> None:
    found = [*invariants.of_position(realm(), WRONG[words](realm()))]
    assert any(words in text for text in found), found


def test_changed_ruin_is_noticed() -> None:
    ruin = change_city(realm(), razed=True, owner=15, slots=(), defence=0, making=NONE)
    found = [*invariants.of_position(ruin, change_city(ruin, name="New"))]
    assert any("has changed" in text for text in found), found


BATTLE = ev.BattleFought(
    at=(4, 2),
    start=(3, 2),
    attacker=0,
    defender=1,
    ground="open",
    attackers=(ev.Fighter(2, LIGHT, 2),),
    defenders=(ev.Fighter(9, LIGHT, 2),),
    duels=(ev.Duel(2, 9, (20, 1, 20, 1), won=True),),
    won=True,
)

ODD: dict[str, ev.AnyEvent] = {
    "on one way": ev.GroupMoved((1, 2), ((0, 2),), (2, 5), (False, False)),
    "fights with 16": replace(BATTLE, attackers=(ev.Fighter(2, LIGHT, 16),)),
    "is not there": replace(BATTLE, attackers=(ev.Fighter(77, LIGHT, 2),)),
    "ends with the dead": replace(BATTLE, won=False),
    "begins with 15": ev.PointsRefilled(0, ((1, 15),)),
    "in 3 turns": ev.ArmySent(1, 1, Transit(id=7, army=army(7, 0, 0), target=1, due=4)),
}


@pytest.mark.parametrize("words", list(ODD))
def test_an_odd_event_is_noticed(words: str) -> None:
    found = [*happenings.of_events(realm(), (ODD[words],))]
    assert any(words in text for text in found), found


def test_sound_battle_has_no_faults() -> None:
    assert not [*happenings.of_events(realm(), (BATTLE,))]


LEAKS: dict[str, Callable[[State], State]] = {
    "the purse": lambda s: s,
    "what city 1 makes": lambda s: change_city(s, making=0),
    "out of sight": lambda s: s,
    "never discovered": lambda s: s,
    "off the map": lambda s: replace(
        s, transits=Roster([Transit(id=7, army=army(7, 0, 0), target=1, due=2)])
    ),
}


@pytest.mark.parametrize("words", list(LEAKS))
def test_a_leak_is_noticed(words: str) -> None:
    state = LEAKS[words](realm(hidden=True))
    whole, own = RULES.view(state, -3), RULES.view(state, 1)
    assert not [*hiding.of_view(state, own, 1)]
    found = [*hiding.of_view(state, whole, 1)]
    assert any(words in text for text in found), found
