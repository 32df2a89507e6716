"""``banneret lab check``: check that a bot keeps the protocol and its limits; print a table.

A bot plays whole games from each seat, one of them twice, and from positions of every phase. A
program also gets unknown messages, late replies, long lines, an error to each of its acts, and
``bye`` in the middle. Then follows a line for each kind of fault that a bot can have.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Final, NamedTuple

from engine.core.codec import decoder, encode_json
from engine.core.decision import states_around
from engine.core.dice import Seeded
from engine.core.feed import AnyChange
from engine.core.ids import Seat
from engine.core.log import AnyEntry
from engine.core.options import OptionFault
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault, entry_type
from engine.core.scenarios import fitted, parse
from engine.core.sources import rules_hash
from engine.tabletop.english import many
from engine.tabletop.presenter import presenter_of
from study.farm.runs import Done
from study.farm.supervisor import Farm
from study.lab.bot_code import allow, asked, bot_hash, check_bots
from study.lab.bots import BotFault, BotSpec, PlanMoment, read_bot
from study.lab.endings import Endings
from study.lab.games import GameFault, ReportedGame, play_game, play_games, player_of
from study.lab.plans import GameLimits, GameTask, LabSetup, Start
from study.lab.running import lost_game
from study.lab.trials import (
    LateReplies,
    LongLines,
    RefusedActs,
    StrangeMessages,
    TrialNotes,
    WatchedCommand,
)
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong
from tui.console.printing import say, say_json
from tui.headless.bot_protocol import LONGEST as LONGEST_LINE
from tui.play.continuation import Continuation, usual_level
from tui.play.scenarios import find_rules, resolve_scenario, seed_bytes

WHOLE: Final = 400
"""Turns after which a whole game is abandoned, which is not the bot's fault."""

SHORT: Final = 12
"""Turns of a short game with special treatment."""

_MOST_GAMES: Final = 3
"""Maximum number of games played to find positions of all phases."""

_NAME_WIDTH: Final = 34


class CheckRow(Record, frozen=True):
    """Line of the table: the check, its result, and the reason or a number."""

    check: str
    passed: bool | None
    """True or False; None if it was not tried."""
    text: str = ""

    def __str__(self) -> str:
        """Return the line as text."""
        word = {True: "passed", False: "FAILED", None: "not tried"}[self.passed]
        return f"{self.check:{_NAME_WIDTH}} {word:9} {self.text}".rstrip()


class FaultLine(NamedTuple):
    """Line of the table for one kind of fault."""

    check: str
    kinds: frozenset[str]
    words: str = ""
    """Regular expression that the text of the fault contains."""
    bots: frozenset[str] = frozenset({"command"})
    """Kinds of bots that can have the fault."""

    def fits(self, fault: GameFault) -> bool:
        """Return whether a fault belongs to this line."""
        return fault.kind in self.kinds and re.search(self.words, fault.text) is not None


_FOREIGN: Final = frozenset({"python", "command"})
_ALL: Final = _FOREIGN | {"level"}

FAULT_LINES: Final = (
    FaultLine("whole lines", frozenset({"exit", "crash"}), "middle of a line"),
    FaultLine("no crash", frozenset({"crash", "died"}), bots=_FOREIGN),
    FaultLine("stays to the end", frozenset({"exit"})),
    FaultLine("answers in time", frozenset({"hang"}), "answered after"),
    FaultLine("does not work for ever", frozenset({"hang", "deadline"}), "worked|longer", _FOREIGN),
    FaultLine("answers at all", frozenset({"hang"}), bots=_FOREIGN),
    FaultLine("lines in UTF-8", frozenset({"garbage"}), "in UTF-8"),
    FaultLine("lines of JSON", frozenset({"garbage"}), "NO_JSON"),
    FaultLine("lines of bounded length", frozenset({"garbage"}), "TOO_LONG"),
    FaultLine("commands that can be read", frozenset({"garbage"})),
    FaultLine("keeps its output open", frozenset({"closed"})),
    FaultLine("allowed commands, ended turns", frozenset({"refused", "stuck"}), bots=_ALL),
    FaultLine("memory", frozenset({"memory"}), bots=_FOREIGN),
    FaultLine("number of processes", frozenset({"processes"})),
    FaultLine("no exception", frozenset({"python", "raised"}), bots=frozenset({"python"})),
)
"""Lines of faults; a fault belongs to the first one that it fits."""


