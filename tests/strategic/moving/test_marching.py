"""Orders to go: how far groups get, what they pay, whom they meet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from engine.core.containers import Plane, Roster
from engine.core.record import replace
from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.rulesets.warlords2.book import book_of
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.strategic.commands import March, Walk
from engine.strategic.desk import Desk
from engine.strategic.events import AnyEvent, CityTaken, GroupMoved, MarchStopped
from engine.strategic.moving import marching
from engine.strategic.pieces import NOBODY, Item
from engine.strategic.refusal import Refusal
from tests.strategic.ground import (
    BATS,
    DRAGONS,
    HERO,
    LIGHT,
    NAVY,
    army,
    city,
    desk,
    side,
    tower,
    world,
)

WIN = [20, 1] * 40
"""The defender misses, the attacker's die is low: the defender is hit again and again."""

LOSE = [1, 20] * 40


def march(state: State, armies: Iterable[int], to: Place, dice: Any = (), **more: Any) -> Desk:
    work = desk(state, dice)
    marching.march(work, book_of(state.options), 0, March(tuple(armies), to, **more))
    return work


def walk(state: State, armies: Iterable[int], *path: Place, dice: Any = ()) -> Desk:
    work = desk(state, dice)
    marching.walk(work, book_of(state.options), 0, Walk(tuple(armies), path))
    return work


def first(work: Desk, kind: type[AnyEvent]) -> Any:
    return next(event for event in work.events if isinstance(event, kind))


def has(work: Desk, kind: type[AnyEvent]) -> bool:
    return any(isinstance(event, kind) for event in work.events)


@pytest.mark.rule("W2-6.2", "W2-6.4")
def test_a_group_goes_to_its_goal_and_all_pay_the_same() -> None:
    """W2-6.2, W2-6.4."""
    state = world([".f.."], armies=[army(1, 0, 0, points=9), army(2, 0, 0, points=12)])
    work = march(state, [1, 2], (3, 0))
    assert work.events == (GroupMoved((1, 2), ((1, 0), (2, 0), (3, 0)), (2, 5), (False, False)),)


@pytest.mark.rule("W2-6.2", "W2-6.5")
def test_a_group_goes_as_far_as_its_tiredest_member() -> None:
    """W2-6.2, W2-6.5: the goal is kept."""
    state = world([".f.."], armies=[army(1, 0, 0, points=5), army(2, 0, 0, points=12)])
    after = march(state, [1, 2], (3, 0)).state
    assert [one.at for one in after.armies.values()] == [(2, 0), (2, 0)]
    assert [one.points for one in after.armies.values()] == [0, 7]
    assert [one.goal for one in after.armies.values()] == [(3, 0), (3, 0)]


@pytest.mark.rule("W2-6.5")
def test_without_points_the_goal_alone_is_set() -> None:
    """W2-6.5."""
    work = march(world(["..."], armies=[army(1, 0, 0, points=0)]), [1], (2, 0))
    assert not has(work, GroupMoved)
    assert work.state.armies[1].goal == (2, 0)


@pytest.mark.rule("W2-6.5")
def test_reaching_the_goal_ends_it() -> None:
    """W2-6.5."""
    after = march(world(["..."], armies=[army(1, 0, 0, goal=(2, 0))]), [1], (2, 0)).state
    assert after.armies[1].goal is None


@pytest.mark.rule("W2-4.5b", "W2-6.4")
def test_the_zone_is_paid_for() -> None:
    """W2-4.5b, W2-6.4."""
    state = world(["....", "    "], armies=[army(1, 0, 0)])
    foe = army(9, 3, 0, owner=1)
    with_foe = world(["....", "    "], armies=[army(1, 0, 0), foe])
    assert march(state, [1], (2, 0)).state.armies[1].points == 12 - 4
    assert march(with_foe, [1], (2, 0)).state.armies[1].points == 12 - 6


@pytest.mark.rule("W2-6.7")
def test_a_move_order_ends_defending() -> None:
    """W2-6.7."""
    after = march(world([".."], armies=[army(1, 0, 0, defends=True)]), [1], (1, 0)).state
    assert not after.armies[1].defends


@pytest.mark.rule("W2-2.4", "W2-6.7")
def test_a_tower_that_is_left_falls() -> None:
    """W2-2.4, W2-6.7."""
    state = world([".."], armies=[army(1, 0, 0)], towers=Roster([tower(0, 0, 2)]))
    assert not march(state, [1], (1, 0)).state.towers


# -- room ---------------------------------------------------------------------------------------


