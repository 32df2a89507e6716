"""Orders to go past foes nobody has seen, and into the dark."""

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
    work = walk(state, [1], (1, 0), (2, 0), (3, 0), (4, 0))
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
    """Things that nobody has discovered neither refuse an order nor change the way."""
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


@pytest.mark.rule("W2-11", "W2-6.4")
@pytest.mark.parametrize("foe", [False, True])
def test_who_has_looked_into_the_dark_cannot_take_it_back(foe: bool) -> None:
    """A tile found empty is worth knowing as much as a foe."""
    others = [army(9, 6, 0, owner=1)] if foe else []
    state = known(world(["........"], armies=[army(1, 0, 0), *others], hidden=True))
    work = march(state, [1], (5, 0))
    assert any(event.irreversible for event in work.events)
    assert has(work, GroundSighted)


@pytest.mark.rule("W2-11", "W2-6.4")
def test_a_march_within_what_is_in_sight_can_be_taken_back() -> None:
    armies = [army(1, 0, 0), army(2, 2, 0), army(3, 4, 0)]
    work = march(known(world([".....", "....."], armies=armies, hidden=True)), [1], (2, 1))
    assert not any(event.irreversible for event in work.events)


@pytest.mark.rule("W2-11", "W2-12.3")
@pytest.mark.parametrize("foe", [False, True])
def test_whatever_a_march_with_betrayal_costs_is_paid(foe: bool) -> None:
    """Somebody out of sight makes the way dearer; who learns that by trying has tried."""
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
def test_orders_of_computer_players_tell_nothing_of_the_dark_either() -> None:
    """The same order is answered alike whatever lies where nobody has been."""
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
