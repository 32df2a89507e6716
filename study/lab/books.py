"""``banneret lab book``: start positions from saved games in which no seat has already won.

A book has one scenario per line: the position after the first moment of a game that fits a query.
Computer players of the usual level play every position out several times, each time with other
dice. A position is balanced if the first seat's share of the points is in a range; with more than
two seats, every seat's. The seeds follow from the position and the seed of the book.
"""

from __future__ import annotations

import hashlib
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import ceil, floor
from pathlib import Path
from statistics import fmean, variance
from typing import Any, NamedTuple

from engine.core.archive import Opened, SaveFault
from engine.core.codec import encode_json
from engine.core.feed import changes
from engine.core.options import OptionFault
from engine.core.record import Record
from engine.core.registry import find
from engine.core.replay import BrokenLog
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.scenarios import names_in, parse
from engine.core.soundness import log_faults
from engine.tabletop.english import many
from study.farm.runs import Done, FarmProgress
from study.farm.supervisor import Farm
from study.lab.bot_code import allow, asked, check_bots, hashes_of
from study.lab.bots import read_bot
from study.lab.games import GameResult, play_games
from study.lab.intervals import Interval, wilson
from study.lab.plans import GameTask, LabPlan, LabSetup, Start, meetings, schedule, start_of
from study.lab.scoring import seat_points
from study.lab.verbs import LabPorts
from tui.console.commands import share
from tui.console.exits import Exit, Wrong
from tui.console.files import is_folder, put_file
from tui.console.printing import columns, say_report, show_progress
from tui.play.continuation import usual_level
from tui.replay.query import BadQuery
from tui.replay.stops import Stops, StopWatch

# -- positions of saved games ------------------------------------------------------------------


class BookPosition(NamedTuple):
    """Position of a saved game, a candidate for a book."""

    save: str
    place: str
    scenario: bytes
    """The scenario as JSON, in one line."""
    start: Start

    @property
    def digest(self) -> bytes:
        """Digest of the position; equal positions have equal digests."""
        return hashlib.blake2b(self.scenario, digest_size=16).digest()


class PositionSearch:
    """Positions at the first moment of saved games that fits a query; each position once."""

    def __init__(self, where: str, ruleset: str | None = None, seats: int | None = None) -> None:
        """Search with a query; skip games of another ``ruleset`` or number of ``seats``."""
        self._where, self._ruleset, self._seats = where, ruleset, seats
        self._kind: tuple[str, int] | None = None
        """Ruleset and seats of the games."""
        self.games = self.moments = self.over = self.unfit = 0
        """Games inspected, those with a fitting moment, those over by then, and those whose
        position cannot be begun."""
        self.found: dict[bytes, BookPosition] = {}
        """Positions by digest."""
        self.starts: dict[tuple[bytes, bytes], Start] = {}
        """Starts of the games with a position, each once."""

    @property
    def rules(self) -> AnyRuleset:
        """Ruleset of the games; raises Wrong if none was found."""
        return find(self._known[0])

    @property
    def seats(self) -> int:
        """Seats of the games; raises Wrong if none was found."""
        return self._known[1]

    @property
    def _known(self) -> tuple[str, int]:
        if self._kind is None:
            raise Wrong("--from: there is no saved game of one ruleset in it")
        return self._kind

    def take(self, name: str, opened: Opened) -> None:
        """Search a saved game.

        Raises:
            Wrong: its ruleset or number of seats differs from earlier games, or the query cannot be
                read.
            BrokenLog: an event cannot be applied.
        """
        if not self._is_wanted(name, opened) or not opened.log.line():
            return
        self.games += 1
        rules = self.rules
        with log_faults(rules, opened.log):
            self._search(rules, name, opened)

    def _is_wanted(self, name: str, opened: Opened) -> bool:
        ruleset, seats = kind = opened.header.ruleset, len(opened.header.players)
        if self._ruleset not in {None, ruleset} or self._seats not in {None, seats}:
            return False
        known = self._kind = self._kind or kind
        if known[0] != ruleset:
            raise Wrong(f"{name} is a game of {ruleset}, others are of {known[0]}; say --ruleset")
        if known[1] != seats:
            raise Wrong(f"{name} is a game for {seats}, others are for {known[1]}; say --seats")
        return True

    def _search(self, rules: AnyRuleset, name: str, opened: Opened) -> None:
        try:
            watch = StopWatch(rules, names_in(rules, opened.log), Stops(self._where))
        except BadQuery as problem:
            raise Wrong(f"--where {self._where!r}: {problem}") from None
        for change in changes(rules, opened.log.line()):
            watch.take(change)
            if watch.found is not None:
                self.moments += 1
                self._add(rules, name, watch.found.place, change.after, opened)
                return

    def _add(self, rules: AnyRuleset, name: str, place: str, state: Any, opened: Opened) -> None:
        if not rules.owes(state):
            self.over += 1
            return
        data = encode_json(rules.position(state))
        try:
            start = start_of(rules, parse(rules, data), f"{name} {place}", self.seats)
            first = self._first(rules, *rules.setup(opened.log.line()[0].events[0]))
        except (ScenarioFault, OptionFault):
            self.unfit += 1
            return
        position = BookPosition(name, place, data, start)
        self.found.setdefault(position.digest, position)
        self.starts.setdefault((first.scenario, encode_json(sorted(first.options.items()))), first)

    def _first(self, rules: AnyRuleset, scenario: Scenario, options: Mapping[str, Any]) -> Start:
        return start_of(rules, scenario, scenario.name, self.seats, options)


