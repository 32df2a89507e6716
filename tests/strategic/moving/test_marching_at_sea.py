"""March orders to board ships, over water and ashore."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.rulesets.warlords2.options import CLASSIC, Options
from engine.rulesets.warlords2.state import State
from engine.strategic.events import GroupMoved
from engine.strategic.refusal import Refusal
from tests.strategic.ground import BATS, DRAGONS, HERO, LIGHT, NAVY, army, city, world
from tests.strategic.moving.marches import WIN, first, march

HARBOUR = ["....", "....", "w~~~", "~~~~"]


def harbour(*armies: Any, **more: Any) -> State:
    return world(HARBOUR, armies=armies, cities=[city(0, 0, 0, 0)], **more)


@pytest.mark.rule("W2-6.6")
def test_boarding_costs_two_and_takes_all_points() -> None:
    """W2-6.6."""
    work = march(harbour(army(1, 0, 1), army(2, 0, 1, BATS)), [1, 2], (0, 2))
    moved = first(work, GroupMoved)
    assert moved.points == (0, 0)
    assert moved.aboard == (True, False)
    tired = march(harbour(army(1, 0, 1, points=1)), [1], (0, 2))
    assert tired.state.armies[1].at == (0, 1)


@pytest.mark.rule("W2-6.6")
@pytest.mark.parametrize("at", [(2, 2), (3, 2)])
def test_boarding_needs_a_port(at: Place) -> None:
    """W2-6.6: the tile left or the tile entered is a port."""
    state = harbour(army(1, 3, 1))
    with pytest.raises(Refused) as refused:
        march(state, [1], (3, 2))
    assert refused.value.code == Refusal.NO_WAY
    open_sea = harbour(army(1, 3, 1), ports=((3, 2),))
    assert march(open_sea, [1], (3, 2)).state.armies[1].aboard


@pytest.mark.rule("W2-5.2", "W2-6.6")
def test_fleet_pays_two_points_per_tile() -> None:
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
def test_landing_on_open_ground_needs_a_port() -> None:
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
def test_boats_and_armies_on_land_cannot_march_together() -> None:
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


def test_rider_left_over_water_continues_aboard() -> None:
    """A rider left over water without a flyer continues as if aboard, never on foot."""
    after = march(harbour(army(1, 2, 3, HERO)), [1], (3, 3)).state
    assert after.armies[1].aboard


# -- the classic column ----------------------------------------------------------------------------

QUAY = ["..w.", "~~~~"]


def quay(*armies: Any) -> State:
    options = Options(**CLASSIC)  # type: ignore[arg-type]  # values of switches
    return world(QUAY, armies=armies, ports=((2, 0),), options=options)


@pytest.mark.rule("W2-6.6")
def test_classic_port_is_crossed_on_foot() -> None:
    """W2-6.6: at 2, as if it were land, and the army may stop on it."""
    crossed = march(quay(army(1, 0, 0)), [1], (3, 0)).state.armies[1]
    assert (crossed.at, crossed.points, crossed.aboard) == ((3, 0), 12 - 6, False)
    stopped = march(quay(army(1, 1, 0)), [1], (2, 0)).state.armies[1]
    assert (stopped.at, stopped.points, stopped.aboard) == ((2, 0), 12 - 2, False)


@pytest.mark.rule("W2-6.6")
def test_army_boards_from_a_classic_port_and_returns_aboard() -> None:
    """W2-6.6: aboard on the first water tile, all points gone; it stays aboard in the port."""
    sailed = march(quay(army(1, 2, 0)), [1], (1, 1)).state.armies[1]
    assert (sailed.at, sailed.points, sailed.aboard) == ((1, 1), 0, True)
    sailor = army(1, 0, 1, aboard=True, points=20)
    moored = march(quay(sailor), [1], (2, 0)).state.armies[1]
    assert (moored.at, moored.points, moored.aboard) == ((2, 0), 20 - 1 - 2, True)
    landed = march(quay(army(1, 2, 0, aboard=True, points=9)), [1], (3, 0)).state.armies[1]
    assert (landed.at, landed.points, landed.aboard) == ((3, 0), 0, False)


@pytest.mark.rule("W2-4.1", "W2-5.2")
def test_classic_fleet_sails_twenty_tiles_with_twenty_points() -> None:
    """W2-4.1."""
    options = Options(**CLASSIC)  # type: ignore[arg-type]  # values of switches
    sailor = army(1, 0, 0, aboard=True, points=20)
    state = world(["~" * 22, "~" * 22], armies=[sailor], options=options)
    after = march(state, [1], (21, 0)).state.armies[1]
    assert (after.at, after.points) == ((20, 0), 0)


@pytest.mark.rule("W2-4.1", "W2-4.4")
def test_classic_march_enters_mountains_by_road_only() -> None:
    """W2-4.1: a road opens mountains; an army can leave them without a road."""
    options = Options(**CLASSIC)  # type: ignore[arg-type]  # values of switches
    state = world([".mm.", "mmmm"], armies=[army(1, 0, 0)], roads=[(1, 0), (2, 0)], options=options)
    after = march(state, [1], (3, 0)).state.armies[1]
    assert (after.at, after.points) == ((3, 0), 12 - 1 - 1 - 2)
    stranded = world([".mm.", "mmmm"], armies=[army(1, 0, 1)], options=options)
    assert march(stranded, [1], (0, 0)).state.armies[1].at == (0, 0)
