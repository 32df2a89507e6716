"""Which of many things are near."""

from __future__ import annotations

import numpy as np

from engine.strategic.bot.nearness import Spots

SPOTS = Spots([(5, 5), (0, 3), (3, 0), (9, 0), (0, 3)])


def test_the_nearest_come_first_and_of_equals_the_first() -> None:
    assert SPOTS.nearest((0, 0), 4) == [1, 2, 4, 0]
    assert SPOTS.nearest((9, 1), 2) == [3, 0]
    assert SPOTS.nearest((0, 0), 4) == [1, 2, 4, 0]


def test_the_nearest_to_one_of_some_tiles_are_found() -> None:
    assert SPOTS.nearest_to_any([(0, 0), (9, 1), (5, 4)], 3) == [0, 3, 1]


def test_what_is_near_enough_is_told_in_order() -> None:
    assert SPOTS.within((0, 0), 3) == [1, 2, 4]
    assert SPOTS.within((0, 0), np.array([5, 2, 3, 8, 3], dtype=np.int32)) == [0, 2, 4]


def test_nothing_is_near_where_there_is_nothing() -> None:
    assert Spots([]).nearest((1, 1), 3) == []
    assert Spots([]).within((1, 1), 9) == []
