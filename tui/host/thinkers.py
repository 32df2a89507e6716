"""Computer players of all games on a host, in processes of their own that yield to the screens."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import partial
from typing import Final

from engine.core.ids import Seat
from tui.play.players import think_there, warm

NICE: Final = 15
"""How much a thought yields to the screens."""

LONGEST: Final = 120.0
"""Seconds after which a thought is given up, and its process ended."""


class Thinkers:
    """Some spawned processes that think, started when they are first needed."""

    def __init__(self, processes: int = 1) -> None:
        """Nothing runs yet."""
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None

    async def think(  # noqa: PLR0913 - as tui.play.players.think
        self,
        ruleset: str,
        level: str,
        view: bytes,
        seat: Seat,
        seed: bytes,
        entry: int,
        *,
        rests: bool = False,
    ) -> tuple[str, ...]:
        """Lines of notation that a computer player wants now; one that ``rests`` ends its turn.

        Raises:
            BrokenExecutor: its process has died; the next thought starts another.
            TimeoutError: it took too long.
        """
        pool = self._started(ruleset)
        loop = asyncio.get_running_loop()
        moment = ruleset, level, view, seat, seed, entry
        call = loop.run_in_executor(pool, partial(think_there, *moment, rests=rests))
        try:
            return await asyncio.wait_for(call, LONGEST)
        except (BrokenExecutor, TimeoutError):
            if self._pool is pool:
                self.close()
            raise

    def close(self) -> None:
        """Stop the processes, also in the middle of a thought."""
        pool, self._pool = self._pool, None
        if pool is not None:
            for child in tuple((getattr(pool, "_processes", None) or {}).values()):
                child.terminate()
            with contextlib.suppress(OSError):
                pool.shutdown(wait=False, cancel_futures=True)

    def _started(self, ruleset: str) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, context, _begin, (ruleset,))
        return self._pool


def _begin(ruleset: str) -> None:
    os.nice(NICE)
    warm(ruleset)
