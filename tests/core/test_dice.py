"""Dice."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Scripted, Seeded, WrongThrow, pack, pick, shuffle, unpack

THROWS = st.lists(
    st.integers(1, 20).flatmap(lambda sides: st.tuples(st.just(sides), st.integers(1, sides)))
)


def rolls(dice: Seeded, sides: int, count: int) -> list[int]:
    """Roll a die ``count`` times."""
    return [dice.roll(sides) for _ in range(count)]


def test_streams_give_known_values() -> None:
    """Saved games are verified against these streams, so they must never change."""
    first = Seeded(b"banneret", 0, "decide")
    assert rolls(first, 6, 12) == [5, 1, 5, 3, 1, 1, 2, 3, 6, 4, 6, 4]
    second = Seeded(b"banneret", 1, "decide")
    assert rolls(second, 6, 12) == [6, 2, 3, 3, 6, 3, 6, 6, 2, 6, 3, 3]
    other = Seeded(b"banneret", 0, "bot:2")
    assert rolls(other, 100, 12) == [44, 27, 51, 63, 87, 53, 13, 76, 38, 23, 21, 31]
    wide = Seeded(b"", 2**40, "imagine")
    assert rolls(wide, 2**32, 10) == [
        2394715648,
        99858137,
        1630571915,
        4235339493,
        3307961074,
        524465548,
        910716073,
        1747625461,
        608514327,
        598821493,
    ]


def test_seed_entry_and_purpose_select_the_stream() -> None:
    keys = [(b"a", 1, "x"), (b"b", 1, "x"), (b"a", 2, "x"), (b"a", 1, "y"), (b"a", 1, "x/1")]
    streams = {tuple(rolls(Seeded(*key), 1000, 20)) for key in keys}
    assert len(streams) == len(keys)


@pytest.mark.parametrize("sides", [0, -1, 2**32 + 1])
def test_impossible_dice_are_refused(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        Seeded(b"", 0, "").roll(sides)


def test_random_words_that_favour_low_values_are_discarded() -> None:
    dice = Seeded(b"", 0, "")
    limit = (1 << 64) // 6 * 6
    dice._words = [limit - 1, limit, limit + 3]
    assert dice.roll(6) == 6
    assert dice._words == []


def test_every_value_comes_up_about_equally_often() -> None:
    counts = Counter(rolls(Seeded(b"fair", 0, "test"), 6, 6000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert all(900 < count < 1100 for count in counts.values())


@given(st.lists(st.integers(1, 1000), max_size=30))
def test_dice_record_their_throws(sides: list[int]) -> None:
    dice = Seeded(b"memory", 3, "test")
    values = [dice.roll(side) for side in sides]
    assert dice.thrown == tuple(zip(sides, values, strict=True))
    assert all(1 <= value <= side for side, value in dice.thrown)
    replayed = Scripted(dice.thrown)
    assert [replayed.roll(side) for side in sides] == values
    assert replayed.left() == 0


def test_scripted_dice_refuse_a_throw_that_does_not_fit() -> None:
    with pytest.raises(WrongThrow, match="none is left"):
        Scripted().roll(6)
    with pytest.raises(WrongThrow, match="d6 is asked for, but d8=3"):
        Scripted([(8, 3)]).roll(6)
    for value in (0, 7, -1):
        with pytest.raises(WrongThrow):
            Scripted([value]).roll(6)


def test_scripted_dice_count_unused_throws() -> None:
    dice = Scripted([1, 2, 3])
    assert dice.roll(6) == 1
    assert dice.left() == 2
    assert dice.thrown == ((6, 1),)


@given(THROWS)
def test_throws_are_packed_into_runs_and_back(throws: list[tuple[int, int]]) -> None:
    runs = pack(throws)
    assert tuple(unpack(runs)) == tuple(throws)
    assert all(one[0] != other[0] for one, other in pairwise(runs))


def test_shuffle_keeps_all_items_and_reaches_every_order() -> None:
    orders = {shuffle(Seeded(b"order", n, "test"), "abc") for n in range(100)}
    assert len(orders) == 6
    assert all(sorted(order) == ["a", "b", "c"] for order in orders)
    assert shuffle(Scripted(), []) == ()
    assert shuffle(Scripted([2, 1]), "abc") == ("c", "a", "b")


def test_pick_takes_the_rolled_item() -> None:
    assert pick(Scripted([2]), "abc") == "b"
    with pytest.raises(ValueError, match="0 sides"):
        pick(Seeded(b"", 0, ""), "")
