"""Drivers of terminals: of this process's, which may disappear or stop, and of others.

Textual's writer thread dies when the terminal is gone; later output then fills a queue that is
never emptied, and the program would wait for it forever, with the lock on its save.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import selectors
import signal
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, Final, TextIO, cast

from textual.app import App
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from tui.terminal.ascii_fallback import in_ascii
from tui.terminal.capabilities import terminal_stream
from tui.terminal.keyboard import Keyboard

_LOOK: Final = 0.1
"""Seconds between two checks whether the input must end."""

_PAUSE: Final = 0.01
"""Seconds between two checks whether the program has caught up with the input."""

_READ_AT_ONCE: Final = 4096

MOST_KEYS: Final = 1024
"""Maximum keys and clicks that wait for the program; above it, reading pauses."""

_KEYS_AS_BEFORE: Final = "\x1b[<u"
"""Ends the kitty protocol; starting begins it, and a terminal counts how often."""


def _without_unicode(fault: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks by ASCII."""
    assert isinstance(fault, UnicodeEncodeError)  # noqa: S101 - nothing else is given
    return in_ascii(fault.object[fault.start : fault.end]), fault.end


codecs.register_error("banneret.ascii", _without_unicode)


class Outlet:
    """A file that drops output which can no longer be written."""

    def __init__(self, file: TextIO) -> None:
        """Write to the terminal of ``file`` as long as it exists.

        Text is sent in ASCII if the file's encoding lacks a sign, or encodes ASCII differently.
        """
        self._behind = file
        known = "A".encode(file.encoding) == b"A"
        self._file = os.fdopen(
            file.fileno(),
            "w",
            encoding=file.encoding if known else "ascii",
            errors="banneret.ascii",
            closefd=False,
        )
        self.is_open = True

    def write(self, text: str) -> None:
        """Write a text; drop it if it cannot be written."""
        self._try(lambda: self._file.write(text))

    def flush(self) -> None:
        """Send the written text; drop it if it cannot be sent."""
        self._try(self._file.flush)

    def fileno(self) -> int:
        """Return the descriptor of the underlying file."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Return whether there is still a terminal."""
        return self._file.isatty()

    def _try(self, deed: Callable[[], object]) -> None:
        if not self.is_open:
            return
        try:
            deed()
        except (OSError, ValueError):
            self.is_open = False