class BotCheck:
    """Check of one bot in one scenario."""

    def __init__(
        self,
        rules: AnyRuleset,
        scenario: Scenario,
        bot: BotSpec,
        *,
        positions: int,
        limits: GameLimits,
        seed: int = 1,
    ) -> None:
        """Prepare the check without starting the bot.

        Args:
            rules: the ruleset.
            scenario: where the games begin.
            bot: the bot to check.
            positions: maximum number of positions per phase.
            limits: limits of each game.
            seed: seed of the games.
        """
        self._rules, self._bot, self._limits, self._seed = rules, bot, limits, seed
        self._positions = positions
        least, most = rules.seat_range(scenario)
        numbers = sorted({least, most})
        self._starts = tuple(start_for(rules, scenario, number) for number in numbers)
        self._names = rules.seat_names(scenario)
        self._faults: list[GameFault] = []
        self._notes = TrialNotes()
        self._made = partial(WatchedCommand, self._notes)

    def rows(self) -> Iterator[CheckRow]:
        """Yield the lines of the table, each as soon as it is known."""
        yield from self._games()
        is_playing = not self._faults
        for name, trial in self._trials():
            yield trial() if is_playing else CheckRow(name, None)
        yield from self._phases() if is_playing else ()
        yield from self._fault_rows(is_whole=is_playing)

    # -- games ---------------------------------------------------------------------------------

    def _games(self) -> Iterator[CheckRow]:
        """Play from each seat of the smallest table, and from the last seat of the largest."""
        least = self._starts[0]
        setup = self._setup(self._starts, WHOLE)
        places = [(0, seat) for seat in range(least.seats)]
        if len(self._starts) > 1:
            places.append((1, self._starts[1].seats - 1))
        for start, seat in places:
            seats = self._starts[start].seats
            name = f"a game of {seats} as {self._names[seat]}"
            yield self._row(name, self._play(setup, start, seat))
            if self._faults:
                return

    def _trials(self) -> list[tuple[str, Callable[[], CheckRow]]]:
        """Return the trials of this kind of bot, by name."""
        found: list[tuple[str, Callable[[], CheckRow]]] = [("the same game twice", self._twice)]
        if self._bot.kind != "command":
            return found
        for name, made in (
            ("messages it cannot know", StrangeMessages),
            ("late replies", LateReplies),
            ("a long line, and many", LongLines),
            ("an error to each act", RefusedActs),
        ):
            found.append((name, partial(self._treated, name, made)))
        found.append(("bye in the middle", self._goodbye))
        return found

    def _twice(self) -> CheckRow:
        """Play two games with the same seed, which must be equal."""
        setup, name = self._setup(self._starts[:1], WHOLE), "the same game twice"
        games = [self._play(setup, 0, 0) for _ in range(2)]
        broken = next((game for game in games if self._fault(game, 0) is not None), None)
        if broken is not None:
            return self._row(name, broken)
        if games[0].result.digest == games[1].result.digest:
            return CheckRow(name, passed=True, text="alike, entry for entry")
        kind: Any = list[entry_type(self._rules)]  # type: ignore[misc]
        first, second = (decoder(kind).decode(game.log) for game in games)
        return CheckRow(name, passed=False, text=_difference(first, second))

    def _treated(self, name: str, made: type[WatchedCommand]) -> CheckRow:
        """Play a short game with special treatment."""
        notes = TrialNotes()
        self._made = partial(made, notes)
        try:
            row = self._row(name, self._play(self._setup(self._starts[:1], SHORT), 0, 0))
        finally:
            self._made = partial(WatchedCommand, self._notes)
        if made is LateReplies and row.passed and not notes.replies:
            return CheckRow(name, passed=True, text="it asked nothing")
        return row

    def _goodbye(self) -> CheckRow:
        """Break off a game while the program waits for its turn."""
        rules, start, name = self._rules, self._starts[0], "bye in the middle"
        state, seat = self._opening(start)
        player = self._made(rules, self._bot, seat, self._names, self._limits)
        with closing(player):
            try:
                moment = PlanMoment(rules.view(state, seat), seat, b"", 1, rests=False)
                player.plan(moment)
            except BotFault as fault:
                return CheckRow(name, passed=False, text=f"{fault.kind}: {fault.text}")
            player.over(None)
            if player.process.has_ended:
                return CheckRow(name, passed=True, text="it left by itself")
        return CheckRow(name, passed=False, text="it went on after bye, and had to be ended")

    def _phases(self) -> Iterator[CheckRow]:
        """Play one turn from each of many positions, phase by phase."""
        found = positions_by_phase(self._rules, self._starts[0], self._positions, self._seed)
        for phase, starts in found.items():
            yield self._phase_row(f"{many(len(starts), 'position')} of {phase}", starts)

    def _phase_row(self, name: str, starts: Sequence[Start]) -> CheckRow:
        """Play the positions of a phase and return its line."""
        setup, entries, refused = self._setup(starts, 1), 0, 0
        seats = [self._opening(start)[1] for start in starts]
        tasks = [self._task(setup, number, seat) for number, seat in enumerate(seats)]
        with closing(self._played(setup, tasks)) as games:
            for number, (seat, game) in enumerate(zip(seats, games, strict=True)):
                if self._fault(game, seat) is not None:
                    return self._row(name, game, f"position {number}: ")
                entries += game.result.entries - 1
                refused += game.result.refused[seat]
        return CheckRow(name, passed=True, text=f"{entries} commands, {refused} refused")

    def _opening(self, start: Start) -> tuple[Any, Seat]:
        """Return the first position of a start, and the seat that acts first."""
        state = opening(self._rules, start)
        return state, min(self._rules.owes(state))

    # -- rows ----------------------------------------------------------------------------------

    def _row(self, name: str, game: ReportedGame, where: str = "") -> CheckRow:
        """Return the line of a game, and record its fault for the lines of faults."""
        result = game.result
        seat = result.bots.index(self._bot.name)
        fault = self._fault(game, seat)
        if fault is not None:
            self._faults.append(fault)
            place = f" at entry {fault.place}" if fault.place else ""
            return CheckRow(name, passed=False, text=f"{where}{fault.kind}: {fault.text}{place}")
        ended = "not over" if result.fault is not None else result.reason
        won = "won" if seat in result.winners else "did not win"
        refused = f", {result.refused[seat]} refused" if result.refused[seat] else ""
        return CheckRow(
            name, passed=True, text=f"{result.entries} entries{refused}; {ended}, {won}"
        )

    def _fault(self, game: ReportedGame, seat: Seat) -> GameFault | None:
        """Return the bot's fault in a game, or None. An unfinished game is not a fault."""
        fault = game.result.fault
        if fault is None or fault.text.startswith("the game does not end"):
            return None
        return fault if fault.seat in {seat, -1} else None

    def _fault_rows(self, *, is_whole: bool) -> Iterator[CheckRow]:
        """Yield a line per kind of fault. If the check broke off, unseen kinds are not tried."""
        kind = self._bot.kind
        for line in (line for line in FAULT_LINES if kind in line.bots):
            first = next((fault for fault in self._faults if _line_of(fault) is line), None)
            if first is not None:
                yield CheckRow(line.check, passed=False, text=first.text)
            else:
                yield CheckRow(line.check, is_whole or None, self._number(line.check))
        if kind == "command":
            left = self._notes.left_behind
            text = f"{left} processes had to be ended" if left else ""
            yield CheckRow("leaves nothing behind", False if left else is_whole or None, text)

    def _number(self, check: str) -> str:
        """Return what a command used of a limited resource, with the limit."""
        if self._bot.kind != "command":
            return ""
        notes, limits = self._notes, self._limits
        return {
            "answers in time": f"the slowest took {notes.slowest:.2f} of {limits.answer:g} s",
            "lines of bounded length": f"the longest had {notes.longest} of {LONGEST_LINE}",
            "memory": f"{notes.largest >> 20} of {limits.memory} MiB at most",
            "number of processes": f"{limits.processes} are allowed",
        }.get(check, "")

    # -- playing -------------------------------------------------------------------------------

    def _setup(self, starts: Sequence[Start], longest: int) -> LabSetup:
        """Return a setup of games of the bot against the weakest level."""
        weakest = next(iter(self._rules.bots))
        other = BotSpec("the-other", "level", weakest)
        bots = (self._bot, other)
        hashes = (rules_hash(self._rules), *(bot_hash(self._rules, bot) for bot in bots))
        return LabSetup(
            ruleset=self._rules.name,
            seats=starts[0].seats,
            starts=tuple(starts),
            bots=bots,
            hashes=hashes,
            keep="all",
            longest=longest,
            limits=self._limits,
            endings=Endings(),
        )

    def _play(self, setup: LabSetup, start: int, seat: Seat) -> ReportedGame:
        return next(self._played(setup, [self._task(setup, start, seat)]))

    def _task(self, setup: LabSetup, start: int, seat: Seat) -> GameTask:
        seats = tuple(int(other != seat) for other in range(setup.starts[start].seats))
        return GameTask(0, start, seats, self._seed)

    def _played(self, setup: LabSetup, tasks: Sequence[GameTask]) -> Generator[ReportedGame]:
        """Play games one after another; those of a Python class in a process that it may crash."""
        if self._bot.kind != "python":
            for task in tasks:
                yield play_game(self._rules, setup, task, seated=self._seated)
            return
        limits = self._limits
        with Farm(
            play_games,
            asked(setup, setup.bots),
            workers=1,
            deadline=limits.game,
            memory=limits.memory << 20,
        ) as farm:
            for result in farm.run(tasks):
                yield result.value if isinstance(result, Done) else lost_game(setup, result)

    def _seated(
        self, rules: AnyRuleset, bot: BotSpec, seat: Seat, names: Sequence[str], limits: GameLimits
    ) -> Any:
        make = self._made if bot.kind == "command" else player_of
        return make(rules, bot, seat, names, limits)


