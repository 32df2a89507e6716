"""March orders: how far groups get, what they pay, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.core.containers import Roster
from engine.core.refused import Refused
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.strategic import movement
from engine.strategic.commands import March, Walk
from engine.strategic.events import GroupMoved
from engine.strategic.pieces import Item
from engine.strategic.refusal import Refusal
from tests.strategic.ground import HERO, army, desk, tower, world
from tests.strategic.moving.marches import first, full, has, march, walk


@pytest.mark.rule("W2-6.2", "W2-6.4")
def test_group_marches_to_its_goal_and_all_pay_the_same() -> None:
    """W2-6.2, W2-6.4."""
    state = world([".f.."], armies=[army(1, 0, 0, points=9), army(2, 0, 0, points=12)])
    work = march(state, [1, 2], (3, 0))
    assert work.events == (GroupMoved((1, 2), ((1, 0), (2, 0), (3, 0)), (2, 5), (False, False)),)


@pytest.mark.rule("W2-6.2", "W2-6.5")
def test_group_marches_as_far_as_its_most_tired_member() -> None:
    """W2-6.2, W2-6.5: the goal is kept."""
    state = world([".f.."], armies=[army(1, 0, 0, points=5), army(2, 0, 0, points=12)])
    after = march(state, [1, 2], (3, 0)).state
    assert [one.at for one in after.armies.values()] == [(2, 0), (2, 0)]
    assert [one.points for one in after.armies.values()] == [0, 7]
    assert [one.goal for one in after.armies.values()] == [(3, 0), (3, 0)]


@pytest.mark.rule("W2-6.5")
def test_march_without_points_only_sets_the_goal() -> None:
    """W2-6.5."""
    work = march(world(["..."], armies=[army(1, 0, 0, points=0)]), [1], (2, 0))
    assert not has(work, GroupMoved)
    assert work.state.armies[1].goal == (2, 0)


@pytest.mark.rule("W2-6.5")
def test_reaching_the_goal_clears_it() -> None:
    """W2-6.5."""
    after = march(world(["..."], armies=[army(1, 0, 0, goal=(2, 0))]), [1], (2, 0)).state
    assert after.armies[1].goal is None


@pytest.mark.rule("W2-4.5b", "W2-6.4")
def test_march_pays_for_entering_a_zone_of_control() -> None:
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
def test_abandoned_tower_falls() -> None:
    """W2-2.4, W2-6.7."""
    state = world([".."], armies=[army(1, 0, 0)], towers=Roster([tower(0, 0, 2)]))
    assert not march(state, [1], (1, 0)).state.towers


@pytest.mark.rule("W2-6.4")
def test_a_group_passes_through_a_full_tile() -> None:
    """W2-6.4, number 3."""
    state = world(["..."], armies=[army(1, 0, 0), *full(1, 0)])
    after = march(state, [1], (2, 0)).state
    assert after.armies[1].at == (2, 0)
    assert after.armies[1].points == 8


@pytest.mark.rule("W2-6.4")
def test_group_stops_before_a_full_tile_and_pays_only_that_far() -> None:
    """W2-6.4, number 3: walk only to the farthest tile with room, charge only that far."""
    state = world(["...."], armies=[army(1, 0, 0, points=5), *full(2, 0)])
    after = march(state, [1], (3, 0)).state
    assert after.armies[1].at == (1, 0)
    assert after.armies[1].points == 3
    assert after.armies[1].goal == (3, 0)


@pytest.mark.rule("W2-6.4")
def test_full_goal_is_not_entered() -> None:
    """W2-6.4, number 3."""
    state = world(["..."], armies=[army(1, 0, 0), army(2, 0, 0), *full(2, 0, number=7)])
    after = march(state, [1, 2], (2, 0)).state
    assert after.armies[1].at == (1, 0)
    alone = march(state, [1], (2, 0)).state
    assert alone.armies[1].at == (2, 0)


@pytest.mark.rule("W2-6.1", "W2-6.4")
def test_no_attack_starts_from_a_tile_without_room() -> None:
    """W2-6.1, W2-6.4."""
    state = world(["..."], armies=[army(1, 0, 0), *full(1, 0), army(9, 2, 0, owner=1)])
    after = march(state, [1], (2, 0)).state
    assert after.armies[1].at == (0, 0)
    assert 9 in after.armies


@pytest.mark.rule("W2-6.4")
def test_first_hero_picks_up_items_at_the_end_of_the_march() -> None:
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
def test_bad_orders_are_refused_in_one_line(name: str) -> None:
    command, code = REFUSED[name]
    state = world([".....", "..   "], armies=[army(1, 0, 0), army(2, 1, 1), army(9, 3, 0, owner=1)])
    work = desk(state)
    order: Any = movement.march if isinstance(command, March) else movement.walk
    with pytest.raises(Refused) as refused:
        order(work, settings_of(state.options), 0, command)
    assert refused.value.code == code
    assert re.fullmatch(r"[^\n]+\.", refused.value.text)
    assert not work.events


def test_an_order_that_changes_nothing_is_refused() -> None:
    state = world(["..."], armies=[army(1, 0, 0, points=0, goal=(2, 0))])
    with pytest.raises(Refused) as refused:
        march(state, [1], (2, 0))
    assert refused.value.code == Refusal.NO_POINTS


def test_walk_follows_its_path() -> None:
    state = world(["...", "..."], armies=[army(1, 0, 0)])
    moved = first(walk(state, [1], (0, 1), (1, 1), (2, 0)), GroupMoved)
    assert moved.path == ((0, 1), (1, 1), (2, 0))
    assert moved.points == (6,)
