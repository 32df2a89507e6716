"""Computer players: plans in this process or in workers, and the limits that end their turns.

Counts limit how often they are asked, so that every game ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable, Container, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple

from engine.core.codec import decoder, encode
from engine.core.dice import Seeded
from engine.core.ids import Seat
from engine.core.link import Reply
from engine.core.notation import write
from engine.core.record import Command
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.tabletop.english import sentence
from tui.console import lifeline
from tui.console.exits import Stuck
from tui.play.table import Table

MOST_REFUSALS: Final = 2
"""Consecutive plans that may begin with a refused command before a player only rests."""

MOST_PLANS: Final = 500
"""Consecutive plans of one player after which it only rests, as it does not end its turn."""

PATIENCE: Final = 20
"""Single commands that count as one plan."""

LONGEST: Final = 10_000
"""Consecutive turns of computer players after which a game is considered endless."""

AfterMove = Callable[[str, Reply], Awaitable[None]]


class PlanLimits:
    """Counts consecutive plans of computer players, so that each turn and each game ends."""

    def __init__(self, longest: int = LONGEST, patient: Container[Seat] = ()) -> None:
        """Start at zero.

        Args:
            longest: number of turns after which the game is abandoned.
            patient: seats whose plans are single commands; their turns have many plans.
        """
        self._longest, self._patient = longest, patient
        self._seat: Seat | None = None
        self._turns = self._plans = self._refused = 0

    def rests(self, seat: Seat) -> bool:
        """Return whether ``seat``, whose plan is due, must only end its turn.

        This also counts a turn if another seat planned last.

        Raises:
            Stuck: the game is considered endless.
        """
        if seat != self._seat:
            self._seat, self._plans, self._refused = seat, 0, 0
            self._turns += 1
        if self._turns > self._longest:
            raise Stuck(f"the game does not end: {self._longest} turns of computer players")
        refusals, plans = self._most(seat)
        return self._refused >= refusals or self._plans >= plans

    def count(self, *, accepted: bool, why: str = "") -> None:
        """Count an executed plan.

        ``accepted`` is True if any of its commands was, ``why`` the refusal.

        Raises:
            Stuck: not even the end of the turn is allowed, or it ends no turn.
        """
        self._plans += 1
        self._refused = 0 if accepted else self._refused + 1
        name = f"the computer player of seat {self._seat}"
        refusals, plans = self._most(self._seat)
        if self._refused > refusals:
            raise Stuck(f"{name} finds nothing it may do{why}")
        if self._plans > 2 * plans:
            raise Stuck(f"{name} does not end its turn")

    def _most(self, seat: Seat | None) -> tuple[int, int]:
        """Return the maximum consecutive refused plans, and plans, of a seat."""
        if seat in self._patient:
            return MOST_REFUSALS * PATIENCE, MOST_PLANS * PATIENCE
        return MOST_REFUSALS, MOST_PLANS


def think(  # noqa: PLR0913 - a moment of a game is named by all of these
    rules: AnyRuleset,
    level: str,
    view: Any,
    seat: Seat,
    seed: bytes,
    entry: int,
    *,
    rests: bool = False,
) -> tuple[Command, ...]:
    """Return a plan of a computer player; with ``rests`` only the commands that end its turn.

    ``entry`` is the number of the next entry of the log. The same position of the same game always
    gives the same plan.
    """

    def offers(about: int | None = None) -> Any:
        return rules.offers(view, about)

    bot = rules.bots[level]
    if rests:
        return tuple(bot.rest(view, offers))
    return tuple(bot.plan(view, offers, Seeded(seed, entry, f"bot:{seat}")))


def carry_out(
    table: Table, seat: Seat, limits: PlanLimits, submit: Callable[[Seat, str], Reply]
) -> None:
    """Execute one plan of a computer player in this process, command by command.

    Raises:
        Stuck: it does not advance the game.
    """
    game, level = table.game, table.player(seat).bot
    rests, view, seed = limits.rests(seat), game.view(seat), table.header.seed
    accepted, why = False, ""
    for command in think(table.rules, level, view, seat, seed, len(game.log), rests=rests):
        line = write(command)
        reply = submit(seat, line)
        if not reply.ok:
            why = f": {line}: {reply.text}"
            break
        accepted = True
        if seat not in table.owes:
            break
    limits.count(accepted=accepted, why=why)


_SAFE_PATH: Final = "PYTHONSAFEPATH"
"""Variable that keeps the current folder out of the path of an interpreter."""


class PlanRequest(NamedTuple):
    """Position in which a computer player is to plan, as a worker process gets it."""

    ruleset: str
    level: str
    view: bytes
    """View of the seat, encoded."""
    seat: Seat
    seed: bytes
    entry: int
    """Number of the next entry of the log."""
    rests: bool = False
    """True if the player only ends its turn."""


def planned(request: PlanRequest) -> tuple[str, ...]:
    """Return the plan for a request, as lines of notation."""
    rules = find(request.ruleset)
    view = decoder(rules.view_type).decode(request.view)
    seat, seed, entry = request.seat, request.seed, request.entry
    plan = think(rules, request.level, view, seat, seed, entry, rests=request.rests)
    return tuple(map(write, plan))


def request_at(table: Table, seat: Seat, level: str = "", *, rests: bool = False) -> PlanRequest:
    """Return a request for the computer player of a seat in the present position of a table."""
    game, rules, level = table.game, table.rules.name, level or table.player(seat).bot
    view, entry = encode(game.view(seat)), len(game.log)
    return PlanRequest(rules, level, view, seat, table.header.seed, entry, rests)


class PlanWorkers:
    """Worker processes in which computer players plan, started when first needed."""

    def __init__(
        self, processes: int = 1, *, niceness: int = 0, longest: float | None = None
    ) -> None:
        """Prepare the pool without starting anything.

        Args:
            processes: number of processes.
            niceness: added to the niceness of each of them.
            longest: seconds after which a plan is abandoned; None for no limit.
        """
        self._processes = processes
        self._niceness = niceness
        self._longest = longest
        self._pool: ProcessPoolExecutor | None = None

    def start(self, ruleset: str) -> None:
        """Start the first process, so that the first plan does not wait for it."""
        if self._pool is None:
            pool = self._started(ruleset)
            with _safe_path():
                pool.submit(_ready)

    async def plan(self, request: PlanRequest) -> tuple[str, ...]:
        """Return the lines of notation that a computer player wants to submit.

        Raises:
            BrokenExecutor: the process has died; the next plan starts another.
            TimeoutError: the plan took too long.
        """
        pool = self._started(request.ruleset)
        with _safe_path():
            call = asyncio.get_running_loop().run_in_executor(pool, planned, request)
        try:
            return await asyncio.wait_for(call, self._longest)
        except (BrokenExecutor, TimeoutError):
            if self._pool is pool:
                self.close(wait=False)
            raise

    def close(self, *, wait: bool = True) -> None:
        """Stop the processes, even in the middle of a plan.

        With ``wait`` the pool has ended on return. A pool that is still ending when the interpreter
        exits may print a complaint.
        """
        pool, self._pool = self._pool, None
        if pool is not None:
            for child in tuple((getattr(pool, "_processes", None) or {}).values()):
                child.kill()  # works for a stopped child too
            with contextlib.suppress(OSError):
                pool.shutdown(wait=wait, cancel_futures=True)

    def _started(self, ruleset: str) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            begin = partial(_begin, ruleset, self._niceness)
            with _safe_path():
                self._pool = ProcessPoolExecutor(self._processes, context, begin)
        return self._pool


@contextlib.contextmanager
def _safe_path() -> Iterator[None]:
    """Keep new interpreters from importing from the current folder, within a ``with`` block.

    They are started with a line of code, which would otherwise find modules there first.
    """
    usual = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if usual is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = usual


def _begin(ruleset: str, niceness: int) -> None:
    """Load a ruleset in a worker process, which ends with the program.

    Ctrl-C and the terminal are for the program, not its workers: exceptions of a plan are passed to
    the program.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        lifeline.watch(parent.sentinel)
    os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    os.close(silence)
    find(ruleset)


