"""Tables of a run: bots, meetings by seat, faults, early ends; computed from its rows alone."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from engine.core.record import Record
from study.lab.games import GameResult
from study.lab.group_fit import RatingSettings
from study.lab.intervals import Interval, clopper_pearson, clustered_mean
from study.lab.markup import ReportSection
from study.lab.plans import GameTask, LabPlan, LabSetup
from study.lab.rate import RatingReport, RunGames, rating_report, seat_names
from study.lab.scoring import ScoredPair, bot_points, scored_pairs, seat_points
from tui.console.exits import Wrong

_EXPOSED: Final = 0.05
"""Share of wrong winners above which a rule is called wrong, if the whole interval is above it."""

PlayedTask = tuple[GameTask, GameResult]
"""A game that was played, and its row."""


class BotTally(Record, frozen=True):
    """Games and points of a bot, with refused commands and faults."""

    bot: str
    written: str
    hash: str
    games: int
    points: float
    share: float
    """Points per game."""
    refused: int
    """Number of refused commands."""
    refused_games: int
    """Number of games with such commands."""
    faults: int
    """Number of games that it broke off."""


class MeetingTally(Record, frozen=True):
    """Share of the points of one bot in the pairs of some bots with each other."""

    bots: tuple[str, ...]
    """The bots at the table."""
    bot: str
    pairs: int
    games: int
    points: float
    share: float
    low: float
    high: float
    """Limits of the share, from whole pairs."""
    even: float
    """Share if all were equally strong."""


class SeatingTally(Record, frozen=True):
    """Games with the same order of bots on the seats."""

    start: str
    bots: tuple[str, ...]
    """Names of the bots by seat."""
    games: int
    won: tuple[int, ...]
    """Games that each seat won alone, including those that another bot broke off."""
    drawn: int
    """Games with no winner or several; games without a result are not included."""
    reasons: dict[str, int]
    closed: float
    """Mean number of turns or phases."""
    rounds: float | None
    """Mean number of rounds, over the games in which they were measured."""
    refused: int


class FaultRow(Record, frozen=True):
    """A game that was broken off."""

    game: int
    """Number of the game, from 1."""
    key: str
    bot: str
    """Empty if no bot is to blame."""
    seat: str
    kind: str
    place: str
    text: str
    log: str
    """File of the run's folder for the bot's standard error."""


class StartRow(Record, frozen=True):
    """A start of the games."""

    start: str
    seats: tuple[str, ...]
    scenario: str
    """Digest of the scenario."""
    options: tuple[str, ...]


class RunTables(Record, frozen=True):
    """Tables of a run."""

    ruleset: str
    rules: str
    """Hash of the rules."""
    starts: tuple[StartRow, ...]
    bots: tuple[BotTally, ...]
    meetings: tuple[MeetingTally, ...]
    seatings: tuple[SeatingTally, ...]
    faults: tuple[FaultRow, ...]
    audit: tuple[str, ...]
    ratings: RatingReport | None


def run_tables(plan: LabPlan, setup: LabSetup, games: Sequence[PlayedTask]) -> RunTables:
    """Compute the tables of the games of a run, in the order of its plan."""
    pairs = scored_pairs(games, plan.fault)
    return RunTables(
        ruleset=setup.ruleset,
        rules=setup.hashes[0],
        starts=tuple(_starts(setup)),
        bots=bot_tallies(plan, setup, games),
        meetings=tuple(_meetings(setup, pairs)),
        seatings=tuple(_seatings(plan, setup, games)),
        faults=tuple(_faults(setup, games)),
        audit=tuple(AuditReport.of(row for _, row in games).lines()),
        ratings=_ratings(plan, setup, games),
    )


def bot_tallies(
    plan: LabPlan, setup: LabSetup, games: Iterable[PlayedTask]
) -> tuple[BotTally, ...]:
    """Return games and points of each bot, in the order of the plan."""
    points: dict[str, Fraction] = defaultdict(Fraction)
    played: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    refused_games: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for _, row in games:
        if row.fault is not None and row.fault.seat >= 0:
            faults[row.bots[row.fault.seat]] += 1
        for bot, count in zip(row.bots, row.refused, strict=True):
            refused[bot] += count
        blamed = {bot for bot, count in zip(row.bots, row.refused, strict=True) if count}
        refused_games.update(blamed)
        for bot, point in (bot_points(row, plan.fault) or {}).items():
            points[bot] += point
            played[bot] += 1
    return tuple(
        BotTally(
            bot=bot.name,
            written=str(bot),
            hash=code,
            games=played[bot.name],
            points=round(float(points[bot.name]), 6),
            share=round(float(points[bot.name]) / max(1, played[bot.name]), 6),
            refused=refused[bot.name],
            refused_games=refused_games[bot.name],
            faults=faults[bot.name],
        )
        for bot, code in zip(setup.bots, setup.hashes[1:], strict=True)
    )


def _starts(setup: LabSetup) -> Iterator[StartRow]:
    for at, start in enumerate(setup.starts):
        digest = hashlib.blake2b(start.scenario, digest_size=16).hexdigest()
        options = tuple(f"{name}={value}" for name, value in sorted(start.options.items()))
        yield StartRow(start.name, seat_names(setup, at), digest, options)


def _ratings(plan: LabPlan, setup: LabSetup, games: Sequence[PlayedTask]) -> RatingReport | None:
    """Return the ratings; None if no two bots met."""
    if len({bot for task, _ in games for bot in task.seats}) < 2:
        return None
    try:
        return rating_report([RunGames("", setup, plan.fault, tuple(games))], RatingSettings())
    except Wrong:
        return None


# -- who met whom ------------------------------------------------------------------------------


def _meetings(setup: LabSetup, pairs: Iterable[ScoredPair]) -> Iterator[MeetingTally]:
    """Yield the shares of the bots in each meeting; of two bots only the first one's."""
    order = {bot.name: place for place, bot in enumerate(setup.bots)}
    met: dict[tuple[str, ...], list[ScoredPair]] = defaultdict(list)
    for pair in pairs:
        met[tuple(sorted(pair.points, key=order.__getitem__))].append(pair)
    for bots, those in sorted(met.items(), key=lambda item: [order[bot] for bot in item[0]]):
        for bot in () if len(bots) == 1 else bots[:1] if len(bots) == 2 else bots:
            yield _meeting(bots, bot, those)


