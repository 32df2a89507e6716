"""A march at a foreign city has all four tiles as goals, in Warlords II and LordsAWar."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.core.containers import Plane
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.registry import find
from engine.kit.grid import Place
from engine.rulesets.warlords2.options import CLASSIC, Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import goals, routes
from engine.strategic.commands import March, SetGoal
from engine.strategic.events import CityTaken, GroupMoved
from engine.strategic.path_cache import PathCache
from engine.strategic.pieces import NOBODY
from engine.strategic.reach import reach
from engine.strategic.refusal import Refusal
from engine.tabletop.focus import Focus
from engine.tabletop.presenter import presenter_of
from tests.rulesets.lordsawar import fields
from tests.strategic.ground import army, city, desk, world
from tests.strategic.moving.marches import WIN, has, march
from tests.strategic.moving.sweep import CLASSIC_OPEN, OPEN, Position, new_map, shipped, swept

WALLED = ["...cc~~~", "...cc~~~", "...~~~~~", "........"]
"""A city with a far side that only water reaches."""

COLUMNS = [Options(), Options(**CLASSIC)]  # type: ignore[arg-type]  # values of switches
both_columns = pytest.mark.parametrize("options", COLUMNS, ids=("usual", "classic"))


def walled(options: Options, **more: Any) -> State:
    town = more.pop("town", city(0, 3, 0, 1))
    mine = army(1, 1, 1, **more)
    return world(WALLED, armies=[mine], cities=[town], options=options)


@pytest.mark.rule("W2-5.3")
@both_columns
@pytest.mark.parametrize("to", [(3, 0), (4, 0), (3, 1), (4, 1)])
def test_march_at_a_city_attacks_at_the_first_tile_in_reach(options: Options, to: Place) -> None:
    work = march(walled(options), [1], to)
    assert work.state.armies[1].at in {(3, 0), (3, 1)}
    assert work.state.armies[1].goal is None
    assert work.state.cities[0].owner == 0
    assert work.state.armies[1].points == 12 - 2 - (2 if options.attack_step == "terrain" else 1)


@pytest.mark.rule("W2-5.3")
@both_columns
def test_preview_reach_and_march_agree_about_the_far_side(options: Options) -> None:
    state = walled(options)
    settings, group = settings_of(options), (state.armies[1],)
    route = routes.ordered(state, settings, 0, group, (4, 1))
    assert route == PathCache(state, settings, 0, group, human=True).way((4, 1))
    assert route is not None
    assert (route.path, route.attack) == (((2, 1), (3, 1)), True)
    assert reach(state, settings, 0, group).targets[4, 1] == (2, 1)
    moved = [one.path for one in march(state, [1], (4, 1)).events if isinstance(one, GroupMoved)]
    assert tuple(at for path in moved for at in path) == route.path


@pytest.mark.rule("W2-5.3")
def test_all_tiles_are_goals_for_neutral_but_not_own_cities() -> None:
    neutral = walled(Options(), town=city(0, 3, 0, NOBODY))
    assert march(neutral, [1], (4, 1)).state.armies[1].at == (3, 1)
    own = walled(Options(), town=city(0, 3, 0, 0))
    assert march(own, [1], (4, 1)).state.armies[1].at == (4, 1)


@pytest.mark.rule("W2-5.3", "W2-12.3")
def test_city_of_a_side_at_peace_is_attacked_only_by_treachery() -> None:
    state = replace(walled(Options(diplomacy="on")), treaties=((0, 0), (0, 0)))
    with pytest.raises(Refused) as refused:
        march(state, [1], (4, 1))
    assert refused.value.code == Refusal.TREACHERY
    assert march(state, [1], (4, 1), [50], betray=True).state.cities[0].owner == 0


@pytest.mark.rule("W2-5.3", "W2-6.5")
@pytest.mark.parametrize("order", ["march", "goal"])
def test_march_over_several_turns_ends_at_the_first_city_tile(order: str) -> None:
    state = walled(Options(), points=2)
    aimed = desk(state)
    if order == "march":
        aimed = march(state, [1], (4, 1))
        assert aimed.state.armies[1].at == (2, 1)
    else:
        goals.set_goal(aimed, settings_of(state.options), 0, SetGoal((1,), (4, 1)))
    marcher = aimed.state.armies[1]
    assert marcher.goal == (4, 1)
    work = desk(replace(state, armies=state.armies.put(replace(marcher, points=12))))
    goals.go_on(work, settings_of(state.options), 0)
    assert work.state.armies[1].at == (3, 1)
    assert work.state.armies[1].goal is None
    assert has(work, CityTaken)


@pytest.mark.rule("W2-5.3", "W2-8.1")
def test_all_defenders_of_the_city_fight_for_any_tile() -> None:
    state = walled(Options())
    guards = [army(8, 4, 0, owner=1), army(9, 4, 1, owner=1)]
    guarded = replace(state, armies=state.armies.put(*guards))
    work = march(guarded, [1], (4, 0), WIN)
    battle = next(event for event in work.events if hasattr(event, "defenders"))
    assert {one.army for one in battle.defenders} == {8, 9}
    assert work.state.armies[1].at in {(3, 0), (3, 1)}


def seen(state: State, *tiles: Place) -> State:
    """Return the position with fog and only these tiles discovered by side 0."""
    found = np.zeros_like(state.discovered.cells)
    for x, y in tiles:
        found[y, x] = 1
    return replace(state, discovered=Plane(found), options=replace(state.options, hidden_map="on"))


@pytest.mark.rule("W2-5.3", "W2-11")
def test_all_tiles_are_goals_only_if_the_city_is_known() -> None:
    beside = [(x, y) for x in range(3) for y in range(3)]
    group = (army(1, 1, 1),)
    unknown, part = (seen(walled(Options()), *beside, *more) for more in ((), [(4, 0)]))
    settings = settings_of(unknown.options)
    assert routes.ordered(unknown, settings, 0, group, (4, 1)) is None
    known = routes.ordered(part, settings, 0, group, (4, 1))
    assert known is not None
    assert known.path[-1][0] == 3
    assert known.attack


@pytest.mark.rule("LW-12.5")
@pytest.mark.parametrize("to", [(3, 0), (4, 0), (3, 1), (4, 1)])
def test_march_in_lordsawar_goes_straight_into_the_city(to: Place) -> None:
    rows = ("........", "........", "........", "........")
    state = fields.field(rows, fields.army(1, 1, 1), cities=[fields.city(0, 3, 0, 1)])
    after, _ = fields.played(state, (0, March((1,), to)))
    assert after.armies[1].at in {(3, 0), (3, 1)}
    assert after.cities[0].owner == 0


@pytest.mark.rule("W2-5.3")
def test_the_button_on_any_tile_of_a_city_aims_at_the_city() -> None:
    rules, state = find("warlords2"), walled(Options())
    presenter, view = presenter_of(rules), rules.view(state, 0)
    for at in state.cities[0].tiles:
        push = presenter.fire(view, Focus(*at, 1))
        assert push.intent == "march", "asked first, as before any attack"
        assert push.line == f"march armies=1 to={at[0]},{at[1]}"


# -- sweeps ----------------------------------------------------------------------------------------


def found_nothing_wrong(position: Position, groups: int, seed: int = 1) -> None:
    found = swept(position, groups, seed)
    assert found.marches
    assert found.detours == ()
    assert found.refusals == ()


@pytest.mark.rule("W2-5.3", "W2-5.5", "LW-12.5")
@pytest.mark.parametrize(
    ("game", "scenario", "options"),
    [
        ("warlords2", "skirmish", OPEN),
        ("warlords2", "skirmish", CLASSIC_OPEN),
        ("lordsawar", "border", OPEN),
    ],
)
def test_no_march_at_a_city_is_a_detour_or_refused(
    game: str, scenario: str, options: dict[str, Any]
) -> None:
    found_nothing_wrong(shipped(game, scenario, options), 5)


@pytest.mark.slow
@pytest.mark.rule("W2-5.3", "W2-5.5", "LW-12.5")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("game", "options"),
    [("warlords2", OPEN), ("warlords2", CLASSIC_OPEN), ("lordsawar", OPEN)],
)
def test_no_march_on_a_new_map_is_a_detour_or_refused(
    game: str, options: dict[str, Any], seed: int
) -> None:
    found_nothing_wrong(new_map(game, seed + 1, (64, 80), options), 30, seed)