def full(x: int, y: int, first_id: int = 20, number: int = 8) -> list[Any]:
    return [army(first_id + k, x, y) for k in range(number)]


@pytest.mark.rule("W2-6.4")
def test_a_group_passes_through_a_full_tile() -> None:
    """W2-6.4, number 3."""
    state = world(["..."], armies=[army(1, 0, 0), *full(1, 0)])
    after = march(state, [1], (2, 0)).state
    assert after.armies[1].at == (2, 0)
    assert after.armies[1].points == 8


@pytest.mark.rule("W2-6.4")
def test_a_group_does_not_stop_on_a_full_tile_and_does_not_pay_for_it() -> None:
    """W2-6.4, number 3: walk only to the farthest tile with room, charge only that far."""
    state = world(["...."], armies=[army(1, 0, 0, points=5), *full(2, 0)])
    after = march(state, [1], (3, 0)).state
    assert after.armies[1].at == (1, 0)
    assert after.armies[1].points == 3
    assert after.armies[1].goal == (3, 0)


@pytest.mark.rule("W2-6.4")
def test_a_goal_that_is_full_is_not_entered() -> None:
    """W2-6.4, number 3."""
    state = world(["..."], armies=[army(1, 0, 0), army(2, 0, 0), *full(2, 0, number=7)])
    after = march(state, [1, 2], (2, 0)).state
    assert after.armies[1].at == (1, 0)
    alone = march(state, [1], (2, 0)).state
    assert alone.armies[1].at == (2, 0)


@pytest.mark.rule("W2-6.1", "W2-6.4")
def test_nobody_attacks_from_a_tile_without_room() -> None:
    """W2-6.1, W2-6.4."""
    state = world(["..."], armies=[army(1, 0, 0), *full(1, 0), army(9, 2, 0, owner=1)])
    after = march(state, [1], (2, 0)).state
    assert after.armies[1].at == (0, 0)
    assert 9 in after.armies


# -- attacks ------------------------------------------------------------------------------------


@pytest.mark.rule("W2-6.4", "W2-4.5c")
def test_the_winner_moves_in_for_one_point() -> None:
    """W2-6.4, W2-4.5c: an attack step costs 1 and no toll."""
    state = world(["..f"], armies=[army(1, 0, 0, DRAGONS, points=4), army(9, 2, 0, owner=1)])
    work = march(state, [1], (2, 0), WIN)
    assert work.state.armies[1].at == (2, 0)
    assert work.state.armies[1].points == 0
    assert 9 not in work.state.armies
    assert work.state.armies[1].goal is None


def test_the_loser_is_gone() -> None:
    state = world([".."], armies=[army(1, 0, 0), army(9, 1, 0, DRAGONS, owner=1)])
    work = march(state, [1], (1, 0), LOSE)
    assert list(work.state.armies) == [9]
    assert not has(work, GroupMoved)


@pytest.mark.rule("W2-6.4")
def test_without_a_point_left_there_is_no_attack() -> None:
    """W2-6.4, number 1."""
    state = world(["..."], armies=[army(1, 0, 0, points=2), army(9, 2, 0, owner=1)])
    slow = world(["..."], armies=[army(1, 0, 0, points=4), army(9, 2, 0, owner=1)])
    after = march(state, [1], (2, 0)).state
    assert after.armies[1].at == (0, 0)
    assert after.armies[1].goal == (2, 0)
    closer = march(slow, [1], (2, 0)).state
    assert closer.armies[1].at == (1, 0)
    assert 9 in closer.armies


@pytest.mark.rule("W2-0.1")
@pytest.mark.parametrize(("points", "left"), [(5, 1), (3, 0), (2, 0)])
def test_the_classic_attack_costs_what_the_terrain_does(points: int, left: int) -> None:
    """W2-0.1 attack_step: max(2, terrain cost), down to nothing left."""
    options = Options(attack_step="terrain", cost_table="classic", zoc_penalty=0)
    foe = army(9, 1, 0, owner=1)
    state = world([".f"], armies=[army(1, 0, 0, points=points), foe], options=options)
    after = march(state, [1], (1, 0), WIN).state
    assert after.armies[1].points == max(0, points - 2)
    assert left in (after.armies[1].points, left)


@pytest.mark.rule("W2-8.1", "W2-9.2")
def test_an_empty_city_is_taken_by_walking_in() -> None:
    """W2-8.1, W2-9.2."""
    state = world(["....", "...."], armies=[army(1, 0, 0)], cities=[city(0, 2, 0, NOBODY)])
    work = march(state, [1], (2, 0))
    assert work.state.armies[1].at == (2, 0)
    assert work.state.armies[1].points == 12 - 2 - 1
    taken = first(work, CityTaken)
    assert taken.city.owner == 0
    assert work.state.question is not None
    assert work.state.question.kind == "fate"


