"""Output to the terminal: the changed cells, in as few bytes as possible.

Textual composes strips of styled text and would send every dirty strip whole. ``CellOutput`` turns
Textual's composition into cells, compares them with those that the terminal shows, and sends the
difference. ``ShownCells`` does all of that without Textual.

Written for the pinned version of Textual: it overrides ``App._display`` and reads the fields of
``LayoutUpdate`` and ``ChopsUpdate``. ``tests/tui/test_output.py`` checks that both ways of output
give the same cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.console import RenderableType
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App
from textual.screen import Screen

from tui.terminal.capabilities import Depth
from tui.terminal.cells import (
    BLANK,
    DEFAULT,
    UNKNOWN,
    RowPatch,
    ScreenCell,
    TerminalPen,
    cells_of,
    change,
    is_wide,
)
from tui.terminal.driver import Remote

_BRIDGE: Final = 4
"""Maximum unchanged cells that are written again rather than skipped."""

_LEAST_SCROLLED: Final = 4
"""Minimum saved rows for which the terminal is asked to scroll."""

_SYNCED: Final = 1024
"""Bytes below which an update arrives in one piece anyway."""


# -- terminal contents --------------------------------------------------------------------------


class ShownCells:
    """The cells that a terminal shows; computes the bytes that change them."""

    def __init__(self) -> None:
        """Start with an unknown content of the terminal."""
        self.size = (0, 0)
        self._rows: list[list[ScreenCell]] = []
        self._pen: TerminalPen | None = None
        self._at: tuple[int, int] | None = None
        """Column and row of the terminal's cursor, if known."""
        self._cursor_shown: bool | None = None
        """True if the cursor is visible; None if unknown."""

    def resize(self, width: int, height: int) -> None:
        """Set the terminal's columns and rows; after a change its content is unknown."""
        if (width, height) != self.size:
            self.size = width, height
            self.forget()

    def forget(self) -> None:
        """Treat the terminal's content as unknown: something else may have written to it."""
        width, height = self.size
        self._rows = [[UNKNOWN] * width for _ in range(height)]
        self._pen = self._at = self._cursor_shown = None

    def paint(self, patches: Sequence[RowPatch]) -> str:
        """Return the bytes that change the terminal's content to these cells."""
        out: list[str] = []
        inside = [patch for patch in patches if patch.y < self.size[1]]
        if len(inside) >= _LEAST_SCROLLED:
            self._scroll(inside, out)
        for patch in inside:
            self._put(patch, out)
        return "".join(out)

    def point(self, at: tuple[int, int] | None) -> str:
        """Return the bytes that move the cursor to a cell (column, row) or hide it."""
        out: list[str] = []
        seen = at is not None and 0 <= at[0] < self.size[0] and 0 <= at[1] < self.size[1]
        if at is not None and seen and self._at != at:
            out.append(f"\x1b[{at[1] + 1};{at[0] + 1}H")
            self._at = at
        if seen is not self._cursor_shown:
            out.append("\x1b[?25h" if seen else "\x1b[?25l")
            self._cursor_shown = seen
        return "".join(out)

    # -- writing ---------------------------------------------------------------------------------

    def _put(self, patch: RowPatch, out: list[str]) -> None:
        y, x, cells = patch
        row = self._rows[y]
        end = min(x + len(cells), len(row))
        new = cells[: end - x]
        if row[x:end] == new:
            return
        whole = [*row[:x], *new, *row[end:]]
        _mend(whole, (x - 1, x, end - 1, end))
        start, stop = max(0, x - 1), min(end + 1, len(row))
        while start < stop:
            if row[start] == whole[start]:
                start += 1
                continue
            first = start - 1 if not whole[start][0] and start else start
            last = self._run_end(row, whole, start, stop)
            self._go(first, y, out)
            self._write(whole, first, last, out)
            start = last
        self._rows[y] = whole

    @staticmethod
    def _run_end(row: list[ScreenCell], whole: list[ScreenCell], start: int, stop: int) -> int:
        """Return the end of a run: after the last changed cell before a gap not worth bridging."""
        last = start
        for at in range(start + 1, stop):
            if row[at] != whole[at]:
                last = at
            elif at - last > _BRIDGE or whole[at][1] != whole[last][1]:
                break
        while last + 1 < len(whole) and not whole[last + 1][0]:
            last += 1
        return last + 1

    def _go(self, x: int, y: int, out: list[str]) -> None:
        """Add the bytes that move the cursor to ``out``; steps to the right if that is shorter."""
        if self._at == (x, y):
            return
        if self._at is not None and self._at[1] == y and 0 < x - self._at[0] < 100:
            by = x - self._at[0]
            out.append(f"\x1b[{by}C" if by > 1 else "\x1b[C")
        else:
            out.append(f"\x1b[{y + 1};{x + 1}H")
        self._at = x, y

    def _write(self, row: list[ScreenCell], first: int, end: int, out: list[str]) -> None:
        pen = self._pen
        for text, new in row[first:end]:
            if new is not pen:
                out.append(change(pen, new))
                pen = new
            out.append(text)
        self._pen = pen
        # At the right edge a terminal holds the cursor back until the next character.
        y = self._at[1] if self._at is not None else 0
        self._at = (end, y) if end < self.size[0] else None

    # -- scrolling -------------------------------------------------------------------------------

    def _scroll(self, patches: list[RowPatch], out: list[str]) -> None:
        """Add to ``out`` a scroll of rows that went up or down, and restore cells beside them."""
        block = _widest(patches)
        top, bottom, by, saved = self._best_shift(block)
        if saved < _LEAST_SCROLLED:
            return
        old = self._rows[top : bottom + 1]
        empty = [[BLANK] * self.size[0] for _ in range(min(abs(by), len(old)))]
        moved = [*old[by:], *empty] if by > 0 else [*empty, *old[:by]]
        covered = {patch.y: patch for patch in block}
        beside = [_beside(covered.get(y), self.size[0]) for y in range(top, bottom + 1)]
        spoilt = sum(
            one != other
            for before, after, spans in zip(old, moved, beside, strict=True)
            for start, end in spans
            for one, other in zip(before[start:end], after[start:end], strict=True)
        )
        if spoilt >= saved * len(block[0].cells):
            return  # a narrow column beside a board: more would be put back than is saved
        out.append(change(self._pen, DEFAULT) + f"\x1b[{top + 1};{bottom + 1}r")
        if by > 0:
            out.append(f"\x1b[{bottom + 1};1H" + "\x1bD" * by)
        else:
            out.append(f"\x1b[{top + 1};1H" + "\x1bM" * -by)
        out.append("\x1b[r")
        self._pen, self._at = DEFAULT, None
        self._rows[top : bottom + 1] = [list(row) for row in moved]
        for (y, before), spans in zip(enumerate(old, top), beside, strict=True):
            for start, end in spans:
                self._put(RowPatch(y, start, before[start:end]), out)

    def _best_shift(self, block: list[RowPatch]) -> tuple[int, int, int, int]:
        """Return the first and last row, the shift of their content upwards, and the rows saved.

        All rows of the block begin in one column and are equally long.
        """
        if not block:
            return 0, 0, 0, 0
        x, width = block[0].x, len(block[0].cells)
        top, bottom = block[0].y, block[-1].y
        places: dict[tuple[ScreenCell, ...], list[int]] = {}
        for y in range(top, bottom + 1):
            places.setdefault(tuple(self._rows[y][x : x + width]), []).append(y)
        shifts: Counter[int] = Counter()
        for patch in block:
            for y in places.get(tuple(patch.cells), ())[:_BRIDGE]:
                shifts[y - patch.y] += 1
        standing = shifts.pop(0, 0)
        if not shifts:
            return top, bottom, 0, 0
        by, moved = max(shifts.items(), key=lambda item: (item[1], -abs(item[0])))
        return top, bottom, by, moved - standing


