"""Bots that follow a game played by others, and the decisions in which they would part from it.

A *follower* sits beside a seat. It is asked in the same positions, with the same view and dice. As
long as it makes the same decisions, it continues its plan like the bot that plays. So up to its
first different decision it decides as if it played. After a different decision it plans again; only
a program, which remembers its feed, is no longer asked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Final, TypeAlias

from engine.core.codec import encode
from engine.core.decision import states_around
from engine.core.dice import Seeded
from engine.core.feed import AnyChange, Change, changes
from engine.core.ids import REFEREE, Seat
from engine.core.log import AnyEntry, Entry
from engine.core.notation import write
from engine.core.record import Command, Record
from engine.core.refused import Refused
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.tabletop.presenter import presenter_of
from study.lab.bots import BotFault, BotSpec, LabPlayer, PlanMoment
from study.lab.games import GameResult, entries_of, play_game, player_of
from study.lab.plans import GameTask, LabSetup
from tui.console.exits import Stuck
from tui.play.players import PlanLimits
from tui.play.scenarios import seed_bytes

_ENDLESS: Final = 10**9
"""Maximum number of turns: no limit, since followed games have an end."""


PartingQuestion: TypeAlias = tuple[Seat, int, bytes, str, str]


class BotParting(Record, frozen=True):
    """Decision in which a follower would have given another command."""

    seed: int
    start: str
    entry: int
    """Number of the entry that the command made."""
    seat: Seat
    round: int
    phase: str
    command: str
    """The command that was given, in notation."""
    instead: str
    """The follower's command."""
    piece: str
    """Name of the piece that acts in the first command, or else in the other one."""
    position: bytes
    """State before the command, encoded."""

    @property
    def question(self) -> PartingQuestion:
        """Everything that a swing depends on; partings of several games may share it."""
        return self.seat, self.entry, self.position, self.command, self.instead

    @property
    def kinds(self) -> tuple[str, str]:
        """Kinds of the two commands."""
        return self.command.partition(" ")[0], self.instead.partition(" ")[0]


class FollowSetup(Record, frozen=True):
    """What all games that a bot follows have in common."""

    games: LabSetup
    leader: int
    """Number of the bot whose seats are followed."""
    follower: BotSpec
    most: int = 1
    """Number of partings after which to stop following a game."""


class FollowedGame(Record, frozen=True):
    """A game, and the decisions in which the follower would have parted from it."""

    result: GameResult
    log: bytes
    """Entries of the game, encoded."""
    decisions: int
    """Number of decisions that were compared."""
    partings: tuple[BotParting, ...]
    problem: str = ""
    """Reason why it was not followed to its end; empty if it was."""


def follow_games(setup: FollowSetup) -> Callable[[GameTask], FollowedGame]:
    """Return the work function of a farm that plays games and follows them."""
    rules = find(setup.games.ruleset)

    def one(task: GameTask) -> FollowedGame:
        played = play_game(rules, setup.games, task, keeps=True)
        entries = entries_of(rules, played.log)
        with ExitStack() as stack:
            names = rules.seat_names(rules.setup(entries[0].events[0])[0])
            walk = _Walk(rules, task.seed, played.result.start, setup.most)
            for seat, bot in enumerate(task.seats):
                if bot == setup.leader:
                    player = player_of(rules, setup.follower, seat, names, setup.games.limits)
                    stack.callback(player.close)
                    walk.followers[seat] = Follower(rules, player, seat, seed_bytes(task.seed))
            walk.walk(entries)
        partings = tuple(walk.partings)
        return FollowedGame(played.result, played.log, walk.decisions, partings, walk.problem)

    return one


