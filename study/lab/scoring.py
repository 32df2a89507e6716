"""Points of games and of pairs.

A game has one point. The winners share it; without a winner, all seats share it. A game that a bot
broke off is won by the others, or counts for nothing, as the plan says. A pair has the points of
its games together; it counts once all its games are known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from study.lab.games import GameResult
from study.lab.plans import FaultScore, GameTask


class ScoredPair(NamedTuple):
    """A pair in which every game has points."""

    number: int
    games: tuple[GameResult, ...]
    points: Mapping[str, Fraction]
    """Mean points of a game for each bot, from 0 to 1."""

    @property
    def is_alike(self) -> bool:
        """True if its games were equal, move by move."""
        return len({game.digest for game in self.games}) == 1


def winning_seats(result: GameResult, fault: FaultScore) -> tuple[int, ...] | None:
    """Return the seats that won, empty for a draw; None if the game counts for nothing."""
    if result.fault is None:
        return tuple(result.winners)
    if result.fault.seat < 0 or fault == "void":
        return None
    loser = result.bots[result.fault.seat]
    return tuple(seat for seat, bot in enumerate(result.bots) if bot != loser)


def seat_points(result: GameResult, fault: FaultScore) -> tuple[Fraction, ...] | None:
    """Return the points of each seat; None if the game counts for nothing."""
    winners = winning_seats(result, fault)
    if winners is None:
        return None
    seats = range(len(result.bots))
    winners = winners or tuple(seats)
    return tuple(Fraction(seat in winners, len(winners)) for seat in seats)


def bot_points(result: GameResult, fault: FaultScore) -> dict[str, Fraction] | None:
    """Return the points of each bot, over its seats; None if the game counts for nothing."""
    points = seat_points(result, fault)
    if points is None:
        return None
    found: dict[str, Fraction] = defaultdict(Fraction)
    for bot, point in zip(result.bots, points, strict=True):
        found[bot] += point
    return dict(found)


class PairLedger:
    """Pairs of a run, completed game by game."""

    def __init__(self, tasks: Iterable[GameTask], fault: FaultScore) -> None:
        """Begin with no result; ``tasks`` are all games of the run."""
        self._fault = fault
        self._missing = Counter(task.pair for task in tasks)
        self._games: dict[int, list[GameResult]] = defaultdict(list)
        self._order = sorted(self._missing)
        self._next = 0

    def add(self, pair: int, result: GameResult) -> None:
        """Add a game of a pair."""
        self._games[pair].append(result)
        self._missing[pair] -= 1

    def pair(self, number: int) -> ScoredPair | None:
        """Return a pair; None if a game of it is missing or counts for nothing."""
        games = self._games[number]
        points = [bot_points(game, self._fault) for game in games]
        if self._missing[number] or None in points:
            return None
        total: dict[str, Fraction] = defaultdict(Fraction)
        for row in points:
            for bot, point in (row or {}).items():
                total[bot] += point
        means = {bot: point / len(games) for bot, point in total.items()}
        return ScoredPair(number, tuple(games), means)

    def next_pairs(self) -> Iterator[ScoredPair]:
        """Yield new pairs, by number, as long as no earlier pair is incomplete.

        Short games end first, and what they have in common would bias a test that counts pairs on
        arrival. Complete pairs that count for nothing are skipped.
        """
        while self._next < len(self._order) and not self._missing[self._order[self._next]]:
            found = self.pair(self._order[self._next])
            self._next += 1
            if found is not None:
                yield found


def scored_pairs(
    games: Iterable[tuple[GameTask, GameResult | None]], fault: FaultScore
) -> list[ScoredPair]:
    """Return the complete pairs that count, by number."""
    known = list(games)
    ledger = PairLedger((task for task, _ in known), fault)
    for task, result in known:
        if result is not None:
            ledger.add(task.pair, result)
    found = (ledger.pair(number) for number in dict.fromkeys(task.pair for task, _ in known))
    return [pair for pair in found if pair is not None]


def upsets(games: Iterable[GameResult], fault: FaultScore) -> frozenset[str]:
    """Return the keys of games won over a bot with a larger share of all points."""
    known = list(games)
    points: dict[str, Fraction] = defaultdict(Fraction)
    counts: Counter[str] = Counter()
    for game in known:
        for bot, point in (bot_points(game, fault) or {}).items():
            points[bot] += point
            counts[bot] += 1
    shares = {bot: points[bot] / counts[bot] for bot in counts}

    def is_upset(game: GameResult) -> bool:
        won = {game.bots[seat] for seat in game.winners}
        lost = set(game.bots) - won
        if not (won and lost and game.fault is None):
            return False
        return min(shares[bot] for bot in won) < max(shares[bot] for bot in lost)

    return frozenset(game.key for game in known if is_upset(game))


def half_points(pair: ScoredPair, bot: str) -> int:
    """Return the result of a pair for one of two bots in halves, from 0 to 4 (won both).

    With more than two games a pair is rounded to the nearest of the five.
    """
    return round(4 * pair.points[bot])
