"""Computer players whose armies cannot reach an enemy on foot: flyers, and the end of the war."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import pytest

from engine.core.codec import encode_json
from engine.core.dice import Seeded
from engine.core.options import Value
from engine.core.record import replace
from engine.core.ruleset import AnyRuleset, Scenario
from engine.core.scenarios import fitted, parse
from engine.rulesets.warlords2.options import CLASSIC
from engine.rulesets.warlords2.rules import RULES
from engine.strategic.commands import (
    BuySlot,
    Disband,
    EndTurn,
    Produce,
    Resign,
    SetStance,
    StopProduction,
)
from engine.strategic.pieces import Army
from engine.strategic.world import WAR
from study.lab.simulate import Task, play
from tests.strategic.enclosed_maps import games, without_flyers

ROWS: Final = (
    "..........................",
    "..........................",
    "..........cc..............",
    "..cc......cc...mmmmmmmm...",
    "..cc...........mmmmmmmm...",
    "...............mm.cc.mm...",
    "...............mm.cc.mm...",
    "...............mm....mm...",
    "......cc.......mmmmmmmm...",
    "......cc.......mmmmmmmm...",
    "..........................",
)
TOWNS: Final = {"West": (2, 3), "South": (6, 8), "North": (10, 2), "Nest": (18, 5)}
MADE: Final = ("light_infantry", "giants")
PLAIN: Final = 0
RING: Final = 1
"""The side of the plain and the side inside the ring of mountains."""


def ring(
    rules: AnyRuleset = RULES, *, flyers: bool = True, computers: Sequence[int] = (0, 1)
) -> Scenario:
    """Build a scenario with three cities in a plain and one in a ring of mountains."""
    document = {
        "name": "ring",
        "title": "Ring",
        "about": "",
        "rows": ROWS,
        "sides": [
            {"name": "A", "capital": TOWNS["West"], "gold": 300},
            {"name": "B", "capital": TOWNS["Nest"], "gold": 300},
        ],
        "cities": [
            {
                "x": x,
                "y": y,
                "name": name,
                "income": 25,
                "slots": MADE,
                "owner": int(name == "Nest"),
            }
            for name, (x, y) in TOWNS.items()
        ],
    }
    scenario = parse(rules, encode_json(document))
    if not flyers:
        scenario = without_flyers(rules, scenario)
    return fitted(rules, scenario, 2, frozenset(computers))


def begun(scenario: Scenario, options: Mapping[str, Value] = CLASSIC) -> Any:
    """Return the first position of a game of Warlords II, without neutral garrisons."""
    state: Any = RULES.empty()
    for event in RULES.begin(scenario, options, Seeded(b"ring", 0, "decide")):
        state = RULES.evolve(state, event)
    return replace(state, question=None)


def planned(state: Any, side: int, level: str = "normal") -> tuple[Any, ...]:
    """Return the plan of a side, as if it were its turn."""
    state = replace(state, at=state.order.index(side))
    view = RULES.view(state, side)
    return tuple(
        RULES.bots[level].plan(view, partial(RULES.offers, view), Seeded(b"ring", 1, "bot"))
    )


def army(state: Any, kind: str, number: int, owner: int, at: tuple[int, int]) -> Army:
    """Return a rested army of a type at a place."""
    row = next(one for one in state.types.values() if one.name == kind)
    upkeep = row.cost // 2
    return Army(number, owner, row.id, *at, row.strength, row.move, row.move, upkeep)


def with_armies(state: Any, *armies: Army) -> Any:
    """Return the position with only these armies on the map."""
    bare = state.armies.drop(*state.armies)
    return replace(state, armies=bare.put(*armies))


@pytest.mark.rule("W2-14.7")
@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_weaker_computer_resigns_if_no_army_can_reach_an_enemy(level: str) -> None:
    state = begun(ring(flyers=False))
    assert planned(state, RING, level) == (Resign(stranded=True),)
    assert Resign(stranded=True) not in planned(state, PLAIN, level)


def test_computer_does_not_resign_while_a_person_plays() -> None:
    for computers in ((RING,), (PLAIN,), ()):
        state = begun(ring(flyers=False, computers=computers))
        assert Resign(stranded=True) not in planned(state, RING)


def test_computer_does_not_resign_while_any_side_has_a_flyer() -> None:
    state = begun(ring(flyers=False))
    for owner, at in ((RING, TOWNS["Nest"]), (PLAIN, TOWNS["West"])):
        griffin = army(state, "Griffins", 5, owner, at)
        assert Resign(stranded=True) not in planned(with_armies(state, griffin), RING)


def test_computer_does_not_resign_if_a_path_leads_out() -> None:
    state = begun(ring(flyers=False), {})
    assert Resign(stranded=True) not in planned(state, RING)


def test_computer_explores_a_hidden_map_before_it_resigns() -> None:
    state = begun(ring(flyers=False), {**CLASSIC, "hidden_map": "on"})
    scout = army(state, "Scouts", 5, RING, TOWNS["Nest"])
    bare = replace(state, discovered=_only_near(state, TOWNS["Nest"]))
    assert Resign(stranded=True) not in planned(with_armies(bare, scout), RING)


def _only_near(state: Any, at: tuple[int, int]) -> Any:
    """Return the plane of discovered land with only the tiles beside a city, for all sides."""
    plane = state.discovered.edit()
    plane[:] = 0
    plane[at[1] - 1 : at[1] + 3, at[0] - 1 : at[0] + 3] = 255
    return type(state.discovered)(plane)


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_isolated_side_buys_and_makes_flyers_at_every_level(level: str) -> None:
    state = begun(ring())
    rich = replace(state.sides[PLAIN], gold=2000)
    plan = planned(replace(state, sides=state.sides.put(rich)), PLAIN, level)
    bought = next(one for one in plan if isinstance(one, BuySlot))
    assert "fly" in state.types[bought.type].traits
    assert state.cities[bought.city].name == "North"
    assert Produce(bought.city, bought.slot) in plan


def test_isolated_side_disbands_walkers_it_cannot_pay() -> None:
    state = begun(ring())
    poor = replace(state.sides[PLAIN], gold=0)
    giants = [army(state, "Giants", n, PLAIN, TOWNS["South"]) for n in range(1, 9)]
    more = [army(state, "Giants", n, PLAIN, TOWNS["North"]) for n in range(9, 17)]
    state = with_armies(replace(state, sides=state.sides.put(poor)), *giants, *more)
    plan = planned(state, PLAIN)
    gone = {number for one in plan if isinstance(one, Disband) for number in one.armies}
    assert 0 < len(gone) <= len(giants + more) - 2
    assert not set(range(1, 9)) <= gone
    assert not set(range(9, 17)) <= gone


def test_isolated_side_stops_production_of_walkers() -> None:
    state = begun(ring())
    busy = replace(next(c for c in state.cities.values() if c.name == "South"), making=0, left=1)
    plan = planned(replace(state, cities=state.cities.put(busy)), PLAIN)
    assert StopProduction(busy.id) in plan


def test_game_on_a_ring_of_mountains_ends() -> None:
    for flyers in (True, False):
        result = play(RULES, ring(flyers=flyers), CLASSIC, Task(("hard", "hard"), 2), longest=400)
        assert result.reason == "conquest"


def test_result_says_that_no_enemy_was_in_reach() -> None:
    state = begun(ring(flyers=False))
    state = replace(state, at=state.order.index(RING))
    events = RULES.decide(state, RING, Resign(stranded=True), Seeded(b"ring", 1, "decide"))
    after = state
    for event in events:
        after = RULES.evolve(after, event)
    assert (after.winners, after.reason) == ((PLAIN,), "conquest")
    assert any(getattr(event, "stranded", False) for event in events)


def test_isolated_side_only_ends_its_turn_if_a_person_plays() -> None:
    state = begun(ring(flyers=False, computers=(PLAIN,)))
    assert planned(with_armies(state), RING)[-1] == EndTurn()


def test_isolated_side_declares_war_on_sides_in_reach() -> None:
    state = begun(ring(), {**CLASSIC, "diplomacy": "on"})
    towns = {city.name: city for city in state.cities.values()}
    changed = replace(towns["South"], razed=True), replace(towns["West"], owner=2)
    third = replace(state.sides[PLAIN], id=2, name="C", stances=(0, 0, 0))
    sides = [*state.sides.values(), third]
    peace = ((0,) * 3,) * 3
    state = replace(
        state,
        sides=state.sides.put(*(replace(side, stances=(0, 0, 0)) for side in sides)),
        cities=state.cities.put(*changed),
        treaties=peace,
        order=(0, 1, 2),
    )
    wars = [one for one in planned(state, PLAIN) if isinstance(one, SetStance)]
    assert wars == [SetStance(RING, WAR), SetStance(2, WAR)]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["warlords2", "lordsawar"])
def test_games_on_enclosed_maps_end_at_every_level(ruleset: str) -> None:
    for name, result, _ in games(ruleset, (1, 3, 4, 10)):
        assert not result.stuck, name
