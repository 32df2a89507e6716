"""Computer players: in this process for runs, in one of their own beside a screen."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from engine.core.codec import decoder, encode
from engine.core.dice import Seeded
from engine.core.ids import Seat
from engine.core.link import Reply
from engine.core.notation import write
from engine.core.record import Command
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from tui.plain.table import Table

MOST_REFUSALS = 20
"""Plans in a row that may begin with a refused command before a player is given up."""

Played = Callable[[str, Reply], Awaitable[None]]


class Stuck(RuntimeError):
    """A computer player proposes nothing that is allowed."""


def think(
    rules: AnyRuleset, level: str, view: Any, seat: Seat, seed: bytes, entry: int
) -> tuple[Command, ...]:
    """What a computer player of a level wants to do now.

    ``entry`` is the number of the next entry of the log, so the same moment of the same game gives
    the same thought.
    """

    def offers(about: int | None = None) -> Any:
        return rules.offers(view, about)

    dice = Seeded(seed, entry, f"bot:{seat}")
    return tuple(rules.bots[level].plan(view, offers, dice))


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


def think_there(
    ruleset: str, level: str, view: bytes, seat: Seat, seed: bytes, entry: int
) -> tuple[str, ...]:
    """``think`` in the worker: the view comes as bytes, the commands go back as lines."""
    rules = find(ruleset)
    seen = decoder(rules.view_type).decode(view)
    return tuple(write(command) for command in think(rules, level, seen, seat, seed, entry))


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

    async def plan(self, table: Table, seat: Seat) -> tuple[str, ...]:
        """Lines of notation that the player of a seat wants now."""
        self.start(table.rules.name)
        assert self._pool is not None  # noqa: S101 - tells the type checker
        view = encode(table.game.view(seat))
        level = table.player(seat).bot
        loop = asyncio.get_running_loop()
        entry = len(table.game.log)
        call = (table.rules.name, level, view, seat, table.header.seed, entry)
        return await loop.run_in_executor(self._pool, think_there, *call)

    async def play(self, table: Table, seat: Seat, *, played: Played | None = None) -> None:
        """Play until the seat owes nothing; ``played`` is awaited after every line.

        The save is synced once, at the end, also if this is cancelled.

        Raises:
            Stuck: plan after plan is refused.
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
        refused, why = 0, ""
        while seat in table.rules.owes(table.game.state):
            lines = await self.plan(table, seat)
            accepted = 0
            for line in lines:
                reply = table.carry_out(seat, line)
                if played is not None:
                    await played(line, reply)
                if not reply.ok:
                    why = f": {line}: {reply.text}"
                    break
                accepted += 1
                if seat not in table.rules.owes(table.game.state):
                    return
            refused = 0 if accepted else refused + 1
            if refused >= MOST_REFUSALS:
                raise Stuck(f"the computer player of seat {seat} finds nothing it may do{why}")

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
