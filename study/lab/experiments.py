"""Analysis of experiments: cells of similar games, and what changes from cell to cell.

Within a cell every seat has the same bot, so a seat's wins beyond its fair share are due to the
seat. All cells are played on the same seeds. Effects are paired by seed, and pooled games of one
seed form one cluster. The p values of all tests together are adjusted by Holm's method: below 0.05
means an error of 5 % for the whole experiment, not for each of its tests.

================  ================================================================================
seat N            Share of the games with a winner that this seat won, alone or with others.
first mover       The same for the seat that gave the first command.
drawn             Share of the games that no seat won, or that all seats won.
rounds            Mean of the measure ``rounds``.
lead changes      Mean of the measure ``lead_changes``.
open              Mean share of a game's rounds before a winner led for good, over the games with a
                  winner; 100 % if no winner led at the end, and little if it was decided early.
dead turns        Mean share of a game's turns that were dead.
ended by REASON   Share of the games that ended for this reason.
================  ================================================================================

Games that broke off are counted, but enter no other number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from statistics import fmean
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.core.ids import Seat
from engine.core.record import Record
from study.lab.games import GameResult
from study.lab.intervals import (
    MeanEstimate,
    beta_share,
    clopper_pearson,
    clustered_mean,
    holm,
    mean_sample_size,
    share_sample_size,
    sign_test,
)

ALPHA: Final = 0.05
HALF_WIDTH: Final = 0.02
"""Half of the interval that the required number of games refers to."""

PLANTED: Final = 0.05
"""Advantage of a seat that the power of a test refers to."""

POOLED: Final = "all cells"

Factors: TypeAlias = Mapping[str, str]
"""Value of each varied thing, by its name."""

Figure: TypeAlias = Callable[[GameResult], float | None]
"""Returns a number of a game; None if the game has none."""


class ExperimentCell(NamedTuple):
    """Games that were played under one combination of values."""

    factors: Factors
    seats: int
    games: tuple[GameResult, ...]
    """Games that were finished."""
    broken: int = 0
    """Games that broke off."""

    @property
    def name(self) -> str:
        """Name of the cell in tables."""
        return named(self.factors)


class ExperimentRow(Record, frozen=True):
    """Number of a cell, or an effect: a cell's number minus that of another cell."""

    kind: Literal["cell", "effect"]
    cell: str
    against: str
    """Cells that were subtracted; empty for a number of a cell."""
    figure: str
    value: float
    low: float | None
    high: float | None
    """Limits at 95 %, of this number alone."""
    games: int
    """Sample size: games, or seeds for an effect."""
    needed: int | None = None
    """Sample size for an interval of +/- 2 %, or of 2 % of the number if it is not a share."""
    p: float | None = None
    """p value of the null hypothesis (fair share, or no effect).

    None if it is not tested, or if no seed shows a difference.
    """
    adjusted: float | None = None
    """p by Holm's method over all tests of the experiment."""
    power: float | None = None
    """Probability that this many games reveal an advantage of 5 % of this seat."""

    @property
    def is_found(self) -> bool:
        """True if the adjusted p is below 5 %."""
        return self.adjusted is not None and self.adjusted < ALPHA


def named(factors: Factors) -> str:
    """Return values of factors in words, as the name of a cell."""
    return " ".join(f"{name}={value}" for name, value in factors.items()) or "the game"


# -- figures -----------------------------------------------------------------------------------


def has_winner(game: GameResult) -> bool:
    """Return whether some of the seats won, and not all."""
    return 0 < len(game.winners) < len(game.bots)


def _won(seat: Seat, game: GameResult) -> float | None:
    return float(seat in game.winners) if has_winner(game) else None


def _mover_won(game: GameResult) -> float | None:
    return _won(game.measures["first_seat"], game) if "first_seat" in game.measures else None


def _drawn(game: GameResult) -> float | None:
    return float(not has_winner(game))


def _measure(name: str) -> Figure:
    def found(game: GameResult) -> float | None:
        return game.measures.get(name)

    return found


def _open(game: GameResult) -> float | None:
    rounds, led = game.measures.get("rounds"), game.measures.get("led_from", 0)
    if not rounds or not has_winner(game):
        return None
    return (led - 1) / rounds if led else 1.0


def _dead(game: GameResult) -> float | None:
    turns = game.measures.get("turns")
    return game.measures["dead_turns"] / turns if turns else None


MEANS: Final[Mapping[str, Figure]] = {
    "drawn": _drawn,
    "rounds": _measure("rounds"),
    "lead changes": _measure("lead_changes"),
    "open": _open,
    "dead turns": _dead,
}
"""Figures of every cell, in addition to the victories of its seats."""

_NUMBERS: Final = {"rounds", "lead changes"}
"""Figures that are not shares."""


def is_share(figure: str) -> bool:
    """Return whether a figure is a share, from 0 to 1."""
    return figure not in _NUMBERS


def seat_figures(seats: int) -> dict[str, Figure]:
    """Return a figure for the victories of each seat, by name."""

    def of(seat: Seat) -> Figure:
        return lambda game: _won(seat, game)

    return {f"seat {seat + 1}": of(seat) for seat in range(seats)}


