"""The Swiss system: equal points, new opponents, and byes shared evenly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from study.lab.plans import Meeting
from study.lab.scoring import ScoredPair
from study.lab.swiss import next_round

NAMES = ["a", "b", "c", "d", "e"]


def pair(**points: float) -> ScoredPair:
    return ScoredPair(0, (), {name: Fraction(value) for name, value in points.items()})


def tables(round_: list[Meeting]) -> list[set[str]]:
    return [{NAMES[bot] for bot in meeting[0]} for meeting in round_]


def test_winners_meet_winners() -> None:
    first = next_round(NAMES[:4], 2, [], [])
    assert tables(first) == [{"a", "b"}, {"c", "d"}]
    second = next_round(NAMES[:4], 2, [pair(a=1, b=0), pair(c=1, d=0)], first)
    assert tables(second) == [{"a", "c"}, {"b", "d"}]
    points = [pair(a=1, b=0), pair(c=1, d=0), pair(a=1, c=0), pair(b=1, d=0)]
    third = next_round(NAMES[:4], 2, points, [*first, *second])
    assert tables(third) == [{"a", "d"}, {"b", "c"}], "who has met meets again last"


def test_each_bot_has_each_seat_in_a_meeting() -> None:
    for meeting in next_round(NAMES[:4], 2, [], []):
        assert meeting[0] == meeting[1][::-1]
    (three, *_) = next_round(NAMES, 3, [], [])
    assert [Counter(way[seat] for way in three) for seat in range(3)] == [Counter(three[0])] * 3


@pytest.mark.parametrize(("bots", "seats"), [(5, 2), (5, 3), (3, 2)])
def test_bots_sit_out_in_turn_when_seats_do_not_divide(bots: int, seats: int) -> None:
    met: list[Meeting] = []
    played: Counter[int] = Counter()
    for _ in range(bots):
        fresh = next_round(NAMES[:bots], seats, [], met)
        seated = [bot for meeting in fresh for bot in meeting[0]]
        assert len(set(seated)) == len(seated) == bots - bots % seats
        met += fresh
        played.update(seated)
    assert max(played.values()) - min(played.values()) <= 1


def test_two_bots_fill_a_table_of_three() -> None:
    (meeting,) = next_round(NAMES[:2], 3, [], [])
    assert Counter(bot for way in meeting for bot in way) == {0: 9, 1: 9}
