"""Textual driver for a terminal over a connection that may break and come back.

While there is no connection, or it is congested, nothing is painted; the whole screen is repainted
once it would arrive. Memory is bounded, regardless of what a client sends or does not read.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, Protocol

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.messages import InBandWindowResize

from host.ssh.wire import Wire
from tui.terminal.driver import Remote
from tui.terminal.keyboard import Keyboard
from tui.terminal.program import Program

MOST_KEYS: Final = 256
"""Maximum queued keys and clicks; more are dropped, with a bell."""

MOST_PASTED: Final = 32_768
"""Maximum bytes of a paste; a longer one is dropped as a whole."""

FASTEST: Final = 16 * 1024
"""Bytes per second accepted from a client that sends large chunks."""

_A_FEW: Final = 64

FULL: Final = 64 * 1024
"""Unsent bytes above which frames are skipped."""

BURST: Final = 4 * 1024 * 1024
"""Unsent bytes above which the connection is aborted."""

PATIENCE: Final = 60.0
"""Seconds without progress after which the connection is aborted."""

BETWEEN_SIZES: Final = 0.1
"""Minimum seconds between two applied changes of size."""

_BETWEEN_BELLS: Final = 1.0

_A_LITTLE: Final = 0.01
"""Seconds added to a timeout of the keyboard, so that it has certainly expired."""

_FIRST_LOOK: Final = 0.01
_LAST_LOOK: Final = 0.25
"""Seconds between two checks of a congested connection: the first, and the maximum."""

ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?7l\x1b[?2026$p"
"""Alternate screen, no cursor, bracketed paste, no wrapping; asks for synchronized output."""

LEAVE: Final = "\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?25h\x1b[?1049l"

MOUSE_ON: Final = "\x1b[?1000h\x1b[?1002h\x1b[?1006h"
MOUSE_OFF: Final = "\x1b[?1006l\x1b[?1002l\x1b[?1000l"

_log = logging.getLogger(__name__)


class CurrentSession(Protocol):
    """The session whose code is running, in a process with the sessions of many people."""

    stuck: str
    """Source location at which it blocked the loop; empty if it has not."""

    def take_driver(self, driver: SshDriver) -> None:
        """Take the driver that the session's program writes to."""


CURRENT: Final[ContextVar[CurrentSession | None]] = ContextVar("here", default=None)
"""Set in every task of a session's program and in their callbacks; None elsewhere."""


