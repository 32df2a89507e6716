"""Ratings of bots from all their games at once, for any number of seats.

The result does not depend on the order of the games. The model is that of ``choice_model``:
Davidson for two seats, Plackett-Luce with ties for more, with an advantage for each seat of a
scenario. Elo is 400 / ln 10 times a strength: between two bots without advantages, 400 Elo more
means ten wins for one loss. The mean of all bots is 0 unless bots are anchored.

Three remarks on the numbers:

- Games of a pair share a seed, so intervals and probabilities come from resampling whole pairs.
- Without a prior, a bot that won every game has no rating, since every number is too small. The
  same holds for bots that no game connects. Remarks name them, and their numbers are None.
- Advantages of seats always have a weak prior, since a bot may never have changed its seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite, sqrt
from typing import Final, NamedTuple

import numpy as np

from study.lab.choice_model import MOST_SEATS, Contest
from study.lab.group_fit import (
    ELO,
    GroupFit,
    RatingSettings,
    SeatAdvantage,
    TieChance,
    fit_group,
)
from study.lab.intervals import NORMAL, Interval, quantile

EQUAL: Final = 1e-6
"""Difference of Elo below which two bots are equal, since it may be rounding."""


class RankedGame(NamedTuple):
    """Outcome of a game."""

    pair: str
    """Name of the pair, or of a larger set of games on one seed, that is resampled as a whole."""
    scenario: str
    bots: tuple[str, ...]
    """Bots by seat; a bot may have several seats."""
    ranks: tuple[int, ...]
    """Ranks by seat; the lowest is the best, and equal ranks are ties."""


class BotRating(NamedTuple):
    """Rating of a bot, from its point of view. None means that a number does not exist."""

    bot: str
    elo: float | None
    low: float | None
    high: float | None
    """Percentiles of the resamples; from the standard error if there are none or all equal."""
    games: int
    share: float
    """Points per seat played; the seats on the first rank share the one point of a game."""
    words: str
    """Remark in one line, or empty."""


class RatingTable(NamedTuple):
    """Ratings of all bots, best first in each group."""

    ratings: tuple[BotRating, ...]
    los: tuple[tuple[float | None, ...], ...]
    """Probability that the bot of the row is better than the bot of the column, as in ``ratings``.

    None on the diagonal, and for bots without comparable ratings.
    """
    advantages: tuple[SeatAdvantage, ...]
    ties: tuple[TieChance, ...]
    words: tuple[str, ...]
    """Remarks on the whole table, one per line."""


def rate(games: Iterable[RankedGame], settings: RatingSettings | None = None) -> RatingTable:
    """Rate all bots from all games."""
    settings = settings or RatingSettings()
    ordered = sorted(games)
    names = _checked(ordered, settings)
    number = {name: place for place, name in enumerate(names)}
    contests, pairs = _contests(ordered, number)
    groups = [tuple(range(len(names)))]
    if settings.prior == 0:
        groups = strong_components(len(names), _beaten(contests))
    fits = [
        fit_group(group, contests, pairs, _numbered_anchors(settings, number), settings)
        for group in groups
    ]
    remarks = _remarks(names, fits, _beaten(contests), settings)
    return _table(names, ordered, fits, remarks, settings)


def components(nodes: int, edges: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the sets of nodes connected by edges in any direction, by their lowest node."""
    edges = list(edges)
    return strong_components(nodes, [*edges, *((end, start) for start, end in edges)])


