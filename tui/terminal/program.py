"""A full-screen program as its terminal sees it: fatal faults, its cursor, its style sheets.

Written for the pinned version of Textual: it overrides private methods of ``App``, and replaces the
cache of parsed rules that Textual keeps for each app.
"""

from __future__ import annotations

import asyncio
import sys
from functools import lru_cache
from inspect import isabstract
from typing import Any, Final, Protocol, runtime_checkable

from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet
from textual.driver import Driver
from textual.filter import Monochrome, NoColor
from textual.screen import Screen
from textual.widgets import Input, OptionList
from textual.worker import WorkerFailed

from tui.console.exits import Wrong
from tui.console.faults import ScreenFault, screen_fault
from tui.terminal.driver import LocalDriver, is_terminal, tolerant_driver
from tui.terminal.internals import row_of_option
from tui.terminal.key_queue import KeyQueue
from tui.terminal.output import CellOutput

LAST_WORDS: Final = 5.0
"""Seconds that a broken program has to close its screens before it is cancelled."""

_GREY: Final = (Monochrome, NoColor)
"""Filters that Textual adds by the environment of the process."""

_MOST_CLOSING: Final = 20
"""Maximum screens and parts that may fail while they are closed."""

_MOST_RULES = 256
"""Maximum parsed texts of one palette that are cached."""


class Program(KeyQueue, CellOutput):
    """A program that ends cleanly after any fault of its screens, even among others."""

    def __init__(self, *, driver_class: type[Driver] | None = None) -> None:
        """Make a program; ``driver_class`` writes to another terminal than that of the process."""
        super().__init__(ansi_color=True, driver_class=driver_class)
        if driver_class is not None:
            self._look_away()
        self.stylesheet = SharedSheet(variables=self.get_css_variables())
        self.broken_by: ScreenFault | None = None
        """Fault that broke a screen and ends this program; None without one."""
        self.has_lost_keys = False
        """True if the fault was in reading keys."""
        self._running_in: asyncio.Task[Any] | None = None
        self._last_words: asyncio.TimerHandle | None = None

    def get_driver_class(self) -> type[Driver]:
        """Return Textual's choice, or a driver that survives any input and a lost terminal.

        Raises:
            Wrong: ``TEXTUAL_DRIVER`` names no driver.
        """
        try:
            usual = super().get_driver_class()
        except Exception as problem:  # a module is imported, which may do anything
            raise Wrong(f"TEXTUAL_DRIVER names no driver: {problem}") from problem
        if isabstract(usual):
            raise Wrong(f"TEXTUAL_DRIVER names no driver: {usual.__name__} is abstract")
        return tolerant_driver(usual)

    def _look_away(self) -> None:
        """Keep global state of the process unchanged, as other programs share it.

        Textual would replace ``sys.stdout`` while the app runs; with many apps, the last one to end
        would leave its replacement there.
        """
        self._capture_stdout: Any = sys.stdout
        self._capture_stderr: Any = sys.stderr
        self.no_color = False
        self._filters = [part for part in self._filters if not isinstance(part, _GREY)]

    @property
    def has_terminal(self) -> bool:
        """True if this process has a terminal that still exists."""
        return is_terminal(self._driver)

    def trust_no_sync(self) -> None:
        """Stop using synchronized output, which another terminal may not know."""
        self._sync_available = False

    def hardware_cursor(self) -> tuple[int, int] | None:
        """Return (column, row) for the terminal's own cursor, or None to hide it."""
        return cursor_of(self.screen)

    # -- faults of screens -----------------------------------------------------------------------

    async def run_async(self, **wanted: Any) -> int | None:
        """Run the program; return its exit code, or None if it was cancelled or never exited."""
        self._running_in = asyncio.current_task()
        try:
            return await super().run_async(**wanted)
        finally:
            if self._last_words is not None:
                self._last_words.cancel()

    def stop_job(self) -> None:
        """Stop until the shell continues the program, if it runs in a terminal."""
        if isinstance(self._driver, LocalDriver):
            self._driver.stop_job()

    def fail_input(self, error: Exception) -> None:
        """Close the program after a fault in reading keys; some keys may be lost."""
        self.has_lost_keys = True
        self.fail(error)

    def fail(self, error: Exception) -> None:
        """Close the program after a fault in background work."""
        self._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        """Close after an uncaught exception; the caller of the program continues.

        Textual calls this for handlers, timers, workers, composing and drawing alike, and would
        print a trace with the values of all names in it.
        """
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        if self.broken_by is None:
            screens = tuple(type(screen).__name__ for screen in self._screen_stack)
            cause = error.error if isinstance(error, WorkerFailed) else error
            self.broken_by = screen_fault(cause, screens)
            if self._running_in is not None:
                later = self._running_in.get_loop().call_later
                self._last_words = later(LAST_WORDS, self._running_in.cancel)
        self._close_messages_no_wait()

    async def _shutdown(self) -> None:
        """Close all screens, including those after one that fails while it is closed."""
        for _ in range(_MOST_CLOSING):
            try:
                await super()._shutdown()
            except Exception as error:  # noqa: BLE001 - whatever a screen does, the others close
                self._handle_exception(error)
            else:
                break


# -- the cursor ----------------------------------------------------------------------------------

CursorSpot = tuple[int, int]
"""A column and a row of the terminal."""


@runtime_checkable
class HasCursor(Protocol):
    """A screen with a cursor of its own."""

    @property
    def hardware_cursor(self) -> CursorSpot | None:
        """Column and row of the cursor; None if it is hidden."""


def cursor_of(screen: Screen[Any]) -> CursorSpot | None:
    """Return the screen cell of the map's cursor, typed text or the chosen row, or None."""
    focused = screen.focused
    if isinstance(focused, Input):
        at = screen.app.cursor_position
        return at.x, at.y
    if isinstance(focused, OptionList):
        return _row(focused)
    return screen.hardware_cursor if isinstance(screen, HasCursor) else None


def _row(choices: OptionList) -> CursorSpot | None:
    if choices.highlighted is None:
        return None
    area = choices.content_region
    row = row_of_option(choices, choices.highlighted)
    y = area.y + row - choices.scroll_offset.y
    return (area.x, y) if area.y <= y < area.bottom else None


# -- style sheets --------------------------------------------------------------------------------


class SharedSheet(Stylesheet):
    """A style sheet whose parsed rules serve all programs with the same colours."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._share()

    def copy(self) -> Stylesheet:
        """Return another style sheet with the same texts."""
        made = SharedSheet(variables=self._variables.copy())
        made.source = self.source.copy()
        return made

    def set_variables(self, variables: dict[str, str]) -> None:
        """Use other colours; rules parsed for others are kept."""
        self._parse_cache = LRUCache(1)
        super().set_variables(variables)
        self._share()

    def reparse(self) -> None:
        """Parse added texts, for each screen that opens for the first time.

        Textual would parse all texts again here, since it makes a sheet that shares nothing.
        Parsing keeps the rules unchanged until all texts are without a fault.
        """
        self.parse()

    def _share(self) -> None:
        self._parse_cache = _parsed(tuple(sorted(self._variables.items())))


@lru_cache(maxsize=16)
def _parsed(variables: tuple[tuple[str, str], ...]) -> LRUCache[Any, Any]:  # noqa: ARG001 - the key of the cache
    return LRUCache(_MOST_RULES)
