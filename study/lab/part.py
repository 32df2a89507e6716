"""``banneret lab part``: where two bots part, and what each decision is worth.

One bot plays and the other follows it. Up to their first different decision both would play the
same game, so that decision belongs to both. From the position before it, a level plays many
continuations with other dice, after either command. The *swing* is the share of games that the seat
wins after the first bot's command minus that after the second's.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from engine.core.archive import Archive, Comment
from engine.core.codec import encode_json
from engine.core.ids import Seat
from engine.core.record import Record
from engine.core.registry import find, names
from study.debug.continuing import (
    ContinuationCounter,
    ContinuationPiece,
    ContinuationSetup,
    EndSought,
)
from study.farm.runs import Lost
from study.farm.supervisor import Farm
from study.lab.bot_code import allow, asked, check_bots
from study.lab.bots import BotSpec, read_bot
from study.lab.following import BotParting, FollowedGame, FollowSetup, follow_games
from study.lab.games import ReportedGame
from study.lab.intervals import compare_shares
from study.lab.plans import GameTask, LabSetup, meetings, plan_of, schedule, setup_of
from study.lab.stages import games_of
from study.lab.store import RunFolder, run_named, write_save
from study.lab.verbs import LabPorts
from study.lab.viewing import allow_tested
from tui.console.exits import Exit, Stuck, Wrong
from tui.console.printing import columns, raw, say, say_json
from tui.play.continuation import usual_level
from tui.play.scenarios import find_rules

SHOWN: Final = 10
"""Number of partings that are printed one by one."""


PartingQuestion: TypeAlias = tuple[Seat, int, bytes, str, str]


class PartingSource(NamedTuple):
    """Games in which two bots are compared: those of a setup, and the bot that follows."""

    setup: FollowSetup
    tasks: tuple[GameTask, ...]

    @property
    def leader(self) -> BotSpec:
        """The bot that plays."""
        return self.setup.games.bots[self.setup.leader]


class PartingSwing(Record, frozen=True):
    """A parting with its swing."""

    parting: BotParting
    won: int
    """Continuations that its seat wins after the command that was given."""
    won_instead: int
    """Continuations that it wins after the follower's command."""
    games: int
    """Number of continuations after each command."""
    save: str = ""
    """File of the game, if it is kept."""

    @property
    def question(self) -> PartingQuestion:
        """Position and commands; partings of several games with equal ones are the same."""
        return question_of(self.parting)

    @property
    def swing(self) -> float:
        """Share of wins after the command minus that after the follower's."""
        return (self.won - self.won_instead) / self.games


class PartingKind(Record, frozen=True):
    """Partings with equal phase, kinds of commands and piece; ``swings`` are worst first."""

    phase: str
    kinds: tuple[str, str]
    piece: str
    swings: tuple[PartingSwing, ...]

    @property
    def total(self) -> float:
        """Sum of the swings: games that the first bot wins or loses by such decisions."""
        return sum(one.swing for one in self.swings)

    @property
    def swing(self) -> float:
        """Mean of the swings."""
        return self.total / len(self.swings)

    @property
    def interval(self) -> tuple[float, float]:
        """Limits of the mean at 95 %, for these positions; only continuations count as chance."""
        own = tuple({one.question: one for one in self.swings}.values())
        games = sum(one.games for one in own)
        won, instead = sum(one.won for one in own), sum(one.won_instead for one in own)
        found = compare_shares((won, games), (instead, games))
        return found.low, found.high


# -- the games ---------------------------------------------------------------------------------


