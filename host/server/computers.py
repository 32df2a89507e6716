"""Computer players of one hosted game: the task that lets them act until a person is next."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from concurrent.futures import BrokenExecutor
from typing import Final, Protocol

from engine.core.archive import SaveFault
from engine.core.ids import Seat
from engine.core.link import Reply
from tui.console.exits import Stuck
from tui.play.players import PlanLimits

REST: Final = 9
"""Ratio of pause to work of computer players, which leaves the processor to the screens."""


STOPPING: Final = 1.0
"""Seconds that a cancelled task of computer players has to end."""


class Driven(Protocol):
    """Game whose computer players are driven by ``Computers``."""

    number: int

    @property
    def computers_turn(self) -> asyncio.Semaphore:
        """Semaphore of the host: computer players of all games act one after another."""
        ...

    @property
    def pace(self) -> float:
        """Seconds that people get to look at each move."""
        ...

    def next_bot(self) -> Seat | None:
        """Return the seat of the computer player to act; None if a person must act, or no seat."""
        ...

    def plays(self, seat: Seat, level: str) -> bool:
        """Return whether a computer player of this level still has to act for a seat."""
        ...

    def stand_in(self, seat: Seat) -> str:
        """Return the level of the computer player that plays a seat; empty for a person."""
        ...

    def thought(self, seat: Seat, *, rests: bool = False) -> Awaitable[tuple[str, ...]]:
        """Return the plan of a computer player in notation; with ``rests`` only its end of turn."""
        ...

    def act(self, seat: Seat, line: str) -> Awaitable[Reply]:
        """Execute a line of a computer player.

        Raises:
            SaveFault: the line cannot be saved.
        """
        ...

    def sync(self) -> Awaitable[None]:
        """Wait until all moves of computer players are on the disk."""
        ...

    def go_on(self) -> None:
        """Let the next seat act."""
        ...

    def report(self, text: str) -> None:
        """Report a text to everyone in the name of the host."""
        ...


class Computers:
    """Task in which the computer players of a game act, one plan after another."""

    def __init__(self, game: Driven) -> None:
        self._game = game
        self._task: asyncio.Task[None] | None = None

    @property
    def are_acting(self) -> bool:
        """True if the task runs."""
        return self._task is not None and not self._task.done()

    def go_on(self) -> None:
        """Start the task if a computer player must act and the task is not running."""
        if not self.are_acting and self._game.next_bot() is not None:
            loop = asyncio.get_running_loop()
            self._task = loop.create_task(self._drive(), name=f"game {self._game.number}")

    def cancel(self) -> None:
        """Cancel the task."""
        if self._task is not None:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until the cancelled task has ended, or for ``STOPPING`` seconds."""
        if self._task is not None and not self._task.done():
            _, late = await asyncio.wait([self._task], timeout=STOPPING)
            if late:
                logging.getLogger(__name__).warning("%s: does not stop", self._task.get_name())

    async def _drive(self) -> None:
        game = self._game
        try:
            await self._play_all()
        except (Stuck, SaveFault, BrokenExecutor, OSError, TimeoutError) as fault:
            self._give_up(str(fault) or type(fault).__name__)
        else:
            # Another seat may have acted since; this task counts as running until it has ended.
            asyncio.get_running_loop().call_soon(game.go_on)

    async def _play_all(self) -> None:
        """Execute plans until a person is next, then put everything on the disk."""
        game, limits = self._game, PlanLimits()
        try:
            while (seat := game.next_bot()) is not None:
                accepted = await self._play(seat, rests=limits.rests(seat))
                limits.count(accepted=accepted)
        finally:
            await game.sync()

    async def _play(self, seat: Seat, *, rests: bool) -> bool:
        """Execute one plan; return whether any of it was accepted."""
        game = self._game
        level = game.stand_in(seat)
        loop = asyncio.get_running_loop()
        accepted = False
        for line in await game.thought(seat, rests=rests):
            if not game.plays(seat, level):
                return True
            async with game.computers_turn:
                begun = loop.time()
                reply = await game.act(seat, line)
                # Moves of computers are not so urgent that the screens should wait for them.
                await asyncio.sleep(REST * (loop.time() - begun))
            if not reply.ok:
                return accepted
            accepted = True
            await asyncio.sleep(game.pace)
        return accepted

    def _give_up(self, why: str) -> None:
        """Stop until a person acts."""
        logging.getLogger(__name__).warning("game %d: computer player: %s", self._game.number, why)
        self._game.report(f"The computer player gave up: {why}")
