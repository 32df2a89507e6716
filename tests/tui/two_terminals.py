"""Run the program with two terminals: one gets changed cells, the other Textual's output."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyte
from rich.color import ColorSystem
from rich.console import RenderableType
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.drivers.headless_driver import HeadlessDriver
from textual.screen import Screen
from textual.strip import Strip

from saves.archive import Folder
from study.screens.reasons import ReplayReasons
from tests.tui.piloted_app import Desk, InProcess
from tui.app.local import LocalApp
from tui.terminal.cells import RowPatch
from tui.terminal.output import ShownCells

_PRIVATE = re.compile(r"\x1b\[[<=>][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\[\?[0-9;]*u")
"""Sequences that pyte would show as text."""

_PEN = re.compile(r"\x1b\[([0-9;]*)m")

Cell = tuple[str, str, str, bool, bool, bool, bool, bool, bool]
"""Character, colours; bold, dim, italic, underlined, reversed, struck through."""


class Keeping(HeadlessDriver):
    """A terminal of a fixed size whose output is kept."""

    kept = ""

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        self.kept += data

    def take(self) -> str:
        """Return the output since the last call."""
        kept, self.kept = self.kept, ""
        return kept


class Emulated:
    """A terminal's screen."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.screen = pyte.Screen(*size)
        self.stream = pyte.Stream(self.screen)

    def feed(self, text: str) -> None:
        """Show output."""
        self.stream.feed(_PEN.sub(_kept_dim, _PRIVATE.sub("", text)))

    def resize(self, size: tuple[int, int]) -> None:
        """Resize the screen; keep the contents that fit."""
        self.screen.resize(size[1], size[0])

    def has_row_of(self, other: Emulated, y: int) -> bool:
        """Return whether both have equal rows ``y``, without decoding their cells."""
        return bool(self.screen.buffer[y] == other.screen.buffer[y])

    def row(self, y: int) -> list[Cell]:
        """Return the cells of a row."""
        line = self.screen.buffer[y]
        return [_seen(line[x]) for x in range(self.screen.columns)]


def _seen(char: Any) -> Cell:
    return (
        char.data,
        char.fg,
        char.bg,
        char.bold,
        char.blink,
        char.italics,
        char.underscore,
        char.reverse,
        char.strikethrough,
    )


def _kept_dim(found: re.Match[str]) -> str:
    """Write dim as blinking: pyte does not know dim, and nothing here blinks."""
    told: list[str] = []
    parts = iter(found[1].split(";"))
    for part in parts:
        if part in {"38", "48"}:
            how = next(parts)
            told += [part, how, *(next(parts) for _ in range(1 if how == "5" else 3))]
        else:
            told += {"2": ["5"], "22": ["22", "25"]}.get(part, [part])
    return f"\x1b[{';'.join(told)}m"


def in_eight(cell: Cell) -> Cell:
    """Convert a cell of Textual, which knows sixteen colours, for a terminal with eight."""
    text, ink, back, *_ = cell
    return (text, ink.removeprefix("bright"), back.removeprefix("bright"), *cell[3:])


@contextmanager
def _uncached() -> Iterator[None]:
    """Disable the cache of rendered styles, which was filled for other colours."""
    usual = Strip.render_style

    def render_style(style: Style, text: str, color_system: ColorSystem) -> str:
        style._ansi = None
        return usual(style, text, color_system=color_system)

    with patch.object(Strip, "render_style", staticmethod(render_style)):
        yield


class Twice(LocalApp):
    """The program; every update goes to both terminals for comparison."""

    def __init__(self, folder: Path, size: tuple[int, int], **wanted: Any) -> None:
        super().__init__(Folder(folder), lambda: ReplayReasons, computer=InProcess(), **wanted)
        self.driver_class = Keeping
        self.lean, self.plain = Emulated(size), Emulated(size)
        self.updates = 0
        """Number of updates sent."""
        self.short_ways = 0
        """Number of updates that took the short path, past Textual's compositor."""
        self._is_composed = False

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if isinstance(self._driver, Keeping) and renderable is not None:
            self._is_composed = True
            self._tell(lambda: super(Twice, self)._display(screen, renderable))
            self._is_composed = False
            self._tell_plainly(screen, renderable)

    def paint(self, patches: Sequence[RowPatch]) -> None:
        """Paint cells from Textual's compositor or from the short path."""
        if self._is_composed:
            super().paint(patches)
            return
        self.short_ways += 1
        self._tell(lambda: super(Twice, self).paint(patches))
        strips = self.screen._compositor.render_strips()
        self._tell_plainly(self.screen, LayoutUpdate([[s] for s in strips], self.size.region))

    def _tell(self, send: Callable[[], None]) -> None:
        """Send to the terminal that gets changed cells."""
        driver = self._driver
        assert isinstance(driver, Keeping)
        for terminal in (self.lean, self.plain):
            if (terminal.screen.columns, terminal.screen.lines) != (*self.size,):
                terminal.resize((self.size.width, self.size.height))
        driver.take()
        send()
        self.lean.feed(driver.take())
        self.updates += 1

    def _tell_plainly(self, screen: Screen[Any], renderable: RenderableType) -> None:
        """Send to the other terminal, as Textual does."""
        driver, mine = self._driver, self.shown
        assert isinstance(driver, Keeping)
        self.cell_output, self.shown = False, ShownCells()
        with _uncached():
            super()._display(screen, renderable)
        self.cell_output, self.shown = True, mine
        self.plain.feed(driver.take())

    def differing(self) -> list[str]:
        """Return the current differences of the two terminals, in words.

        Call it only at rest: Textual sends more than the dirty cells, which shows while a screen
        opens.
        """
        found = []
        for y in range(self.size.height):
            if self.depth != "8" and self.lean.has_row_of(self.plain, y):
                continue
            lean, plain = self.lean.row(y), self.plain.row(y)
            if self.depth == "8":
                plain = [in_eight(cell) for cell in plain]
            if lean == plain:
                continue
            x = next(x for x, pair in enumerate(zip(lean, plain, strict=True)) if len({*pair}) > 1)
            found.append(f"row {y}, column {x}: {lean[x]} instead of {plain[x]}")
        return found

    def colours(self) -> set[str]:
        """Return the colours on the terminal that gets changed cells."""
        cells = [cell for y in range(self.size.height) for cell in self.lean.row(y)]
        return {colour for cell in cells for colour in cell[1:3]}


@asynccontextmanager
async def twice(
    folder: Path, size: tuple[int, int] = (80, 24), **wanted: Any
) -> AsyncIterator[tuple[Desk, Twice]]:
    """Run the program with two terminals, under a pilot."""
    app = Twice(folder, size, **wanted)
    app.speed = 5
    try:
        async with app.run_test(headless=False, size=size) as pilot:
            at = Desk(app, pilot)
            await at.rest()
            yield at, app
    finally:
        app.close_all()
