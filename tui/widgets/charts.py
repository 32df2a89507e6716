"""Curves over a game's rounds, one for each seat, as text: braille dots, or letters in ASCII."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from engine.tabletop.board import GlyphSet
from tui.style.palette import Palette

SMALLEST: Final = (24, 6)
"""Minimum columns and rows of a chart; a smaller one is not drawn."""

_ASCII: Final = str.maketrans("┌┐└┘┬┤─│", "++++++-|")
_LETTERS: Final = "*ox#%@&~"
"""Signs of the seats' curves that have no dots."""

_DOTS: Final = "⠤⠄"
"""Signs of a solid and of a dotted curve in the legend."""

_BRAILLE: Final = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]], np.uint32)
"""Bits of the dots of a cell, by row and column; added to U+2800 they give its character."""

_APART: Final = 5
"""Distance between the dots of a dotted curve, in columns of dots."""

_FRAME_ROWS: Final = 4
"""Rows of a chart outside the plot: the frame, the rounds, the legend."""


_Ints = NDArray[np.intp]


class ChartFrame(NamedTuple):
    """Values and rounds at the edges of a chart.

    ``low`` and ``high`` are the values at the bottom and top, ``rounds`` is the last round. Points
    are evenly spread from the first round to the end of the last.
    """

    low: int
    high: int
    rounds: int


class _Plot(NamedTuple):
    """The inside of the frame: its size in cells, and the values at its edges."""

    columns: int
    rows: int
    points: int
    low: int
    high: int
    last: int
    """The last round that is numbered below."""
    edge: int
    """The round that begins at the right edge."""
    first: int
    """Number of the round at the left edge; other fields count it as 1."""

    def curve(self, values: Sequence[int], across: int, down: int) -> tuple[_Ints, _Ints]:
        """Return columns and rows of a curve without gaps, on a raster of this size."""
        corners = np.arange(len(values))
        columns = corners * (across - 1) / max(1, self.points - 1)
        if self.points == 1:
            columns += across // 2
        rows = (self.high - np.array(values)) * (down - 1) / (self.high - self.low)
        steps = np.maximum(abs(np.diff(columns)), abs(np.diff(rows))).astype(int) + 1
        parts = [k + np.arange(count) / count for k, count in enumerate(steps.tolist())]
        at = np.concatenate([*parts, corners[-1:]])
        found = (np.rint(np.interp(at, corners, line)) for line in (columns, rows))
        x, y = (line.astype(np.intp) for line in found)
        return x, y