@pytest.mark.rule("W2-6.4", "W2-12.3")
def test_a_treaty_must_be_broken_knowingly() -> None:
    """W2-6.4, W2-12.3: before anybody moves."""
    options = Options(diplomacy="on")
    state = world(
        ["...."], armies=[army(1, 0, 0), army(9, 3, 0, owner=1)], peace=True, options=options
    )
    with pytest.raises(Refused) as refused:
        march(state, [1], (3, 0))
    assert refused.value.code == Refusal.TREACHERY
    work = march(state, [1], (3, 0), [50, *WIN], betray=True)
    assert work.state.armies[1].at == (3, 0)
    assert work.state.treaties[0][1] == 2


# -- hidden foes --------------------------------------------------------------------------------


def known(state: State) -> State:
    """The position with all tiles discovered, though not all seen."""
    return replace(state, discovered=Plane(np.full_like(state.discovered.cells, 255)))


@pytest.mark.rule("W2-6.4")
def test_a_hidden_foe_stops_the_march_before_it() -> None:
    """W2-6.4, number 1."""
    state = known(
        world(["......", "      "], armies=[army(1, 0, 0), army(9, 3, 0, owner=1)], hidden=True)
    )
    work = march(state, [1], (5, 0))
    assert work.state.armies[1].at == (2, 0)
    assert first(work, MarchStopped) == MarchStopped((1,), (3, 0))
    assert work.state.armies[1].goal == (5, 0)


@pytest.mark.rule("W2-4.5a")
def test_who_is_seen_on_the_way_has_a_zone() -> None:
    """W2-4.5a: only visible armies; the step into the zone costs the toll as soon as it is seen."""
    foe = army(9, 4, 1, owner=1)
    state = known(world(["......"] * 2, armies=[army(1, 0, 0), foe], hidden=True))
    work = walk(state, [1], (1, 0), (2, 0), (3, 0), (4, 0))
    assert work.state.armies[1].points == 12 - 8
    ahead = known(world(["......"] * 2, armies=[army(1, 0, 0, BATS), foe], hidden=True))
    seen = walk(ahead, [1], (1, 0), (2, 0), (3, 0), (4, 0))
    assert seen.state.armies[1].points == 16 - 4 - 2


@pytest.mark.rule("W2-6.4")
def test_turned_back_from_a_full_tile_by_a_hidden_foe() -> None:
    """W2-6.4, number 3: back to the last tile with room, what was paid is gone."""
    state = world(
        [".....", "     "],
        armies=[army(1, 0, 0), *full(2, 0), army(9, 3, 0, owner=1)],
        sides=[side(0, human=False), side(1)],
        hidden=True,
    )
    work = march(state, [1], (4, 0))
    assert first(work, GroupMoved).path == ((1, 0), (2, 0), (1, 0))
    assert work.state.armies[1].points == 12 - 4
    assert first(work, MarchStopped).before == (3, 0)


@pytest.mark.rule("W2-6.4")
def test_the_goal_itself_may_hide_a_foe() -> None:
    """W2-6.4: the ordered destination is attacked."""
    foe = army(9, 3, 0, owner=1)
    state = known(world(["....", "    "], armies=[army(1, 0, 0, DRAGONS), foe], hidden=True))
    assert march(state, [1], (3, 0), WIN).state.armies[1].at == (3, 0)


@pytest.mark.rule("W2-12.3")
def test_a_hidden_friend_at_the_goal_is_not_attacked() -> None:
    """W2-12.3: without the word the treaty is kept."""
    options = Options(diplomacy="on", hidden_map="on")
    state = known(
        world(
            ["....", "    "],
            armies=[army(1, 0, 0), army(9, 3, 0, owner=1)],
            hidden=True,
            peace=True,
            options=options,
        )
    )
    work = march(state, [1], (3, 0))
    assert work.state.armies[1].at == (2, 0)
    assert has(work, MarchStopped)


@pytest.mark.rule("W2-5.3", "W2-11")
@pytest.mark.parametrize("sign", [" ", "~", ".", "m"])
def test_orders_into_the_dark_tell_nothing_before_one_is_there(sign: str) -> None:
    """What nobody has discovered neither refuses an order nor changes the way."""
    state = world(["....", "   " + sign], armies=[army(1, 0, 0)], hidden=True)
    cells = state.discovered.edit()
    cells[0] = 255
    work = march(replace(state, discovered=Plane(cells)), [1], (3, 1))
    way = first(work, GroupMoved).path
    if sign in ".m":
        assert way == ((1, 0), (2, 0), (3, 1))
    else:
        assert way == ((1, 0), (2, 0))
        assert first(work, MarchStopped) == MarchStopped((1,), (3, 1))


