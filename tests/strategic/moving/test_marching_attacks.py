"""March orders that end in attacks."""

from __future__ import annotations

import pytest

from engine.core.refused import Refused
from engine.rulesets.warlords2.options import Options
from engine.strategic.events import CityTaken, GroupMoved
from engine.strategic.pieces import NOBODY
from engine.strategic.refusal import Refusal
from tests.strategic.ground import DRAGONS, army, city, world
from tests.strategic.moving.marches import LOSE, WIN, first, has, march


@pytest.mark.rule("W2-6.4", "W2-4.5c")
def test_the_winner_moves_in_for_one_point() -> None:
    """W2-6.4, W2-4.5c: an attack step costs 1 and no toll."""
    state = world(["..f"], armies=[army(1, 0, 0, DRAGONS, points=4), army(9, 2, 0, owner=1)])
    work = march(state, [1], (2, 0), WIN)
    assert work.state.armies[1].at == (2, 0)
    assert work.state.armies[1].points == 0
    assert 9 not in work.state.armies
    assert work.state.armies[1].goal is None


def test_losing_attacker_is_removed() -> None:
    state = world([".."], armies=[army(1, 0, 0), army(9, 1, 0, DRAGONS, owner=1)])
    work = march(state, [1], (1, 0), LOSE)
    assert list(work.state.armies) == [9]
    assert not has(work, GroupMoved)


@pytest.mark.rule("W2-6.4")
def test_attack_needs_a_point_left() -> None:
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
def test_classic_attack_costs_as_much_as_the_terrain(points: int, left: int) -> None:
    """W2-0.1 attack_step: max(2, terrain cost), down to zero points."""
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
def test_attack_on_a_side_at_peace_needs_betray() -> None:
    """W2-6.4, W2-12.3: refused before any army moves."""
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
