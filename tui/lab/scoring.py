"""Points of games and of pairs.

A game has one point. The seats that won share it; where nobody won, all share it. A game that a
bot broke off is won by the others, or counts for nothing, as the plan says. A pair has the points
of its games together; it counts once all of them are there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from tui.lab.games import GameResult
from tui.lab.plans import FaultScore, GameTask


class ScoredPair(NamedTuple):
    """A pair of which every game has points."""

    number: int
    games: tuple[GameResult, ...]
    points: Mapping[str, Fraction]
    """Mean points of a game for each bot, from 0 to 1."""

    @property
    def is_alike(self) -> bool:
        """True if its games went alike, move by move."""
        return len({game.digest for game in self.games}) == 1


def seat_points(result: GameResult, fault: FaultScore) -> tuple[Fraction, ...] | None:
    """Points of each seat; None if the game counts for nothing."""
    seats = range(len(result.bots))
    winners: Sequence[int] = result.winners
    if result.fault is not None:
        if result.fault.seat < 0 or fault == "void":
            return None
        loser = result.bots[result.fault.seat]
        winners = [seat for seat in seats if result.bots[seat] != loser]
    winners = winners or list(seats)
    return tuple(Fraction(seat in winners, len(winners)) for seat in seats)


def bot_points(result: GameResult, fault: FaultScore) -> dict[str, Fraction] | None:
    """Points of each bot, over its seats; None if the game counts for nothing."""
    points = seat_points(result, fault)
    if points is None:
        return None
    found: dict[str, Fraction] = defaultdict(Fraction)
    for bot, point in zip(result.bots, points, strict=True):
        found[bot] += point
    return dict(found)


def scored_pairs(
    games: Iterable[tuple[GameTask, GameResult | None]], fault: FaultScore
) -> list[ScoredPair]:
    """Pairs that are complete and count, by number.

    A pair with a game that is missing or counts for nothing is left out.
    """
    pairs: dict[int, list[GameResult | None]] = defaultdict(list)
    for task, result in games:
        pairs[task.pair].append(result)
    found = []
    for number, results in sorted(pairs.items()):
        whole = [result for result in results if result is not None]
        points = [bot_points(result, fault) for result in whole]
        if len(whole) == len(results) and None not in points:
            total: dict[str, Fraction] = defaultdict(Fraction)
            for row in points:
                for bot, point in (row or {}).items():
                    total[bot] += point
            means = {bot: point / len(whole) for bot, point in total.items()}
            found.append(ScoredPair(number, tuple(whole), means))
    return found


def half_points(pair: ScoredPair, bot: str) -> int:
    """Result of a pair for one of two bots in halves, from 0 (lost both) to 4 (won both).

    With more than two games a pair is rounded to the nearest of the five.
    """
    return round(4 * pair.points[bot])
