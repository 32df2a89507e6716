"""The terminal's end of the program, which may go away at any moment.

Textual's thread that writes dies when the terminal is gone; what is still sent then fills a queue
that nobody empties, and the program would wait for it for ever, with the lock on its save.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO, cast

from textual.app import App
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver


class Outlet:
    """A file that swallows what cannot be written any more."""

    def __init__(self, file: TextIO) -> None:
        """Write to a terminal as long as it is there."""
        self._file = file
        self.is_open = True

    def write(self, text: str) -> None:
        """Write a text, or drop it."""
        self._try(lambda: self._file.write(text))

    def flush(self) -> None:
        """Send what was written, or drop it."""
        self._try(self._file.flush)

    def fileno(self) -> int:
        """The number of the file below."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """True if there is still a terminal."""
        return self._file.isatty()

    def _try(self, deed: Callable[[], object]) -> None:
        if not self.is_open:
            return
        try:
            deed()
        except (OSError, ValueError):
            self.is_open = False


class Remote(Driver):
    """A driver whose terminal is not that of this process, and may be taken away and come back."""

    @property
    def app(self) -> App[Any]:
        """The program that is shown."""
        return self._app

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop in which this runs."""
        return self._loop

    def resize(self, size: tuple[int, int]) -> None:
        """Take the columns and rows of the terminal."""
        self._size = size

    def forget_buttons(self) -> None:
        """No button of the mouse is held down any more."""
        self._down_buttons.clear()

    @property
    def takes_frames(self) -> bool:
        """True if a frame that is painted now would arrive before long."""
        raise NotImplementedError

    def set_mouse(self, *, on: bool) -> None:
        """Ask the terminal to tell of clicks and the wheel, or not to."""
        raise NotImplementedError


def tolerant_driver(usual: type[Driver]) -> type[Driver]:
    """Textual's driver for terminals, so that it bears one that is gone; any other as it is."""
    if usual.__name__ != "LinuxDriver":
        return usual

    class TolerantDriver(usual):  # type: ignore[misc,valid-type]  # which one is known at run time
        """The usual driver with an outlet of ours."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._file: Any = Outlet(cast("TextIO", sys.__stderr__))

    return TolerantDriver


def is_terminal(driver: Driver | None) -> bool:
    """True if a driver has a terminal that is still there."""
    descriptor = getattr(driver, "fileno", None)
    return isinstance(descriptor, int) and os.isatty(descriptor)


def set_mouse(app: App[Any], *, on: bool) -> None:
    """Ask the terminal to tell of clicks and the wheel, or not to."""
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
