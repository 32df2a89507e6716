"""Panel lines as cards: headings with a rule, gauges as bars, and as much space as fits.

Three layouts hold the same lines: with an empty row above each heading, without it, and with the
gauges of one thing written side by side as text. The first that fits the height is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Final, Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from engine.tabletop.board import NOBODY, Gauge, GlyphSet, Line
from engine.tabletop.roles import Role, Tone
from tui.style.palette import Palette
from tui.widgets.charts import SMALLEST, chart
from tui.widgets.panels import AnyRow, PartsRow, Rows, wrap

CardSpacing = Literal["roomy", "close", "packed"]

LEAST_BAR: Final = 4
"""Minimum columns of a bar; a shorter one is omitted."""

_MOST_BAR: Final = 34
"""Maximum columns of a bar; a longer one would only move its number away from its label."""

_EIGHTHS: Final = "▏▎▍▌▋▊▉"
_NUMBER: Final = re.compile(r"(?P<label>.*?\S)[,:]? +(?P<number>[+-]?\d[\d,.]*(/\d+)?( %)?)")
_LOW, _MIDDLE = 34, 67
"""Percentages of life or chance below which it is bad, or middling."""


class Cards(Rows):
    """Rows with lines laid out as cards."""

    signs: GlyphSet = "rich"
    """Signs of bars and rules."""

    def wrapped(self, lines: Iterable[Line]) -> list[AnyRow]:
        """Return the lines as rows, without the empty rows above headings."""
        return cards(lines, self.size.width, self.palette, self.signs, "close")

    def fitted(self, lines: Iterable[Line], extra: Sequence[Line] = ()) -> list[AnyRow]:
        """Return the lines as rows that fit, in the first layout that does.

        If none does, the last row has the number of omitted rows. ``extra`` lines are added only if
        all of them fit.
        """
        listed, (width, height) = list(lines), self.size
        tried: list[tuple[CardSpacing, list[Line]]] = []
        if extra:
            tried += [("roomy", [*listed, *extra]), ("close", [*listed, *extra])]
        tried += [("roomy", listed), ("close", listed), ("packed", listed)]
        rows: list[AnyRow] = []
        for layout, some in tried:
            rows = cards(some, width, self.palette, self.signs, layout)
            if len(rows) <= height:
                return rows
        if height < 2:
            return rows
        kept = self._cut(listed, height - 1)
        more = Line(f"({len(rows) - kept} more rows)", Tone.QUIET)
        return [*rows[:kept], *wrap(more, width, self.palette)]

    def _cut(self, lines: Sequence[Line], most: int) -> int:
        """Return how many rows of packed lines to show: ``most``, but no heading without a row."""

        def rows_of(count: int) -> int:
            return len(cards(lines[:count], self.size.width, self.palette, self.signs, "packed"))

        count = next(n for n in range(len(lines), -1, -1) if rows_of(n) <= most)
        is_bare = count > 1 and lines[count - 1].tone is Tone.HEADING and rows_of(count) == most
        return rows_of(count - 1) if is_bare else most

    def laid_over(
        self, lines: Iterable[Line], rows: Sequence[AnyRow] | None = None
    ) -> list[AnyRow]:
        """Return lines over rows, or the present ones, that continue below with a whole line.

        Cards that keep their position need not be sent again when the lines disappear.
        """
        new = self.fitted(lines)
        under = (self._rows if rows is None else rows)[len(new) + 1 :]
        kept = next((n for n, row in enumerate(under) if _begins(row)), len(under))
        blank: list[AnyRow] = [("", self.palette.plain)] * (kept + 1)
        return [*new, *blank, *under[kept:]] if under else new

    def stacked(self, above: Sequence[AnyRow], rows: Sequence[AnyRow]) -> list[AnyRow]:
        """Return the rows of ``above`` and then ``rows``, with an empty row between them."""
        apart: list[AnyRow] = [("", self.palette.plain)] if above and rows else []
        return [*above, *apart, *rows]

    def charted(
        self,
        title: str,
        curves: Sequence[Sequence[int]],
        names: Sequence[str],
        most: int,
        first: int = 1,
    ) -> Sequence[AnyRow]:
        """Return curves under a heading, in at most ``most`` rows; empty if too little is known."""
        if max(map(len, curves), default=0) < 2 or most <= SMALLEST[1]:
            return ()
        listed = tuple(map(tuple, curves))
        size = self.size.width, most - 1
        drawn = chart_rows(listed, tuple(names), size, self.palette, self.signs, first)
        return (*self.wrapped([Line(title, Tone.HEADING)]), *drawn) if drawn else ()

    def filled(self, lines: Iterable[Line]) -> list[AnyRow]:
        """Return the lines as rows; rows that do not fit are cut off."""
        width, height = self.size
        return cards(lines, width, self.palette, self.signs, "roomy")[:height]


def cards(
    lines: Iterable[Line], width: int, palette: Palette, signs: GlyphSet, layout: CardSpacing
) -> list[AnyRow]:
    """Return the lines as rows of ``width`` columns in a layout."""
    rows: list[AnyRow] = []
    for is_gauge, run in groupby(lines, key=lambda line: line.gauge is not None):
        listed = list(run)
        if not is_gauge:
            for line in listed:
                if line.tone is Tone.HEADING and rows and layout == "roomy":
                    rows.append(("", palette.plain))
                rows += _plain_rows(line, width, palette, signs)
        elif layout == "packed":
            for line in _packed(listed, width):
                rows += _gauge_rows((line,), width, palette, signs)
        else:
            rows += _gauge_rows(tuple(listed), width, palette, signs)
    return rows


@lru_cache(maxsize=256)
def _plain_rows(line: Line, width: int, palette: Palette, signs: GlyphSet) -> Sequence[AnyRow]:
    if line.tone is not Tone.HEADING:
        return wrap(line, width, palette)
    text = line.text.upper()
    style = palette.line(Tone.TITLE if line.seat != NOBODY else Tone.HEADING, line.seat)
    rest = width - cell_len(text) - 1
    if rest < 1:
        return wrap(Line(text, Tone.TITLE, line.seat), width, palette)
    rule = ("-" if signs == "ascii" else "─") * rest
    return [PartsRow((Segment(f"{text} ", style), Segment(rule, faint(palette))))]


def _begins(row: AnyRow) -> bool:
    """Return whether a row is the first of a line: all others are indented."""
    text = row.parts[0].text if isinstance(row, PartsRow) else row[0]
    return bool(text) and not text.startswith(" ")


def faint(palette: Palette) -> Style:
    """Return the style of the lines beside headings."""
    if palette.depth == "none":
        return palette.line(Tone.QUIET, NOBODY)
    return palette.pen(palette.frame, palette.back)


@lru_cache(maxsize=16)
def chart_rows(
    series: tuple[tuple[int, ...], ...],
    names: tuple[str, ...],
    size: tuple[int, int],
    palette: Palette,
    signs: GlyphSet,
    first: int = 1,
) -> Sequence[AnyRow]:
    """Return the curves of all seats as rows; empty if the size is too small."""
    text = chart(series, names, *size, palette, signs, first=first)
    rows: list[AnyRow] = []
    for line in text.split("\n") if text.plain else ():
        plain, base = line.plain, Style.null() if isinstance(line.style, str) else line.style
        ends = sorted({0, len(plain), *(at for span in line.spans for at in span[:2])})
        parts = []
        for start, end in pairwise(ends):
            over = [span.style for span in line.spans if span.start <= start < span.end]
            style = sum((each for each in over if isinstance(each, Style)), base)
            parts.append(Segment(plain[start:end], style))
        rows.append(PartsRow(tuple(parts)))
    return rows


# -- gauges ----------------------------------------------------------------------------------------


def parted(text: str) -> tuple[str, str]:
    """Split a line into its label and the number at its end, which may be empty.

    >>> parted("Life 12/16"), parted("Chance to survive 93 %"), parted("no unit")
    (('Life', '12/16'), ('Chance to survive', '93 %'), ('no unit', ''))
    """
    found = _NUMBER.fullmatch(text)
    return (found["label"], found["number"]) if found else (text, "")


def _packed(lines: Sequence[Line], width: int) -> list[Line]:
    """Join gauges of one thing as text, as far as they fit in a row.

    Lines of different seats, or repeated lines of one kind, form a table and stay separate.
    """
    found: list[Line] = []
    kinds: set[str] = set()
    for line in lines:
        kind = line.gauge.kind if line.gauge is not None else ""
        last = found[-1] if found else None
        together = f"{last.text}  {line.text}" if last is not None else line.text
        fits = last is not None and last.seat == line.seat and cell_len(together) <= width
        if last is not None and fits and kind not in kinds and kind != "force":
            found[-1] = Line(together, line.tone, line.seat, last.rule, last.at)
            kinds.add(kind)
        else:
            found.append(line)
            kinds = {kind}
    return found


@lru_cache(maxsize=256)
def _gauge_rows(
    lines: tuple[Line, ...], width: int, palette: Palette, signs: GlyphSet
) -> Sequence[AnyRow]:
    """Return lines with bars in one column and numbers aligned at the right.

    A bar is shorter, or omitted, if the texts leave too little space.
    """
    parts = [parted(line.text) for line in lines]
    number_room = max(cell_len(number) for _, number in parts)
    label_room = max(cell_len(label) for label, _ in parts)
    between = width - label_room - number_room - 2
    bar = min(between, _MOST_BAR)
    if bar < LEAST_BAR:
        end = width
        bar = max(0, min(2 * LEAST_BAR, between))
    else:
        end = label_room + 1 + bar + 1 + number_room
    rows: list[AnyRow] = []
    for line, (label, number) in zip(lines, parts, strict=True):
        style = palette.line(line.tone, line.seat)
        if line.gauge is None or cell_len(label) + 1 + cell_len(number) > width:
            rows += wrap(line, width, palette)
            continue
        gap = end - cell_len(label) - 1 - number_room - 1
        own = bar if bar >= LEAST_BAR else min(gap, 2 * LEAST_BAR)
        if own < LEAST_BAR:
            space = max(1, end - cell_len(label) - cell_len(number))
            rows.append((f"{label}{' ' * space}{number}", style))
            continue
        space = gap - own + 1
        drawn = bar_parts(line.gauge, own, palette, signs, line.seat)
        start, last = label + " " * space, number.rjust(number_room + 1)
        rows.append(PartsRow((Segment(start, style), *drawn, Segment(last, style))))
    return rows


def bar_parts(
    gauge: Gauge, width: int, palette: Palette, signs: GlyphSet, seat: int = NOBODY
) -> tuple[Segment, ...]:
    """Return a gauge as a bar of exactly ``width`` columns, at least three.

    A positive value is never drawn as empty, and less than the maximum never as full.
    """
    ink = gauge_ink(gauge, palette, seat)
    if signs == "ascii":
        cells = _shares(gauge, width - 2)
        text = f"[{'#' * cells}{'.' * (width - 2 - cells)}]"
        return (Segment(text, palette.pen(ink or "", palette.back)),)
    if palette.is_rich and signs == "rich":
        eighths = _shares(gauge, 8 * width)
        cells, part = divmod(eighths, 8)
        text = "█" * cells + (_EIGHTHS[part - 1] if part else "")
        style = palette.pen(ink or "", palette.bar)
        rest = " " * (width - cells - bool(part))
        return (Segment(text + rest, style),)
    halves = _shares(gauge, 2 * width)
    text = "█" * (halves // 2) + "▌" * (halves % 2)
    rest = "░" * (width - len(text))
    style = palette.pen(ink or "", palette.back)
    return (
        (Segment(text, style), Segment(rest, faint(palette))) if rest else (Segment(text, style),)
    )


def _shares(gauge: Gauge, whole: int) -> int:
    """Return how many of ``whole`` parts a gauge fills."""
    if gauge.most <= 0 or gauge.value <= 0:
        return 0
    if gauge.value >= gauge.most:
        return whole
    return min(max(1, whole * gauge.value // gauge.most), whole - 1)


def gauge_ink(gauge: Gauge, palette: Palette, seat: int) -> str | None:
    """Return the colour of a bar, by its level or else its kind; None without colours."""
    match gauge.kind:
        case "life" | "chance":
            percent = 100 * gauge.value // max(1, gauge.most)
            tone = Tone.BAD if percent < _LOW else Tone.TITLE if percent < _MIDDLE else Tone.GOOD
            return palette.tones[tone] or None
        case "moves":
            return palette.ground[Role.WATER][0] or None
        case "gold":
            return palette.tones[Tone.TITLE] or None
        case "force":
            livery = palette.livery(seat)
            calm = livery.idle_back if palette.is_rich else ""
            return calm or livery.ink or palette.text or None
