"""Games of the lab: play them entry for entry as a table would save them, and return rows.

A row of results holds only what its key determines, so the same game gives the same row on every
machine, at any time. Times, and the standard error of bots, are sent beside it. The digest of a row
covers all commands, throws and events: two games are equal if their digests are.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from typing import Any, Final

from engine.core.codec import encode
from engine.core.decision import mark, states_around
from engine.core.dice import Seeded, pack
from engine.core.feed import AnyChange, Change
from engine.core.ids import HOUSE, ROOT, Seat
from engine.core.log import AnyEntry, Entry
from engine.core.record import Command, Record, field
from engine.core.refused import Refused
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset, Outcome, Scenario
from engine.core.scenarios import parse
from engine.core.sources import rules_hash
from study.lab.bot_code import bot_hash, python_bot
from study.lab.bots import (
    BotFault,
    BotSpec,
    LabPlayer,
    PlanMoment,
    PlanningPlayer,
)
from study.lab.command_bots import CommandPlayer
from study.lab.endings import EarlyEnd, EndWatch
from study.lab.measures import GameMeter
from study.lab.plans import GameLimits, GameTask, LabSetup, game_key
from tui.play.continuation import Continuation
from tui.play.scenarios import seed_bytes

MOST_SAID: Final = 1 << 16
"""Maximum bytes of a bot's standard error to keep."""


class GameFault(Record, frozen=True):
    """Reason why a game was not played to its end, and the seat to blame; -1 for none."""

    seat: Seat
    kind: str
    text: str
    place: str = ""
    """Entry at which it happened."""