def _widest(patches: Sequence[RowPatch]) -> list[RowPatch]:
    """Return the patches of adjacent rows that form the largest block of this update."""
    columns: dict[tuple[int, int], list[RowPatch]] = {}
    for patch in patches:
        columns.setdefault((patch.x, len(patch.cells)), []).append(patch)
    block = max(columns.values(), key=lambda found: len(found) * len(found[0].cells))
    rows = [patch.y for patch in block]
    return block if rows == list(range(rows[0], rows[0] + len(rows))) else []


def _beside(patch: RowPatch | None, width: int) -> Iterable[tuple[int, int]]:
    """Return the columns of a row that a patch does not cover."""
    if patch is None:
        return [(0, width)]
    return [
        span for span in ((0, patch.x), (patch.x + len(patch.cells), width)) if span[0] < span[1]
    ]


def _mend(row: list[ScreenCell], places: Iterable[int]) -> None:
    """Replace halves of wide characters that lost their other half by blanks."""
    for at in places:
        if not 0 <= at < len(row):
            continue
        text, pen = row[at]
        alone = (not text and (at == 0 or not is_wide(row[at - 1]))) or (
            is_wide(row[at]) and (at + 1 == len(row) or bool(row[at + 1][0]))
        )
        if alone:
            row[at] = (" ", pen)