def read_saves(paths: Iterable[Path], ports: LabPorts, search: PositionSearch) -> list[str]:
    """Search saves, and all saves of folders by name; return remarks on those skipped.

    Raises:
        SaveFault: a save that is named itself cannot be read.
        BrokenLog: an event of it cannot be applied.
        Wrong: the games do not fit together, or the query cannot be read.
    """
    remarks: list[str] = []
    for path in paths:
        if not is_folder(path):
            opened = ports.archive(path.parent).read(str(path.absolute()))
            search.take(path.stem, opened)
            continue
        archive = ports.archive(path)
        for name in sorted(info.name for info in archive.listing()):
            try:
                search.take(name, archive.read(name))
            except (SaveFault, BrokenLog) as fault:
                remarks.append(f"{path / name}: passed over: {fault}")
    return remarks


# -- playing positions out ---------------------------------------------------------------------


class BookCheck(NamedTuple):
    """Settings for the check of positions."""

    runs: int
    """Games from each position."""
    seed: int
    jobs: int | None
    """Number of processes; None means one per processor."""


class CheckedPosition(NamedTuple):
    """Position that was played out."""

    position: BookPosition
    shares: tuple[Fraction, ...]
    """Mean points of each seat; empty if a game was not finished."""
    games: int

    @property
    def interval(self) -> Interval:
        """Interval of 95 % for the share of the first seat.

        A fraction of a point is rounded down for the lower limit and up for the upper one.
        """
        points = self.shares[0] * self.games
        low, high = wilson(floor(points), self.games), wilson(ceil(points), self.games)
        return Interval(low.low, high.high)

    def is_balanced(self, low: float, high: float) -> bool:
        """Return whether the shares are in a range."""
        shares = self.shares[:1] if len(self.shares) == 2 else self.shares
        return bool(shares) and all(low <= float(one) <= high for one in shares)


def read_balance(text: str | None, seats: int) -> tuple[float, float]:
    """Parse the range of a balanced share; by default 20 % around an equal share.

    Raises:
        Wrong: the text is not a range.
    """
    if text is None:
        return 0.8 / seats, 1.2 / seats
    try:
        low, high = map(share, text.split(".."))
    except (ArgumentTypeError, ValueError):
        raise Wrong(f"--balance {text!r}: it is written like 0.4..0.6") from None
    if low > high:
        raise Wrong(f"--balance {text!r}: the first share is the greater one")
    return low, high