def source_of(args: Namespace) -> PartingSource:
    """Return the games that the arguments name.

    Raises:
        Wrong: a run, a ruleset or a bot is missing.
    """
    if args.where in names():
        return _new_games(args)
    folder = RunFolder.read(run_named(args.where, args.runs))
    setup = setup_of(folder.plan)
    if args.run_bots:
        allow_tested(folder.setup)
    leader = next((n for n, bot in enumerate(setup.bots) if args.a in {bot.name, str(bot)}), None)
    if leader is None:
        known = ", ".join(bot.name for bot in setup.bots)
        raise Wrong(f"{args.a!r} has no part in {folder.path}; there are {known}")
    follower = next((bot for bot in setup.bots if bot.name == args.b), None)
    if follower is None:
        follower = read_bot(args.b)
        allow([follower])
    check_bots(find_rules(setup.ruleset), [follower])
    games = games_of(folder.plan, setup, folder.rows)
    known_ = [game.task for game in games if game.row is not None and leader in game.task.seats]
    pairs = list(dict.fromkeys(task.pair for task in known_))[: args.pairs]
    if not pairs:
        raise Wrong(f"{folder.path}: {args.a} has played no game yet, as its code is now")
    tasks = tuple(task for task in known_ if task.pair in set(pairs))
    return PartingSource(FollowSetup(setup, leader, follower, args.each), tasks)


def _new_games(args: Namespace) -> PartingSource:
    """Return new games of the first bot in all seats, with the starts that the arguments give."""
    rules = find_rules(args.where)
    fields: dict[str, Any] = {
        "ruleset": rules.name,
        "bots": [args.a],
        "scenarios": args.scenario,
        "pairs": args.pairs,
        "seats": args.seats or 0,
    }
    if args.seed is not None:
        fields["seed"] = args.seed
    plan, follower = plan_of(fields), read_bot(args.b)
    allow([*map(read_bot, plan.bots), follower])
    setup = setup_of(plan)
    check_bots(rules, [follower])
    tasks = tuple(schedule(plan, setup, meetings(plan.format, 1, setup.seats)))
    return PartingSource(FollowSetup(setup, 0, follower, args.each), tasks)


def followed(
    source: PartingSource, jobs: int | None, shown: Callable[[int, int], None]
) -> list[FollowedGame]:
    """Play the games and follow them; return each with its partings.

    Raises:
        Stuck: one of them cannot be played.
        Wrong: a bot may not run.
    """
    found = []
    workers = 0 if jobs == 1 else jobs
    deadline = None if workers == 0 else source.setup.games.limits.game
    setup = asked(source.setup, (*source.setup.games.bots, source.setup.follower))
    with Farm(follow_games, setup, workers=workers, deadline=deadline) as farm:
        for result in farm.run(source.tasks):
            if isinstance(result, Lost):
                raise Stuck(f"the game of seed {result.piece.seed}: {result.cause}")
            found.append(result.value)
            shown(len(found), len(source.tasks))
    return found


# -- what they are worth -----------------------------------------------------------------------


def question_of(parting: BotParting) -> PartingQuestion:
    """Return everything that a swing depends on."""
    return parting.seat, parting.entry, parting.position, parting.command, parting.instead


def swings_of(
    setup: LabSetup,
    partings: Sequence[BotParting],
    level: str,
    runs: int,
    jobs: int,
    shown: Callable[[int, int], None],
) -> list[PartingSwing]:
    """Return partings with their swings, in the same order; equal questions are asked once.

    Raises:
        Stuck: a process died twice over the same games.
    """
    asked = list(dict.fromkeys(map(question_of, partings)))
    found: dict[PartingQuestion, tuple[int, int]] = {}
    for seat in sorted({question[0] for question in asked}):
        own = [question for question in asked if question[0] == seat]
        pieces = [
            ContinuationPiece(position, entry, 0, 0, seat, command)
            for _, entry, position, *commands in own
            for command in commands
        ]
        done = 2 * runs * len(found)

        def played(count: int, done: int = done) -> None:
            shown(done + count, 2 * runs * len(asked))

        with ContinuationCounter(
            _fates(setup, seat, level), runs, jobs, progress=played
        ) as counter:
            counts = iter(counter.count(pieces))
            for question, given, instead in zip(own, counts, counts, strict=True):
                found[question] = given.same, instead.same
    return [PartingSwing(one, *found[question_of(one)], runs) for one in partings]