def start_for(rules: AnyRuleset, scenario: Scenario, seats: int) -> Start:
    """Return the start of a scenario for a number of seats.

    Raises:
        Wrong: it cannot be played.
    """
    try:
        made = fitted(rules, scenario, seats, frozenset(range(seats)))
        rules.begin(made, {}, Seeded(b"", 0, "decide"))
    except (ScenarioFault, OptionFault) as fault:
        raise Wrong(f"{scenario.name}: {fault}") from None
    return Start(scenario.name, encode_json(made), seats)


def opening(rules: AnyRuleset, start: Start, seed: int = 1) -> Any:
    """Return the first position of a game from a start."""
    dice = Seeded(seed_bytes(seed), 0, "decide")
    events = rules.begin(parse(rules, start.scenario), start.options, dice)
    return states_around(rules, rules.empty(), events)[-1]


def positions_by_phase(
    rules: AnyRuleset, start: Start, most: int, seed: int
) -> Mapping[str, list[Start]]:
    """Return up to ``most`` positions per phase, evenly spread over games of the usual level."""
    found: defaultdict[str, list[Any]] = defaultdict(list)

    def take(change: AnyChange) -> None:
        owing = rules.owes(change.after)
        if owing:
            view = change.view(min(owing))
            found[presenter_of(rules).status(view).phase or "the game"].append(change.after)

    for number in range(seed, seed + _MOST_GAMES):
        state, levels = opening(rules, start, number), (usual_level(rules),) * start.seats
        Continuation(rules, state, levels, seed_bytes(number), 1, booked=take).play(WHOLE)
        if found and min(map(len, found.values())) >= most:
            break
    return {
        phase: [_position(rules, state, start.seats) for state in _spread(states, most)]
        for phase, states in found.items()
    }


