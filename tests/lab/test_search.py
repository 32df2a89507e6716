"""Parameter search: a planted optimum is found within a tenth of the range."""

from __future__ import annotations

import random
from math import dist

import pytest

from study.lab.search import (
    Candidate,
    ParameterSpan,
    Played,
    SearchEnd,
    SearchPoint,
    climb,
    halton,
    halve,
    peak,
)


def arena(best: SearchPoint, slope: float, seed: int) -> Played:
    """Return a play function for bots whose Elo falls with their distance from the best point."""
    chance = random.Random(seed)  # noqa: S311 - games, not secrets

    def elo(at: SearchPoint | None) -> float:
        return -slope * (0.5 if at is None else dist(at, best))

    def play(at: SearchPoint, other: SearchPoint | None, first: int, pairs: int) -> float:
        assert first >= 0
        share = 1 / (1 + 10 ** ((elo(other) - elo(at)) / 400))
        return sum(chance.random() < share for _ in range(2 * pairs)) / (2 * pairs)

    return play


@pytest.mark.parametrize("best", [0.05, 0.3, 0.5, 0.72, 0.95])
def test_halving_finds_a_planted_optimum_within_a_tenth(best: float) -> None:
    good = 0
    for seed in range(20):
        found = halve(arena((best,), 400, seed), 1, 2000)
        assert found is not None
        assert found.pairs <= 2000
        good += abs(found.best[0] - best) <= 0.1
    assert good >= 18


@pytest.mark.parametrize("best", [(0.3, 0.6), (0.7, 0.4)])
def test_climbing_finds_a_planted_optimum_of_two_parameters(best: SearchPoint) -> None:
    good = 0
    for seed in range(20):
        found = climb(arena(best, 800, seed), 2, 2000, seed)
        assert found is not None
        assert found.pairs <= 2000
        good += max(abs(a - b) for a, b in zip(found.best, best, strict=True)) <= 0.1
    assert good >= 15


def test_equal_shares_give_equal_searches() -> None:
    halved = [halve(arena((0.4,), 300, 7), 1, 600) for _ in range(2)]
    climbed = [climb(arena((0.4,), 300, 7), 1, 600, 3) for _ in range(2)]
    assert halved[0] == halved[1]
    assert climbed[0] == climbed[1]


def test_stopped_search_finds_nothing() -> None:
    assert halve(lambda *_: None, 1, 100) is None
    assert climb(lambda *_: None, 1, 100, 1) is None


def test_weak_candidates_stop_early_and_all_play_the_same_pairs() -> None:
    asked: list[tuple[SearchPoint, int, int]] = []

    def play(at: SearchPoint, other: SearchPoint | None, first: int, pairs: int) -> float:
        asked.append((at, first, pairs))
        return 1 - abs(at[0] - 0.5)

    found = halve(play, 1, 2000)
    assert isinstance(found, SearchEnd)
    assert found.tried[0].pairs > 5 * found.tried[-1].pairs
    for at, first, _ in asked:
        before = [pairs for other, begun, pairs in asked if other == at and begun < first]
        assert first == sum(before)


@pytest.mark.parametrize(
    ("span", "at", "value"),
    [
        (ParameterSpan("x", 0, 1, is_whole=False), 0.25, 0.25),
        (ParameterSpan("x", -2, 2, is_whole=False), 2.0, 2.0),
        (ParameterSpan("n", 1, 5, is_whole=True), 0.4, 3),
        (ParameterSpan("n", 1, 5, is_whole=True), -1.0, 1),
    ],
)
def test_fraction_of_a_range_gives_a_value(span: ParameterSpan, at: float, value: float) -> None:
    assert span.value(at) == value


def test_curve_without_a_maximum_keeps_the_best_point() -> None:
    rising = [Candidate((x / 10,), 10, x) for x in range(11)]
    assert peak(rising, (1.0,)) == (1.0,)
    assert [x for point in halton(2, 2) for x in point] == pytest.approx(
        [1 / 2, 1 / 3, 1 / 4, 2 / 3]
    )
