"""The end of a host: requested by a signal or an order, and limited in time.

Tasks that still run at the deadline are named in the log and cut off. Every command was on the disk
before it was acknowledged, so no command is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final, NoReturn, TypeVar

from tui.console.exits import Exit

_T = TypeVar("_T")

DEADLINE: Final = 9.0
"""Maximum seconds from the first request to stop until the process ends."""

STEP: Final = 4.0
"""Maximum seconds of one step of the shutdown."""

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

_LAST_WORDS: Final = 0.5
"""Seconds for writing to a log that may be on an unresponsive disk."""

_MOST_NAMED: Final = 20
"""Maximum number of tasks and of threads that are named."""

_log = logging.getLogger(__name__)


class Shutdown:
    """Stops a host after a signal or an order, within a deadline. Make it in the event loop.

    Signals are received by a thread, so that they work even while the loop is blocked.
    """

    def __init__(self, asked: asyncio.Event, *, deadline: float = DEADLINE) -> None:
        """Prepare a shutdown; ``asked`` is set in the loop when a signal arrives, or by others."""
        self._asked = asked
        self._deadline = deadline
        self._loop = asyncio.get_running_loop()
        self._step = ""
        """Present step of the shutdown."""
        self._has_begun = threading.Lock()

    def listen(self) -> None:
        """Receive signals from now on."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        for number in SIGNALS:
            signal.signal(number, lambda *_: None)  # what the thread reads is enough
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        threading.Thread(target=self._hear, args=[reading], name="signals", daemon=True).start()

    def _hear(self, reading: int) -> None:
        while not any(number in SIGNALS for number in os.read(reading, 64)):
            pass
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._asked.set)
        self.begin()

    def begin(self) -> None:
        """Start the deadline, unless it is running. A second request changes nothing."""
        if self._has_begun.acquire(blocking=False):
            ending = threading.Timer(self._deadline, self._cut_off)
            ending.name, ending.daemon = "deadline", True
            ending.start()

    async def step(self, name: str, work: Coroutine[Any, Any, _T], most: float = STEP) -> _T | None:
        """Run a step of the shutdown; return its result.

        If it takes too long or fails, log that, and return None.
        """
        self._step = name
        task = self._loop.create_task(work, name=name)
        _, late = await asyncio.wait([task], timeout=most)
        if late:
            task.cancel()  # but it is not waited for
            _log.warning("stopping: %s: cut off after %g s", name, most)
        elif (problem := task.exception()) is not None:
            _log.error("stopping: %s: failed", name, exc_info=problem)
        self._step = "the last tasks and threads"
        return None if late or task.exception() is not None else task.result()

    def _cut_off(self) -> NoReturn:
        """End the process now."""
        writing = threading.Thread(target=self._name_what_is_left, daemon=True)
        writing.start()
        writing.join(_LAST_WORDS)
        os._exit(int(Exit.OK))

    def _name_what_is_left(self) -> None:
        tasks, threads = (", ".join(_first(names)) for names in (self._tasks, _threads))
        text = (
            f"stopping took more than {self._deadline:g} s; cut off in {self._step or 'the loop'};"
            f" tasks: {tasks or 'none'}; threads: {threads or 'none'}"
        )
        _log.warning("%s", text)
        sys.stderr.write(f"banneret: {text}\n")
        sys.stderr.flush()

    def _tasks(self) -> Iterator[str]:
        for task in asyncio.all_tasks(self._loop):
            if not task.done():
                yield task.get_name()


def _threads() -> Iterator[str]:
    """Yield the other threads, with the function that each is in."""
    frames = sys._current_frames()  # noqa: SLF001 - documented, for cases like this
    for thread in threading.enumerate():
        frame = frames.get(thread.ident or 0)
        if thread is not threading.current_thread() and frame is not None:
            yield f"{thread.name} in {frame.f_code.co_qualname}"


def _first(names: Callable[[], Iterator[str]]) -> list[str]:
    """Return the first sorted names; none if they change meanwhile."""
    try:
        return sorted(names())[:_MOST_NAMED]
    except RuntimeError:
        return []