def checked_positions(
    rules: AnyRuleset, positions: Sequence[BookPosition], check: BookCheck
) -> Iterator[CheckedPosition]:
    """Play positions out one after another, and yield each; stop when the caller stops.

    Raises:
        FarmFault: no worker can be set up.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    setup = setup_at([position.start for position in positions], rules, usual_level(rules))
    tasks = (
        GameTask(number, number, (0,) * setup.seats, playout_seed(check.seed, position, run))
        for number, position in enumerate(positions)
        for run in range(check.runs)
    )
    played = played_games(setup, tasks, check.jobs)
    for position in positions:
        results = islice(played, check.runs)
        points = [seat_points(result, "void") if result else None for result in results]
        whole = [row for row in points if row is not None]
        sums = [sum(column, Fraction(0)) for column in zip(*whole, strict=True)]
        shares = tuple(total / check.runs for total in sums)
        yield CheckedPosition(position, shares if len(whole) == check.runs else (), check.runs)


def playout_seed(seed: int, position: BookPosition, run: int) -> int:
    """Return the seed of a game from a position; it does not depend on other positions."""
    digest = hashlib.blake2b(b"%d/%d/" % (seed, run) + position.digest, digest_size=6).digest()
    return int.from_bytes(digest, "big")


def setup_at(starts: Sequence[Start], rules: AnyRuleset, *texts: str) -> LabSetup:
    """Return the setup of games of some bots from some starts.

    Raises:
        Wrong: a bot is not available.
    """
    bots = tuple(map(read_bot, texts))
    allow(bots)
    check_bots(rules, bots)
    return LabSetup(
        ruleset=rules.name,
        seats=starts[0].seats,
        starts=tuple(starts),
        bots=bots,
        hashes=hashes_of(rules, bots),
    )


def played_games(
    setup: LabSetup, tasks: Iterable[GameTask], jobs: int | None
) -> Iterator[GameResult | None]:
    """Play games and yield their rows in the order of the tasks; None for a lost game."""
    with Farm(play_games, asked(setup, setup.bots), workers=0 if jobs == 1 else jobs) as farm:
        try:
            for result in farm.run(tasks, progress=_show):
                yield result.value.result if isinstance(result, Done) else None
        finally:
            show_progress("")


def _show(progress: FarmProgress) -> None:
    show_progress(f"{progress.done} games, {progress.per_second:.1f} a second")


# -- variance of pairs -------------------------------------------------------------------------


class PairSpread(Record, frozen=True):
    """Points of the first bot in pairs: number of pairs, mean and variance."""

    pairs: int
    mean: float
    variance: float


def pair_spread(
    rules: AnyRuleset,
    starts: Sequence[Start],
    bots: tuple[str, str],
    pairs: int,
    check: BookCheck,
) -> PairSpread:
    """Measure the points of the first of two bots in pairs, from each start in turn.

    Raises:
        Wrong: fewer than two pairs were finished.
    """
    setup = setup_at(starts, rules, *bots)
    plan = LabPlan(rules.name, bots, pairs=pairs, seed=check.seed, book="in turn")
    tasks = list(schedule(plan, setup, meetings("gauntlet", 2, setup.seats)))
    points: dict[int, list[Fraction]] = {task.pair: [] for task in tasks}
    for task, row in zip(tasks, played_games(setup, tasks, check.jobs), strict=True):
        shares = seat_points(row, "void") if row is not None else None
        if shares is None:
            points.pop(task.pair, None)
        elif task.pair in points:
            points[task.pair].append(shares[task.seats.index(0)])
    scores = [float(sum(games) / len(games)) for games in points.values()]
    if len(scores) < 2:
        raise Wrong("a variance needs two pairs that come to their end; see --measure")
    return PairSpread(len(scores), fmean(scores), variance(scores))


def read_between(text: str | None, rules: AnyRuleset) -> tuple[str, str]:
    """Parse the two bots that measure a variance; by default the usual level and the weakest.

    Raises:
        Wrong: the text does not name two bots, or a bot is not available.
    """
    if text is None:
        return usual_level(rules), next(iter(rules.bots))
    first, sign, other = text.partition(",")
    if not sign:
        raise Wrong(f"--between {text!r}: it is written like hard,normal")
    bots = read_bot(first), read_bot(other)
    allow(bots)
    check_bots(rules, bots)
    return first, other


# -- the verb ----------------------------------------------------------------------------------


class BookRow(Record, frozen=True):
    """Position of a book: its source, and its result for the first seat."""

    save: str
    place: str
    share: float
    low: float
    high: float


class BookReport(Record, frozen=True):
    """Making of a book in numbers."""

    games: int
    moments: int
    """Games with a fitting moment."""
    over: int
    """Of these, games that were over by then."""
    unfit: int
    """Of these, positions that cannot be begun."""
    different: int
    """Positions left, each counted once."""
    checked: int
    lost: int
    """Checked positions with an unfinished game."""
    positions: tuple[BookRow, ...]
    from_starts: PairSpread | None = None
    from_book: PairSpread | None = None


def book_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Make a book of positions from saved games.

    Raises:
        Wrong: an argument is wrong, or the saves do not fit together.
        SaveFault: a save cannot be read.
        BrokenLog: an event of a save cannot be applied.
        FarmFault: no worker can be set up.
    """
    search = PositionSearch(args.where, args.ruleset, args.seats)
    remarks = read_saves([Path(text) for text in args.saves], ports, search)
    for remark in remarks:
        sys.stderr.write(f"banneret: {remark}\n")
    rules = search.rules
    positions = list(search.found.values())
    low, high = read_balance(args.balance, search.seats)
    check = BookCheck(args.runs, args.seed, args.jobs)
    bots = read_between(args.between, rules)
    kept: list[CheckedPosition] = []
    checked = lost = 0
    for one in checked_positions(rules, positions, check) if positions else ():
        checked, lost = checked + 1, lost + (not one.shares)
        kept += [one] if one.is_balanced(low, high) else []
        if len(kept) == args.count:
            break
    spreads: list[PairSpread] = []
    if kept:
        put_file(Path(args.output), b"".join(one.position.scenario + b"\n" for one in kept))
        book = [one.position.start for one in kept]
        sources = (list(search.starts.values()), book) if args.measure else ()
        spreads = [pair_spread(rules, starts, bots, args.measure, check) for starts in sources]
    report = BookReport(
        *(search.games, search.moments, search.over, search.unfit, len(positions), checked, lost),
        tuple(map(_row, kept)),
        *spreads,
    )
    say_report(_lines(report, args, rules, (low, high)), report, json=args.json)
    return Exit.OK if kept else Exit.REFUSED


