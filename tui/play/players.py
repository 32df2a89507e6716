"""Computer players: in this process for runs, in one of their own beside a screen.

How often they are asked is bounded by counts, so that no game goes on for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, Final

from engine.core.codec import decoder, encode
from engine.core.dice import Seeded
from engine.core.ids import Seat
from engine.core.link import Reply
from engine.core.notation import write
from engine.core.record import Command
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from tui.console.exits import Stuck
from tui.play.table import Table

MOST_REFUSALS: Final = 2
"""Plans in a row that may begin with a refused command before a player only rests."""

MOST_PLANS: Final = 500
"""Plans in a row of one player, after which it only rests: its turn does not end by itself."""

LONGEST: Final = 10_000
"""Turns of computer players without a person's after which a game is held never to end."""

Played = Callable[[str, Reply], Awaitable[None]]


class PlanLimits:
    """Counts the plans of computer players in a row: each turn ends, and so does each game."""

    def __init__(self, longest: int = LONGEST) -> None:
        """``longest``: turns after which they are given up."""
        self._longest = longest
        self._seat: Seat | None = None
        self._turns = self._plans = self._refused = 0

    def rests(self, seat: Seat) -> bool:
        """Whether a player that is to act shall plan no more and end its turn.

        Raises:
            Stuck: the game is held never to end.
        """
        if seat != self._seat:
            self._seat, self._plans, self._refused = seat, 0, 0
            self._turns += 1
        if self._turns > self._longest:
            raise Stuck(f"the game does not end: {self._longest} turns of computer players")
        return self._refused >= MOST_REFUSALS or self._plans >= MOST_PLANS

    def count(self, *, accepted: bool, why: str = "") -> None:
        """A plan was carried out; whether anything of it was allowed, and why not.

        Raises:
            Stuck: not even the end of the turn is allowed, or it ends no turn.
        """
        self._plans += 1
        self._refused = 0 if accepted else self._refused + 1
        name = f"the computer player of seat {self._seat}"
        if self._refused > MOST_REFUSALS:
            raise Stuck(f"{name} finds nothing it may do{why}")
        if self._plans > 2 * MOST_PLANS:
            raise Stuck(f"{name} does not end its turn")


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
    """The plan of a computer player of a level; one that ``rests`` ends its turn.

    ``entry`` is the number of the next entry of the log, so the same moment of the same game gives
    the same thought.
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
    """Let a computer player in this process carry out one plan, command by command.

    Raises:
        Stuck: it does not bring the game on.
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


def warm(ruleset: str) -> None:
    """Load a ruleset in the worker.

    Ctrl-C is for the program, not for the worker, and so is the terminal: what a thought raises
    comes back to the program.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    os.close(silence)
    find(ruleset)


def _ready() -> bool:
    return True


def think_there(  # noqa: PLR0913 - as think
    ruleset: str,
    level: str,
    view: bytes,
    seat: Seat,
    seed: bytes,
    entry: int,
    *,
    rests: bool = False,
) -> tuple[str, ...]:
    """``think`` in the worker: the view comes as bytes, the commands go back as lines."""
    rules = find(ruleset)
    seen = decoder(rules.view_type).decode(view)
    wanted = think(rules, level, seen, seat, seed, entry, rests=rests)
    return tuple(write(command) for command in wanted)


class Computer:
    """Computer players in one spawned process, started when it is first needed."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self._pool: ProcessPoolExecutor | None = None

    def start(self, ruleset: str) -> None:
        """Start the process, so that the first turn does not wait for it."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, context, warm, (ruleset,))
            self._pool.submit(_ready)

    async def plan(self, table: Table, seat: Seat, *, rests: bool = False) -> tuple[str, ...]:
        """Lines of notation that the player of a seat wants now; one that ``rests`` ends."""
        self.start(table.rules.name)
        assert self._pool is not None  # noqa: S101 - tells the type checker
        view = encode(table.game.view(seat))
        level = table.player(seat).bot
        loop = asyncio.get_running_loop()
        entry = len(table.game.log)
        call = (table.rules.name, level, view, seat, table.header.seed, entry)
        return await loop.run_in_executor(self._pool, partial(think_there, *call, rests=rests))

    async def play(self, table: Table, seat: Seat, *, played: Played | None = None) -> None:
        """Play until the seat owes nothing; ``played`` is awaited after every line.

        The save is synced once, at the end, also if this is cancelled.

        Raises:
            Stuck: it does not bring the game on.
            SaveFault: what it does cannot be kept.
        """
        if table.file is not None:
            table.file.patient = True
        try:
            await self._play(table, seat, played)
        finally:
            if table.file is not None:
                table.file.patient = False
                table.file.sync()

    async def _play(self, table: Table, seat: Seat, played: Played | None) -> None:
        limits = PlanLimits()
        while seat in table.rules.owes(table.game.state):
            accepted, why = False, ""
            lines = await self.plan(table, seat, rests=limits.rests(seat))
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

    def close(self) -> None:
        """Stop the process, also in the middle of a thought.

        The pool is waited for: one that still winds up when the interpreter ends may complain on
        the terminal.
        """
        if self._pool is not None:
            for child in multiprocessing.active_children():
                child.terminate()
            with contextlib.suppress(OSError):
                self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
