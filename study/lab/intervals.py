"""Intervals and tests for shares and means, for tables of experiments.

All shares and confidences are from 0 to 1 (0.95). Distribution functions come from
``statistics.NormalDist`` and from the incomplete beta function below. No function returns nan or
infinity; a number that the data do not give is None.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from math import ceil, comb, exp, isfinite, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

K = TypeVar("K", bound=Hashable)

Floats: TypeAlias = NDArray[np.float64]

NORMAL: Final = NormalDist()

BETA_STEPS: Final = 100_000
"""Maximum steps of the continued fraction; required steps grow as the root of its arguments."""


class Interval(NamedTuple):
    """Limits of a number at a stated confidence."""

    low: float
    high: float


class MeanEstimate(NamedTuple):
    """Mean of values in clusters, such as all games of one seed."""

    mean: float
    error: float | None
    """Standard error, robust to dependence within clusters; None for a single cluster."""
    low: float | None
    high: float | None
    """Limits from Student's t distribution with ``clusters - 1`` degrees of freedom."""
    p: float | None
    """Two-sided p of "the mean is 0".

    None for a single cluster, and if all clusters are equal and not 0, since their spread is then
    unknown.
    """
    size: int
    """Number of values."""
    clusters: int


def wilson(successes: int, count: int, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval of a share; (0, 1) without observations."""
    _check_share(successes, count)
    if count == 0:
        return Interval(0.0, 1.0)
    z = quantile(confidence)
    share, weight = successes / count, z * z / count
    middle = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / count + weight / (4 * count)) / (1 + weight)
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == count else min(1.0, middle + half)
    return Interval(low, high)


@lru_cache(4096)
def clopper_pearson(successes: int, count: int, confidence: float = 0.95) -> Interval:
    """Return the exact interval of a share by Clopper and Pearson; (0, 1) without observations."""
    _check_share(successes, count)
    tail = (1 - _checked(confidence)) / 2
    failures = count - successes
    low = high = None
    if successes:
        low = _inverse(lambda x: beta_share(x, successes, failures + 1), tail)
    if failures:
        high = _inverse(lambda x: beta_share(x, successes + 1, failures), 1 - tail)
    return Interval(0.0 if low is None else low, 1.0 if high is None else high)


def clustered_mean(
    values: Sequence[float], clusters: Sequence[Hashable], confidence: float = 0.95
) -> MeanEstimate:
    """Return the mean, with a standard error that is robust to dependence within clusters.

    The sums of residuals by cluster are treated as independent, with the usual correction of
    clusters / (clusters - 1) for a small number of clusters.

    Args:
        values: observations, shape (n,).
        clusters: cluster of each observation, shape (n,), such as the seed of its game.
        confidence: probability that the interval holds the mean.
    """
    if len(values) != len(clusters):
        raise ValueError(f"{len(values)} values have {len(clusters)} clusters")
    if not values:
        raise ValueError("a mean needs at least one value")
    count = len(values)
    mean = sum(values) / count
    sums: dict[Hashable, float] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + (value - mean)
    groups = len(sums)
    if groups < 2:
        return MeanEstimate(mean, None, None, None, None, count, groups)
    squares = sum(each * each for each in sums.values())
    error = sqrt(squares * groups / (groups - 1)) / count
    if error <= 1e-12 * max(map(abs, values)):  # all alike; the rest is rounding
        p = 1.0 if abs(mean) < 1e-12 else None
        return MeanEstimate(mean, 0.0, mean, mean, p, count, groups)
    half = student_quantile(confidence, groups - 1) * error
    p = student_p(mean / error, groups - 1)
    return MeanEstimate(mean, error, mean - half, mean + half, p, count, groups)


def compare_shares(
    first: tuple[int, int], second: tuple[int, int], confidence: float = 0.95
) -> Interval:
    """Return limits of first share minus second, by Newcombe's method.

    Both are (successes, count) of independent observations. The limits come from those of Wilson.
    """
    if not first[1] or not second[1]:
        raise ValueError("a comparison of shares needs observations on both sides")
    share, other = first[0] / first[1], second[0] / second[1]
    limits, other_limits = wilson(*first, confidence), wilson(*second, confidence)
    low = share - other - sqrt((share - limits.low) ** 2 + (other_limits.high - other) ** 2)
    high = share - other + sqrt((limits.high - share) ** 2 + (other - other_limits.low) ** 2)
    return Interval(max(-1.0, low), min(1.0, high))


def sign_test(up: int, down: int) -> float:
    """Return the exact two-sided p of "up is as likely as down" (McNemar's exact test of pairs)."""
    if up < 0 or down < 0:
        raise ValueError(f"numbers of changes cannot be negative: {up}, {down}")
    count, least = up + down, min(up, down)
    below = sum(comb(count, k) for k in range(least + 1))
    return min(1.0, 2 * below / (1 << count))


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Return p values adjusted by Holm's method for the whole family, in the given order.

    An adjusted value below 0.05 is significant at 5 % for all tests together.
    """
    adjusted = [0.0] * len(ps)
    most = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: (ps[place], place))):
        if not 0 <= ps[place] <= 1:
            raise ValueError(f"a p value must be from 0 to 1, not {ps[place]}")
        most = max(most, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = most
    return tuple(adjusted)


def share_sample_size(half_width: float, share: float = 0.5, confidence: float = 0.95) -> int:
    """Return the number of independent observations for an interval of share +/- half_width."""
    return mean_sample_size(half_width, sqrt(share * (1 - share)), confidence)


def mean_sample_size(half_width: float, deviation: float, confidence: float = 0.95) -> int:
    """Return the number of independent observations for an interval of mean +/- half_width.

    Args:
        half_width: half of the interval's width, in the unit of the values.
        deviation: standard deviation of one observation. If it is that of a cluster's mean, the
            answer is a number of clusters.
        confidence: probability that the interval holds the mean.
    """
    if not half_width > 0:
        raise ValueError(f"the half width must be above 0, not {half_width}")
    return max(1, ceil((quantile(confidence) * deviation / half_width) ** 2 - 1e-9))


def quantile(confidence: float) -> float:
    """Return the half width of a two-sided normal interval in deviations: 1.96 for 0.95."""
    return NORMAL.inv_cdf((1 + _checked(confidence)) / 2)


def student_p(t: float, freedom: int) -> float:
    """Return the two-sided p of a t value with the given degrees of freedom."""
    return beta_share(freedom / (freedom + t * t), freedom / 2, 0.5)


@lru_cache(4096)
def student_quantile(confidence: float, freedom: int) -> float:
    """Return the half width of a two-sided interval of Student's t distribution."""
    if freedom < 1:
        raise ValueError(f"Student's t needs at least one degree of freedom, not {freedom}")
    x = _inverse(lambda x: beta_share(x, freedom / 2, 0.5), 1 - _checked(confidence))
    return sqrt(freedom * (1 - x) / x)


def beta_share(x: float, a: float, b: float) -> float:
    """Return the distribution function of Beta(a, b) at x (the regularised incomplete beta)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - beta_share(1 - x, b, a)
    scale = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    return exp(scale) * _beta_fraction(x, a, b) / a


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's method."""
    least = 1e-300
    c, d = 1.0, 1.0 / _away(1 - (a + b) * x / (a + 1), least)
    value = d
    for m in range(1, BETA_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            d = 1.0 / _away(1 + part * d, least)
            c = _away(1 + part / c, least)
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


def _away(value: float, least: float) -> float:
    """Return the value, or ``least`` if it is too close to 0 to divide by."""
    return value if abs(value) > least else least


def _inverse(rising: Callable[[float], float], goal: float) -> float:
    """Return the argument from 0 to 1 at which a rising function has the value ``goal``."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if rising(middle) < goal else (low, middle)
    return (low + high) / 2


def _check_share(successes: int, count: int) -> None:
    if not 0 <= successes <= count:
        raise ValueError(f"{successes} of {count} is no share")


def _checked(probability: float) -> float:
    if not (isfinite(probability) and 0 < probability < 1):
        raise ValueError(f"a confidence or power must be between 0 and 1, not {probability}")
    return probability