# -- the analysis ------------------------------------------------------------------------------


def analysed(cells: Sequence[ExperimentCell]) -> tuple[ExperimentRow, ...]:
    """Return all numbers and effects of an experiment; the numbers of cells come first."""
    found = [row for cell in cells for row in _cell_rows(cell)]
    if len(cells) > 1 and len({cell.seats for cell in cells}) == 1:
        pooled = ExperimentCell({}, cells[0].seats, tuple(g for c in cells for g in c.games))
        found += (_renamed(row) for row in _cell_rows(pooled))
    found += _effects(cells)
    return _with_power(_adjusted(found), cells)


def _renamed(row: ExperimentRow) -> ExperimentRow:
    return _changed(row, cell=POOLED)


def _changed(row: ExperimentRow, **fields: object) -> ExperimentRow:
    values = {name: getattr(row, name) for name in ExperimentRow.__struct_fields__}
    return ExperimentRow(**{**values, **fields})


def _adjusted(rows: Sequence[ExperimentRow]) -> list[ExperimentRow]:
    """Return the rows with adjusted p values."""
    tested = [at for at, row in enumerate(rows) if row.p is not None]
    found = list(rows)
    for at, p in zip(tested, holm([rows[at].p or 0.0 for at in tested]), strict=True):
        found[at] = _changed(rows[at], adjusted=p)
    return found


def _with_power(
    rows: Sequence[ExperimentRow], cells: Sequence[ExperimentCell]
) -> tuple[ExperimentRow, ...]:
    """Add the power of the tests to rows of seats, at the strictest level of Holm's method."""
    tests = sum(row.p is not None for row in rows)
    fair = {cell.name: fair_share(cell.games) for cell in cells}
    return tuple(
        _changed(row, power=share_power(row.games, fair[row.cell], PLANTED, ALPHA / tests))
        if row.p is not None and row.kind == "cell" and row.cell in fair
        else row
        for row in rows
    )


def _cell_rows(cell: ExperimentCell) -> Iterator[ExperimentRow]:
    """Yield the numbers of a cell. With two seats, only the first seat is tested."""
    fair = fair_share(cell.games)
    for number, (name, figure) in enumerate(seat_figures(cell.seats).items()):
        is_tested = cell.seats > 2 or number == 0
        yield from _share_row(cell, name, figure, fair if is_tested else None)
    yield from _share_row(cell, "first mover", _mover_won, None)
    for name, figure in MEANS.items():
        if name == "drawn":
            yield from _share_row(cell, name, figure, None)
        else:
            yield from _mean_row(cell, name, figure)
    for reason, _ in Counter(game.reason for game in cell.games).most_common():
        yield from _share_row(cell, f"ended by {reason}", _ended_by(reason), None)


def _ended_by(reason: str) -> Figure:
    return lambda game: float(game.reason == reason)


def fair_share(games: Sequence[GameResult]) -> float:
    """Return a seat's share of victories if all seats are alike, over the games with a winner."""
    shares = [len(game.winners) / len(game.bots) for game in games if has_winner(game)]
    return fmean(shares) if shares else 0.5


def _valued(games: Sequence[GameResult], figure: Figure) -> tuple[list[float], list[int]]:
    """Return the numbers of the games that have one, and their seeds."""
    found = [(value, game.seed) for game in games if (value := figure(game)) is not None]
    return [value for value, _ in found], [seed for _, seed in found]


def _share_row(
    cell: ExperimentCell, name: str, figure: Figure, fair: float | None
) -> Iterator[ExperimentRow]:
    """Test a share of games against a fair one; the test is exact if no two games share a seed."""
    values, seeds = _valued(cell.games, figure)
    if not values:
        return
    value, count = fmean(values), len(values)
    low: float | None
    high: float | None
    if len(set(seeds)) == count:
        successes = round(sum(values))
        low, high = clopper_pearson(successes, count)
        p = None if fair is None else share_p(successes, count, fair)
    else:
        found = clustered_mean([one - (fair or 0.0) for one in values], seeds)
        low, high = _shifted(found, fair or 0.0)
        p = None if fair is None else p_of(found, _signs(values, seeds, fair))
    needed = share_sample_size(HALF_WIDTH, value) if 0 < value < 1 else None
    yield ExperimentRow("cell", cell.name, "", name, value, low, high, count, needed, p)


def _shifted(found: MeanEstimate, by: float) -> tuple[float | None, float | None]:
    if found.low is None or found.high is None:
        return None, None
    return max(0.0, found.low + by), min(1.0, found.high + by)


def _mean_row(cell: ExperimentCell, name: str, figure: Figure) -> Iterator[ExperimentRow]:
    values, seeds = _valued(cell.games, figure)
    if values:
        found = clustered_mean(values, seeds)
        width = HALF_WIDTH if is_share(name) else HALF_WIDTH * found.mean
        yield ExperimentRow(
            "cell",
            cell.name,
            "",
            name,
            found.mean,
            found.low,
            found.high,
            found.size,
            _needed(found, width, found.size / found.clusters),
        )


