"""Cells of a terminal: characters with their pens, and the sequences that change pens."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from rich.cells import get_character_cell_size
from rich.color import Color, ColorSystem, ColorType
from rich.style import Style
from textual.strip import Strip

from engine.core.printable import CONTROLS
from tui.terminal.capabilities import Depth
from tui.terminal.internals import attributes_of


class TerminalPen(NamedTuple):
    """Pen of a character: bits of attributes, and the SGR parameters of its colours."""

    attributes: int
    ink: str
    back: str


ScreenCell: TypeAlias = tuple[str, TerminalPen]
"""A character with its combining ones; the right half of a wide one is empty."""


class RowPatch(NamedTuple):
    """Cells of one row, starting at a column."""

    y: int
    x: int
    cells: list[ScreenCell]


DEFAULT: Final = TerminalPen(0, "39", "49")
BLANK: Final[ScreenCell] = (" ", DEFAULT)
UNKNOWN: Final[ScreenCell] = ("\0", DEFAULT)
"""Cell that equals no other: the terminal may show anything there."""

_ON: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9)
_OFF: Final = (22, 22, 23, 24, 25, 25, 27, 28, 29)
"""SGR parameters that turn the attributes of Rich's first nine bits on and off."""

_SYSTEMS: Final[dict[Depth, ColorSystem]] = {
    "truecolor": ColorSystem.TRUECOLOR,
    "256": ColorSystem.EIGHT_BIT,
    "16": ColorSystem.STANDARD,
    "8": ColorSystem.STANDARD,
}


# -- pens ---------------------------------------------------------------------------------------


def pen_of(style: Style | None, depth: Depth) -> TerminalPen:
    """Return the pen for a style; colours that the depth lacks are rounded."""
    return _pen(style, depth) if style is not None else DEFAULT


@lru_cache(maxsize=16384)
def _pen(style: Style, depth: Depth) -> TerminalPen:
    attributes = attributes_of(style)
    if depth == "none":
        return _interned(TerminalPen(attributes, DEFAULT.ink, DEFAULT.back))
    ink = _parameters(style.color, depth, ink=True)
    return _interned(TerminalPen(attributes, ink, _parameters(style.bgcolor, depth, ink=False)))


@lru_cache(maxsize=16384)
def _interned(pen: TerminalPen) -> TerminalPen:
    """Return the same object for equal pens, so that comparing cells is quick."""
    return pen


def _parameters(color: Color | None, depth: Depth, *, ink: bool) -> str:
    if color is None or color.type is ColorType.DEFAULT:
        return DEFAULT.ink if ink else DEFAULT.back
    color = color.downgrade(_SYSTEMS[depth])
    if depth == "8" and color.number is not None and color.number > 7:
        color = Color.from_ansi(color.number % 8)
    return ";".join(color.get_ansi_codes(foreground=ink))


@lru_cache(maxsize=16384)
def change(old: TerminalPen | None, new: TerminalPen) -> str:
    """Return the shortest sequence that changes the pen from ``old`` (None: unknown) to ``new``."""
    if old is None:
        return "\x1b[0m" + change(DEFAULT, new)
    if new == DEFAULT and old != DEFAULT:
        return "\x1b[m"
    gone, come = old.attributes & ~new.attributes, new.attributes & ~old.attributes
    off = {_OFF[bit] for bit in range(9) if gone >> bit & 1}
    if 22 in off:  # bold and dim are turned off together
        come |= new.attributes & 0b11
    parts = [str(code) for code in sorted(off)]
    parts += [str(_ON[bit]) for bit in range(9) if come >> bit & 1]
    parts += [new.ink] if new.ink != old.ink else []
    parts += [new.back] if new.back != old.back else []
    return f"\x1b[{';'.join(parts)}m" if parts else ""


# -- cells --------------------------------------------------------------------------------------


def cells_of(strips: Iterable[Strip], depth: Depth) -> list[ScreenCell]:
    """Return the cells of strips that are side by side in one row, in colours of a depth."""
    cells: list[ScreenCell] = []
    for strip in strips:
        for text, style, control in strip:
            if control:
                continue
            pen = pen_of(style, depth)
            if text.isascii() and text.isprintable():
                cells += [(character, pen) for character in text]
            else:
                _add(cells, text, pen)
    return cells


def _add(cells: list[ScreenCell], text: str, pen: TerminalPen) -> None:
    for character in text:
        width = get_character_cell_size(character)
        if CONTROLS.match(character):
            cells += [(" ", pen)] * width
        elif width == 0:
            _combine(cells, character)
        else:
            cells.append((character, pen))
            if width == 2:
                cells.append(("", pen))


def _combine(cells: list[ScreenCell], character: str) -> None:
    """Put an accent on the last character."""
    at = len(cells) - 1
    if at > 0 and not cells[at][0]:
        at -= 1
    if at >= 0:
        cells[at] = (cells[at][0] + character, cells[at][1])


def is_wide(cell: ScreenCell) -> bool:
    """Return whether a cell is the left half of a wide character."""
    return bool(cell[0]) and get_character_cell_size(cell[0][0]) == 2
