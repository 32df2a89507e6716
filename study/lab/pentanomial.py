"""Scores of pairs of games, and the strength of bot A over bot B that they show.

A pair is two games on one seed with the seats exchanged, and scores 0, 1/2, 1, 3/2 or 2 points for
A. *Pentanomial* counts are five numbers of pairs in this order. Pairs are independent but the two
games of a pair are not, so all errors come from pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log, log10, sqrt
from typing import Final, NamedTuple, TypeAlias

from study.lab.intervals import NORMAL, quantile

PairCounts: TypeAlias = tuple[int, int, int, int, int]
"""Pentanomial counts."""

NORMALIZED: Final = 800 / log(10) / sqrt(2)
"""Normalized Elo of a mean pair score one standard deviation (of a pair) above even."""


class PairEstimate(NamedTuple):
    """Strength of A over B, with limits. None means that the pairs do not give the number."""

    share: float | None
    """A's share of the points."""
    elo: float | None
    """Logistic Elo: 400 * log10(share / (1 - share))."""
    low: float | None
    high: float | None
    """Limits of the Elo."""
    los: float
    """Probability that A is better than B, from 0 to 1."""
    normalized: float | None
    """Normalized Elo: mean over deviation of a game, times 800 / ln 10."""
    pairs: int
    words: str
    """Remark in one line, or empty."""


def bin_of(score: float) -> int:
    """Return the index of a pair's score in pentanomial counts, from 0 to 4."""
    place = round(2 * score) if isfinite(score) else -1
    if not 0 <= place <= 4 or 2 * score != place:
        raise ValueError(f"a pair scores 0, 0.5, 1, 1.5 or 2 points, not {score:g}")
    return place


def checked_counts(counts: Sequence[float]) -> Sequence[float]:
    """Return pentanomial counts unchanged, or raise a ValueError with one line for people."""
    if len(counts) != 5 or not all(isfinite(count) and count >= 0 for count in counts):
        raise ValueError("pentanomial counts are five numbers from 0 on, for 0 to 2 points")
    return counts


def pair_words(counts: Sequence[float]) -> str:
    """Return a remark on counts with at most one kind of pair; empty for more kinds."""
    kinds = [place for place, count in enumerate(counts) if count]
    if not kinds:
        return "no pairs yet"
    if len(kinds) > 1:
        return ""
    remarks = {0: "A lost every game", 2: "every pair came out even", 4: "A won every game"}
    return remarks.get(kinds[0], "every pair had the same score")


def estimate_pairs(counts: Sequence[float], confidence: float = 0.95) -> PairEstimate:
    """Estimate the strength of A over B from pentanomial counts."""
    pairs = int(sum(checked_counts(counts)))
    if pairs == 0:
        words = pair_words(counts)
        return PairEstimate(None, None, None, None, 0.5, None, 0, words)
    share = sum(place / 4 * count for place, count in enumerate(counts)) / pairs
    variance = sum((place / 4 - share) ** 2 * count for place, count in enumerate(counts)) / pairs
    if sum(count > 0 for count in counts) == 1:
        return _estimate_alike(share, counts, pairs, confidence)
    deviation = sqrt(variance)
    reach = quantile(confidence) / sqrt(pairs)
    middle = (share - 0.5) / deviation
    low, high = elo_of(share - reach * deviation), elo_of(share + reach * deviation)
    return PairEstimate(
        share=share,
        elo=elo_of(share),
        low=low,
        high=high,
        los=NORMAL.cdf(middle * sqrt(pairs)),
        normalized=NORMALIZED * middle,
        pairs=pairs,
        words="too few pairs for both limits" if low is None or high is None else "",
    )


def elo_of(share: float) -> float | None:
    """Return the logistic Elo of a share of the points; None for a share of 0 or 1."""
    return 400 * log10(share / (1 - share)) if 0 < share < 1 else None


def _estimate_alike(
    share: float, counts: Sequence[float], pairs: int, confidence: float
) -> PairEstimate:
    """Estimate from pairs that all have the same score, and so show no deviation.

    By Clopper and Pearson other scores are rarer than ``rest``. The limits assume that all of the
    rest is at one end. The probability of being better is that of a coin that fell to one side each
    time.
    """
    rest = 1 - ((1 - confidence) / 2) ** (1 / pairs)
    unlikely = 0.5 ** min(pairs + 1, 1000)
    return PairEstimate(
        share=share,
        elo=elo_of(share),
        low=elo_of(share * (1 - rest)),
        high=elo_of(share + (1 - share) * rest),
        los=0.5 if share == 0.5 else 1 - unlikely if share > 0.5 else unlikely,
        normalized=0.0 if share == 0.5 else None,
        pairs=pairs,
        words=pair_words(counts),
    )