def _position(rules: AnyRuleset, state: Any, seats: int) -> Start:
    return Start("position", encode_json(rules.position(state)), seats)


def _spread(states: Sequence[Any], most: int) -> list[Any]:
    """Pick up to ``most`` items of a sequence, evenly spread."""
    count = min(most, len(states))
    return [states[number * len(states) // count] for number in range(count)]


def _difference(first: Sequence[AnyEntry], second: Sequence[AnyEntry]) -> str:
    """Describe where two games begin to differ."""
    for a, b in zip(first, second, strict=False):
        if a != b:
            return f"they part at entry {a.seq}"
    return f"one has {len(first)} entries, the other {len(second)}"


def _line_of(fault: GameFault) -> FaultLine | None:
    return next((line for line in FAULT_LINES if line.fits(fault)), None)


# -- the verb ----------------------------------------------------------------------------------


def check_verb(args: Namespace, ports: LabPorts) -> Exit:  # noqa: ARG001 - as all verbs are called
    """Check a bot and print the table.

    Raises:
        Wrong: the ruleset, the scenario or the bot is missing.
    """
    rules, bot = find_rules(args.ruleset), read_bot(args.bot)
    allow([bot])
    check_bots(rules, [bot])
    limits = GameLimits(answer=args.answer or 60.0, memory=args.memory or 2048)
    check = BotCheck(
        rules,
        resolve_scenario(rules, args.scenario),
        bot,
        positions=args.positions,
        limits=limits,
        seed=args.seed,
    )
    rows = []
    for row in check.rows():
        rows.append(row)
        if not args.json:
            say(str(row))
    failed = sum(row.passed is False for row in rows)
    if args.json:
        told = {"ruleset": rules.name, "bot": str(bot), "passed": not failed, "checks": rows}
        say_json(encode_json(told).decode())
    else:
        say(f"{bot}: {f'{failed} of {len(rows)} failed' if failed else 'passed'}")
    return Exit.REFUSED if failed else Exit.OK