class GameResult(Record, frozen=True):
    """Row of results of one game."""

    key: str
    start: str
    """Name of its start."""
    bots: tuple[str, ...]
    """Names of the bots by seat."""
    seed: int
    winners: tuple[Seat, ...]
    reason: str
    entries: int
    closed: int
    """Number of entries that ended a phase or a turn."""
    refused: tuple[int, ...]
    """Number of refused commands, by seat."""
    digest: str
    statistics: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Statistics at the end: name to one number per seat."""
    measures: dict[str, int] = field(default_factory=dict)
    """Measures of the game; see ``study.lab.measures``."""
    fault: GameFault | None = None
    early: EarlyEnd | None = None
    """The rule that ended it early, or would have; None without one."""


class SeatTime(Record, frozen=True):
    """Processor time of a bot in a game, in seconds, and the number of its plans."""

    seconds: float
    plans: int
    longest: float


class ReportedGame(Record, frozen=True):
    """A game as a worker reports it: its row, its log, and the errors of bots."""

    result: GameResult
    times: tuple[SeatTime, ...]
    log: bytes = b""
    """Entries of the game, encoded, if they are to be kept."""
    said: dict[str, str] = field(default_factory=dict)
    """Standard error of foreign bots by seat number, if a game failed."""


PlayerMaker = Callable[[AnyRuleset, BotSpec, Seat, Sequence[str], GameLimits], LabPlayer]
"""Creates the player of a bot; called with ruleset, bot, seat, names of the seats, and limits."""


# -- the work of a farm ------------------------------------------------------------------------


def play_games(setup: LabSetup) -> Callable[[GameTask], ReportedGame]:
    """Return the work function of a farm that plays the games of a run.

    Raises:
        ValueError: the code here differs from that of the plan.
    """
    rules = find(setup.ruleset)
    here = rules_hash(rules), *(bot_hash(rules, bot) for bot in setup.bots)
    if here != setup.hashes:
        names = ("the rules", *(str(bot) for bot in setup.bots))
        other = next(name for name, a, b in zip(names, here, setup.hashes, strict=True) if a != b)
        raise ValueError(f"the code of {other} is not the one that the plan was made with")

    def one(task: GameTask) -> ReportedGame:
        played = play_game(rules, setup, task)
        if played.said:  # a foreign bot failed; the machine may have been to blame
            played = play_game(rules, setup, task)
        return played

    return one


def player_of(
    rules: AnyRuleset, bot: BotSpec, seat: Seat, names: Sequence[str], limits: GameLimits
) -> LabPlayer:
    """Create the player of a bot on a seat.

    Raises:
        Wrong: its class or program is missing.
    """
    if bot.kind == "command":
        return CommandPlayer(rules, bot, seat, names, limits)
    made = rules.bots[bot.code] if bot.kind == "level" else python_bot(bot)
    is_foreign = bot.kind == "python"
    return PlanningPlayer(rules, made, bot.name, is_foreign=is_foreign, answer=limits.answer)


def play_game(
    rules: AnyRuleset,
    setup: LabSetup,
    task: GameTask,
    *,
    keeps: bool = False,
    seated: PlayerMaker = player_of,
) -> ReportedGame:
    """Play one game.

    Args:
        rules: the ruleset of the setup.
        setup: common part of the games.
        task: the game.
        keeps: True to return its log even if the setup does not ask for it.
        seated: creates the player of a bot on a seat.
    """
    scenario = _scenario(rules, setup.starts[task.start].scenario)
    with ExitStack() as stack:
        players = []
        for seat, bot in enumerate(task.seats):
            names = rules.seat_names(scenario)
            player = seated(rules, setup.bots[bot], seat, names, setup.limits)
            stack.callback(player.close)
            players.append(player)
        return _LabGame(rules, setup, task, scenario, players).play(keeps=keeps)


def _scenario(rules: AnyRuleset, data: bytes) -> Scenario:
    return _parsed(rules.name, data)


@cache
def _parsed(ruleset: str, data: bytes) -> Scenario:
    return parse(find(ruleset), data)


class _LabGame:
    """One game in progress: players, log digest, times."""

    def __init__(
        self,
        rules: AnyRuleset,
        setup: LabSetup,
        task: GameTask,
        scenario: Scenario,
        players: Sequence[LabPlayer],
    ) -> None:
        self._rules, self._setup, self._task, self._players = rules, setup, task, players
        self._scenario = scenario
        self._seed = seed_bytes(task.seed)
        self._digest = hashlib.blake2b(digest_size=16)
        self._log: list[AnyEntry] = []
        self._refused = [0] * len(players)
        self._seconds, self._longest = [0.0] * len(players), [0.0] * len(players)
        self._plans = [0] * len(players)
        self._hearing = [seat for seat, player in enumerate(players) if player.wants_feed]
        self._meter = GameMeter(rules, len(players))
        key = game_key(setup, task)
        self._endings = EndWatch(rules, rules.seat_names(scenario), setup.endings, key)
        self._key = key

    def play(self, *, keeps: bool) -> ReportedGame:
        """Play the game to its end, or until a bot fails."""
        dice = Seeded(self._seed, 0, "decide")
        start = self._setup.starts[self._task.start]
        events = self._rules.begin(self._scenario, start.options, dice)
        states = states_around(self._rules, self._rules.empty(), events)
        marked = mark(self._rules, states[-1], events)
        thrown = pack(dice.thrown)
        first: AnyEntry = Entry(0, ROOT, HOUSE, None, tuple(events), thrown, marked)
        game = Continuation(
            self._rules,
            states[-1],
            (),
            self._seed,
            1,
            watch=self._note_refusal,
            booked=self._book,
            thinker=self._think,
            patient=frozenset(self._hearing),
        )
        game.is_stopped = self._book(Change(self._rules, first, states))
        fault: GameFault | None = None
        said: dict[str, str] = {}
        stuck = ""
        try:
            stuck = game.play(self._setup.longest)
            outcome = self._rules.outcome(game.state)
            for player in self._players:
                player.over(outcome)
        except BotFault as found:
            fault = GameFault(found.seat, found.kind, found.text, str(game.entry - 1))
            said[str(found.seat)] = found.said[-MOST_SAID:]
        if stuck:
            fault = self._stuck(game, stuck)
        return self._played(game, fault, said, keeps=keeps)

    def _think(self, view: Any, seat: Seat, entry: int, rests: bool) -> Sequence[Command]:  # noqa: FBT001 - as a Thinker
        began = time.process_time()
        plan = self._players[seat].plan(PlanMoment(view, seat, self._seed, entry, rests))
        spent = time.process_time() - began
        self._seconds[seat] += spent
        self._longest[seat] = max(self._longest[seat], spent)
        self._plans[seat] += 1
        return plan

    def _note_refusal(
        self, _view: Any, seat: Seat, _plan: Sequence[Command], refusal: Refused
    ) -> None:
        self._refused[seat] += 1
        self._players[seat].refused(refusal)

    def _book(self, change: AnyChange) -> bool:
        """Process an entry; return whether the game ends here."""
        entry = change.entry
        assert entry is not None  # noqa: S101 - a game of the lab is not rewound
        self._digest.update(encode(entry))
        self._log.append(entry)
        for seat in self._hearing:
            item = change.item(seat)
            if item is not None:
                self._players[seat].told(item)
        if entry.seat in self._hearing:
            self._players[entry.seat].accepted()
        self._meter.take(change)
        return self._endings.take(change)

    def _stuck(self, game: Continuation, text: str) -> GameFault:
        """Return the fault of an abandoned game; blame the seat to act if its bot is foreign."""
        seat = min(self._rules.owes(game.state), default=-1)
        is_foreign = seat in self._hearing and game.closed < self._setup.longest
        return GameFault(seat if is_foreign else -1, "stuck", text, str(game.entry - 1))

    def _played(
        self, game: Continuation, fault: GameFault | None, said: dict[str, str], *, keeps: bool
    ) -> ReportedGame:
        early = self._endings.found
        outcome = self._rules.outcome(game.state)
        if outcome is None and early is not None and fault is None:
            outcome = Outcome("adjudicated", early.winners)
        if outcome is None:
            outcome = Outcome("fault" if fault is not None else "stuck", ())
        numbers = self._rules.statistics(game.state)
        result = GameResult(
            key=self._key,
            start=self._setup.starts[self._task.start].name,
            bots=tuple(self._setup.bots[bot].name for bot in self._task.seats),
            seed=self._task.seed,
            winners=outcome.winners,
            reason=outcome.reason,
            entries=game.entry,
            closed=game.closed,
            refused=tuple(self._refused),
            digest=self._digest.hexdigest(),
            statistics={name: tuple(values) for name, values in numbers.items()},
            measures=self._meter.measures(outcome),
            fault=fault,
            early=early,
        )
        times = tuple(
            SeatTime(round(seconds, 6), plans, round(longest, 6))
            for seconds, plans, longest in zip(
                self._seconds, self._plans, self._longest, strict=True
            )
        )
        wanted = keeps or self._setup.keep in {"all", "upset"}
        wanted = wanted or (self._setup.keep != "none" and fault is not None)
        wanted = wanted or (self._setup.keep == "lost" and self._is_lost(outcome))
        return ReportedGame(result, times, encode(tuple(self._log)) if wanted else b"", said)

    def _is_lost(self, outcome: Outcome) -> bool:
        """Return whether the plan's first bot took part and did not win."""
        own = {seat for seat, bot in enumerate(self._task.seats) if bot == 0}
        return bool(own) and own.isdisjoint(outcome.winners)
