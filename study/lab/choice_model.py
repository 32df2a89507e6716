"""Likelihood of rankings with ties, and its maximum: Bradley-Terry, Davidson and Plackett-Luce.

A *contest* is a choice of winners among the bots in some seats. Strengths are on the scale of
natural logarithms. A set of winners has the worth

    exp(mean over the set of (strength of the bot + advantage of the seat) + tie weight)

and the probability of a set is its worth divided by the sum over all sets that may win. The tie
weight depends on the numbers of seats and of winners. It is 0 for the smallest number of winners in
the data, and numbers that do not occur in the data cannot win. For two bots this is Davidson's
model, and without ties Bradley and Terry's. A ranking is a sequence of contests, as in Plackett and
Luce's model: the first rank is chosen among all, the second among the rest, and so on. The bots
that share the last rank are those left over; there is no contest for it.

The logarithm of the likelihood is concave in all parameters, so Newton's method finds its maximum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import log
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from study.lab.intervals import Floats

Whole: TypeAlias = NDArray[np.int64]

STEPS: Final = 200
MOST_SEATS: Final = 12
"""Maximum seats of a contest, since all sets of winners are enumerated."""

FLAT: Final = 1e-6
"""Minimum curvature in games. Below it the maximum is at infinity; one upset gives far more."""


class Contest(NamedTuple):
    """Choice of winners among bots."""

    scenario: str
    bots: tuple[int, ...]
    """Numbers of the bots."""
    seats: tuple[int, ...]
    """Their seats in the game."""
    size: int
    """Number of bots before any were left out; tie weights depend on it."""
    winners: tuple[int, ...]
    """Positions of the winners in ``bots``, ascending."""


class ChoicePriors(NamedTuple):
    """Weights of prior knowledge, in virtual games that are half won; 0 means none."""

    strength: float
    """Games of each bot against an opponent at the centre; tie weights get as many."""
    seat: float
    """Games of each seat against one without an advantage."""
    centre: float
    """Strength of the virtual opponents."""


class ChoiceFit(NamedTuple):
    """Parameters that maximise the likelihood, with their covariance."""

    values: Floats
    """Strengths, advantages and tie weights, shape (parameters,)."""
    covariance: Floats
    """Covariance, shape (parameters, parameters); 0 for fixed values."""
    is_finite: bool
    """False if the likelihood has no maximum; the values are then only an intermediate result."""


class ChoiceModel:
    """Contests as a table: a row for each set that may win in each different line-up."""

    def __init__(self, contests: Sequence[Contest], bots: int, *, has_advantages: bool) -> None:
        """Build the table for ``bots`` bots; without ``has_advantages`` seats are ignored."""
        self.bots = bots
        self.seats: list[tuple[str, int]] = []
        if has_advantages:
            self.seats = sorted({(c.scenario, seat) for c in contests for seat in c.seats})
        self.winners = _seen_sizes(contests)
        """Possible numbers of winners, ascending, by size of the contest."""
        self.ties = [(size, k) for size, seen in self.winners.items() for k in seen[1:]]
        places = {key: bots + place for place, key in enumerate(self.seats)}
        ties = {key: bots + len(self.seats) + place for place, key in enumerate(self.ties)}
        self.parameters = bots + len(places) + len(ties)
        self.constant_ties = _constant_ties(contests, ties)
        """Fixed tie weights by parameter, of sizes at which all games were ties."""
        starts, rows = [0], list[Floats]()
        cells: dict[Contest, int] = {}
        for line_up in sorted({contest._replace(winners=()) for contest in contests}):
            for winners in self._sets(line_up):
                cells[line_up._replace(winners=winners)] = len(rows)
                rows.append(self._row(line_up, winners, places, ties))
            starts.append(len(rows))
        self._table = np.array(rows).reshape(len(rows), self.parameters)
        self._starts = np.array(starts[:-1], dtype=np.int64)
        self._lengths = np.diff(starts)
        self.cells: Whole = np.array([cells[contest] for contest in contests], dtype=np.int64)
        """Row of each contest's result, shape (contests,)."""

    def counts(self, weights: Floats) -> Floats:
        """Add up weights of contests, shape (contests,), by row of the table, shape (rows,)."""
        sums = np.bincount(self.cells, weights=weights, minlength=len(self._table))
        return np.asarray(sums, dtype=np.float64)

    def fit(
        self,
        counts: Floats,
        priors: ChoicePriors,
        fixed: dict[int, float],
        start: Floats | None = None,
        tolerance: float = 1e-11,
    ) -> ChoiceFit:
        """Maximise the likelihood of counts, shape (rows,), with the priors.

        Args:
            counts: number of wins of each row's set.
            priors: weights of prior knowledge.
            fixed: values of bots, by number, that must not change.
            start: initial values, shape (parameters,).
            tolerance: maximum component of the last step; its square is about the error.
        """
        values = np.zeros(self.parameters) if start is None else start.copy()
        constant = fixed | self.constant_ties
        values[list(constant)] = list(constant.values())
        free = np.setdiff1d(np.arange(self.parameters), list(constant))
        gauge = np.zeros(self.parameters)
        if not fixed and priors.strength == 0:
            gauge[: self.bots] = self.bots**-0.5  # strengths are relative: hold their mean
        weights, centres = self._priors(priors)
        games = np.add.reduceat(counts, self._starts) if len(counts) else counts
        here, slope, curve = self._slopes(values, counts, games, weights, centres)
        for _ in range(STEPS):
            flat = curve + np.outer(gauge, gauge)
            step = np.zeros(self.parameters)
            step[free] = _solve(flat[np.ix_(free, free)], slope[free])
            size = float(abs(step).max(initial=0.0))
            if size < 1e-11 or abs(values).max(initial=0.0) > 60:
                break
            step /= max(1.0, size / 4)
            found = self._slopes(values + step, counts, games, weights, centres)
            while found[0] < here - 1e-12 * abs(here) and abs(step).max() > 1e-12:
                step /= 2
                found = self._slopes(values + step, counts, games, weights, centres)
            values = values + step
            here, slope, curve = found
            if size < tolerance:
                break
        return self._result(values, curve, free, gauge)

    def _result(self, values: Floats, curve: Floats, free: Whole, gauge: Floats) -> ChoiceFit:
        covariance = np.zeros_like(curve)
        part = np.ix_(free, free)
        bent = (curve + np.outer(gauge, gauge))[part]
        powers, axes = np.linalg.eigh(bent) if len(free) else (np.ones(0), bent)
        is_finite = bool(powers.min(initial=1.0) > FLAT)
        covariance[part] = (axes / np.maximum(powers, FLAT)) @ axes.T
        covariance -= np.outer(gauge, gauge)
        return ChoiceFit(values, covariance, is_finite)

    def _slopes(
        self, values: Floats, counts: Floats, games: Floats, weights: Floats, centres: Floats
    ) -> tuple[float, Floats, Floats]:
        """Return the log-likelihood, its gradient, and its negated second derivatives."""
        away = values - centres
        total = -float(weights @ np.logaddexp(away / 2, -away / 2))
        slope = -weights / 2 * np.tanh(away / 2)
        curve = np.diag(weights / 4 * (1 - np.tanh(away / 2) ** 2))
        if not len(counts):
            return total, slope, curve
        worth = self._table @ values
        best = np.repeat(np.maximum.reduceat(worth, self._starts), self._lengths)
        sums = np.add.reduceat(np.exp(worth - best), self._starts)
        logs = worth - best - np.repeat(np.log(sums), self._lengths)
        chances = np.exp(logs)
        expected = np.repeat(games, self._lengths) * chances
        means = np.add.reduceat(chances[:, None] * self._table, self._starts, axis=0)
        total += float(counts @ logs)
        slope = slope + self._table.T @ (counts - expected)
        curve = curve + (self._table.T * expected) @ self._table - (means.T * games) @ means
        return total, slope, curve

    def _priors(self, priors: ChoicePriors) -> tuple[Floats, Floats]:
        weights = np.full(self.parameters, priors.strength)
        weights[self.bots : self.bots + len(self.seats)] = priors.seat
        centres = np.zeros(self.parameters)
        centres[: self.bots] = priors.centre
        return weights, centres

    def _sets(self, line_up: Contest) -> Iterable[tuple[int, ...]]:
        """Yield the sets of positions that may win."""
        for size in self.winners[line_up.size]:
            yield from combinations(range(len(line_up.bots)), size)

    def _row(
        self,
        line_up: Contest,
        winners: tuple[int, ...],
        places: dict[tuple[str, int], int],
        ties: dict[tuple[int, int], int],
    ) -> Floats:
        row = np.zeros(self.parameters)
        for place in winners:
            row[line_up.bots[place]] += 1 / len(winners)
            if self.seats:
                row[places[line_up.scenario, line_up.seats[place]]] += 1 / len(winners)
        if (line_up.size, len(winners)) in ties:
            row[ties[line_up.size, len(winners)]] = 1
        return row


def _seen_sizes(contests: Iterable[Contest]) -> dict[int, list[int]]:
    """Return the possible numbers of winners, ascending, by size of the contest.

    If every contest of a size was won by all, a single winner is allowed too. Without it such
    contests would not tie the strengths together.
    """
    seen: dict[int, set[int]] = defaultdict(set)
    for contest in contests:
        seen[contest.size].add(len(contest.winners))
    return {
        size: sorted(numbers | ({1} if numbers == {size} else set()))
        for size, numbers in sorted(seen.items())
    }


def _constant_ties(
    contests: Sequence[Contest], ties: dict[tuple[int, int], int]
) -> dict[int, float]:
    """Return the tie weights for sizes at which all games were ties of all.

    They assume that one of twice as many games would not be such a tie.
    """
    constant = {}
    for (size, k), place in ties.items():
        numbers = [len(contest.winners) for contest in contests if contest.size == size]
        if set(numbers) == {size} and k == size:
            constant[place] = log(size * (2 * len(numbers) + 1))
    return constant


def _solve(matrix: Floats, right: Floats) -> Floats:
    """Solve a symmetric system; if it is singular, add a small curvature."""
    try:
        return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.solve(matrix + 1e-9 * np.eye(len(matrix)), right))
