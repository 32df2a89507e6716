"""Sight and discoveries of sides (section 11)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.containers import Plane, Roster
from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import movement, sight
from engine.strategic.commands import March
from engine.strategic.events import FogLifted, TilesFound
from engine.strategic.pieces import Item
from tests.strategic.ground import BATS, HERO, LIGHT, army, city, desk, side, tower, world

BLANK = ["......."] * 7


def looked(state: State, number: int = 1) -> State:
    """Return the position after the first ``number`` armies have looked around."""
    work = desk(state)
    sight.look_around(work, settings_of(state.options), 0, tuple(state.armies.values())[:number])
    assert isinstance(work.state, State)
    return work.state


def found(state: State, who: int = 0) -> set[Place]:
    cells = state.discovered.cells >> who & 1
    return {(x, y) for y in range(state.height) for x in range(state.width) if cells[y, x]}


def box(x: int, y: int, radius: int) -> set[Place]:
    span = range(-radius, radius + 1)
    return {(x + dx, y + dy) for dx in span for dy in span}


WINGS = Item(id=1, kind="flight", value=0, name="Wings", where="carried", holder=1)


@pytest.mark.rule("W2-11.1", "W2-6.7")
@pytest.mark.parametrize(
    ("kind", "more", "radius"),
    [
        (LIGHT, {}, 1),
        (BATS, {}, 2),
        (HERO, {}, 1),
        (HERO, {"items": [WINGS]}, 2),
        (LIGHT, {"cities": [city(0, 3, 3, 0)]}, 2),
        (LIGHT, {"towers": Roster([tower(3, 3, 7)])}, 2),
        (LIGHT, {"towers": Roster([tower(3, 3, 7, 1)])}, 1),
    ],
)
def test_armies_see_one_tile_and_flyers_and_towers_two(
    kind: int, more: dict[str, Any], radius: int
) -> None:
    """W2-11, W2-6.7."""
    state = looked(world(BLANK, armies=[army(1, 3, 3, kind)], hidden=True, **more))
    assert found(state) == box(3, 3, radius)
    seen = sight.visible(state, settings_of(state.options), 0)
    assert {(x, y) for y in range(7) for x in range(7) if seen[y, x]} == box(3, 3, radius)
    assert not found(state, 1)


@pytest.mark.rule("W2-11")
def test_everything_is_visible_without_fog() -> None:
    """W2-11."""
    state = world(BLANK, armies=[army(1, 3, 3)])
    work = desk(state)
    sight.look_around(work, settings_of(state.options), 0, tuple(state.armies.values()))
    assert not work.events
    assert sight.visible(state, settings_of(state.options), 1).all()


@pytest.mark.rule("W2-11.1", "W2-6.4")
def test_tiles_are_discovered_on_every_step() -> None:
    """W2-11, W2-6.4."""
    state = looked(world(BLANK, armies=[army(1, 1, 1, points=30)], hidden=True))
    for goal in [(2, 2), (3, 3), (4, 4)]:
        work = desk(state)
        movement.march(work, settings_of(state.options), 0, March((1,), goal))
        assert isinstance(work.state, State)
        state = work.state
    assert found(state) == box(1, 1, 1) | box(2, 2, 1) | box(3, 3, 1) | box(4, 4, 1)


@pytest.mark.rule("W2-11.1")
def test_group_sees_two_tiles_only_if_all_members_fly() -> None:
    """W2-11: on a march it is the group that counts."""
    state = world(BLANK, armies=[army(1, 3, 3), army(2, 3, 3, BATS)], hidden=True)
    work = desk(state)
    movement.march(work, settings_of(state.options), 0, March((1, 2), (4, 3)))
    assert found(replace(state, discovered=work.state.discovered)) == box(4, 3, 1)


@pytest.mark.rule("W2-11.2")
def test_discoveries_last_but_armies_are_seen_only_nearby() -> None:
    """W2-11; section 19, number 15."""
    state = looked(world(BLANK, armies=[army(1, 1, 1)], hidden=True))
    gone = replace(state, armies=Roster([army(1, 5, 5)]))
    assert found(looked(gone)) >= found(state)
    assert not sight.visible(gone, settings_of(gone.options), 0)[1, 1]


@pytest.mark.rule("W2-11.3")
def test_fog_lifts_when_all_living_sides_have_seen_all_cities() -> None:
    """W2-11."""
    cities = [city(0, 0, 0, 0), city(1, 5, 5, 0), city(2, 3, 0, razed=True)]
    sides = [side(0), side(1), side(2, alive=False)]
    state = world(BLANK, armies=[army(1, 4, 4)], cities=cities, sides=sides, hidden=True)
    cells = state.discovered.edit()
    cells[0, 0] |= 0b11
    cells[5, 5] |= 0b10
    state = replace(state, discovered=Plane(cells))
    work = desk(state)
    sight.look_around(work, settings_of(state.options), 0, (state.armies[1],))
    assert [type(event) for event in work.events] == [TilesFound, FogLifted]
    assert work.state.lifted
    assert sight.visible(work.state, settings_of(state.options), 1).all()


@pytest.mark.rule("W2-11.3")
def test_fog_remains_while_a_side_has_not_seen_a_city() -> None:
    """W2-11."""
    state = world(BLANK, armies=[army(1, 4, 4)], cities=[city(0, 5, 5, 0)], hidden=True)
    assert not looked(state).lifted