def _meeting(bots: tuple[str, ...], bot: str, pairs: Sequence[ScoredPair]) -> MeetingTally:
    games = [game for pair in pairs for game in pair.games]
    seats = sum(name == bot for game in games for name in game.bots)
    shares = [float(pair.points[bot]) for pair in pairs]
    share = sum(shares) / len(shares)
    limits = share_limits(shares)
    return MeetingTally(
        bots=bots,
        bot=bot,
        pairs=len(pairs),
        games=len(games),
        points=round(float(sum(pair.points[bot] * len(pair.games) for pair in pairs)), 6),
        share=round(share, 6),
        low=round(limits.low, 4),
        high=round(limits.high, 4),
        even=round(seats / sum(len(game.bots) for game in games), 6),
    )


def share_limits(shares: Sequence[float]) -> Interval:
    """Return the limits of 95 % for the mean share of pairs.

    Equal pairs show no deviation. By Clopper and Pearson other results are rarer than ``rest``, and
    all of those could be at one end.
    """
    found = clustered_mean(shares, range(len(shares)))
    if found.low is None or found.high is None or found.high - found.low < 1e-9:
        rest = 1 - 0.025 ** (1 / len(shares))
        return Interval(found.mean * (1 - rest), found.mean + (1 - found.mean) * rest)
    return Interval(max(0.0, found.low), min(1.0, found.high))


def _seatings(
    plan: LabPlan, setup: LabSetup, games: Sequence[PlayedTask]
) -> Iterator[SeatingTally]:
    sat: dict[tuple[int, tuple[int, ...]], list[GameResult]] = defaultdict(list)
    for task, row in games:
        sat[task.start, task.seats].append(row)
    for (start, bots), rows in sorted(sat.items()):
        points = [found for row in rows if (found := seat_points(row, plan.fault)) is not None]
        alone = Counter(seats.index(1) for seats in points if 1 in seats)
        rounds = [row.measures["rounds"] for row in rows if "rounds" in row.measures]
        yield SeatingTally(
            start=setup.starts[start].name,
            bots=tuple(setup.bots[bot].name for bot in bots),
            games=len(rows),
            won=tuple(alone[seat] for seat in range(len(bots))),
            drawn=len(points) - alone.total(),
            reasons=dict(sorted(Counter(row.reason for row in rows).items())),
            closed=round(sum(row.closed for row in rows) / len(rows), 2),
            rounds=round(sum(rounds) / len(rounds), 2) if rounds else None,
            refused=sum(sum(row.refused) for row in rows),
        )


def _faults(setup: LabSetup, games: Sequence[PlayedTask]) -> Iterator[FaultRow]:
    for number, (task, row) in enumerate(games, 1):
        if (fault := row.fault) is None:
            continue
        is_blamed = fault.seat >= 0
        yield FaultRow(
            game=number,
            key=row.key,
            bot=row.bots[fault.seat] if is_blamed else "",
            seat=seat_names(setup, task.start)[fault.seat] if is_blamed else "",
            kind=fault.kind,
            place=fault.place,
            text=fault.text,
            log=f"logs/{row.key}-{fault.seat}.txt" if is_blamed else "",
        )


# -- early ends --------------------------------------------------------------------------------


