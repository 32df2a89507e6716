"""Points of games and pairs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.core.record import replace
from study.lab.games import GameFault, GameResult
from study.lab.plans import FaultScore, GameTask
from study.lab.scoring import PairLedger, half_points, scored_pairs, seat_points, upsets

HALF = Fraction(1, 2)


def game(*bots: str, won: tuple[int, ...] = (), fault: int | None = None) -> GameResult:
    """Return a row with these winners, or with a fault of a seat."""
    broken = None if fault is None else GameFault(fault, "crash", "SIGSEGV")
    return GameResult("k", "s", bots, 1, won, "r", 9, 2, (0,) * len(bots), "d", fault=broken)


@pytest.mark.parametrize(
    ("result", "policy", "points"),
    [
        (game("a", "b", won=(0,)), "forfeit", (1, 0)),
        (game("a", "b"), "forfeit", (HALF, HALF)),
        (game("a", "b", "c", won=(0, 2)), "forfeit", (HALF, 0, HALF)),
        (game("a", "b", "a", won=(1,)), "forfeit", (0, 1, 0)),
        (game("a", "b", fault=0), "forfeit", (0, 1)),
        (game("a", "b", "a", fault=0), "forfeit", (0, 1, 0)),
        (game("a", "a", fault=0), "forfeit", (HALF, HALF)),
        (game("a", "b", fault=0), "void", None),
        (game("a", "b", fault=-1), "forfeit", None),
    ],
)
def test_points_of_a_game(
    result: GameResult, policy: FaultScore, points: tuple[Fraction, ...] | None
) -> None:
    assert seat_points(result, policy) == points
    assert points is None or sum(points) == 1


def task(pair: int) -> GameTask:
    return GameTask(pair, 0, (0, 1), pair)


def test_pair_counts_only_when_complete() -> None:
    games = [
        (task(0), game("a", "b", won=(0,))),
        (task(0), game("b", "a", won=(1,))),
        (task(1), game("a", "b", won=(0,))),
        (task(1), None),
        (task(2), game("a", "b")),
        (task(2), game("b", "a", won=(0,))),
    ]
    pairs = scored_pairs(games, "forfeit")
    assert [pair.number for pair in pairs] == [0, 2]
    assert [half_points(pair, "a") for pair in pairs] == [4, 1]
    assert [half_points(pair, "b") for pair in pairs] == [0, 3]


def test_ledger_waits_for_missing_pairs_but_not_for_void_ones() -> None:
    ledger = PairLedger([task(pair) for pair in (0, 0, 1, 1, 2, 2)], "void")
    ledger.add(2, game("a", "b"))
    ledger.add(2, game("b", "a"))
    ledger.add(0, game("a", "b"))
    assert list(ledger.next_pairs()) == []
    ledger.add(0, game("b", "a"))
    assert [pair.number for pair in ledger.next_pairs()] == [0]
    ledger.add(1, game("a", "b", fault=1))
    assert list(ledger.next_pairs()) == []
    ledger.add(1, game("b", "a"))
    assert [pair.number for pair in ledger.next_pairs()] == [2]


def test_upset_is_a_win_over_a_bot_with_more_points() -> None:
    games = [game("a", "b", won=(seat,)) for seat in (0, 0, 1)]
    rows = [replace(one, key=str(number)) for number, one in enumerate(games)]
    drawn = replace(game("a", "b"), key="3")
    broken = replace(game("a", "b", won=(1,), fault=0), key="4")
    assert upsets([*rows, drawn, broken, replace(rows[0], key="5")], "forfeit") == {"2"}
