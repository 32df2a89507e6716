"""Fits of groups of comparable bots, with resamples of their pairs."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, exp, log, sqrt
from typing import Final, NamedTuple

import numpy as np

from study.lab.choice_model import ChoiceFit, ChoiceModel, ChoicePriors, Contest
from study.lab.intervals import Floats

ELO: Final = 400 / log(10)
"""Elo of one unit of strength."""

RESAMPLE_PRIOR: Final = 0.1
"""Minimum prior of a resample, in which a bot may have won every game."""


RESAMPLE_STEP: Final = 1e-3
"""Tolerance of a resample's fit; it leaves an error of about 0.001 Elo."""


class RatingSettings(NamedTuple):
    """Settings of a rating."""

    prior: float = 1.0
    """Virtual games of each bot against one of mean strength, half won, half lost; 0 means none."""
    seat_prior: float = 2.0
    """Virtual games of each seat against one without an advantage; 0 ignores seats."""
    anchors: tuple[tuple[str, float], ...] = ()
    """(name of a bot, its fixed Elo)."""
    resamples: int = 400
    """Number of resamples of the pairs for intervals; 0 uses standard errors instead."""
    seed: int = 0
    confidence: float = 0.95


class SeatAdvantage(NamedTuple):
    """Advantage of a seat over the mean of the scenario's seats."""

    group: int
    """Group of bots, as in their ratings."""
    scenario: str
    seat: int
    elo: float
    error: float
    games: int


class TieChance(NamedTuple):
    """Probability of this number of winners among equal bots in equal seats."""

    group: int
    """Group of bots, as in their ratings."""
    seats: int
    winners: int
    chance: float


class GroupFit(NamedTuple):
    """Fit of a group of comparable bots."""

    bots: tuple[int, ...]
    """Numbers of the bots, ascending."""
    elo: Floats | None
    """Elo of each bot, shape (bots,); None if the results give no finite strengths."""
    covariance: Floats
    """Covariance of the Elo estimates, shape (bots, bots)."""
    samples: Floats
    """Elo in the resamples, shape (resamples, bots)."""
    advantages: tuple[SeatAdvantage, ...]
    ties: tuple[TieChance, ...]


def fit_group(
    group: tuple[int, ...],
    contests: Sequence[Contest],
    pairs: Sequence[int],
    anchors: dict[int, float],
    settings: RatingSettings,
) -> GroupFit:
    """Fit the contests within a group, and resamples of its pairs."""
    inner = [
        (found, pair)
        for contest, pair in zip(contests, pairs, strict=True)
        if (found := _within(contest, group)) is not None
    ]
    place = {bot: here for here, bot in enumerate(group)}
    own = [found._replace(bots=tuple(place[bot] for bot in found.bots)) for found, _ in inner]
    fixed = {place[bot]: value for bot, value in anchors.items() if bot in place}
    model = ChoiceModel(own, len(group), has_advantages=settings.seat_prior > 0)
    centre = sum(fixed.values()) / len(fixed) if fixed else 0.0
    priors = ChoicePriors(settings.prior, settings.seat_prior, centre)
    fit = model.fit(model.counts(np.ones(len(own))), priors, fixed)
    if not fit.is_finite or (len(group) == 1 and not fixed and settings.prior == 0):
        none = np.zeros((0, len(group)))
        return GroupFit(group, None, none, none, (), ())
    samples = _resample(model, fit, [pair for _, pair in inner], fixed, priors, settings)
    level = _levelling(len(group), is_anchored=bool(fixed))
    part = fit.covariance[: len(group), : len(group)]
    return GroupFit(
        bots=group,
        elo=ELO * (level @ fit.values[: len(group)]),
        covariance=ELO**2 * (level @ part @ level.T),
        samples=samples,
        advantages=_advantages(model, fit, own),
        ties=_ties(model, fit),
    )


def _within(contest: Contest, group: Sequence[int]) -> Contest | None:
    """Restrict a contest to a group. Return None if another group won it, or no choice is left.

    Bots of other groups that took part without winning are infinitely weaker.
    """
    if contest.bots[contest.winners[0]] not in group:
        return None
    stay = [place for place, bot in enumerate(contest.bots) if bot in group]
    if len(stay) < 2:
        return None
    return contest._replace(
        bots=tuple(contest.bots[place] for place in stay),
        seats=tuple(contest.seats[place] for place in stay),
        winners=tuple(stay.index(place) for place in contest.winners),
    )


def _levelling(bots: int, *, is_anchored: bool) -> Floats:
    """Return a matrix that shifts the mean strength to 0; the identity if bots are anchored."""
    level = np.eye(bots)
    return level if is_anchored else level - 1 / bots


def _resample(
    model: ChoiceModel,
    fit: ChoiceFit,
    pairs: Sequence[int],
    fixed: dict[int, float],
    priors: ChoicePriors,
    settings: RatingSettings,
) -> Floats:
    """Return the Elo of the bots in resamples of whole pairs, shape (resamples, bots)."""
    bots = model.bots
    kinds, place = np.unique(np.array(pairs, dtype=np.int64), return_inverse=True)
    samples = np.zeros((settings.resamples if len(kinds) else 0, bots))
    chance = np.random.default_rng(settings.seed)
    priors = priors._replace(strength=max(priors.strength, RESAMPLE_PRIOR))
    for row in samples:
        weights = np.bincount(chance.integers(len(kinds), size=len(kinds)), minlength=len(kinds))
        counts = model.counts(weights[place].astype(np.float64))
        row[:] = model.fit(counts, priors, fixed, fit.values, RESAMPLE_STEP).values[:bots]
    return np.asarray(ELO * samples @ _levelling(bots, is_anchored=bool(fixed)).T)


def _advantages(
    model: ChoiceModel, fit: ChoiceFit, contests: Sequence[Contest]
) -> tuple[SeatAdvantage, ...]:
    """Return the advantages of the seats of each scenario over their mean."""
    found = []
    for scenario in sorted({scenario for scenario, _ in model.seats}):
        own = [k for k, (name, _) in enumerate(model.seats) if name == scenario]
        places = [model.bots + k for k in own]
        level = _levelling(len(own), is_anchored=False)
        values = ELO * (level @ fit.values[places])
        variances = np.diag(level @ fit.covariance[np.ix_(places, places)] @ level.T)
        for k, value, variance in zip(own, values, variances, strict=True):
            seat = model.seats[k][1]
            games = sum(c.scenario == scenario and seat in c.seats for c in contests)
            error = ELO * sqrt(max(0.0, float(variance)))
            found.append(SeatAdvantage(0, scenario, seat, float(value), error, games))
    return tuple(found)


def _ties(model: ChoiceModel, fit: ChoiceFit) -> tuple[TieChance, ...]:
    """Return the probabilities of each number of winners among equal bots."""
    found = []
    start = model.bots + len(model.seats)
    weights = dict(zip(model.ties, fit.values[start:].tolist(), strict=True))
    for size, numbers in model.winners.items():
        worths = [exp(weights.get((size, k), 0.0)) * comb(size, k) for k in numbers]
        for k, worth in zip(numbers, worths, strict=True):
            found.append(TieChance(0, size, k, worth / sum(worths)))
    return tuple(found)
