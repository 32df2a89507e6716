"""Responsiveness of the one thread that serves all people.

Garbage is collected in small steps, since a full collection would take half a second. A program
that blocks the event loop is ended.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

import asyncssh

from host.ssh.driver import CURRENT, CurrentSession

# -- garbage collection ---------------------------------------------------------------------------


PORTION: Final = 0.15
"""Seconds between two collections of the youngest generation."""

PORTIONS: Final = 100
"""Collections after which the survivors are frozen (``gc.freeze``)."""


async def tidy() -> None:
    """Collect in small steps until cancelled, which restores automatic collection."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        while True:
            for _ in range(PORTIONS):
                await asyncio.sleep(PORTION)
                gc.collect(0)
            gc.freeze()
    finally:
        gc.enable()


def collect_all() -> None:
    """Collect everything, including frozen objects; takes a while."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


# -- the watchdog ---------------------------------------------------------------------------------


LIMIT: Final = 2.0
"""Maximum seconds of one callback of the loop."""

_RINGS: Final = 4
"""Checks during that time."""

_SOON: Final = 0.01
"""Seconds until the next try, if an exception would interrupt protected code."""

_SACRED: Final = (
    str(Path(asyncio.__file__).parent),
    str(Path(asyncssh.__file__).parent),
    str(Path(logging.__file__).parent),
    threading.__file__,
    str(Path(__file__).parent),
)
"""Paths of code that must not be interrupted, since its state is shared by all sessions."""

_log = logging.getLogger(__name__)


class SessionStuck(Exception):
    """A session's program blocked the loop."""


class Watchdog:
    """Ends a session whose program blocks the event loop of the main thread."""

    def __init__(
        self, on_stuck: Callable[[CurrentSession, str], None] | None = None, *, limit: float = LIMIT
    ) -> None:
        """Prepare without starting; ``on_stuck`` gets the session and where it was stuck.

        ``limit`` is the number of seconds that one callback may take.
        """
        self._on_stuck = on_stuck
        self._limit = limit
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beating: asyncio.TimerHandle | None = None
        self._call: FrameType | None = None
        """Frame of the callback that ran at the last check."""
        self._since = 0.0
        self._looks = 0

    def start(self) -> None:
        """Start watching the event loop.

        Raises:
            ValueError: this is not the main thread, which alone receives signals.
        """
        self._loop = asyncio.get_running_loop()
        signal.signal(signal.SIGALRM, self._ring)
        self._beat()

    def stop(self) -> None:
        """Stop watching the event loop."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._beating is not None:
            self._beating.cancel()
        self._call = None

    def _beat(self) -> None:
        """Note a heartbeat of the loop: nothing is stuck."""
        if self._loop is not None:
            self._call, self._looks = None, 0
            step = self._limit / _RINGS
            signal.setitimer(signal.ITIMER_REAL, 2 * step, step)
            self._beating = self._loop.call_later(step, self._beat)

    def _ring(self, _signal: int, frame: FrameType | None) -> None:
        call = _call_of_the_loop(frame)
        now = time.monotonic()
        if call is None or call is not self._call:
            self._call, self._since, self._looks = call, now, 1
            return
        self._looks += 1
        # Checks are counted too: a suspended machine has not computed in the meantime.
        if self._looks < _RINGS or now - self._since < self._limit * (_RINGS - 1) / _RINGS:
            return
        session = CURRENT.get()
        if session is None or frame is None:
            return
        if _is_sacred(frame):
            signal.setitimer(signal.ITIMER_REAL, _SOON, self._limit / _RINGS)
            return
        self._call, self._looks = None, 0
        self._end(session, frame)

    def _end(self, session: CurrentSession, frame: FrameType) -> None:
        where = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
        session.stuck = where
        _log.error("stuck at %s\n%s", where, "".join(traceback.format_stack(frame)))
        if self._on_stuck is not None:
            self._on_stuck(session, where)
        raise SessionStuck(where)


def _call_of_the_loop(frame: FrameType | None) -> FrameType | None:
    """Return the frame in which the loop runs the current callback; None between callbacks."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "_run" and code.co_filename == asyncio.events.__file__:
            return frame
        frame = frame.f_back
    return None


def _is_sacred(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_SACRED)
