"""Analysis of experiments: cells of games of one kind each, and what changes from cell to cell.

Within a cell every seat has the same bot, so what a seat wins beyond its fair share is the seat's.
All cells are played on the same seeds; effects are paired by them, and whatever pools several games
of one seed takes the seed as one cluster. The p values of all tests together are adjusted by Holm's
method: below 0.05 means an error of 5 % for the whole experiment, not for each of its tests.

================  ================================================================================
seat N            Share of the games with a winner that this seat won, alone or with others.
first mover       The same of the seat that gave the first command.
drawn             Share of the games that nobody won, or everybody.
rounds            Mean of the measure ``rounds``.
lead changes      Mean of the measure ``lead_changes``.
open              Mean share of a game's rounds before a winner led for good, over the games with a
                  winner; 100 % where none led at the end. A game that is decided early has little.
dead turns        Mean share of a game's turns that were dead.
ended by REASON   Share of the games that ended so.
================  ================================================================================

Games that broke off are counted, and stand for nothing else.
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
from tui.lab.games import GameResult
from tui.lab.intervals import (
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
"""Half of the interval for which the number of games that are needed is told."""

PLANTED: Final = 0.05
"""Advantage of a seat for which the power of a test is told."""

POOLED: Final = "all cells"

Factors: TypeAlias = Mapping[str, str]
"""Value of each thing that is varied, by its name."""

Figure: TypeAlias = Callable[[GameResult], float | None]
"""Number of a game; None if it has none."""


class ExperimentCell(NamedTuple):
    """Games that were played under one combination of values."""

    factors: Factors
    seats: int
    games: tuple[GameResult, ...]
    """Games that came to an end."""
    broken: int = 0
    """Games that broke off."""

    @property
    def name(self) -> str:
        """The cell as it is called in tables."""
        return named(self.factors)


class ExperimentRow(Record, frozen=True):
    """Number of a cell, or an effect: a cell's number minus that of another."""

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
    """Games, or for an effect seeds, that stand behind it."""
    needed: int | None = None
    """Games, or seeds, that make the interval +/- 2 %; of a number that is no share, 2 % of it."""
    p: float | None = None
    """Of "the seat has its fair share", or "there is no effect"; None: this is not tested, or there
    is no difference on any seed."""
    adjusted: float | None = None
    """p by Holm's method over all tests of the experiment."""
    power: float | None = None
    """Probability that an advantage of 5 % of this seat is found by so many games."""

    @property
    def is_found(self) -> bool:
        """True if the adjusted p is below 5 %."""
        return self.adjusted is not None and self.adjusted < ALPHA


def named(factors: Factors) -> str:
    """Values in words."""
    return " ".join(f"{name}={value}" for name, value in factors.items()) or "the game"


# -- figures -----------------------------------------------------------------------------------


def has_winner(game: GameResult) -> bool:
    """True if some of the seats won, and not all."""
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
"""Figures that every cell has, beside those of its seats."""

_NUMBERS: Final = {"rounds", "lead changes"}
"""Figures that are no shares."""


def is_share(figure: str) -> bool:
    """True if a figure is a share, from 0 to 1."""
    return figure not in _NUMBERS


def seat_figures(seats: int) -> dict[str, Figure]:
    """Victories of each seat, by the name of the figure."""

    def of(seat: Seat) -> Figure:
        return lambda game: _won(seat, game)

    return {f"seat {seat + 1}": of(seat) for seat in range(seats)}


# -- the analysis ------------------------------------------------------------------------------


def analysed(cells: Sequence[ExperimentCell]) -> tuple[ExperimentRow, ...]:
    """All numbers and effects of an experiment, its cells first."""
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
    """Rows with their adjusted p values."""
    tested = [at for at, row in enumerate(rows) if row.p is not None]
    found = list(rows)
    for at, p in zip(tested, holm([rows[at].p or 0.0 for at in tested]), strict=True):
        found[at] = _changed(rows[at], adjusted=p)
    return found


def _with_power(
    rows: Sequence[ExperimentRow], cells: Sequence[ExperimentCell]
) -> tuple[ExperimentRow, ...]:
    """Rows of seats with the power of their tests, the strictest that Holm's method may ask for."""
    tests = sum(row.p is not None for row in rows)
    fair = {cell.name: fair_share(cell.games) for cell in cells}
    return tuple(
        _changed(row, power=share_power(row.games, fair[row.cell], PLANTED, ALPHA / tests))
        if row.p is not None and row.kind == "cell" and row.cell in fair
        else row
        for row in rows
    )


def _cell_rows(cell: ExperimentCell) -> Iterator[ExperimentRow]:
    """Numbers of a cell. With two seats the test of the first is that of the second as well."""
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
    """Share of victories that each seat has if all are alike, over the games with a winner."""
    shares = [len(game.winners) / len(game.bots) for game in games if has_winner(game)]
    return fmean(shares) if shares else 0.5


def _valued(games: Sequence[GameResult], figure: Figure) -> tuple[list[float], list[int]]:
    """Numbers of games that have one, and their seeds."""
    found = [(value, game.seed) for game in games if (value := figure(game)) is not None]
    return [value for value, _ in found], [seed for _, seed in found]


def _share_row(
    cell: ExperimentCell, name: str, figure: Figure, fair: float | None
) -> Iterator[ExperimentRow]:
    """Share of games, tested against a fair one; exact where no two games are of one seed."""
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
    """Observations for an interval of +/- width; ``each``: how many of them a cluster has."""
    if not found.error or width <= 0:
        return None
    clusters = mean_sample_size(width, found.error * sqrt(found.clusters))
    return round(clusters * each)


# -- effects -----------------------------------------------------------------------------------


def _effects(cells: Sequence[ExperimentCell]) -> Iterator[ExperimentRow]:
    """Effects of each varied thing: each of its values against the first, other things equal."""
    for factor in cells[0].factors if cells else ():
        values = list(dict.fromkeys(cell.factors[factor] for cell in cells))
        for value in values[1:]:
            yield from _effects_of(cells, factor, values[0], value)


def _effects_of(
    cells: Sequence[ExperimentCell], factor: str, base: str, value: str
) -> Iterator[ExperimentRow]:
    """Effects of one value against another, over all cells that differ in nothing else."""
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
    """Differences of a figure between two cells, seed by seed, and the seeds."""
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
    """Number of seeds on which values are above, and below, on the whole."""
    sums: dict[int, float] = defaultdict(float)
    for value, seed in zip(values, seeds, strict=True):
        sums[seed] += value - fair
    return sum(one > 1e-12 for one in sums.values()), sum(one < -1e-12 for one in sums.values())


def p_of(found: MeanEstimate, signs: tuple[int, int]) -> float:
    """Two-sided p of "the mean is 0"; where nothing is known of a spread, that of the signs."""
    return sign_test(*signs) if found.p is None else found.p


def share_p(successes: int, count: int, fair: float) -> float:
    """Exact two-sided p of a share: twice the smaller tail, as the exact interval has it.

    >>> round(share_p(8, 10, 0.5), 4)
    0.1094
    """
    below = beta_share(1 - fair, count - successes, successes + 1) if successes < count else 1.0
    above = beta_share(fair, successes, count - successes + 1) if successes else 1.0
    return min(1.0, 2 * min(below, above))


@lru_cache(4096)
def share_power(count: int, fair: float, effect: float, alpha: float = ALPHA) -> float:
    """Probability that the exact test of a share finds one that is greater by an effect."""
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
    """Least number up to ``count`` that meets a condition which all greater ones meet."""
    low, high = 0, count + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_met(middle) else (middle + 1, high)
    return low
