"""Lines of panels that several games have: headings, gauges, and the forces of all sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal

from engine.core.ids import Seat
from engine.tabletop.board import NOBODY, Gauge, Line
from engine.tabletop.english import whole_percent
from engine.tabletop.roles import Tone

GaugeKind = Literal["life", "moves", "chance", "force", "gold"]


def heading(
    text: str, seat: Seat = NOBODY, rule: str = "", at: tuple[int, int] | None = None
) -> Line:
    """Return the heading of a part of a panel."""
    return Line(text, Tone.HEADING, seat, rule, at)


def gauge(kind: GaugeKind, value: int, most: int) -> Gauge:
    """Return the gauge of a value; a value out of bounds is clamped.

    >>> gauge("life", 20, 16).value, gauge("life", -1, 16).value
    (16, 0)
    """
    return Gauge(max(0, min(value, most)), max(0, most), kind)


def chance_line(text: str, chance: Fraction, rule: str, at: tuple[int, int] | None = None) -> Line:
    """Return a line with a text, a chance in whole percent, and its bar."""
    percent = whole_percent(chance)
    return Line(f"{text} {percent} %", rule=rule, at=at, gauge=gauge("chance", percent, 100))


def force_lines(
    names: Sequence[str], rows: Iterable[tuple[str, Sequence[int | None]]]
) -> tuple[Line, ...]:
    """Return the numbers of all sides under a heading, as bars in the sides' colours.

    ``rows`` has the word for a number and its value for each seat, None if unknown. Sides whose
    numbers are all 0 or unknown are left out.
    """
    listed = [(word, tuple(values)) for word, values in rows]
    there = [
        seat
        for seat in range(len(names))
        if any(seat < len(values) and values[seat] for _, values in listed)
    ]
    lines: list[Line] = []
    for word, values in listed:
        most = max((value or 0 for value in values), default=0)
        for seat in there:
            value = values[seat]
            if value is not None and most:
                text = f"{names[seat]}: {word} {value}"
                lines.append(Line(text, seat=seat, gauge=gauge("force", value, most)))
    return (heading("Forces"), *lines) if lines else ()