def _needed(found: MeanEstimate, width: float, each: float = 1.0) -> int | None:
    """Return the observations needed for +/- ``width``; a cluster has ``each`` of them."""
    if not found.error or width <= 0:
        return None
    clusters = mean_sample_size(width, found.error * sqrt(found.clusters))
    return round(clusters * each)


# -- effects -----------------------------------------------------------------------------------


def _effects(cells: Sequence[ExperimentCell]) -> Iterator[ExperimentRow]:
    """Yield the effects of each varied thing: each value against the first, all else equal."""
    for factor in cells[0].factors if cells else ():
        values = list(dict.fromkeys(cell.factors[factor] for cell in cells))
        for value in values[1:]:
            yield from _effects_of(cells, factor, values[0], value)


def _effects_of(
    cells: Sequence[ExperimentCell], factor: str, base: str, value: str
) -> Iterator[ExperimentRow]:
    """Yield the effects of one value against another, over all cells that are equal otherwise."""
    pairs = [
        (one, other)
        for other in cells
        for one in cells
        if other.factors[factor] == base and one.factors == {**other.factors, factor: value}
    ]
    seats = {cell.seats for pair in pairs for cell in pair}
    figures = dict(seat_figures(min(seats))) if len(seats) == 1 else {}
    if seats == {2}:
        del figures["seat 2"]
    for name, figure in {**figures, **MEANS}.items():
        differences, seeds = _differences(pairs, figure)
        if not differences:
            continue
        found = clustered_mean(differences, seeds)
        is_tested = any(differences)
        before = fmean(v for _, other in pairs for v in _valued(other.games, figure)[0])
        yield ExperimentRow(
            "effect",
            named({factor: value}),
            named({factor: base}),
            name,
            found.mean,
            found.low,
            found.high,
            found.clusters,
            _needed(found, HALF_WIDTH if is_share(name) else HALF_WIDTH * before),
            p_of(found, _signs(differences, seeds, 0.0)) if is_tested else None,
        )


def _differences(
    pairs: Sequence[tuple[ExperimentCell, ExperimentCell]], figure: Figure
) -> tuple[list[float], list[int]]:
    """Return the differences of a figure between paired cells, seed by seed, and the seeds."""
    found: list[float] = []
    seeds: list[int] = []
    for one, other in pairs:
        after, before = _by_seed(one, figure), _by_seed(other, figure)
        common = [seed for seed in after if seed in before]
        found += [after[seed] - before[seed] for seed in common]
        seeds += common
    return found, seeds


def _by_seed(cell: ExperimentCell, figure: Figure) -> dict[int, float]:
    found: dict[int, list[float]] = defaultdict(list)
    for value, seed in zip(*_valued(cell.games, figure), strict=True):
        found[seed].append(value)
    return {seed: fmean(values) for seed, values in found.items()}


# -- tests -------------------------------------------------------------------------------------


def _signs(values: Sequence[float], seeds: Sequence[int], fair: float) -> tuple[int, int]:
    """Count the seeds whose sum of values is above, and below, the fair one."""
    sums: dict[int, float] = defaultdict(float)
    for value, seed in zip(values, seeds, strict=True):
        sums[seed] += value - fair
    return sum(one > 1e-12 for one in sums.values()), sum(one < -1e-12 for one in sums.values())


def p_of(found: MeanEstimate, signs: tuple[int, int]) -> float:
    """Return the two-sided p of "the mean is 0"; by the signs if the spread is unknown."""
    return sign_test(*signs) if found.p is None else found.p


def share_p(successes: int, count: int, fair: float) -> float:
    """Return the exact two-sided p of a share: twice the smaller tail, as in the exact interval.

    >>> round(share_p(8, 10, 0.5), 4)
    0.1094
    """
    below = beta_share(1 - fair, count - successes, successes + 1) if successes < count else 1.0
    above = beta_share(fair, successes, count - successes + 1) if successes else 1.0
    return min(1.0, 2 * min(below, above))


@lru_cache(4096)
def share_power(count: int, fair: float, effect: float, alpha: float = ALPHA) -> float:
    """Return the probability that the exact test detects a share of ``fair + effect``."""
    true = min(1.0, fair + effect)
    most = _first(count, lambda at: at > fair * count and share_p(at, count, fair) < alpha)
    least = _first(count, lambda at: at > fair * count or share_p(at, count, fair) >= alpha)
    above = 0.0
    if most <= count:
        above = 1.0 if true >= 1 or most == 0 else beta_share(true, most, count - most + 1)
    below = 0.0
    if least > 0 and true < 1:
        below = beta_share(1 - true, count - least + 1, least)
    return min(1.0, above + below)


def _first(count: int, is_met: Callable[[int], bool]) -> int:
    """Return the smallest number up to ``count`` that meets a condition, or ``count + 1``.

    The condition must hold for all greater numbers too.
    """
    low, high = 0, count + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_met(middle) else (middle + 1, high)
    return low