class RuleAudit(Record, frozen=True):
    """Games that a rule ended, and how many of the audited ones had other winners."""

    rule: str
    """Empty for all rules together."""
    adjudicated: int
    """Games in which the rule was met, audited or not."""
    audited: int
    """Of these, games that were played on to their end."""
    wrong: int
    """Audited games that had other winners."""

    @property
    def interval(self) -> Interval:
        """Exact interval of 95 % for the share of wrong winners."""
        return clopper_pearson(self.wrong, self.audited)

    @property
    def is_exposed(self) -> bool:
        """True if the rule certainly names the wrong winner in more than a few games."""
        return self.interval.low > _EXPOSED

    def __str__(self) -> str:
        """Return the audit in one line.

        >>> str(RuleAudit("", 412, 41, 1))
        'adjudicated 412, audited 41, wrong 1 (0.1-13 %)'
        """
        low, high = map(_percent, self.interval)
        wrong = f"wrong {self.wrong} ({low}-{high} %)" if self.audited else "wrong unknown"
        told = f"adjudicated {self.adjudicated}, audited {self.audited}, {wrong}"
        return f"{self.rule}: {told}" if self.rule else told


class AuditReport(Record, frozen=True):
    """Early ends of many games and their audits, together and by rule."""

    total: RuleAudit
    rules: tuple[RuleAudit, ...]

    @classmethod
    def of(cls, rows: Iterable[GameResult]) -> AuditReport:
        """Build the report on rows of results; their order does not matter.

        A game that was to be audited but was not finished counts only as adjudicated.
        """
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for row in rows:
            if row.early is None:
                continue
            is_whole = row.early.is_audited and row.fault is None
            count = counts[row.early.rule]
            count[0] += 1
            count[1] += is_whole
            count[2] += is_whole and set(row.winners) != set(row.early.winners)
        rules = tuple(RuleAudit(rule, *counts[rule]) for rule in sorted(counts))
        sums = [sum(column) for column in zip(*counts.values(), strict=True)] or [0, 0, 0]
        return cls(RuleAudit("", *sums), rules)

    def lines(self) -> list[str]:
        """Return the report for people: the total, the rules if there are several, and bad rules.

        Empty if no game ended early.
        """
        if not self.total.adjudicated:
            return []
        found = [str(self.total)]
        if len(self.rules) > 1:
            found += [f"  {rule}" for rule in self.rules]
        found += [
            f"{rule.rule}: the wrong winner in {_percent(rule.interval.low)} % of games at least"
            for rule in self.rules
            if rule.is_exposed
        ]
        return found


def _percent(share: float) -> str:
    percent = 100 * share
    return f"{percent:.0f}" if percent in {0, 100} or percent >= 9.95 else f"{percent:.1f}"


# -- sections ----------------------------------------------------------------------------------


def bots_section(bots: Iterable[BotTally], title: str) -> ReportSection:
    """Return a table of games, points and faults of each bot."""
    head = ("bot", "games", "points", "share", "refused", "broken off")
    rows = (
        (b.bot, str(b.games), f"{b.points:g}", f"{b.share:.1%}", str(b.refused), str(b.faults))
        for b in bots
    )
    return ReportSection(title, (), head, tuple(rows))


def meetings_section(tables: RunTables) -> ReportSection:
    """Return a table of the shares in each meeting."""
    head = ("bots", "share of", "pairs", "games", "points", "share", "95 %", "even")
    rows = (
        (
            ", ".join(one.bots),
            one.bot,
            str(one.pairs),
            str(one.games),
            f"{one.points:g}",
            f"{one.share:.1%}",
            f"{one.low:.0%} to {one.high:.0%}",
            f"{one.even:.0%}",
        )
        for one in tables.meetings
    )
    return ReportSection("Points in each meeting", (), head, tuple(rows), 2)


def seatings_sections(tables: RunTables) -> Iterator[ReportSection]:
    """Yield tables of the games of each start by the seats of the bots."""
    for start in tables.starts:
        seatings = [one for one in tables.seatings if one.start == start.start]
        if not seatings:
            continue
        won = (f"{seat} won" for seat in start.seats)
        head = (*start.seats, "reasons", "games", *won, "drawn or shared", "rounds", "refused")
        rows = (_seating(one) for one in seatings)
        words = len(start.seats) + 1
        yield ReportSection(f"Games from {start.start} by seat", (), head, tuple(rows), words)


def _seating(one: SeatingTally) -> tuple[str, ...]:
    reasons = ", ".join(f"{reason} {count}" for reason, count in one.reasons.items())
    rounds = "" if one.rounds is None else f"{one.rounds:.1f}"
    won = map(str, one.won)
    return (*one.bots, reasons, str(one.games), *won, str(one.drawn), rounds, str(one.refused))


def faults_section(tables: RunTables) -> ReportSection:
    """Return a table of the games that were broken off."""
    if not tables.faults:
        return ReportSection("Faults", ("No game was broken off.",))
    head = ("game", "bot", "seat", "kind", "entry", "text")
    rows = (
        (str(one.game), one.bot or "nobody", one.seat, one.kind, one.place, one.text)
        for one in tables.faults
    )
    return ReportSection("Faults", (), head, tuple(rows), len(head))