class SshDriver(Remote):
    """Driver of a terminal over SSH, which may be absent for a while."""

    def __init__(
        self,
        app: Any,
        *,
        debug: bool = False,  # noqa: ARG002 - it would write what people type to a file
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        """Make the driver; Textual calls this."""
        super().__init__(app, debug=False, mouse=mouse, size=size)
        self.on_slow: Callable[[str], None] | None = None
        """Called with the reason when a connection was cut because the client did not read."""
        self.heard = self.loop.time()
        """Time of the latest input, in the loop's time."""
        self._has_mouse = mouse
        self._wire: Wire | None = None
        self._is_started = False
        self._keyboard = Keyboard(MOST_PASTED)
        self._ticking: asyncio.TimerHandle | None = None
        self._sizing: asyncio.TimerHandle | None = None
        self._sized = 0.0
        self._looking: asyncio.TimerHandle | None = None
        self._full_since = 0.0
        self._rang = 0.0
        session = CURRENT.get()
        if session is not None:
            session.take_driver(self)

    # -- the connection ----------------------------------------------------------------------------

    def attach(self, wire: Wire) -> None:
        """Show the screen on this connection from now on."""
        self.detach()
        self._wire = wire
        self._keyboard = Keyboard(MOST_PASTED)
        self.resize(wire.size)
        wire.hear_size(self._size_told)
        if self._is_started:
            self._resize()
            self._enter()

    def detach(self) -> None:
        """Release the connection; the caller restores the terminal first."""
        for timer in (self._ticking, self._sizing, self._looking):
            if timer is not None:
                timer.cancel()
        self._ticking = self._sizing = self._looking = None
        if self._wire is not None:
            self._wire.hear_size(None)
        self._wire = None
        self.forget_buttons()

    async def hear(self, data: bytes) -> None:
        """Handle input; a client that sends much at a time must wait."""
        self.heard = self.loop.time()
        if not self._is_started:
            return
        self._act_on(self._keyboard.feed(data))
        # People do not type this fast; a flood of input must leave time for other sessions.
        await asyncio.sleep(len(data) / FASTEST if len(data) > _A_FEW else 0)
        self._tick_later()  # not before: the rest of a sequence may wait to be read

    def farewell(self, line: str = "") -> None:
        """Restore the terminal, and write a line of text if given."""
        if self._wire is not None:
            text = MOUSE_OFF + LEAVE + (f"{line}\r\n" if line else "")
            self._wire.write(text.encode("utf-8", "replace"))

    # -- Textual's interface -----------------------------------------------------------------------

    def start_application_mode(self) -> None:
        """Start painting."""
        self._is_started = True
        self._resize()
        self._enter()

    def disable_input(self) -> None:
        """Ignore input from now on."""
        self._is_started = False

    def stop_application_mode(self) -> None:
        """Stop painting; the session restores the terminal."""
        self._is_started = False

    def write(self, data: str) -> None:
        """Send text; dropped while congested, since everything is repainted afterwards."""
        if self._wire is not None and self._is_started and self._looking is None:
            self._wire.write(data.encode("utf-8", "replace"))

    def send_message(self, message: Message) -> None:
        """Post a message to the app, which lives in the same loop."""
        self.app.post_message(message)

    def process_message(self, message: Message) -> None:
        """Forward an event, unless too many are queued; sizes come from SSH instead."""
        if isinstance(message, (events.Resize, InBandWindowResize)):
            return
        if self._backlog() >= MOST_KEYS:
            self._ring()
            return
        super().process_message(message)

    def open_url(self, url: str, new_tab: bool = True) -> None:  # noqa: FBT001, FBT002 - Textual's
        """Do nothing: no browser is opened on the server."""

    def deliver_binary(self, binary: Any, **named: Any) -> None:  # noqa: ARG002 - Textual's
        """Discard the file: none is written on the server."""
        binary.close()

    # -- painting ----------------------------------------------------------------------------------

    @property
    def takes_frames(self) -> bool:
        """True if a frame painted now would arrive soon.

        If the line is full, it is watched: it gets a repaint once it drains, or is cut off.
        """
        if self._wire is None or not self._wire.is_open or self._looking is not None:
            return False
        if self._wire.unsent <= FULL:
            return True
        self._full_since = self.loop.time()
        self._look_after(_FIRST_LOOK)
        return False

    def set_mouse(self, *, on: bool) -> None:
        """Turn reports of clicks and the wheel on or off in the terminal."""
        if self._has_mouse != on:
            self._has_mouse = on
            self.write(MOUSE_ON if on else MOUSE_OFF)

    def _enter(self) -> None:
        app = self._program
        app.trust_no_sync()
        self.write(ENTER + (MOUSE_ON if self._has_mouse else MOUSE_OFF))
        app.call_later(app.paint_anew)

    def _look_after(self, seconds: float) -> None:
        self._looking = self.loop.call_later(seconds, self._look, seconds)

    def _look(self, seconds: float) -> None:
        """Check whether a congested connection has drained."""
        wire = self._wire
        self._looking = None
        if wire is None:
            return
        waiting = wire.unsent
        if waiting <= FULL // 2:
            self._enter()
        elif waiting > BURST or self.loop.time() - self._full_since > PATIENCE:
            self._cut(wire, waiting)
        else:
            self._look_after(min(seconds * 2, _LAST_LOOK))

    def _cut(self, wire: Wire, waiting: int) -> None:
        self.detach()
        wire.abort()
        if self.on_slow is not None:
            self.on_slow(f"{waiting} bytes were never read")

    # -- its size ----------------------------------------------------------------------------------

    def _size_told(self) -> None:
        """Apply another size, at most once per ``BETWEEN_SIZES``."""
        if self._sizing is None:
            wait = max(0.0, self._sized + BETWEEN_SIZES - self.loop.time())
            self._sizing = self.loop.call_later(wait, self._resize)

    def _resize(self) -> None:
        self._sizing = None
        if self._wire is not None and self._is_started:
            self._sized = self.loop.time()
            self.resize(self._wire.size)
            size = Size(*self._wire.size)
            self.app.post_message(events.Resize(size, size))

    # -- input -------------------------------------------------------------------------------------

    def _act_on(self, found: list[Message]) -> None:
        for event in found:
            self.process_message(event)
        if self._keyboard.was_too_much:
            self._ring()
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    def _tick_later(self) -> None:
        wait = self._keyboard.wait
        if wait is not None:
            self._ticking = self.loop.call_later(wait + _A_LITTLE, self._tick)

    def _tick(self) -> None:
        self._act_on(self._keyboard.tick())
        self._tick_later()

    def _backlog(self) -> int:
        return self._program.backlog

    @property
    def _program(self) -> Program:
        app = self.app
        assert isinstance(app, Program)  # noqa: S101 - nothing else is shown here
        return app

    def _ring(self) -> None:
        now = self.loop.time()
        if now - self._rang >= _BETWEEN_BELLS:
            self._rang = now
            self.write("\a")