@pytest.mark.rule("W2-5.3", "W2-11")
def test_a_walk_into_the_dark_ends_where_it_is_closed() -> None:
    state = world(["..", "  ", ".."], armies=[army(1, 0, 0)], hidden=True)
    work = walk(state, [1], (0, 1), (0, 2))
    assert not has(work, GroupMoved)
    assert first(work, MarchStopped).before == (0, 1)


# -- water --------------------------------------------------------------------------------------

HARBOUR = ["....", "....", "w~~~", "~~~~"]


def harbour(*armies: Any, **more: Any) -> State:
    return world(HARBOUR, armies=armies, cities=[city(0, 0, 0, 0)], **more)


@pytest.mark.rule("W2-6.6")
def test_going_aboard_takes_all_points_and_costs_two() -> None:
    """W2-6.6."""
    work = march(harbour(army(1, 0, 1), army(2, 0, 1, BATS)), [1, 2], (0, 2))
    moved = first(work, GroupMoved)
    assert moved.points == (0, 0)
    assert moved.aboard == (True, False)
    tired = march(harbour(army(1, 0, 1, points=1)), [1], (0, 2))
    assert tired.state.armies[1].at == (0, 1)


@pytest.mark.rule("W2-6.6")
@pytest.mark.parametrize("at", [(2, 2), (3, 2)])
def test_only_ports_lead_to_the_water(at: Place) -> None:
    """W2-6.6: the tile left or the tile entered is a port."""
    state = harbour(army(1, 3, 1))
    with pytest.raises(Refused) as refused:
        march(state, [1], (3, 2))
    assert refused.value.code == Refusal.NO_WAY
    open_sea = harbour(army(1, 3, 1), ports=((3, 2),))
    assert march(open_sea, [1], (3, 2)).state.armies[1].aboard


@pytest.mark.rule("W2-5.2", "W2-6.6")
def test_a_fleet_sails_for_two_a_tile() -> None:
    """W2-5.2, W2-6.6."""
    after = march(harbour(army(1, 0, 2, aboard=True, points=20)), [1], (3, 3)).state
    assert after.armies[1].at == (3, 3)
    assert after.armies[1].points == 20 - 6
    assert after.armies[1].aboard


@pytest.mark.rule("W2-6.6")
def test_landing_in_a_port_ends_the_march() -> None:
    """W2-6.6."""
    after = march(harbour(army(1, 3, 3, aboard=True, points=20)), [1], (1, 1)).state
    assert after.armies[1].at == (1, 1)
    assert (after.armies[1].aboard, after.armies[1].points) == (False, 0)


@pytest.mark.rule("W2-6.6")
def test_landing_on_open_ground_needs_a_port_too() -> None:
    """W2-6.6."""
    with pytest.raises(Refused):
        march(harbour(army(1, 3, 3, aboard=True, points=20)), [1], (3, 1))
    quay = harbour(army(1, 3, 3, aboard=True, points=20), ports=((3, 1),))
    after = march(quay, [1], (3, 1)).state
    assert (after.armies[1].at, after.armies[1].aboard) == ((3, 1), False)


@pytest.mark.rule("W2-6.6")
def test_a_landing_may_be_an_attack() -> None:
    """W2-6.6."""
    foe = army(9, 3, 1, owner=1)
    state = harbour(army(1, 3, 3, DRAGONS), foe, ports=((3, 1),))
    sailor = army(1, 3, 3, LIGHT, aboard=True, points=20)
    assert march(state, [1], (3, 1), WIN).state.armies[1].at == (3, 1)
    landed = march(harbour(sailor, foe, ports=((3, 1),)), [1], (3, 1), WIN).state
    assert (landed.armies[1].at, landed.armies[1].points) == ((3, 1), 0)
    assert not landed.armies[1].aboard


@pytest.mark.rule("W2-6.6")
def test_boarding_is_never_an_attack() -> None:
    """W2-6.6."""
    with pytest.raises(Refused):
        march(harbour(army(1, 0, 1), army(9, 0, 2, NAVY, owner=1)), [1], (0, 2))


