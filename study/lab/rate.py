"""``banneret lab rate``: one table of ratings for all games of some runs.

Bots of several runs with the same hash are the same bot; a name is only a label. A game in several
runs counts once, and games of incomplete pairs do not count.
"""

from __future__ import annotations

import hashlib
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.core.codec import encode
from engine.core.record import Record, replace
from engine.core.registry import find
from engine.core.scenarios import parse
from study.lab.games import GameResult
from study.lab.group_fit import RatingSettings, TieChance
from study.lab.markup import ReportSection, text_lines
from study.lab.plans import FaultScore, GameTask, LabSetup
from study.lab.rating_model import RankedGame, RatingTable, components, rate
from study.lab.scoring import scored_pairs, seat_points
from study.lab.stages import games_of
from study.lab.store import RunFolder, run_named
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong
from tui.console.printing import say_report

_DIGITS: Final = 4
"""Minimum digits of a hash after a name that two bots share."""


class RunGames(NamedTuple):
    """Games of a run in the form that ratings need."""

    name: str
    setup: LabSetup
    fault: FaultScore
    games: tuple[tuple[GameTask, GameResult | None], ...]


class RatingRow(Record, frozen=True):
    """Rating of a bot. None means that a number does not exist."""

    bot: str
    hash: str
    elo: float | None
    low: float | None
    high: float | None
    games: int
    points: float
    share: float
    """Points per seat played."""
    better: tuple[float | None, ...]
    """Probability that it is better than the bot of each row."""
    remark: str = ""


class SeatRow(Record, frozen=True):
    """Advantage of a seat over the mean of the seats of a start."""

    start: str
    seat: str
    elo: float
    error: float
    games: int


class RatingReport(Record, frozen=True):
    """Ratings of all bots of some runs."""

    runs: int
    games: int
    pairs: int
    anchors: tuple[str, ...]
    prior: float
    bots: tuple[RatingRow, ...]
    seats: tuple[SeatRow, ...]
    ties: tuple[TieChance, ...]
    remarks: tuple[str, ...]

    def sections(self) -> Iterator[ReportSection]:
        """Yield the sections of the report."""
        yield self._ratings()
        if len(self.bots) > 1:
            yield ReportSection(
                "Chance that the bot of the row is better than the bot of the column",
                (),
                ("bot", *(row.bot for row in self.bots)),
                tuple((row.bot, *map(_chance, row.better)) for row in self.bots),
            )
        if self.seats:
            rows = (
                (r.start, r.seat, f"{r.elo:+.0f}", f"{r.error:.0f}", str(r.games))
                for r in self.seats
            )
            head = ("start", "seat", "Elo", "error", "games")
            title = "Advantage of each seat over the mean of the seats of its start"
            yield ReportSection(title, (), head, tuple(rows), 2)
        if self.ties:
            ties = ((f"{r.winners} of {r.seats} seats", _chance(r.chance)) for r in self.ties)
            title = "Chance that equal bots on equal seats win together"
            yield ReportSection(title, (), ("winners", "chance"), tuple(ties))

    def _ratings(self) -> ReportSection:
        zero = f"with {', '.join(self.anchors)}" if self.anchors else "the mean of all bots is 0"
        has_remarks = any(row.remark for row in self.bots)
        rows = (
            (
                row.bot,
                *([row.remark] if has_remarks else []),
                _elo(row.elo),
                f"{_elo(row.low)} to {_elo(row.high)}" if row.low is not None else "",
                str(row.games),
                f"{row.points:g}",
                f"{row.share:.1%}",
            )
            for row in self.bots
        )
        words = ("bot", "remark") if has_remarks else ("bot",)
        head = (*words, "Elo", "95 %", "games", "points", "share")
        of_runs = f" of {self.runs} runs" if self.runs > 1 else ""
        counted = f"{self.games} games in {self.pairs} pairs{of_runs}, prior {self.prior:g}"
        title = f"Ratings, from the view of the bot in the row; {zero}"
        return ReportSection(title, (counted,), head, tuple(rows), len(words), self.remarks)

    def lines(self) -> list[str]:
        """Return the report as text."""
        return text_lines(self.sections())


def _elo(value: float | None) -> str:
    return "unknown" if value is None else f"{value:+.0f}"