def _row(one: CheckedPosition) -> BookRow:
    low, high = one.interval
    at = one.position
    shares = (round(float(number), 4) for number in (one.shares[0], low, high))
    return BookRow(at.save, at.place, *shares)


def _lines(
    report: BookReport, args: Namespace, rules: AnyRuleset, balance: tuple[float, float]
) -> Iterator[str]:
    """Yield the report for people."""
    passed = [f"{report.over} were over by then"] if report.over else []
    passed += [f"{report.unfit} cannot be begun"] if report.unfit else []
    equal = report.moments - report.over - report.unfit - report.different
    passed += [f"{equal} were there already"] if equal else []
    looked = many(report.games, "game"), many(report.moments, "moment")
    yield ", ".join((looked[0], f"{looked[1]} like {args.where}", *passed))
    lost = f", {report.lost} could not be played out" if report.lost else ""
    yield (
        f"{report.checked} of {many(report.different, 'position')} checked by "
        f"{many(args.runs, 'game')} of {usual_level(rules)}: {len(report.positions)} balanced "
        f"({balance[0]:.2f}..{balance[1]:.2f}){lost}"
    )
    rows = [
        (str(number), row.save, row.place, f"{row.share:.2f}", f"({row.low:.2f}-{row.high:.2f})")
        for number, row in enumerate(report.positions, 1)
    ]
    yield from columns([("line", "save", "place", "first seat", "95 %"), *rows]) if rows else ()
    yield (
        f"{args.output}: {many(len(rows), 'position')}"
        if rows
        else "no position is balanced: no book"
    )
    if report.from_starts is not None and report.from_book is not None:
        bots = read_between(args.between, rules)
        yield from _spread_lines(report.from_starts, report.from_book, bots)


def _spread_lines(before: PairSpread, after: PairSpread, bots: Sequence[str]) -> Iterator[str]:
    yield f"points of {bots[0]} against {bots[1]} in a pair, from 0 to 1"
    for text, one in (("from the starts", before), ("from the book", after)):
        yield f"  {text:15}  {one.pairs} pairs  mean {one.mean:.3f}  variance {one.variance:.4f}"
    if before.variance:
        saved = 1 - after.variance / before.variance
        yield f"  the variance is {abs(saved):.0%} {'smaller' if saved >= 0 else 'greater'}"