def chart(  # noqa: PLR0913, PLR0917 - curves, whose they are, and how they are drawn
    series: Sequence[Sequence[int]],
    names: Sequence[str],
    width: int,
    height: int,
    palette: Palette,
    signs: GlyphSet = "rich",
    frame: ChartFrame | None = None,
    first: int = 1,
) -> Text:
    """Draw one curve for each seat in a frame with numbers, and a legend below.

    ``series`` has a sequence for each seat with one value per round from ``first`` on, or an empty
    one if nothing is known of the seat. ``frame`` gives the values at the edges; None uses the
    minimum and maximum value, the first and the last round. Curves differ in how they are drawn,
    not by colour alone. The text has exactly ``height`` rows, none wider than ``width``; it is
    empty if that is too small or there is nothing to draw.
    """
    points = max(map(len, series), default=0)
    if points == 0 or width < SMALLEST[0] or height < SMALLEST[1]:
        return Text()
    values = [value for curve in series for value in curve]
    low, high, last = frame or (min(values), max(values), points)
    if low == high:
        low, high = low - 1, high + 1
    upwards = ticks(low, high, height // 3)
    margin = max(len(str(value)) for value in upwards)
    edge = last if frame is None else last + 1
    plot = _Plot(width - margin - 2, height - _FRAME_ROWS, points, low, high, last, edge, first)
    signs_of = [_sign(seat, signs, points) for seat in range(len(series))]
    drawn, owners = _drawn(series, plot, signs_of)
    text = Text(_framed(drawn, plot, upwards, margin, signs), style=palette.plain)
    line = width + 1
    for row, cells in enumerate(owners):
        start = (row + 1) * line + margin + 1
        for owner, run in groupby(cells.tolist()):
            end = start + len(list(run))
            if owner >= 0:
                text.stylize(Style(color=palette.seat(owner)[0] or None), start, end)
            start = end
    known = [name if curve else "" for name, curve in zip(names, series, strict=False)]
    return text.append("\n").append_text(_legend(known, signs_of, width, palette))


def _drawn(
    series: Sequence[Sequence[int]], plot: _Plot, signs: Sequence[str]
) -> tuple[NDArray[np.uint32], NDArray[np.int8]]:
    """Return the characters of the plot, and the seat of each one's curve (-1 for no curve)."""
    dots = np.zeros((plot.rows, 4, plot.columns, 2), bool)
    letters = np.zeros((plot.rows, plot.columns), np.uint32)
    owners = np.full((plot.rows, plot.columns), -1, np.int8)
    for seat, (values, sign) in enumerate(zip(series, signs, strict=True)):
        if not values:
            continue
        if sign not in _DOTS:
            columns, rows = plot.curve(values, plot.columns, plot.rows)
            letters[rows, columns] = ord(sign)
            owners[rows, columns] = seat
            continue
        columns, rows = plot.curve(values, 2 * plot.columns, 4 * plot.rows)
        if sign == _DOTS[1]:
            columns, first = np.unique(columns, return_index=True)
            rows = rows[first]
            columns, rows = columns[::_APART], rows[::_APART]
        dots[rows // 4, rows % 4, columns // 2, columns % 2] = True
        owners[rows // 4, columns // 2] = seat
        letters[rows // 4, columns // 2] = 0
    bits = (dots * _BRAILLE[None, :, None, :]).sum(axis=(1, 3), dtype=np.uint32)
    shown = np.where(letters > 0, letters, np.where(bits > 0, 0x2800 + bits, ord(" ")))
    return shown.astype(np.uint32), owners


def _framed(
    drawn: NDArray[np.uint32], plot: _Plot, upwards: Sequence[int], margin: int, signs: GlyphSet
) -> str:
    """Return the rows of the plot in a frame, with whole numbers at both axes."""
    labels = dict.fromkeys(range(plot.rows), "")
    for value in upwards:
        share = (plot.high - value) / (plot.high - plot.low)
        labels[round(share * (4 * plot.rows - 1)) // 4] = str(value)
    below, numbers = ["─"] * plot.columns, [" "] * (margin + plot.columns + 2)
    free = 0
    for value in ticks(1, max(2, plot.last), (margin + plot.columns + 2) // 10):
        share = (value - 1) / max(1, plot.edge - 1)
        column = round(share * (plot.columns - 1)) if plot.edge > 1 else plot.columns // 2
        if value > plot.last:
            continue
        below[column] = "┬"
        label = str(value + plot.first - 1)
        start = min(margin + 1 + column - len(label) // 2, len(numbers) - len(label))
        if start >= free:
            numbers[start : start + len(label)] = label
            free = start + len(label) + 1
    rows = [f"{' ' * margin}┌{'─' * plot.columns}┐"]
    for row, cells in enumerate(drawn):
        edge = "┤" if labels[row] else "│"
        rows.append(f"{labels[row].rjust(margin)}{edge}{''.join(map(chr, cells))}│")
    rows += [f"{' ' * margin}└{''.join(below)}┘", "".join(numbers)]
    text = "\n".join(rows)
    return text.translate(_ASCII) if signs == "ascii" else text


def ticks(low: int, high: int, count: int) -> list[int]:
    """Return whole numbers from ``low`` to ``high``: both ends, and at most ``count`` + 1 in all.

    >>> ticks(1, 30, 4)
    [1, 9, 17, 25, 30]
    """
    step = max(1, -(-(high - low) // max(1, count)))
    found = list(range(low, high, step))
    if len(found) > 1 and high - found[-1] < (step + 1) // 2:
        found.pop()
    return [*found, high]


def _sign(seat: int, signs: GlyphSet, rounds: int) -> str:
    """Return the sign of a seat's curve: dots for the first two, if available and not one round."""
    has_dots = signs != "ascii" and rounds > 1 and seat < len(_DOTS)
    return _DOTS[seat] if has_dots else _LETTERS[seat % len(_LETTERS)]


def _legend(names: Sequence[str], signs: Sequence[str], width: int, palette: Palette) -> Text:
    text = Text(end="")
    for seat, (name, sign) in enumerate(zip(names, signs, strict=False)):
        if not name:
            continue
        part = f"  {sign * 3} {name}"
        if cell_len(text.plain) + cell_len(part) > width:
            break
        text.append(part, style=Style(color=palette.seat(seat)[0] or None))
    return text
