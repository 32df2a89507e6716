"""Draw screens as small SVG files: letters as text, blocks and backgrounds as shapes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeAlias
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style

from tests.tui.piloted_app import Desk

_WIDE, _HIGH = 10, 20
"""Width and height of a cell in units of the drawing."""
_PAPER = (16, 16, 20)
_INK = (208, 208, 208)

Shade: TypeAlias = tuple[int, int, int]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width and height."""
Shapes: TypeAlias = defaultdict[str, list[Box]]

_EIGHTHS = {"▌": 4, "▐": -4, "█": 8} | {"▉▊▋▌▍▎▏"[n]: 7 - n for n in range(7)}
_LEVELS = {"▁▂▃▄▅▆▇"[n]: n + 1 for n in range(7)} | {"▀": -4}
_QUARTERS = {
    "▘": 1, "▝": 2, "▖": 4, "▗": 8, "▚": 9, "▞": 6, "▛": 7, "▜": 11, "▙": 13, "▟": 14,
}  # fmt: skip
"""Quarters of a cell as bits: top left, top right, bottom left, bottom right."""
_VEILS = {"░": 0.25, "▒": 0.5, "▓": 0.75}


def drawn(at: Desk) -> str:
    """Return the screen as an SVG drawing."""
    columns, rows = at.app.size
    shapes: Shapes = defaultdict(list)
    texts: list[str] = []
    for y, strip in enumerate(at.strips()):
        x = 0
        for text, style, _ in strip:
            width = cell_len(text)
            ink, paper = _shades(style or Style())
            _ground(shapes, paper, x, y, width)
            texts += _letters(shapes, text, style or Style(), ink, paper, x, y)
            x += width
    return "\n".join(_file(columns * _WIDE, rows * _HIGH, shapes, texts)) + "\n"


def _file(width: int, height: int, shapes: Shapes, texts: list[str]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" '
        'font-size="16.6" xml:space="preserve">'
    )
    yield f'<rect width="{width}" height="{height}" fill="{_name(_PAPER)}"/>'
    yield '<g shape-rendering="crispEdges">'
    for shade, pieces in shapes.items():
        yield f'<path fill="{shade}" d="{"".join(map(_path, pieces))}"/>'
    yield "</g>"
    yield from texts
    yield "</svg>"


def _shades(style: Style) -> tuple[Shade, Shade]:
    """Return the colours of the letters and of the background."""
    ink, paper = _rgb(style.color, _INK), _rgb(style.bgcolor, _PAPER)
    return (paper, ink) if style.reverse else (ink, paper)


def _rgb(color: Color | None, usual: Shade) -> Shade:
    if color is None or color.is_default:
        return usual
    red, green, blue = color.get_truecolor()
    return red, green, blue


def _name(shade: Shade) -> str:
    return "#{:02x}{:02x}{:02x}".format(*shade)


def _mixed(ink: Shade, paper: Shade, share: float) -> Shade:
    red, green, blue = (round(a * share + b * (1 - share)) for a, b in zip(ink, paper, strict=True))
    return red, green, blue


def _ground(shapes: Shapes, paper: Shade, x: int, y: int, width: int) -> None:
    if paper != _PAPER and width:
        _box(shapes, paper, (x * _WIDE, y * _HIGH, width * _WIDE, _HIGH))


def _box(shapes: Shapes, shade: Shade, box: Box) -> None:
    """Add a box, or extend the last box of its colour if they touch."""
    left, top, wide, high = box
    boxes = shapes[_name(shade)]
    if boxes and boxes[-1][1::2] == (top, high) and boxes[-1][0] + boxes[-1][2] == left:
        left, _, before, _ = boxes.pop()
        wide += before
    boxes.append((left, top, wide, high))


def _path(box: Box) -> str:
    left, top, wide, high = box
    return f"M{left:g} {top:g}h{wide:g}v{high:g}h{-wide:g}z"


def _letters(
    shapes: Shapes, text: str, style: Style, ink: Shade, paper: Shade, x: int, y: int
) -> Iterator[str]:
    """Add blocks as shapes; yield runs of other signs as texts."""
    run, start = "", x
    for sign in text:
        boxes = list(_blocks(sign))
        if boxes or sign in _VEILS or sign == " ":
            yield from _text(run, style, ink, start, y)
            run = ""
            for left, top, wide, high in boxes:
                _box(shapes, ink, (x * _WIDE + left, y * _HIGH + top, wide, high))
            if sign in _VEILS:
                shade = _mixed(ink, paper, _VEILS[sign])
                _box(shapes, shade, (x * _WIDE, y * _HIGH, _WIDE, _HIGH))
        else:
            start = start if run else x
            run += sign
        x += cell_len(sign)
    yield from _text(run, style, ink, start, y)


def _blocks(sign: str) -> Iterator[Box]:
    """Yield the boxes of a block sign within its cell."""
    half_wide, half_high = _WIDE / 2, _HIGH / 2
    if sign in _EIGHTHS:
        eighths = _EIGHTHS[sign]
        wide = _WIDE * abs(eighths) / 8
        yield (0 if eighths > 0 else _WIDE - wide), 0, wide, _HIGH
    elif sign in _LEVELS:
        high = _HIGH * abs(_LEVELS[sign]) / 8
        yield 0, (0 if _LEVELS[sign] < 0 else _HIGH - high), _WIDE, high
    else:
        for bit in range(4):
            if _QUARTERS.get(sign, 0) >> bit & 1:
                yield bit % 2 * half_wide, bit // 2 * half_high, half_wide, half_high


def _text(run: str, style: Style, ink: Shade, x: int, y: int) -> Iterator[str]:
    if not run:
        return
    marks = "".join(
        mark
        for mark, is_on in (
            (' font-weight="bold"', style.bold),
            (' font-style="italic"', style.italic),
            (' text-decoration="underline"', style.underline),
            (' opacity="0.6"', style.dim),
        )
        if is_on
    )
    width = cell_len(run) * _WIDE
    yield (
        f'<text x="{x * _WIDE}" y="{y * _HIGH + 15}" textLength="{width}" '
        f'fill="{_name(ink)}"{marks}>{escape(run)}</text>'
    )