def _ready() -> bool:
    return True


@contextlib.contextmanager
def _synced_once(table: Table) -> Iterator[None]:
    """Sync the save of a table, if it has one, only at the end of a ``with`` block."""
    file = table.file
    if file is None:
        yield
        return
    file.patient = True
    try:
        yield
    finally:
        file.patient = False
        file.sync()


class Computer(PlanWorkers):
    """Computer players of a local table, one after another in one process."""

    async def play(self, table: Table, seat: Seat, *, played: AfterMove | None = None) -> None:
        """Play until the seat owes nothing; ``played`` is awaited after every line.

        The save is synced once, at the end, even if this is cancelled.

        Raises:
            Stuck: its plans do not advance the game.
            SaveFault: its moves cannot be saved.
        """
        with _synced_once(table):
            await self._play(table, seat, played)

    async def _play(self, table: Table, seat: Seat, played: AfterMove | None) -> None:
        limits = PlanLimits()
        while seat in table.rules.owes(table.game.state):
            accepted, why = False, ""
            lines = await self.plan(request_at(table, seat, rests=limits.rests(seat)))
            for line in lines:
                reply = table.carry_out(seat, line)
                if played is not None:
                    await played(line, reply)
                if not reply.ok:
                    why = f": {line}: {reply.text}"
                    break
                accepted = True
                if seat not in table.rules.owes(table.game.state):
                    return
            limits.count(accepted=accepted, why=why)


class Opponents:
    """Computer players that plan in this process and block everything else."""

    def __init__(self, table: Table) -> None:
        """Play the computer players' seats of a table."""
        self._table = table

    @property
    def are_to_act(self) -> bool:
        """True if a computer player must act."""
        return self._to_act() is not None

    def play(self) -> str:
        """Let computer players act until it is a person's turn.

        Return why they stopped early, or an empty text. The save is synced once, at the end.

        Raises:
            SaveFault: their moves cannot be saved.
        """
        with _synced_once(self._table):
            return self._play()

    def _play(self) -> str:
        limits = PlanLimits()
        try:
            while (seat := self._to_act()) is not None:
                carry_out(self._table, seat, limits, self._table.carry_out)
        except Stuck as stuck:
            return sentence(str(stuck))
        return ""

    def _to_act(self) -> Seat | None:
        owing = sorted(self._table.owes)
        return next((seat for seat in owing if self._table.player(seat).bot), None)