def _chance(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


# -- games -------------------------------------------------------------------------------------


class _Counted(NamedTuple):
    """A game that counts, with the bots by hash."""

    key: str
    pair: str
    start: str
    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    points: tuple[float, ...]


def rating_report(runs: Sequence[RunGames], settings: RatingSettings) -> RatingReport:
    """Rate the bots of some runs.

    Raises:
        Wrong: no pair is complete, or an anchor does not name one bot.
    """
    several = len({run.setup.ruleset for run in runs}) > 1
    counted = {game.key: game for run in runs for game in _counted(run, several=several)}
    labels, remarks = _labels(runs, {bot for game in counted.values() for bot in game.bots})
    remarks += _left_out(runs)
    if not counted:
        raise Wrong("no pair is complete yet, so there is nothing to rate")
    anchors = tuple((_anchored(labels, name), elo) for name, elo in settings.anchors)
    ranked = [
        RankedGame(game.pair, game.start, tuple(labels[bot] for bot in game.bots), game.ranks)
        for game in counted.values()
    ]
    try:
        table = rate(ranked, settings._replace(anchors=anchors))
    except ValueError as problem:
        raise Wrong(str(problem)) from None
    return RatingReport(
        runs=len(runs),
        games=len(counted),
        pairs=len({game.pair for game in counted.values()}),
        anchors=tuple(f"{name} at {elo:g}" for name, elo in anchors),
        prior=settings.prior,
        bots=_rows(table, labels, tuple(counted.values())),
        seats=_seats(table, _seat_names(runs, several=several)),
        ties=tuple(replace(tie, chance=round(tie.chance, 6)) for tie in table.ties),
        remarks=(*remarks, *table.words),
    )


def _counted(run: RunGames, *, several: bool) -> Iterator[_Counted]:
    """Yield the games of a run's complete pairs."""
    tasks = {(task.pair, row.key): task for task, row in run.games if row is not None}
    for pair in scored_pairs(run.games, run.fault):
        for row in pair.games:
            points = seat_points(row, run.fault) or ()
            task = tasks[pair.number, row.key]
            hashes = tuple(run.setup.hashes[1 + bot] for bot in task.seats)
            yield _Counted(
                key=row.key,
                pair=_pair_name(run.setup, task),
                start=_start_name(run, row.start, several=several),
                bots=hashes,
                ranks=tuple(0 if point else 1 for point in points),
                points=tuple(map(float, points)),
            )


def _start_name(run: RunGames, name: str, *, several: bool) -> str:
    """Return the name of a start; with its ruleset if there are several."""
    return f"{run.setup.ruleset} {name}" if several else name


def _pair_name(setup: LabSetup, task: GameTask) -> str:
    """Return the name of a pair, which is the same in every run that has it."""
    start = setup.starts[task.start]
    bots = sorted(setup.hashes[1 + bot] for bot in task.seats)
    text = encode((setup.hashes[0], start.scenario, sorted(start.options.items()), task.seed, bots))
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def _left_out(runs: Iterable[RunGames]) -> list[str]:
    """Return a remark on games that do not count."""
    left = void = 0
    for run in runs:
        played = [(task, row) for task, row in run.games if row is not None]
        is_void = [seat_points(row, run.fault) is None for _, row in played]
        void += sum(is_void)
        whole = sum(len(pair.games) for pair in scored_pairs(run.games, run.fault))
        left += len(played) - whole
    text = f"{left} games do not count: their pairs are not complete"
    return [f"{text}, or hold one of {void} games without a result" if void else text] * bool(left)


# -- names -------------------------------------------------------------------------------------


def _labels(runs: Sequence[RunGames], used: set[str]) -> tuple[dict[str, str], list[str]]:
    """Return a unique name for each bot by hash, and remarks on names that changed."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    rulesets: dict[str, str] = {}
    for run in runs:
        for bot, code in zip(run.setup.bots, run.setup.hashes[1:], strict=True):
            if code in used:
                names[code][bot.name] += 1
                rulesets[code] = run.setup.ruleset
    chosen = {
        code: min(known, key=lambda name: (-known[name], name)) for code, known in names.items()
    }
    remarks = [
        f"{', '.join(sorted(known))}: one bot, here {chosen[code]}"
        for code, known in sorted(names.items())
        if len(known) > 1
    ]
    labels = {}
    for code, name in chosen.items():
        alike = [other for other in chosen if chosen[other] == name]
        labels[code] = name if len(alike) == 1 else _distinct(name, code, alike, rulesets)
        if len(alike) > 1 and code == min(alike):
            remarks.append(f"{name}: {len(alike)} bots have this name; their code is not the same")
    return labels, remarks


def _distinct(name: str, code: str, alike: Sequence[str], rulesets: Mapping[str, str]) -> str:
    """Make the name of a bot unique with its ruleset, or else with its hash."""
    if len({rulesets[other] for other in alike}) == len(alike):
        return f"{name}@{rulesets[code]}"
    digits = _DIGITS
    while len({other[:digits] for other in alike}) < len(alike):
        digits += 1
    return f"{name}@{code[:digits]}"


def _anchored(labels: Mapping[str, str], name: str) -> str:
    """Return the label of the bot that an anchor names.

    Raises:
        Wrong: no bot has the name, or several have it.
    """
    if name in labels.values():
        return name
    several = sorted(label for label in labels.values() if label.partition("@")[0] == name)
    if several:
        raise Wrong(f"--anchor {name}: there are {', '.join(several)}")
    raise Wrong(
        f"--anchor {name}: there is no such bot; there are {', '.join(sorted(labels.values()))}"
    )


# -- rows --------------------------------------------------------------------------------------


def _rows(
    table: RatingTable, labels: Mapping[str, str], games: Sequence[_Counted]
) -> tuple[RatingRow, ...]:
    codes = {label: code for code, label in labels.items()}
    order = [codes[row.bot] for row in table.ratings]
    groups = _connected(order, games)
    swept = _swept(games)
    points: dict[str, float] = defaultdict(float)
    for game in games:
        for bot, point in zip(game.bots, game.points, strict=True):
            points[bot] += point
    return tuple(
        RatingRow(
            bot=row.bot,
            hash=code,
            elo=_rounded(row.elo),
            low=_rounded(row.low),
            high=_rounded(row.high),
            games=row.games,
            points=round(points[code], 6),
            share=round(row.share, 6),
            better=tuple(
                None if chance is None or groups[code] != groups[other] else round(chance, 4)
                for chance, other in zip(better, order, strict=True)
            ),
            remark=row.words or swept.get(code, ""),
        )
        for code, row, better in zip(order, table.ratings, table.los, strict=True)
    )


def _connected(codes: Sequence[str], games: Iterable[_Counted]) -> dict[str, int]:
    """Return for each bot the number of its set of bots that are connected by games."""
    place = {code: at for at, code in enumerate(codes)}
    edges = ((place[game.bots[0]], place[bot]) for game in games for bot in game.bots)
    found = components(len(codes), edges)
    return {codes[at]: number for number, part in enumerate(found) for at in part}


def _swept(games: Iterable[_Counted]) -> dict[str, str]:
    """Return remarks on bots that won or lost all games against others; a prior bounds them."""
    won: dict[str, set[bool]] = defaultdict(set)
    for game in games:
        winners = {bot for bot, rank in zip(game.bots, game.ranks, strict=True) if rank == 0}
        for bot in set(game.bots) if len(set(game.bots)) > 1 else ():
            is_shared = len(winners) > 1
            won[bot] |= {bot in winners, not is_shared} if bot in winners else {False}
    words = {True: "won every game", False: "lost every game"}
    return {
        bot: f"{words[kinds.pop()]}: only the prior keeps the number finite"
        for bot, kinds in won.items()
        if len(kinds) == 1
    }


def _rounded(value: float | None) -> float | None:
    """Round an Elo to the digits that are the same on every machine."""
    return None if value is None else round(value, 1) + 0.0


def _seats(table: RatingTable, names: Mapping[str, Sequence[str]]) -> tuple[SeatRow, ...]:
    return tuple(
        SeatRow(
            one.scenario,
            names[one.scenario][one.seat],
            round(one.elo, 1) + 0.0,
            round(one.error, 1),
            one.games,
        )
        for one in table.advantages
        if len(names[one.scenario]) > 1
    )


def _seat_names(runs: Iterable[RunGames], *, several: bool) -> dict[str, Sequence[str]]:
    """Return the names of the seats by the name of a start."""
    return {
        _start_name(run, start.name, several=several): seat_names(run.setup, at)
        for run in runs
        for at, start in enumerate(run.setup.starts)
    }


def seat_names(setup: LabSetup, start: int) -> tuple[str, ...]:
    """Return the names of the seats of a start that are used."""
    rules = find(setup.ruleset)
    return tuple(rules.seat_names(parse(rules, setup.starts[start].scenario)))[: setup.seats]


# -- the verb ----------------------------------------------------------------------------------


def rate_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Print the ratings of all bots of some runs.

    Raises:
        Wrong: a run is missing, or nothing can be rated.
    """
    del ports
    runs = [read_run(RunFolder.read(run_named(name, args.runs))) for name in args.run]
    settings = RatingSettings(prior=args.prior, anchors=tuple(map(_anchor, args.anchor)))
    report = rating_report(runs, settings)
    say_report(report.lines(), report, json=args.json)
    return Exit.OK


def read_run(folder: RunFolder) -> RunGames:
    """Read the games of a run for ratings."""
    setup = folder.setup
    games = games_of(folder.plan, setup, folder.rows)
    return RunGames(
        folder.path.name, setup, folder.plan.fault, tuple((game.task, game.row) for game in games)
    )


def _anchor(text: str) -> tuple[str, float]:
    """Parse a bot and its Elo.

    Raises:
        Wrong: the text is not BOT=ELO.
    """
    name, sign, elo = text.rpartition("=")
    try:
        return name, float(elo if sign and name else "?")
    except ValueError:
        raise Wrong(f"--anchor {text}: it is written BOT=ELO, as in normal=0") from None
