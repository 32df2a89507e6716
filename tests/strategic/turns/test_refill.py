"""Movement points of armies in a turn (section 6.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import rested, settings_of
from engine.strategic import turns
from engine.strategic.events import PointsRefilled
from engine.strategic.pieces import Item
from tests.strategic.ground import HERO, LIGHT, army, desk, world

BOOK = settings_of(Options())
ROWS = ["....", "...."]


@pytest.mark.rule("W2-6.3")
@pytest.mark.parametrize(
    ("left", "move", "aboard", "bearers", "expected"),
    [
        (0, 12, False, 0, 12),
        (1, 12, False, 0, 13),
        (2, 12, False, 0, 14),
        (9, 12, False, 0, 14),
        (14, 12, False, 0, 14),
        (0, 12, True, 0, 20),
        (7, 12, True, 0, 22),
        (0, 12, False, 1, 24),
        (5, 12, False, 2, 38),
        (1, 12, True, 1, 33),
        (2, 50, False, 1, 99),
        (0, 30, False, 3, 99),
    ],
)
def test_points_are_the_maximum_plus_up_to_two_carried_over(
    left: int, move: int, bearers: int, expected: int, *, aboard: bool
) -> None:
    assert rested(army(1, 0, 0, points=left, max_move=move, aboard=aboard), bearers) == expected


@pytest.mark.rule("W2-6.3")
@given(left=st.integers(0, 99), move=st.integers(2, 60), aboard=st.booleans())
def test_refill_without_items_has_three_results(left: int, move: int, *, aboard: bool) -> None:
    points = rested(army(1, 0, 0, points=left, max_move=move, aboard=aboard), 0)
    most = 20 if aboard else move
    assert points in {most, most + 1, most + 2}
    assert 0 <= points <= 99


@pytest.mark.rule("W2-6.3", "W2-10.3")
def test_each_bearer_of_speed_helps_its_own_tile_once() -> None:
    armies = [
        army(1, 0, 0, HERO, points=0),
        army(2, 0, 0, LIGHT, points=0),
        army(3, 1, 0, LIGHT, points=0),
        army(4, 2, 0, HERO, points=0),
        army(5, 2, 0, HERO, points=0),
        army(6, 3, 1, HERO, points=0, owner=1),
        army(7, 1, 1, HERO, points=0),
    ]
    things = [
        Item(0, "speed", 0, "Shoes", "carried", holder=1),
        Item(1, "speed", 0, "Boots", "carried", holder=1),
        Item(2, "speed", 0, "Horse", "carried", holder=4),
        Item(3, "speed", 0, "Mule", "carried", holder=5),
        Item(4, "speed", 0, "Cart", "ground", x=1, y=0),
        Item(5, "weapon", 2, "Axe", "carried", holder=7),
    ]
    work = desk(world(ROWS, armies=armies, items=things))
    turns.refill_points(work, BOOK, 0)
    points = {one.id: one.points for one in work.state.armies.values()}
    assert points == {1: 28, 2: 24, 3: 12, 4: 42, 5: 42, 6: 0, 7: 14}


@pytest.mark.rule("W2-6.3")
def test_event_lists_only_armies_with_changed_points() -> None:
    armies = [army(1, 0, 0, points=14), army(2, 1, 0, points=3), army(3, 2, 0, points=3, owner=1)]
    work = desk(world(ROWS, armies=armies))
    turns.refill_points(work, BOOK, 0)
    assert work.events == (PointsRefilled(side=0, points=((2, 14),)),)
    again = desk(work.state)  # type: ignore[arg-type]
    turns.refill_points(again, BOOK, 0)
    assert again.events == ()
