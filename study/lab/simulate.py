"""``banneret simulate``: many games of computer players against each other, as a table."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Final

from engine.core.archive import SeatPlayer
from engine.core.codec import encode_json
from engine.core.decision import mark, states_around
from engine.core.dice import Seeded, pack
from engine.core.feed import AnyChange, Change
from engine.core.ids import HOUSE, ROOT
from engine.core.log import AnyEntry, Entry, EventLog
from engine.core.options import OptionFault, Value, parse_options
from engine.core.printable import harmless
from engine.core.record import Record
from engine.core.registry import UnknownRuleset, find
from engine.core.ruleset import AnyRuleset, Outcome, Scenario, ScenarioFault
from engine.core.scenarios import fitted, parse
from engine.tabletop.english import many
from study.farm.runs import Done, Lost, Result
from study.farm.supervisor import Farm
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns, raw
from tui.play.continuation import Continuation, OnRefusal
from tui.play.players import LONGEST
from tui.play.scenarios import resolve_scenario, seed_bytes
from tui.play.seats import header_of, left_out
from tui.replay.stops import PostMortem, StopFound, Stops, StopWatch, never, stops_of

_NO_STOPS: Final = Stops()


class SimulatedGame(Record, frozen=True):
    """Result of one game: winners, reason, length, statistics at its end.

    A game that was given up has no winners; ``stuck`` is the reason. ``closed`` counts the phases
    or turns that ended, ``refused`` the refused commands.
    """

    levels: tuple[str, ...]
    seed: int
    winners: tuple[int, ...]
    reason: str
    entries: int
    closed: int
    refused: int
    statistics: dict[str, tuple[int, ...]]
    stuck: str = ""
    stop: StopFound | None = None
    """Stop that ended the game."""
    seen: tuple[str, ...] = ()
    """Queries of ``sometimes`` that were true during the game."""


class Pairing(Record, frozen=True):
    """Results of one pairing: means, and counts of wins and reasons."""

    levels: tuple[str, ...]
    games: int
    wins: tuple[int, ...]
    reasons: dict[str, int]
    entries: float
    closed: float
    refused: int
    statistics: dict[str, tuple[float, ...]]
    stuck: tuple[str, ...] = ()
    """A line for each game that was given up."""
    broken: tuple[tuple[int, StopFound], ...] = ()
    """Seeds of the games in which a promise was broken, each with the stop that was found."""
    lost: tuple[str, ...] = ()
    """A line for each game without a result, because the program failed or took too long.

    These games are not counted in ``games``.
    """


class Tournament(Record, frozen=True):
    """Results and parameters of a tournament: game k of each pairing has the seed ``seed`` + k."""

    ruleset: str
    scenario: str
    options: dict[str, int | str]
    games: int
    seed: int
    seats: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    unplayed: int = 0
    """Number of games that were not finished before Ctrl-C."""
    never: tuple[str, ...] = ()
    """Queries of ``sometimes`` that were true in no game."""


class Task(Record, frozen=True):
    """A game to be played, as it is sent to another process."""

    levels: tuple[str, ...]
    seed: int


class TournamentSetup(Record, frozen=True):
    """Common part of the games of a tournament, as it is sent to another process."""

    ruleset: str
    scenario: bytes
    """As JSON, already seated."""
    options: dict[str, Value]
    longest: int
    stops: Stops = _NO_STOPS


def simulate(  # noqa: PLR0913 - a tournament is named by all of these
    rules: AnyRuleset,
    scenario: Scenario,
    options: Mapping[str, Value],
    levels: Sequence[Sequence[str]],
    games: int,
    seed: int,
    *,
    processes: int = 0,
    deadline: float | None = None,
    progress: bool = False,
    longest: int = LONGEST,
    stops: Stops = _NO_STOPS,
) -> Tournament:
    """Play ``games`` games of every pairing.

    ``levels`` has one list per seat; every combination of levels is a pairing. The report does not
    depend on the number of processes. Ctrl-C ends the tournament early: the report then has the
    games finished so far.

    Args:
        rules: a ruleset that the registry finds by its name.
        scenario: seated for as many seats as ``levels`` has lists.
        options: options of the games.
        levels: levels of each seat.
        games: number of games of each pairing.
        seed: seed of the first game of each pairing; the next games have the next seeds.
        processes: number of worker processes; 0: play in this process.
        deadline: seconds of processor time after which a game is lost; it needs worker processes.
        progress: count the games on standard error.
        longest: number of turns after which a game is given up.
        stops: queries that are checked during each game.

    Raises:
        ScenarioFault: the scenario cannot be played.
        OptionFault: an option has no such value.
        BadQuery: a query of the stops cannot be parsed.
        KeyError: there is no such level.
        FarmFault: no worker process can be set up.
    """
    for level in {name for names in levels for name in names}:
        rules.bots[level]
    rules.begin(scenario, options, Seeded(b"", 0, "decide"))
    StopWatch(rules, rules.seat_names(scenario), stops)
    pairings = tuple(product(*levels))
    tasks = [Task(pairing, seed + k) for pairing in pairings for k in range(games)]
    setup = TournamentSetup(rules.name, encode_json(scenario), dict(options), longest, stops)
    with Farm(played, setup, workers=processes, processor_time=deadline) as farm:
        results = _results(farm, tasks, progress=progress)
    results.sort(key=lambda result: result.number)
    by_pairing: list[list[Result[Task, SimulatedGame]]] = [[] for _ in pairings]
    for result in results:
        by_pairing[result.number // games].append(result)
    return Tournament(
        ruleset=rules.name,
        scenario=scenario.name,
        options=dict(options),
        games=games,
        seed=seed,
        seats=tuple(rules.seat_names(scenario)[: len(levels)]),
        pairings=tuple(map(_pairing, pairings, by_pairing)),
        unplayed=len(tasks) - len(results),
        never=tuple(never(stops, _seen(results))),
    )


def _seen(results: Sequence[Result[Task, SimulatedGame]]) -> set[str]:
    return {text for result in results if isinstance(result, Done) for text in result.value.seen}


def _results(
    farm: Farm[TournamentSetup, Task, SimulatedGame], tasks: Sequence[Task], *, progress: bool
) -> list[Result[Task, SimulatedGame]]:
    """Return the results of the games that ended before Ctrl-C, in order of their end."""
    results: list[Result[Task, SimulatedGame]] = []
    try:
        for result in farm.run(tasks, ordered=False):
            results.append(result)
            if progress:
                raw(sys.stderr).write(f"\r{len(results)}/{len(tasks)} games")
                sys.stderr.flush()
    except KeyboardInterrupt:
        farm.stop()
    if progress:
        sys.stderr.write("\n")
    return results


def played(setup: TournamentSetup) -> Callable[[Task], SimulatedGame]:
    """Return the function that plays a game of a tournament, for a farm."""
    rules = find(setup.ruleset)
    scenario = parse(rules, setup.scenario)

    def one(task: Task) -> SimulatedGame:
        return play(rules, scenario, setup.options, task, longest=setup.longest, stops=setup.stops)

    return one


def play(  # noqa: PLR0913 - a game is named by all of these
    rules: AnyRuleset,
    scenario: Scenario,
    options: Mapping[str, Value],
    task: Task,
    *,
    longest: int = LONGEST,
    watch: OnRefusal | None = None,
    stops: Stops = _NO_STOPS,
    log: EventLog[Any, Any] | None = None,
) -> SimulatedGame:
    """Play one game; its entries are the same as those a table would save.

    Args:
        rules: the ruleset.
        scenario: seated for as many seats as there are levels.
        options: options of the game.
        task: the levels and the seed.
        longest: number of turns after which the game is given up.
        watch: called with each command that is refused.
        stops: queries that are checked during the game.
        log: an empty log that receives the entries; None: no log.
    """
    stopping = None if stops.is_empty else StopWatch(rules, rules.seat_names(scenario), stops)
    booking = _Booking(stopping, log)
    seed = seed_bytes(task.seed)
    dice = Seeded(seed, 0, "decide")
    events = rules.begin(scenario, options, dice)
    states = states_around(rules, rules.empty(), events)
    marked = mark(rules, states[-1], events)
    first: AnyEntry = Entry(0, ROOT, HOUSE, None, tuple(events), pack(dice.thrown), marked)
    is_stopped = booking.book(Change(rules, first, states))
    booked = None if stopping is None and log is None else booking.book
    game = Continuation(rules, states[-1], task.levels, seed, 1, watch=watch, booked=booked)
    game.is_stopped = is_stopped
    return _result(task, game, game.play(longest), stopping)


class _Booking:
    """Passes the entries of a running game to the log and the stops."""

    def __init__(self, watch: StopWatch | None, log: EventLog[Any, Any] | None) -> None:
        self._watch, self._log = watch, log

    def book(self, change: AnyChange) -> bool:
        """Take an entry; return whether a stop was reached."""
        if self._log is not None and change.entry is not None:
            self._log.append(change.entry)
        if self._watch is None:
            return False
        self._watch.take(change)
        return self._watch.found is not None


def _result(task: Task, game: Continuation, stuck: str, watch: StopWatch | None) -> SimulatedGame:
    """Return the result of a game; ``stuck`` is the reason why it was given up."""
    given_up = Outcome("stopped" if game.is_stopped else "stuck", ())
    outcome = game.rules.outcome(game.state) or given_up
    numbers = game.rules.statistics(game.state)
    return SimulatedGame(
        levels=task.levels,
        seed=task.seed,
        winners=outcome.winners,
        reason=outcome.reason,
        entries=game.entry,
        closed=game.closed,
        refused=game.refused,
        statistics={name: tuple(values) for name, values in numbers.items()},
        stuck=stuck,
        stop=watch.found if watch is not None else None,
        seen=tuple(sorted(watch.seen)) if watch is not None else (),
    )


def _pairing(levels: tuple[str, ...], results: Sequence[Result[Task, SimulatedGame]]) -> Pairing:
    games = [result.value for result in results if isinstance(result, Done)]
    lost = [result for result in results if isinstance(result, Lost)]
    count = max(1, len(games))
    names = games[0].statistics if games else {}
    return Pairing(
        levels=levels,
        games=len(games),
        wins=tuple(sum(seat in game.winners for game in games) for seat in range(len(levels))),
        reasons=dict(sorted(Counter(game.reason for game in games).items())),
        entries=round(sum(game.entries for game in games) / count, 1),
        closed=round(sum(game.closed for game in games) / count, 1),
        refused=sum(game.refused for game in games),
        statistics={
            name: tuple(
                round(sum(column) / count, 2)
                for column in zip(*(game.statistics[name] for game in games), strict=True)
            )
            for name in names
        },
        stuck=tuple(f"seed {game.seed}: {game.stuck}" for game in games if game.stuck),
        broken=tuple((game.seed, stop) for game in games if (stop := game.stop) and stop.is_broken),
        lost=tuple(f"seed {result.piece.seed}: {result.cause}" for result in lost),
    )


def table(report: Tournament) -> str:
    """Return a tournament as text, one line per pairing."""
    names = next((list(each.statistics) for each in report.pairings if each.games), [])
    head = [
        *report.seats,
        *(f"{seat} wins" for seat in report.seats),
        "reasons",
        "entries",
        "closed",
    ]
    rows = [[*head, "refused", *names]]
    for pairing in report.pairings:
        reasons = ", ".join(f"{name} {count}" for name, count in pairing.reasons.items())
        wins = [f"{wins}/{pairing.games}" for wins in pairing.wins]
        values = [pairing.statistics.get(name, ()) for name in names]
        numbers = [":".join(f"{value:g}" for value in each) for each in values]
        rows.append(
            [
                *pairing.levels,
                *wins,
                reasons,
                f"{pairing.entries:g}",
                f"{pairing.closed:g}",
                str(pairing.refused),
                *numbers,
            ]
        )
    title = (
        f"{report.ruleset}, {report.scenario}: "
        f"{many(report.games, 'game')} a pairing, "
        f"seeds from {report.seed}"
    )
    return "\n".join((title, *columns(rows)))


def main(args: argparse.Namespace, post_mortem: PostMortem | None = None) -> int:
    """Run ``banneret simulate``; ``post_mortem`` saves games in which a promise was broken.

    The exit code is 0, 1 for a broken promise, 2 for wrong arguments, 4 if a game does not end, 130
    if it was interrupted.
    """
    try:
        rules = find(args.ruleset)
        scenario = resolve_scenario(rules, args.scenario)
        levels = _levels(rules, args.levels, rules.seat_range(scenario)[0])
        if remark := left_out(rules, scenario, len(levels)):
            sys.stderr.write(f"banneret simulate: {harmless(remark)}; --levels adds more\n")
        scenario = fitted(rules, scenario, len(levels), frozenset(range(len(levels))))
        options, stops = parse_options(args.option), stops_of(args)
        report = simulate(
            rules,
            scenario,
            options,
            levels,
            args.games,
            args.seed,
            processes=args.jobs,
            deadline=args.deadline,
            progress=sys.stderr.isatty() or not args.json,
            longest=args.longest,
            stops=stops,
        )
    except (UnknownRuleset, Wrong, ScenarioFault, OptionFault, OSError, ValueError) as problem:
        sys.stderr.write(f"banneret simulate: {harmless(str(problem))}\n")
        return Exit.USAGE
    text = encode_json(report).decode() if args.json else table(report)
    sys.stdout.write(text + "\n")

    def bundle(task: Task) -> str:
        if post_mortem is None:
            return "not kept"
        return _bundled(rules, scenario, options, task, stops, post_mortem)

    return _told(report, bundle)


def _bundled(
    rules: AnyRuleset,
    scenario: Scenario,
    options: Mapping[str, Value],
    task: Task,
    stops: Stops,
    post_mortem: PostMortem,
) -> str:
    """Play a game with a broken promise again, with a log; save it and return the file name."""
    log: EventLog[Any, Any] = EventLog()
    play(rules, scenario, options, task, stops=stops, log=log)
    names = rules.seat_names(scenario)
    players = tuple(SeatPlayer(seat, names[seat], level) for seat, level in enumerate(task.levels))
    return post_mortem(header_of(rules, scenario, players, task.seed), log)


def _told(report: Tournament, bundle: Callable[[Task], str]) -> Exit:
    """Return the exit code of a tournament, after a line on standard error for each problem."""
    endless = [line for each in report.pairings for line in (*each.stuck, *each.lost)]
    broken = [
        f"seed {seed}: {stop}; {bundle(Task(each.levels, seed))}"
        for each in report.pairings
        for seed, stop in each.broken
    ]
    lines = [*endless, *broken, *(f"in no game: {query}" for query in report.never)]
    if report.unplayed:
        count = report.games * len(report.pairings)
        lines.append(f"interrupted after {count - report.unplayed} of {count} games")
    sys.stderr.writelines(f"banneret simulate: {line}\n" for line in lines)
    if report.unplayed:
        return Exit.INTERRUPTED
    if broken:
        return Exit.REFUSED
    return Exit.STUCK if endless else Exit.OK


def _levels(rules: AnyRuleset, given: Sequence[str], seats: int) -> list[list[str]]:
    """Return the lists of levels of the seats; a single list is used for all ``seats`` seats.

    Raises:
        ValueError: a level is unknown.
    """
    lists: list[list[str]] = [words.split(",") for words in given] or [list(rules.bots)]
    _check_levels(rules, (level for names in lists for level in names))
    return lists * seats if len(lists) == 1 else lists


def _check_levels(rules: AnyRuleset, names: Iterable[str]) -> None:
    known: Mapping[str, Any] = rules.bots
    for name in names:
        if name not in known:
            raise ValueError(f"there is no level {name!r}; known: {', '.join(known)}")
