"""Search for the best parameters of a bot: halving of candidates, and steps along a gradient.

Both ask for pairs and get the share of the points, so equal shares lead to equal searches.
Parameters are from 0 to 1 here; ``ParameterSpan`` has their ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

SearchPoint: TypeAlias = tuple[float, ...]
"""Values of the parameters, each from 0 to 1."""

Played: TypeAlias = Callable[[SearchPoint, SearchPoint | None, int, int], float | None]
"""Plays pairs; called with a point, its opponent (None: the default one), the number of the first
pair, and the number of pairs. Returns the share of the points, or None if it was stopped."""

ALPHA: Final = 0.602
GAMMA: Final = 0.101
"""Usual exponents of the falling step and width of SPSA."""

FEWEST_PAIRS: Final = 8
"""Minimum number of pairs of a search."""

_FIRST: Final = 24
"""Minimum number of pairs that each candidate of a halving plays at first."""

_NEAR: Final = 0.35
"""Maximum distance from the best candidate at which others count for the curve."""


class ParameterSpan(NamedTuple):
    """Range of a parameter."""

    name: str
    low: float
    high: float
    is_whole: bool

    def value(self, at: float) -> int | float:
        """Return the value at a fraction of the range, from 0 to 1."""
        found = self.low + min(1.0, max(0.0, at)) * (self.high - self.low)
        return round(found) if self.is_whole else round(found, 6)


@dataclass
class Candidate:
    """A point, and its result so far."""

    at: SearchPoint
    pairs: int = 0
    points: float = 0.0

    @property
    def share(self) -> float:
        """Share of the points, from 0 to 1."""
        return self.points / max(1, self.pairs)


class SearchEnd(NamedTuple):
    """End of a search: the best point, and all that were tried, best first."""

    best: SearchPoint
    tried: tuple[Candidate, ...]
    pairs: int


def halton(count: int, axes: int) -> list[SearchPoint]:
    """Return evenly spread points, shape (count, axes), the middle first.

    >>> halton(3, 1)
    [(0.5,), (0.25,), (0.75,)]
    """
    primes = (2, 3, 5, 7, 11, 13, 17, 19)[:axes]
    return [
        tuple(_reversed_digits(number, base) for base in primes) for number in range(1, count + 1)
    ]


def _reversed_digits(number: int, base: int) -> float:
    found, unit = 0.0, 1.0
    while number:
        unit /= base
        number, digit = divmod(number, base)
        found += unit * digit
    return found


# -- halving -----------------------------------------------------------------------------------


def halve(play: Played, axes: int, budget: int) -> SearchEnd | None:
    """Search by dropping the worse half of the candidates in each round; None if stopped.

    All play the same pairs, so shared luck does not affect the comparison. The remaining candidates
    play twice as many. In the end a curve through the shares near the best candidate gives the best
    point between them.

    Args:
        play: plays pairs against the default opponent.
        axes: number of parameters.
        budget: maximum number of pairs of all candidates together.
    """
    count = _candidates(budget)
    living = [Candidate(at) for at in halton(count, axes)]
    every = list(living)
    rounds = max(1, count.bit_length())
    spent = 0
    for number in range(rounds):
        more = max(1, budget // rounds // len(living))
        for one in living:
            share = play(one.at, None, one.pairs, more)
            if share is None:
                return None
            one.points += share * more
            one.pairs += more
            spent += more
        living.sort(key=lambda one: (-one.share, one.at))
        if number + 1 < rounds:
            living = living[: max(2, len(living) // 2)]
    tried = tuple(sorted(every, key=lambda one: (-one.pairs, -one.share, one.at)))
    return SearchEnd(peak(every, living[0].at), tried, spent)


def _candidates(budget: int) -> int:
    """Return the initial number of candidates: a power of two, from 4 to 32."""
    count = 4
    while count < 32 and budget // (count.bit_length() + 1) // (2 * count) >= _FIRST:
        count *= 2
    return count


def peak(tried: Sequence[Candidate], best: SearchPoint) -> SearchPoint:
    """Return the maximum of a curve through the shares near the best point, weighted by pairs.

    Fits each axis separately; falls back to the best point if there is no maximum nearby.
    """
    return tuple(_top(tried, best, axis) for axis in range(len(best)))


def _top(tried: Sequence[Candidate], best: SearchPoint, axis: int) -> float:
    near = [one for one in tried if abs(one.at[axis] - best[axis]) <= _NEAR and one.pairs]
    if len({one.at[axis] for one in near}) < 4:
        return best[axis]
    x = np.array([one.at[axis] - best[axis] for one in near])
    shares = np.array([one.share for one in near])
    weights = np.sqrt(np.array([one.pairs for one in near], dtype=np.float64))
    columns = np.stack([x * x, x, np.ones_like(x)], axis=1)
    (a, b, _), *_ = np.linalg.lstsq(columns * weights[:, None], shares * weights, rcond=None)
    if a >= 0:
        return best[axis]
    top = float(-b / (2 * a))
    return min(1.0, max(0.0, best[axis] + min(_NEAR / 2, max(-_NEAR / 2, top))))


# -- steps -------------------------------------------------------------------------------------


def climb(play: Played, axes: int, budget: int, seed: int) -> SearchEnd | None:
    """Search by SPSA: two opposite points play each other, and the search moves to the better one.

    None if stopped. Directions, widths and steps follow from the seed alone.

    Args:
        play: plays pairs of two points.
        axes: number of parameters.
        budget: maximum number of pairs.
        seed: seed of the directions.
    """
    random = np.random.default_rng(seed)
    batch = max(4, budget // 100)
    steps = max(1, budget // batch)
    at: NDArray[np.float64] = np.full(axes, 0.5)
    tail: list[NDArray[np.float64]] = []
    tried: list[Candidate] = []
    for number in range(steps):
        width = 0.2 / (number + 1) ** GAMMA
        step = 0.8 * sqrt(steps) / 10 / (number + 1 + steps / 10) ** ALPHA
        side = random.choice((-1.0, 1.0), size=axes)
        high, low = np.clip(at + width * side, 0, 1), np.clip(at - width * side, 0, 1)
        share = play(_point(high), _point(low), number * batch, batch)
        if share is None:
            return None
        tried.append(Candidate(_point(high), batch, share * batch))
        at = np.clip(at + step * (share - 0.5) * side, 0, 1)
        if number >= steps // 2:
            tail.append(at)
    best = _point(np.mean(np.array(tail), axis=0))
    return SearchEnd(best, tuple(sorted(tried, key=lambda one: -one.share)), steps * batch)


def _point(at: NDArray[np.float64]) -> SearchPoint:
    return tuple(round(float(value), 6) for value in at)
