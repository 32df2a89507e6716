"""Sequential probability ratio test of two bots, from the scores of pairs of games.

A test has two hypotheses about A's strength over B, ``elo0`` (H0) and ``elo1`` (H1), in one of two
models:

    logistic    the expected share of the points is 1 / (1 + 10 ** (-elo / 400))
    normalized  (expected share - 1/2) / (standard deviation of a game) * 800 / ln 10 is the elo

The generalised log-likelihood ratio compares the two distributions of pair scores that fit the
counts best under either hypothesis: among all with the given mean (logistic), or the given ratio of
mean to deviation (normalized). The unit of the normalized model is about the number of games that a
test takes, so bounds mean the same effort in games with many ties and with few.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import expm1, isfinite, log
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from engine.core.record import Record
from study.lab.intervals import Floats
from study.lab.pentanomial import NORMALIZED, PairCounts, bin_of, checked_counts

SprtModel: TypeAlias = Literal["normalized", "logistic"]
SprtVerdict: TypeAlias = Literal["accepted H1", "accepted H0", "undecided"]

SHARES: Final[Floats] = np.arange(5) / 4
"""Shares of a pair's points that A can win, shape (5,)."""

PSEUDO_COUNT: Final = 1e-3
"""Number of pairs that replaces a count of 0, so that no logarithm is infinite."""

MOST_ELO: Final = 3000


class SequentialTest(Record, frozen=True):
    """Hypotheses of a test of A against B, and its permitted error rates."""

    elo0: Annotated[float, Meta(ge=-MOST_ELO, le=MOST_ELO)] = 0.0
    """Strength that is rejected if the test passes."""
    elo1: Annotated[float, Meta(ge=-MOST_ELO, le=MOST_ELO)] = 10.0
    """Strength that is rejected if the test fails."""
    model: SprtModel = "normalized"
    alpha: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05
    """Maximum share of tests that accept H1 although A is no better than elo0."""
    beta: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05
    """Maximum share of tests that accept H0 although A is as good as elo1."""

    @property
    def lower(self) -> float:
        """Log-likelihood ratio at or below which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Log-likelihood ratio at or above which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def checked(self) -> SequentialTest:
        """Return the test unchanged, or raise a ValueError with one line for people."""
        if not all(isfinite(elo) and abs(elo) <= MOST_ELO for elo in (self.elo0, self.elo1)):
            raise ValueError(f"elo0 and elo1 must be from -{MOST_ELO} to {MOST_ELO}")
        if self.elo0 >= self.elo1:
            raise ValueError(f"elo0 ({self.elo0:g}) must be below elo1 ({self.elo1:g})")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta must be between 0 and 0.5")
        if self.model not in {"normalized", "logistic"}:
            raise ValueError(f"no such model: {self.model}; there are normalized and logistic")
        return self


class SprtState(NamedTuple):
    """State of a test."""

    verdict: SprtVerdict
    counts: PairCounts
    """Pairs by score, up to the verdict."""
    llr: float
    lower: float
    upper: float

    @property
    def pair(self) -> int | None:
        """Index of the pair that decided the test; None while undecided."""
        return None if self.verdict == "undecided" else self.pairs - 1

    @property
    def pairs(self) -> int:
        """Number of pairs that count."""
        return sum(self.counts)


def llr(counts: Sequence[float], plan: SequentialTest) -> float:
    """Return the log-likelihood ratio of elo1 against elo0 for pentanomial counts."""
    return float(llrs(np.array([checked_counts(counts)]), plan)[0])


def llrs(counts: NDArray[np.generic], plan: SequentialTest) -> Floats:
    """Return log-likelihood ratios, shape (tests,), each from its own counts, shape (tests, 5).

    A row's ratio does not depend on the other rows, not even in its last digit.
    """
    plan.checked()
    rows = np.ascontiguousarray(counts, dtype=np.float64)
    rows = np.where(rows == 0, PSEUDO_COUNT, rows)
    sizes = _total(rows)
    seen = rows / sizes[:, None]
    jumps = np.log(_best_fit(seen, plan.elo1, plan.model)) - np.log(
        _best_fit(seen, plan.elo0, plan.model)
    )
    return sizes * _total(seen * jumps)


def jump_moments(counts: Sequence[float], plan: SequentialTest) -> tuple[float, float]:
    """Return mean and variance of the ratio's change by one more pair, if counts are typical."""
    rows = np.array([checked_counts(counts)], dtype=np.float64)
    rows = np.where(rows == 0, PSEUDO_COUNT, rows)
    seen = rows / _total(rows)[:, None]
    high, low = (_best_fit(seen, elo, plan.model) for elo in (plan.elo1, plan.elo0))
    jumps = np.log(high) - np.log(low)
    mean = _total(seen * jumps)
    return float(mean[0]), float(_total(seen * (jumps - mean[:, None]) ** 2)[0])