# -- in place of Textual's own output -----------------------------------------------------------


class CellOutput(App[int]):
    """An app that sends changed cells only. Mix it in before ``App``."""

    cell_output: bool = True
    """False to use Textual's own output."""

    def __init__(self, **wanted: Any) -> None:
        super().__init__(**wanted)
        self.shown = ShownCells()

    @property
    def depth(self) -> Depth:
        """Colour depth that the terminal supports."""
        raise NotImplementedError

    def hardware_cursor(self) -> tuple[int, int] | None:
        """Return the cell (column, row) for the terminal's own cursor, or None to hide it."""
        return None

    def paint_anew(self) -> None:
        """Send the whole screen again, whatever the terminal shows."""
        self.shown.forget()
        self.refresh(layout=True)
        self.screen.refresh(layout=True)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        driver = self._driver
        if driver is None or driver.is_headless or driver.is_inline or renderable is None:
            super()._display(screen, renderable)
        elif isinstance(driver, Remote) and not driver.takes_frames:
            self.shown.forget()
            self.post_display_hook()
        elif not self.cell_output or not isinstance(renderable, (LayoutUpdate, ChopsUpdate)):
            self.shown.forget()
            super()._display(screen, renderable)
        elif self._running and not self._closed and not self._batch_count:
            self.paint(_patches(renderable, self.size.width, self.depth))

    @property
    def paints(self) -> bool:
        """True if ``paint`` sends cells now."""
        driver = self._driver
        return (
            driver is not None
            and not (driver.is_headless or driver.is_inline)
            and self.cell_output
            and self._running
            and not (self._closed or self._batch_count)
            and (not isinstance(driver, Remote) or driver.takes_frames)
        )

    def paint(self, patches: Sequence[RowPatch]) -> None:
        """Send the cells that are not shown yet; ``patches`` are sorted by row and column."""
        self.shown.resize(*self.size)
        self._send(self.shown.paint(patches))
        self.post_display_hook()

    def _send(self, painted: str) -> None:
        text = painted + self.shown.point(self.hardware_cursor())
        driver = self._driver
        if not text or driver is None:
            return
        if len(text) < _SYNCED:
            driver.write(text)
        else:
            self._begin_update()
            driver.write(text)
            self._end_update()
        driver.flush()


def _patches(update: RenderableType, width: int, depth: Depth) -> list[RowPatch]:
    if isinstance(update, LayoutUpdate):
        x, room = update.region.x, width - update.region.x
        return [
            RowPatch(y, x, cells_of(strips, depth)[:room])
            for y, strips in enumerate(update.strips, update.region.y)
        ]
    if isinstance(update, ChopsUpdate):
        return _chopped(update, width, depth)
    return []


def _chopped(update: ChopsUpdate, width: int, depth: Depth) -> list[RowPatch]:
    """Return the dirty spans of an update, each cut from its strips."""
    found = []
    for y, first, last in update.spans:
        ends = update.chop_ends[y]
        for end, (x, strip) in zip(ends, update.chops[y].items(), strict=False):
            if strip is None or x >= last or end <= first:
                continue
            start, stop = max(x, first), min(end, last, width)
            if start < stop:
                cells = cells_of((strip,), depth)
                found.append(RowPatch(y, start, cells[start - x : stop - x]))
    return found