@pytest.mark.rule("W2-6.6")
def test_a_fleet_with_boats_lands_only_in_ports() -> None:
    """W2-6.6: it must be split before its armies land."""
    fleet = (army(1, 3, 3, NAVY), army(2, 3, 3, aboard=True, points=20))
    with pytest.raises(Refused):
        march(harbour(*fleet, ports=((3, 1),)), [1, 2], (3, 1))
    after = march(harbour(*fleet), [1, 2], (1, 1)).state
    assert not after.armies[2].aboard


@pytest.mark.rule("W2-6.1")
def test_boats_and_armies_on_land_do_not_go_together() -> None:
    """W2-6.1."""
    with pytest.raises(Refused) as refused:
        march(harbour(army(1, 0, 1, NAVY), army(2, 0, 1)), [1, 2], (0, 2))
    assert refused.value.code == Refusal.MIXED_GROUP


@pytest.mark.rule("W2-6.1", "W2-6.6")
def test_flyers_are_never_aboard() -> None:
    """W2-6.1, W2-6.6."""
    after = march(harbour(army(1, 3, 1, BATS)), [1], (3, 3)).state
    assert (after.armies[1].at, after.armies[1].aboard) == ((3, 3), False)
    assert after.armies[1].points == 16 - 2


def test_who_cannot_fly_any_more_over_water_swims_on() -> None:
    """A rider who is left over water goes on as if aboard; it never stands there on foot."""
    after = march(harbour(army(1, 2, 3, HERO)), [1], (3, 3)).state
    assert after.armies[1].aboard


# -- things and refusals ------------------------------------------------------------------------


@pytest.mark.rule("W2-6.4")
def test_the_first_hero_picks_up_what_lies_at_the_end_of_the_way() -> None:
    """W2-6.4, number 5."""
    sword = Item(id=5, kind="weapon", value=1, name="Sword", where="ground", x=2, y=0)
    ring = Item(id=6, kind="command", value=1, name="Ring", where="ground", x=1, y=0)
    state = world(["..."], armies=[army(1, 0, 0, HERO)], items=[sword, ring])
    after = march(state, [1], (2, 0)).state
    assert (after.items[5].where, after.items[5].holder) == ("carried", 1)
    assert after.items[6].where == "ground"


REFUSED = {
    "no armies": (March((), (1, 0)), Refusal.NO_SUCH_ARMY),
    "twice the same": (March((1, 1), (1, 0)), Refusal.NO_SUCH_ARMY),
    "another's": (March((9,), (1, 0)), Refusal.NO_SUCH_ARMY),
    "not together": (March((1, 2), (1, 0)), Refusal.NOT_TOGETHER),
    "off the map": (March((1,), (9, 9)), Refusal.NO_SUCH_TILE),
    "where it stands": (March((1,), (0, 0)), Refusal.NO_WAY),
    "into the void": (March((1,), (2, 1)), Refusal.NO_WAY),
    "a way without steps": (Walk((1,), ()), Refusal.NOTHING_TO_DO),
    "a jump": (Walk((1,), ((2, 0),)), Refusal.NOT_BESIDE),
    "a step off the map": (Walk((1,), ((-1, 0),)), Refusal.NOT_BESIDE),
    "a closed step": (Walk((1,), ((0, 1), (1, 1), (2, 1))), Refusal.NO_WAY),
    "through a foe": (Walk((1,), ((1, 0), (2, 0), (3, 0), (4, 0))), Refusal.NO_WAY),
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_bad_orders_are_refused_in_a_line(name: str) -> None:
    command, code = REFUSED[name]
    state = world([".....", "..   "], armies=[army(1, 0, 0), army(2, 1, 1), army(9, 3, 0, owner=1)])
    work = desk(state)
    order: Any = marching.march if isinstance(command, March) else marching.walk
    with pytest.raises(Refused) as refused:
        order(work, book_of(state.options), 0, command)
    assert refused.value.code == code
    assert re.fullmatch(r"[^\n]+\.", refused.value.text)
    assert not work.events


def test_an_order_that_changes_nothing_is_refused() -> None:
    state = world(["..."], armies=[army(1, 0, 0, points=0, goal=(2, 0))])
    with pytest.raises(Refused) as refused:
        march(state, [1], (2, 0))
    assert refused.value.code == Refusal.NO_POINTS


def test_a_walk_goes_the_way_it_is_told() -> None:
    state = world(["...", "..."], armies=[army(1, 0, 0)])
    moved = first(walk(state, [1], (0, 1), (1, 1), (2, 0)), GroupMoved)
    assert moved.path == ((0, 1), (1, 1), (2, 0))
    assert moved.points == (6,)