def expected_pairs_left(counts: Sequence[float], plan: SequentialTest) -> float | None:
    """Return the expected number of further pairs, if they are like those so far.

    None without any pair. The ratio is modelled as Brownian motion with the drift and the variance
    of the pairs so far; its mean time to leave a strip has a closed formula.
    """
    if sum(counts) == 0:
        return None
    now = llr(counts, plan)
    if now <= plan.lower or now >= plan.upper:
        return 0.0
    drift, variance = jump_moments(counts, plan)
    down, up = now - plan.lower, plan.upper - now
    if abs(drift) * (down + up) < 1e-6 * variance:
        return down * up / variance
    if variance < 1e-12 * abs(drift):
        return (up if drift > 0 else down) / abs(drift)
    rate = min(max(2 * drift / variance, -600 / (down + up)), 600 / (down + up))
    chance = expm1(-rate * down) / expm1(-rate * (down + up))
    return max(0.0, (chance * up - (1 - chance) * down) / drift)


class Sprt:
    """Sequential test in progress; the first pair that takes the ratio over a bound decides."""

    def __init__(self, plan: SequentialTest) -> None:
        """Begin with no pair."""
        self._plan = plan.checked()
        self._counts = [0] * 5
        self._llr = 0.0
        self._verdict: SprtVerdict = "undecided"

    def add(self, score: float) -> None:
        """Count the next pair, unless the test is decided; A's score is 0 to 2 points in halves."""
        place = bin_of(score)
        if self._verdict != "undecided":
            return
        self._counts[place] += 1
        self._llr = llr(self._counts, self._plan)
        if self._llr >= self._plan.upper:
            self._verdict = "accepted H1"
        elif self._llr <= self._plan.lower:
            self._verdict = "accepted H0"

    @property
    def state(self) -> SprtState:
        """State of the test."""
        none, half, one, more, two = self._counts
        return SprtState(
            verdict=self._verdict,
            counts=(none, half, one, more, two),
            llr=self._llr,
            lower=self._plan.lower,
            upper=self._plan.upper,
        )


def _best_fit(seen: Floats, elo: float, model: SprtModel) -> Floats:
    """Return the distributions, shape (tests, 5), that fit best if A is stronger by ``elo``."""
    if model == "logistic":
        share = 1 / (1 + 10 ** (-elo / 400))
        return _tilted(seen, np.broadcast_to(SHARES - share, seen.shape))
    return _fit_ratio(seen, elo / NORMALIZED)


def _tilted(seen: Floats, values: Floats) -> Floats:
    """Return the best fit to each seen distribution, shape (tests, 5), with mean 0 of the values.

    By Lagrange's rule it is seen / (1 + x * value), with an x between two poles that makes the mean
    0. Multiplied by the distances from the poles, the mean is nearly linear in x. So Newton's
    method finds it, with bisection if a step leaves the bracket. Rows without values on both sides
    of 0 give nan.
    """
    least, most = values.min(axis=1), values.max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        low, high = -1 / most, -1 / least
        good = (low < 0) & (high > 0)
        x = np.zeros(len(seen))
        is_open = good.copy()
        for _ in range(100):
            parts = values / (1 + x[:, None] * values)
            shares = seen * parts
            mean, slope = _total(shares), -_total(shares * parts)
            low, high = np.where(mean > 0, x, low), np.where(mean > 0, high, x)
            left, right = 1 + x * most, 1 + x * least
            newton = x - mean / (slope + mean * (most / left + least / right))
            is_open &= (mean != 0) & (abs(newton - x) > 1e-14 * abs(x)) & (high - low > 1e-15)
            if not is_open.any():
                break
            is_inside = (newton > low) & (newton < high)
            x = np.where(is_open, np.where(is_inside, newton, (low + high) / 2), x)
        fit = seen / (1 + x[:, None] * values)
    return np.where(good[:, None], fit, np.nan)