class Follower:
    """A bot that plans along with a seat that another bot plays."""

    def __init__(self, rules: AnyRuleset, player: LabPlayer, seat: Seat, seed: bytes) -> None:
        """Follow ``seat`` in a game with the seed ``seed``."""
        self.player, self.seat = player, seat
        self._rules, self._seed = rules, seed
        self._plan: deque[Command] = deque()
        self.part()
        self._is_accepted = False
        """True if a command of the current plan was executed."""

    def choice(self, state: Any, entry: int, given: Command) -> Command:
        """Return the follower's command in a state; ``given`` is that of the bot that plays.

        Raises:
            BotFault: it has no command.
            Stuck: everything that it wants is refused.
        """
        while True:
            if not self._plan:
                rests = self._limits.rests(self.seat)
                view = self._rules.view(state, self.seat)
                moment = PlanMoment(view, self.seat, self._seed, entry, rests)
                self._plan, self._is_accepted = deque(self.player.plan(moment)), False
            if self._plan:
                command = self._plan[0]
                refusal = None if command == given else self._refusal(state, entry, command)
                if refusal is None:
                    return command
                self.player.refused(refusal)
            self.leave()

    def _refusal(self, state: Any, entry: int, command: Command) -> Refused | None:
        try:
            self._rules.decide(state, self.seat, command, Seeded(self._seed, entry, "decide"))
        except Refused as refusal:
            return refusal
        return None

    @property
    def has_plan(self) -> bool:
        """True if a plan is in progress."""
        return bool(self._plan)

    def go_on(self, state: Any) -> None:
        """Note that the planned command was executed and gave ``state``.

        The plan is dropped once it is used up or the seat owes nothing more.

        Raises:
            Stuck: too many plans in a row did not end the seat's turn.
        """
        self._plan.popleft()
        self._is_accepted = True
        if not self._plan or self.seat not in self._rules.owes(state):
            self.leave()

    def leave(self) -> None:
        """Drop the current plan, so that the bot plans again.

        Raises:
            Stuck: too many of its plans in a row were refused, or did not end its turn.
        """
        self._plan.clear()
        self._limits.count(accepted=self._is_accepted)

    def part(self) -> None:
        """Drop the plan, since another command than the follower's was executed."""
        self._plan.clear()
        self._limits = PlanLimits(_ENDLESS, (self.seat,) if self.player.wants_feed else ())

    def pass_by(self, seat: Seat) -> None:
        """Note that another seat has acted."""
        self._limits.rests(seat)


class _Walk:
    """Walk through a game with followers at some of its seats."""

    def __init__(self, rules: AnyRuleset, seed: int, start: str, most: int) -> None:
        self.followers: dict[Seat, Follower] = {}
        self.partings: list[BotParting] = []
        self.decisions = 0
        self.problem = ""
        self._rules, self._seed, self._start, self._most = rules, seed, start, most

    def walk(self, entries: Sequence[AnyEntry]) -> None:
        """Compare decision by decision, up to the maximum number of partings."""
        for change in changes(self._rules, entries):
            try:
                self._compare(change)
            except (BotFault, Stuck) as problem:
                self.problem = f"{self._seed}: {problem}"
                return
            if len(self.partings) >= self._most or not self.followers:
                return
            self._tell(change)

    def _compare(self, change: AnyChange) -> None:
        entry = change.entry
        assert entry is not None  # noqa: S101 - a line holds entries
        for follower in self.followers.values():
            if follower.seat != entry.seat:
                follower.pass_by(entry.seat)
        beside = self.followers.get(entry.seat)
        if beside is None or entry.command is None:
            return
        self.decisions += 1
        choice = beside.choice(change.before, entry.seq, entry.command)
        if choice == entry.command:
            return
        self.partings.append(self._parting(change, entry, entry.command, choice))
        beside.part()
        if beside.player.wants_feed:
            del self.followers[entry.seat]

    def _tell(self, change: AnyChange) -> None:
        """Send the followers their feed items; one that chose the same command goes on."""
        entry = change.entry
        assert entry is not None  # noqa: S101 - a line holds entries
        for seat, follower in self.followers.items():
            item = change.item(seat) if follower.player.wants_feed else None
            if item is not None:
                follower.player.told(item)
            if seat == entry.seat and follower.has_plan:
                follower.player.accepted()
                follower.go_on(change.after)

    def _parting(
        self, change: AnyChange, entry: AnyEntry, given: Command, choice: Command
    ) -> BotParting:
        status = presenter_of(self._rules).status(change.view(REFEREE, 0))
        dice = Seeded(seed_bytes(self._seed), entry.seq, "decide")
        events = self._rules.decide(change.before, entry.seat, choice, dice)
        made: AnyEntry = Entry(entry.seq, entry.parent, entry.seat, choice, tuple(events), ())
        other = Change(self._rules, made, states_around(self._rules, change.before, events))
        return BotParting(
            seed=self._seed,
            start=self._start,
            entry=entry.seq,
            seat=entry.seat,
            round=status.round,
            phase=status.phase,
            command=write(given),
            instead=write(choice),
            piece=next((name for one in (change, other) for name in self._pieces(one)), ""),
            position=encode(change.before),
        )

    def _pieces(self, change: AnyChange) -> Iterator[str]:
        """Yield the names of the pieces of its seat that act in a change."""
        presenter = presenter_of(self._rules)
        for told in change.events(REFEREE):
            for fact in presenter.facts(told.event, told.before, told.after):
                if fact.piece and change.entry is not None and fact.seat == change.entry.seat:
                    yield fact.piece
