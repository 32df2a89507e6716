"""Curves over a game's rounds, one for each seat, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Span, Text

from engine.tabletop.board import GlyphSet
from tui.style.palette import Palette

SMALLEST: Final = (24, 6)
"""Columns and rows below which nothing is drawn."""

_ASCII: Final = str.maketrans("┌┐└┘┬┴├┤┼─│", "+++++++++-|")
_LETTERS: Final = "*ox#%@&~"
"""What curves are drawn with where there is nothing finer."""

_APART: Final = 2
"""Columns between two dots of a dotted curve."""

_FIRST_INK: Final = 20
"""The number of the first seat's colour while the chart is drawn."""


def chart(
    series: Sequence[Sequence[int]],
    names: Sequence[str],
    width: int,
    height: int,
    palette: Palette,
    signs: GlyphSet = "rich",
) -> Text:
    """One curve for each seat and a line below that says which is whose.

    ``series`` has a sequence for each seat with one value a round, from round 1 on; it is empty
    where nothing is known of a seat. Curves differ in how they are drawn, not in colour alone.
    Exactly ``height`` rows, none wider than ``width``; empty if that is too small or there is
    nothing to draw.
    """
    rounds = max(map(len, series), default=0)
    if rounds == 0 or width < SMALLEST[0] or height < SMALLEST[1]:
        return Text()
    import plotext  # noqa: PLC0415 - not before something is drawn

    plotext.clear_figure()
    plotext.limit_size(False, False)  # noqa: FBT003 - that is how it is called
    plotext.theme("clear")
    plotext.plot_size(width, height - 1)
    _scale(plotext, series, rounds, width, height)
    for seat, values in enumerate(series):
        if not values:
            continue
        dotted = _is_dotted(seat, signs)
        draw = plotext.scatter if dotted else plotext.plot
        xs, ys = _between(values, width // (_APART * rounds) if dotted else 1)
        draw(xs, ys, marker=_marker(seat, signs), color=_FIRST_INK + seat)
    drawn = plotext.build().rstrip("\n")
    plotext.clear_figure()
    text = Text.from_ansi(drawn.translate(_ASCII) if signs == "ascii" else drawn)
    text.spans = [Span(s.start, s.end, _style(s.style, palette)) for s in text.spans]
    known = [name if curve else "" for name, curve in zip(names, series, strict=False)]
    text.append("\n").append_text(_legend(known, width, palette, signs))
    return text


def _between(values: Sequence[int], parts: int) -> tuple[list[float], list[float]]:
    """The points of a curve, and others between them so that each step has so many parts."""
    parts = max(1, parts)
    xs = [1 + at / parts for at in range((len(values) - 1) * parts + 1)]
    ends = [*values, values[-1]] if values else []
    ys = [
        ends[at // parts] + (ends[at // parts + 1] - ends[at // parts]) * (at % parts) / parts
        for at in range(len(xs))
    ]
    return xs, ys


def _scale(
    plotext: Any, series: Sequence[Sequence[int]], rounds: int, width: int, height: int
) -> None:
    """Whole numbers on both axes, and as few as can be read."""
    values = [value for curve in series for value in curve]
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 1, high + 1
    sideways = ticks(1, max(2, rounds), width // 10)
    upwards = ticks(low, high, height // 3)
    plotext.ylim(low, high)
    plotext.yticks(upwards, list(map(str, upwards)))
    plotext.xticks(sideways, list(map(str, sideways)))


def ticks(low: int, high: int, count: int) -> list[int]:
    """Whole numbers from ``low`` to ``high``, at most ``count`` + 1 and at least the two ends.

    >>> ticks(1, 30, 4)
    [1, 9, 17, 25, 30]
    """
    step = max(1, -(-(high - low) // max(1, count)))
    found = list(range(low, high, step))
    if len(found) > 1 and high - found[-1] < (step + 1) // 2:
        found.pop()
    return [*found, high]


def _is_dotted(seat: int, signs: GlyphSet) -> bool:
    return signs != "ascii" and seat == 1


def _marker(seat: int, signs: GlyphSet) -> str:
    if signs == "ascii" or seat > 1:
        return _LETTERS[seat % len(_LETTERS)]
    return "braille"


def _style(drawn: str | Style, palette: Palette) -> Style:
    """A seat's style for the number it was drawn with, so that no colour is rounded on the way."""
    if isinstance(drawn, str) or drawn.color is None or drawn.color.number is None:
        return palette.plain
    return Style(color=palette.seat(drawn.color.number - _FIRST_INK)[0] or None)


def _legend(names: Sequence[str], width: int, palette: Palette, signs: GlyphSet) -> Text:
    text = Text(end="")
    for seat, name in enumerate(names):
        if not name:
            continue
        line = {0: "⠤⠤⠤", 1: "⠄⠄⠄"}.get(seat, "") if signs != "ascii" else ""
        line = line or _LETTERS[seat % len(_LETTERS)] * 3
        part = f"  {line} {name}"
        if cell_len(text.plain) + cell_len(part) > width:
            break
        text.append(part, style=Style(color=palette.seat(seat)[0] or None))
    return text