def _fit_ratio(seen: Floats, ratio: float) -> Floats:
    """Return the best fits, shape (tests, 5), for which (mean - 1/2) / deviation is the ratio.

    The condition is not linear. With the mean and deviation of a solution it can be written as
    "these values have the mean 0". So those of the last fit are inserted repeatedly, until nothing
    changes. If that does not converge, all solutions are searched.
    """
    fit = np.full_like(seen, 1 / 5)
    is_open = np.full(len(seen), fill_value=True)
    for _ in range(40):
        rows = np.flatnonzero(is_open)
        if not len(rows):
            break
        mean = _total(fit[rows] * SHARES)
        deviation = np.sqrt(_total(fit[rows] * (SHARES - mean[:, None]) ** 2))
        following = _tilted(seen[rows], _ratio_values(mean, deviation, ratio))
        is_open[rows] = abs(following - fit[rows]).max(axis=1) > 1e-11
        fit[rows] = following
    for row in np.flatnonzero(is_open | np.isnan(fit).any(axis=1)):
        fit[row] = _searched_ratio(seen[row], ratio)
    return fit


def _ratio_values(mean: Floats, deviation: Floats, ratio: float) -> Floats:
    """Return values, shape (tests, 5), with mean 0 under a distribution with this ratio.

    ``mean`` and ``deviation`` must be those of the distribution. Its deviation is the minimum of (d
    + squares about m / d) / 2 over all m and d, at the mean and deviation themselves. So to first
    order the condition is linear.
    """
    m, d = mean[:, None], deviation[:, None]
    spread = d * (1 + ((SHARES - m) / d) ** 2) / 2
    return np.asarray(SHARES - 0.5 - ratio * spread)


def _searched_ratio(seen: Floats, ratio: float) -> Floats:
    """Return the best fit, shape (5,), over all deviations with mean 1/2 + ratio * deviation."""
    deviations = min(0.5, 0.5 / abs(ratio)) * np.geomspace(1e-4, 1, 600)
    values = _ratio_values(0.5 + ratio * deviations, deviations, ratio)
    usable = deviations[(values.min(axis=1) < 0) & (values.max(axis=1) > 0)]
    grid = np.geomspace(usable[0], usable[-1], 60)
    fits, excess = _fits_at(grid, seen, ratio)
    roots = np.flatnonzero(excess[1:] * excess[:-1] <= 0)
    if not len(roots):
        return np.asarray(fits[abs(excess).argmin()])
    likelihoods = np.log(fits[roots]) @ seen
    place = roots[likelihoods.argmax()]
    sign = np.sign(excess[place])
    for _ in range(7):
        grid = np.linspace(grid[place], grid[place + 1], 40)
        fits, excess = _fits_at(grid, seen, ratio)
        place = min(38, max(1, int((np.sign(excess) == sign).sum())) - 1)
    return np.asarray(fits[abs(excess).argmin()])


def _fits_at(deviations: Floats, seen: Floats, ratio: float) -> tuple[Floats, Floats]:
    """Return fits for given deviations, shape (deviations, 5), and the excess of their means."""
    means = 0.5 + ratio * deviations
    values = _ratio_values(means, deviations, ratio)
    fits = _tilted(np.broadcast_to(seen, values.shape), values)
    return fits, _total(fits * SHARES) - means


def _total(rows: Floats) -> Floats:
    """Add up rows of five in a fixed order; that of numpy depends on the memory layout."""
    a, b, c, d, e = rows.T
    return np.asarray(a + b + c + d + e)
