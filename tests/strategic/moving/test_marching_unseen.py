"""March orders past undetected foes and into undiscovered land."""

from __future__ import annotations

import pytest

from engine.core.containers import Plane
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.warlords2.options import Options
from engine.strategic.events import GroundSighted, GroupMoved, MarchStopped
from tests.strategic.ground import BATS, DRAGONS, army, side, world
from tests.strategic.moving.marches import WIN, first, full, has, known, march, walk


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
def test_foe_sighted_on_the_march_has_a_zone_of_control() -> None:
    """W2-4.5a: only visible armies; a step into the zone costs the toll once it is visible."""
    foe = army(9, 4, 1, owner=1)
    state = known(world(["......"] * 2, armies=[army(1, 0, 0), foe], hidden=True))
    work = walk(state, [1], (1, 0), (2, 0), (3, 0), (4, 0))
    assert work.state.armies[1].points == 12 - 8
    ahead = known(world(["......"] * 2, armies=[army(1, 0, 0, BATS), foe], hidden=True))
    seen = walk(ahead, [1], (1, 0), (2, 0), (3, 0), (4, 0))
    assert seen.state.armies[1].points == 16 - 4 - 2


@pytest.mark.rule("W2-6.4")
def test_hidden_foe_sends_a_group_back_from_a_full_tile() -> None:
    """W2-6.4, number 3: back to the last tile with room; the paid points are gone."""
    state = world(
        [".....", "     "],
        armies=[army(1, 0, 0), *full(2, 0), army(9, 3, 0, owner=1)],
        sides=[side(0, human=False), side(1)],
        hidden=True,
    )
    work = walk(state, [1], (1, 0), (2, 0), (3, 0), (4, 0))
    assert first(work, GroupMoved).path == ((1, 0), (2, 0), (1, 0))
    assert work.state.armies[1].points == 12 - 4
    assert first(work, MarchStopped).before == (3, 0)


@pytest.mark.rule("W2-6.4")
def test_hidden_foe_at_the_goal_is_attacked() -> None:
    """W2-6.4: the ordered destination is attacked."""
    foe = army(9, 3, 0, owner=1)
    state = known(world(["....", "    "], armies=[army(1, 0, 0, DRAGONS), foe], hidden=True))
    assert march(state, [1], (3, 0), WIN).state.armies[1].at == (3, 0)


@pytest.mark.rule("W2-12.3")
def test_hidden_side_at_peace_at_the_goal_is_not_attacked() -> None:
    """W2-12.3: without ``betray`` the treaty is kept."""
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
def test_order_into_undiscovered_land_reveals_nothing_early(sign: str) -> None:
    """Undiscovered things neither refuse an order nor change the path."""
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
def test_walk_into_undiscovered_land_ends_at_closed_ground() -> None:
    state = world(["..", "  ", ".."], armies=[army(1, 0, 0)], hidden=True)
    work = walk(state, [1], (0, 1), (0, 2))
    assert not has(work, GroupMoved)
    assert first(work, MarchStopped).before == (0, 1)


@pytest.mark.rule("W2-11", "W2-6.4")
@pytest.mark.parametrize("foe", [False, True])
def test_march_that_reveals_tiles_cannot_be_undone(foe: bool) -> None:
    """An empty tile is as much a discovery as a foe."""
    others = [army(9, 6, 0, owner=1)] if foe else []
    state = known(world(["........"], armies=[army(1, 0, 0), *others], hidden=True))
    work = march(state, [1], (5, 0))
    assert any(event.irreversible for event in work.events)
    assert has(work, GroundSighted)


@pytest.mark.rule("W2-11", "W2-6.4")
def test_march_within_sight_can_be_undone() -> None:
    armies = [army(1, 0, 0), army(2, 2, 0), army(3, 4, 0)]
    work = march(known(world([".....", "....."], armies=armies, hidden=True)), [1], (2, 1))
    assert not any(event.irreversible for event in work.events)


@pytest.mark.rule("W2-11", "W2-12.3")
@pytest.mark.parametrize("foe", [False, True])
def test_march_with_betray_cannot_be_undone(foe: bool) -> None:
    """A hidden side can raise the cost of the path, so an attempt reveals it and must count."""
    options = Options(diplomacy="on", hidden_map="on")
    others = [army(9, 4, 1, owner=1)] if foe else []
    state = known(
        world(
            ["......"] * 2,
            armies=[army(1, 0, 0), *others],
            hidden=True,
            options=options,
        )
    )
    work = march(state, [1], (5, 0), betray=True)
    assert any(event.irreversible for event in work.events)


@pytest.mark.rule("W2-5.3", "W2-11")
def test_orders_of_computers_reveal_nothing_of_undiscovered_land() -> None:
    """The same order gets the same answer for any undiscovered land."""
    sides = [side(0, human=False), side(1)]
    answers = set()
    for sign in ".~m":
        state = world(["...", sign * 3, "..."], armies=[army(1, 0, 0)], sides=sides, hidden=True)
        cells = state.discovered.edit()
        cells[0], cells[2] = 255, 255
        with pytest.raises(Refused) as caught:
            march(replace(state, discovered=Plane(cells)), [1], (2, 2))
        answers.add((caught.value.code, caught.value.text))
    assert len(answers) == 1