def _fates(setup: LabSetup, seat: Seat, level: str) -> ContinuationSetup:
    """Return the setup of continuations with a level in all seats, counting wins of one seat."""
    seats = tuple(find(setup.ruleset).traits.seat_names[: setup.seats])
    end = EndSought("winners", f"seat {seat + 1} wins", (seat,))
    return ContinuationSetup(setup.ruleset, seats, (level,) * setup.seats, 1, end)


def kinds_of(swings: Sequence[PartingSwing]) -> tuple[PartingKind, ...]:
    """Group partings by kind, the kind that costs the first bot most before the others."""
    found: dict[tuple[str, tuple[str, str], str], list[PartingSwing]] = defaultdict(list)
    for one in swings:
        found[one.parting.phase, one.parting.kinds, one.parting.piece].append(one)
    kinds = (
        PartingKind(*key, tuple(sorted(own, key=lambda one: one.swing)))
        for key, own in found.items()
    )
    return tuple(sorted(kinds, key=lambda kind: (kind.total, kind.phase, kind.kinds, kind.piece)))


# -- the verb ----------------------------------------------------------------------------------


def part_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Compare two bots decision by decision and print where they part, worst first.

    Raises:
        Wrong: an argument is wrong.
        SaveFault: a game cannot be saved.
    """
    source = source_of(args)
    setup = source.setup.games
    rules = find_rules(setup.ruleset)
    level = args.level or usual_level(rules)
    if level not in rules.bots:
        raise Wrong(f"there is no level {level!r}; known: {', '.join(rules.bots)}")
    try:
        with _progress("games followed") as shown:
            games = followed(source, args.jobs, shown)
        partings = [parting for game in games for parting in game.partings]
        with _progress("continuations") as shown:
            swings = swings_of(
                setup, partings, level, args.swing, args.jobs or (os.cpu_count() or 1), shown
            )
    except Stuck as stuck:
        sys.stderr.write(f"banneret lab: {stuck}\n")
        return Exit.STUCK
    if args.output:
        swings = _kept(ports.archive(Path(args.output)), Path(args.output), setup, games, swings)
    kinds = kinds_of(swings)
    if args.json:
        say_json(*(line.decode() for line in json_lines(source, games, kinds)))
    else:
        say(*told(source, games, kinds, level))
    return Exit.OK


def _kept(
    archive: Archive,
    folder: Path,
    setup: LabSetup,
    games: Sequence[FollowedGame],
    swings: Sequence[PartingSwing],
) -> list[PartingSwing]:
    """Save each game that has a parting, with a comment at the parting."""
    found: list[PartingSwing] = []
    rest = iter(swings)
    for game in games:
        if not game.partings:
            continue
        name = write_save(archive, setup, ReportedGame(game.result, (), game.log))
        own = list(islice(rest, len(game.partings)))
        file = archive.open(name).file
        if file is not None:
            try:
                for one in own:
                    file.comment(Comment(one.parting.entry, _remark(one)))
            finally:
                file.close()
        path = str(folder / f"{name}.bnr")
        found += [PartingSwing(s.parting, s.won, s.won_instead, s.games, path) for s in own]
    return found


def _remark(one: PartingSwing) -> str:
    return f"not {one.parting.instead}: {_percent(one.swing)}"


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress on standard error if that is a terminal; clear its line at the end."""
    stream = raw(sys.stderr)

    def shown(done: int, total: int) -> None:
        if stream.isatty():
            stream.write(f"\r\x1b[K{done} of {total} {what}")
            stream.flush()

    try:
        yield shown
    finally:
        if stream.isatty():
            stream.write("\r\x1b[K")
            stream.flush()


# -- words -------------------------------------------------------------------------------------