class Remote(Driver):
    """A driver whose terminal is not that of this process, and may disappear and come back."""

    @property
    def app(self) -> App[Any]:
        """The program that is shown."""
        return self._app

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop in which this runs."""
        return self._loop

    def resize(self, size: tuple[int, int]) -> None:
        """Set the columns and rows of the terminal."""
        self._size = size

    def forget_buttons(self) -> None:
        """Note that no mouse button is held down."""
        self._down_buttons.clear()

    @property
    def takes_frames(self) -> bool:
        """True if a frame painted now would arrive soon: the connection is not congested."""
        raise NotImplementedError

    def set_mouse(self, *, on: bool) -> None:
        """Turn reports of clicks and the wheel on or off in the terminal."""
        raise NotImplementedError


class LocalDriver(LinuxDriver):
    """Driver of this process's terminal, which may send any bytes, stop, or disappear."""

    def __init__(self, *given: Any, **named: Any) -> None:
        """Make the driver; Textual calls this."""
        super().__init__(*given, **named)
        self._file: Any = Outlet(cast("TextIO", terminal_stream()))
        self._context = copy_context()
        self._unsent: list[Message] = []
        self._sent = 0
        """Number of events that the input thread has sent."""
        self._arrived = 0
        """Number of those that the program has received."""
        self._is_coming_back = False

    def write(self, data: str) -> None:
        """Send text; dropped while the shell has the terminal, as everything is repainted later."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().write(data)

    # -- input -----------------------------------------------------------------------------------

    def run_input_thread(self) -> None:
        """Read keys until the driver is stopped or the terminal is gone."""
        try:
            self._read_keys(Keyboard())
        except Exception as error:  # noqa: BLE001 - it becomes a report, whatever it is
            self._call(self._program.fail_input, error)

    def _read_keys(self, keyboard: Keyboard) -> None:
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if self._sent - self._arrived + self._program.backlog > MOST_KEYS:
                    self.exit_event.wait(_PAUSE)  # unread input stays in the terminal
                    continue
                wait = keyboard.wait
                if selector.select(_LOOK if wait is None else min(wait, _LOOK)):
                    data = self._read()
                    if not data:
                        return
                    found = keyboard.feed(data)
                else:
                    found = keyboard.tick()
                self._send(found)

    def _read(self) -> bytes:
        """Return the next input; empty when the terminal is gone, which ``is_terminal`` detects."""
        try:
            return os.read(self.fileno, _READ_AT_ONCE)
        except OSError:
            return b""

    def _send(self, found: list[Message]) -> None:
        """Send the events of a read together, so that the loop wakes once."""
        for event in found:
            self.process_message(event)
        messages, self._unsent = self._unsent, []
        if messages:
            self._sent += len(messages)
            self._call(self._arrive, messages)

    def send_message(self, message: Message) -> None:
        """Keep a message until the other events of the read are complete."""
        self._unsent.append(message)

    def _arrive(self, messages: list[Message]) -> None:
        self._arrived += len(messages)
        for message in messages:
            self._app.post_message(message)

    def _call(self, function: Callable[..., object], *given: object) -> None:
        """Call a function in the loop, from a thread or a handler of signals."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the program has ended
            self._loop.call_soon_threadsafe(function, *given, context=self._context)

    @property
    def _program(self) -> Any:
        """The app, which is a ``Program``."""
        return self._app

    def _query_in_band_window_resize(self) -> None:
        """Do nothing: a signal reports another size, and no input can forge one."""

    # -- stopped and continued -------------------------------------------------------------------

    def stop_job(self) -> None:
        """Stop all processes of this job until its shell continues it.

        The system ignores the signal if no shell could do so; then nothing happens.
        """
        self.suspend_application_mode()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._sigtstp_application)
        self._sigcont_application()

    def _sigtstp_application(self, *_: object) -> None:
        """Stop once nothing is being written, as a handler may interrupt anything."""
        self._call(self._stop)

    def _stop(self) -> None:
        if self._auto_restart and self._writer_thread is not None:
            self.suspend_application_mode()
        os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: object) -> None:
        """Come back, regardless of the signal that stopped the process."""
        if not self._is_coming_back:
            self._is_coming_back = True
            self._call(self._come_back)

    def _come_back(self) -> None:
        """Restore the terminal after the shell has used it, and repaint everything."""
        self._is_coming_back = False
        if self._writer_thread is None or not self._auto_restart or self._app._exit:  # noqa: SLF001 - no public way
            return
        before = self.attrs_before
        if self._writer_thread.is_alive():
            self.disable_input()
            self.write(_KEYS_AS_BEFORE)
            self.close()
        self._must_signal_resume = True
        self.start_application_mode()  # type: ignore[no-untyped-call]  # Textual's
        self.attrs_before = before or self.attrs_before


def tolerant_driver(usual: type[Driver]) -> type[Driver]:
    """Return ``LocalDriver`` in place of Textual's own driver; any other driver unchanged."""
    return LocalDriver if usual is LinuxDriver else usual


def is_terminal(driver: Driver | None) -> bool:
    """Return whether a driver has a terminal that still exists."""
    descriptor = getattr(driver, "fileno", None)
    return isinstance(descriptor, int) and os.isatty(descriptor)


def set_mouse(app: App[Any], *, on: bool) -> None:
    """Turn reports of clicks and the wheel on or off in the terminal."""
    driver = app._driver  # noqa: SLF001 - Textual sets the mouse only when it starts
    if isinstance(driver, Remote):
        driver.set_mouse(on=on)
        return
    if not isinstance(driver, LinuxDriver) or driver._mouse == on:  # noqa: SLF001 - the same
        return
    driver._mouse = True  # noqa: SLF001 - neither way does anything without it
    if on:
        driver._enable_mouse_support()  # noqa: SLF001 - the same
    else:
        driver._disable_mouse_support()  # noqa: SLF001 - the same
    driver._mouse = on  # noqa: SLF001 - the same
    driver.flush()