def strong_components(nodes: int, edges: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the sets of nodes that can reach each other along the edges, by their lowest node."""
    reach = np.eye(nodes, dtype=bool)
    for start, end in edges:
        reach[start, end] = True
    for middle in range(nodes):
        reach |= np.outer(reach[:, middle], reach[middle])
    mutual = reach & reach.T
    return sorted({tuple(np.flatnonzero(row).tolist()) for row in mutual})


def _checked(games: Sequence[RankedGame], settings: RatingSettings) -> list[str]:
    """Return the sorted names of the bots, or raise a ValueError with one line for people."""
    for game in games:
        if len(game.bots) != len(game.ranks) or not 2 <= len(game.bots) <= MOST_SEATS:
            raise ValueError(
                f"pair {game.pair}: a game has 2 to {MOST_SEATS} seats and a rank for each, "
                f"not {len(game.bots)} bots and {len(game.ranks)} ranks"
            )
    names = sorted({bot for game in games for bot in game.bots})
    if not names:
        raise ValueError("ratings need at least one game")
    for bot, elo in settings.anchors:
        if bot not in names:
            raise ValueError(f"anchor {bot} is in no game")
        if not (isfinite(elo) and abs(elo) <= 10_000):
            raise ValueError(f"anchor {bot}: an Elo must be from -10000 to 10000, not {elo}")
    numbers = (settings.prior, settings.seat_prior, settings.resamples)
    if not all(isfinite(each) and each >= 0 for each in numbers):
        raise ValueError("prior, seat_prior and resamples cannot be negative")
    return names


def _contests(
    games: Sequence[RankedGame], number: dict[str, int]
) -> tuple[list[Contest], list[int]]:
    """Return each rank's choice among the bots that were left, and the numbers of their pairs."""
    pairs = {pair: place for place, pair in enumerate(sorted({game.pair for game in games}))}
    contests, places = [], []
    for game in games:
        left = list(range(len(game.bots)))
        for rank in sorted(set(game.ranks)):
            winners = tuple(k for k, seat in enumerate(left) if game.ranks[seat] == rank)
            if len(winners) == len(left) < len(game.bots):
                break
            bots = tuple(number[game.bots[seat]] for seat in left)
            contests.append(Contest(game.scenario, bots, tuple(left), len(left), winners))
            places.append(pairs[game.pair])
            left = [seat for seat in left if game.ranks[seat] > rank]
    return contests, places


def _beaten(contests: Iterable[Contest]) -> set[tuple[int, int]]:
    """Return edges from each winner of a contest to all others, including the other winners."""
    return {
        (contest.bots[winner], bot)
        for contest in contests
        for winner in contest.winners
        for bot in contest.bots
        if bot != contest.bots[winner]
    }


def _numbered_anchors(settings: RatingSettings, number: dict[str, int]) -> dict[int, float]:
    return {number[bot]: elo / ELO for bot, elo in settings.anchors}


def _table(
    names: Sequence[str],
    games: Sequence[RankedGame],
    fits: Sequence[GroupFit],
    words: Sequence[tuple[str, str]],
    settings: RatingSettings,
) -> RatingTable:
    """Build the table of all groups. ``words`` are remarks by bot; "" means the whole table."""
    points = _points(games)
    remarks = dict(words)
    rows: list[BotRating] = []
    order: list[tuple[int, int]] = []
    for group, fit in enumerate(fits):
        for place in _best_first(fit):
            name = names[fit.bots[place]]
            order.append((group, place))
            elo, limits = _numbers(fit, place, settings)
            rows.append(
                BotRating(
                    bot=name,
                    elo=elo,
                    low=limits and limits.low,
                    high=limits and limits.high,
                    games=points[name][0],
                    share=points[name][2] / points[name][1],
                    words=remarks.get(name, ""),
                )
            )
    return RatingTable(
        ratings=tuple(rows),
        los=tuple(tuple(_los(fits, mine, other) for other in order) for mine in order),
        advantages=tuple(each for fit in fits for each in fit.advantages),
        ties=tuple(each for fit in fits for each in fit.ties),
        words=tuple(text for name, text in words if not name),
    )


def _points(games: Sequence[RankedGame]) -> dict[str, tuple[int, int, float]]:
    """Return the numbers of games and of seats played, and the points, by bot."""
    found: dict[str, tuple[int, int, float]] = {}
    for game in games:
        first = [seat for seat, rank in enumerate(game.ranks) if rank == min(game.ranks)]
        for bot in set(game.bots):
            played, seats, points = found.get(bot, (0, 0, 0.0))
            own = [seat for seat, name in enumerate(game.bots) if name == bot]
            won = sum(seat in first for seat in own) / len(first)
            found[bot] = (played + 1, seats + len(own), points + won)
    return found


def _best_first(fit: GroupFit) -> list[int]:
    """Return the indices of a group's bots by Elo; ties are in the order of their names."""
    if fit.elo is None:
        return list(range(len(fit.bots)))
    elo = fit.elo.round(9).tolist()
    return sorted(range(len(elo)), key=lambda place: (-elo[place], place))


def _numbers(
    fit: GroupFit, place: int, settings: RatingSettings
) -> tuple[float | None, Interval | None]:
    """Return Elo and limits of a bot."""
    if fit.elo is None:
        return None, None
    elo = round(float(fit.elo[place]), 9) + 0.0  # no -0.0
    samples = fit.samples[:, place]
    if len(samples) and np.ptp(samples) > EQUAL:
        tail = (1 - settings.confidence) / 2
        low, high = np.quantile(samples, [tail, 1 - tail])
        return elo, Interval(float(low), float(high))
    error = sqrt(max(0.0, float(fit.covariance[place, place])))
    reach = quantile(settings.confidence) * error
    return elo, Interval(elo - reach, elo + reach)


def _los(fits: Sequence[GroupFit], mine: tuple[int, int], other: tuple[int, int]) -> float | None:
    """Return the probability that one bot is better than another, by the spread of differences."""
    fit = fits[mine[0]]
    if mine[0] != other[0] or mine == other or fit.elo is None:
        return None
    first, second = mine[1], other[1]
    difference = float(fit.elo[first] - fit.elo[second])
    if abs(difference) < EQUAL:
        return 0.5
    spread = 0.0
    if len(fit.samples) > 1:
        spread = float(np.std(fit.samples[:, first] - fit.samples[:, second]))
    if spread < EQUAL:  # all pairs came out alike, which says nothing about their spread
        c = fit.covariance
        variance = c[first, first] + c[second, second] - 2 * c[first, second]
        spread = sqrt(max(0.0, float(variance)))
    if spread < EQUAL:
        return 1.0 if difference > 0 else 0.0
    return NORMAL.cdf(difference / spread)


def _remarks(
    names: Sequence[str],
    fits: Sequence[GroupFit],
    edges: set[tuple[int, int]],
    settings: RatingSettings,
) -> list[tuple[str, str]]:
    """Return remarks by bot; "" means the whole table."""
    found = []
    parts = components(len(names), edges)
    if len(parts) > 1:
        sets = "; ".join(_listed(names, part) for part in parts)
        ending = "only the prior compares them" if settings.prior else "they cannot be compared"
        found.append(("", f"no game connects these bots: {sets}; {ending}"))
    for fit in fits:
        text = _group_words(fit, edges)
        found += [(names[bot], text) for bot in fit.bots if text]
        if fit.elo is None and len(fit.bots) > 1:
            found.append(("", f"{_listed(names, fit.bots)}: {text}"))
    if len(fits) > len(parts):
        found.append(("", "ratings of different groups cannot be compared; a prior would do it"))
    return found


def _group_words(fit: GroupFit, edges: set[tuple[int, int]]) -> str:
    """Return a remark on the bots of a group, or an empty text."""
    if fit.elo is not None:
        return ""
    if len(fit.bots) > 1:
        return "no finite strengths fit these results without a prior"
    (bot,) = fit.bots
    has_won = any(start == bot for start, _ in edges)
    has_lost = any(end == bot for _, end in edges)
    if has_won and has_lost:
        return "lost to nobody whom it beat, by whatever detour: no rating without a prior"
    if has_won:
        return "won every game: no number is great enough without a prior"
    if has_lost:
        return "lost every game: no number is small enough without a prior"
    return "never met another bot"


def _listed(names: Sequence[str], bots: Iterable[int]) -> str:
    return ", ".join(names[bot] for bot in bots)