def told(
    source: PartingSource,
    games: Sequence[FollowedGame],
    kinds: Sequence[PartingKind],
    level: str,
) -> Iterator[str]:
    """Yield the table by kind, and the worst partings with their places."""
    a, b = _names(source.leader, source.setup.follower)
    decisions = sum(game.decisions for game in games)
    for game in games:
        if game.result.fault is not None:
            yield f"The game of seed {game.result.seed} broke off: {game.result.fault.text}"
        if game.problem:
            yield f"{b} could not follow the game of seed {game.problem}"
    if not kinds:
        yield f"{b} decides as {a} does, in all {decisions} decisions of {len(games)} games."
        return
    parted = sum(bool(game.partings) for game in games)
    yield f"{a} plays, {b} follows: they part in {parted} of {len(games)} games."
    runs = kinds[0].swings[0].games
    yield f"swing: wins after {a}'s command minus wins after {b}'s, {runs} games of {level} each."
    yield ""
    yield from columns(
        [["phase", a, b, "piece", "times", "swing", "95 %", "in all"], *_rows(kinds)]
    )
    yield ""
    yield from _worst(kinds, a, b)
    if not kinds[0].swings[0].save:
        yield "With -o FOLDER the games are kept, and each of these opens as a position."


def _names(a: BotSpec, b: BotSpec) -> tuple[str, str]:
    """Return distinct names of two bots, unless the bots are equal."""
    if a.name == b.name and a != b:
        return f"{a.name} (A)", f"{b.name} (B)"
    return a.name, b.name


def _worst(kinds: Sequence[PartingKind], a: str, b: str) -> Iterator[str]:
    """Yield the worst partings one by one; equal ones of several games only once."""
    same: dict[PartingQuestion, list[PartingSwing]] = defaultdict(list)
    for one in sorted((one for kind in kinds for one in kind.swings), key=lambda one: one.swing):
        same[one.question].append(one)
    for first, *others in islice(same.values(), SHOWN):
        yield from _lines(first, a, b, len(others))
    if len(same) > SHOWN:
        yield f"and {len(same) - SHOWN} more; --json has them all"


def _rows(kinds: Sequence[PartingKind]) -> Iterator[list[str]]:
    for kind in kinds:
        low, high = kind.interval
        limits = f"{_percent(low)} to {_percent(high)}"
        times, games = str(len(kind.swings)), f"{kind.total:+.1f} games"
        swing = _percent(kind.swing)
        yield [kind.phase, *kind.kinds, kind.piece, times, swing, limits, games]


def _lines(one: PartingSwing, a: str, b: str, others: int) -> Iterator[str]:
    at = one.parting
    start = f"{at.start}, " if at.start else ""
    place = f"{start}seed {at.seed}, entry {at.entry}, round {at.round}"
    shares = f"{one.won} wins against {one.won_instead} of {one.games}"
    again = f", as in {others} other games" if others else ""
    yield f"{_percent(one.swing)}  {place}, seat {at.seat + 1}: {shares}{again}"
    yield f"    {a}: {at.command}"
    yield f"    {b}: {at.instead}"
    if one.save:
        yield f"    banneret debug {one.save} go {at.entry}^"


def _percent(share: float) -> str:
    return f"{100 * share:+.0f} %"


def json_lines(
    source: PartingSource, games: Sequence[FollowedGame], kinds: Sequence[PartingKind]
) -> Iterator[bytes]:
    """Yield a line with the sums, then one line for each parting in the order of the table."""
    yield encode_json(
        {
            "a": str(source.leader),
            "b": str(source.setup.follower),
            "games": len(games),
            "decisions": sum(game.decisions for game in games),
            "partings": sum(len(kind.swings) for kind in kinds),
        }
    )
    for kind in kinds:
        for one in kind.swings:
            at = one.parting
            fields = {
                name: getattr(at, name) for name in at.__struct_fields__ if name != "position"
            }
            counts = {"won": one.won, "won_instead": one.won_instead, "games": one.games}
            yield encode_json({**fields, **counts, "swing": one.swing, "save": one.save})
