"""Pauses of the one thread that serves everybody, kept short.

Garbage is collected in small portions: a whole collection would hold up everybody for half a
second. A program that keeps everybody else waiting is ended.
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

from tui.ssh.driver import HERE, Sitter

# -- garbage collection ---------------------------------------------------------------------------


PORTION: Final = 0.15
"""Seconds between two looks at young objects."""

PORTIONS: Final = 100
"""Looks after which what lives on is looked at no more."""


async def tidy() -> None:
    """Collect in portions until this is cancelled; then as Python does by itself."""
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
    """Look at everything, which takes a while."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


# -- the watchdog ---------------------------------------------------------------------------------


LIMIT: Final = 2.0
"""Seconds that one call may take."""

_RINGS: Final = 4
"""Looks during that time."""

_SOON: Final = 0.01
"""Seconds until the next try, when an exception would come at a bad moment."""

_SACRED: Final = (
    str(Path(asyncio.__file__).parent),
    str(Path(asyncssh.__file__).parent),
    str(Path(logging.__file__).parent),
    threading.__file__,
    str(Path(__file__).parent),
)
"""Where code stands that must not be interrupted: what it keeps is everybody's."""

_log = logging.getLogger(__name__)


class Stuck(Exception):
    """A program kept everybody waiting."""


class Watchdog:
    """Watches the loop of the thread it is started in, which is the main one."""

    def __init__(
        self, on_stuck: Callable[[Sitter, str], None] | None = None, *, limit: float = LIMIT
    ) -> None:
        """Not watching yet; ``on_stuck`` is told whose program was ended, and where it was."""
        self._on_stuck = on_stuck
        self._limit = limit
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beating: asyncio.TimerHandle | None = None
        self._call: FrameType | None = None
        """Which call of the loop ran at the last look."""
        self._since = 0.0
        self._looks = 0

    def start(self) -> None:
        """Watch from now on.

        Raises:
            ValueError: this is not the main thread, where alarms are heard.
        """
        self._loop = asyncio.get_running_loop()
        signal.signal(signal.SIGALRM, self._ring)
        self._beat()

    def stop(self) -> None:
        """Watch no more."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._beating is not None:
            self._beating.cancel()
        self._call = None

    def _beat(self) -> None:
        """The loop goes round: nothing is wrong."""
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
        # Looks are counted besides: a machine that slept has not computed meanwhile.
        if self._looks < _RINGS or now - self._since < self._limit * (_RINGS - 1) / _RINGS:
            return
        sitter = HERE.get()
        if sitter is None or frame is None:
            return
        if _is_sacred(frame):
            signal.setitimer(signal.ITIMER_REAL, _SOON, self._limit / _RINGS)
            return
        self._call, self._looks = None, 0
        self._end(sitter, frame)

    def _end(self, sitter: Sitter, frame: FrameType) -> None:
        where = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
        sitter.stuck = where
        _log.error("stuck at %s\n%s", where, "".join(traceback.format_stack(frame)))
        if self._on_stuck is not None:
            self._on_stuck(sitter, where)
        raise Stuck(where)


def _call_of_the_loop(frame: FrameType | None) -> FrameType | None:
    """The frame in which the loop makes the call that runs now; None between calls."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "_run" and code.co_filename == asyncio.events.__file__:
            return frame
        frame = frame.f_back
    return None


def _is_sacred(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_SACRED)
