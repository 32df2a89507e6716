"""Legend of a map: what stands on it now, in its signs and colours, with its numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from engine.tabletop.board import NOBODY, Board, GlyphSet, Line, Symbol
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Role, Tone
from tui.style.palette import Palette
from tui.widgets.panels import Pager

_SIGNS: Final = 10
"""Columns before the words, for the signs of up to three sides."""

_MOST: Final = 3
"""Most signs before a word."""

_LEFT_OUT: Final = frozenset({Role.WRITING, Role.BLANK})


class StyleSpan(NamedTuple):
    """Part of a line with a style of its own."""

    start: int
    stop: int
    style: Style


class Colourful(Pager):
    """Lines with parts in styles of their own."""

    spans: Mapping[int, Sequence[StyleSpan]] = {}
    """Parts by the number of the line; they lie in its first row."""

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        strip = super().render_line(y)
        row = self.top + y
        number = bisect_right(self._starts, row) - 1
        if number < 0 or self._starts[number] != row or number not in self.spans:
            return strip
        parts: list[Segment] = []
        at = 0
        for start, stop, style in self.spans[number]:
            parts += strip.crop(at, start + 1)
            parts.append(Segment(strip.crop(start + 1, stop + 1).text, style))
            at = stop + 1
        parts += strip.crop(at, strip.cell_length)
        return Strip(parts)


def legend(
    presenter: AnyPresenter, view: Any, board: Board, glyphs: GlyphSet, palette: Palette
) -> tuple[list[Line], dict[int, list[StyleSpan]]]:
    """Lines for the pieces and the land on a board, and the colours of their signs."""
    words = {name.casefold(): text for name, text in presenter.legend(view).items()}
    lines: list[Line] = []
    spans: dict[int, list[StyleSpan]] = {}
    for title, rows in (("Pieces", _pieces(presenter, board)), ("Land", _land(presenter, board))):
        told: dict[str, list[tuple[Symbol, int]]] = {}
        for symbol, seat in rows:
            told.setdefault(_words(symbol, words), []).append((symbol, seat))
        if not told:
            continue
        lines.append(Line(title, Tone.TITLE))
        for text, found in told.items():
            unlike = {(getattr(symbol, glyphs), seat): symbol for symbol, seat in found}
            kinds = [(sign, seat, symbol) for (sign, seat), symbol in unlike.items()][:_MOST]
            spans[len(lines)] = [
                StyleSpan(
                    2 * n + 1, 2 * n + 2, _style(palette, symbol, seat, is_piece=title == "Pieces")
                )
                for n, (_, seat, symbol) in enumerate(kinds)
            ]
            signs = " ".join(str(sign) for sign, _, _ in kinds)
            lines.append(Line(f" {signs:<{_SIGNS - 1}}{text}"))
        lines.append(Line(""))
    lines.append(Line(f"Drawn with the {glyphs} signs.", Tone.QUIET))
    return lines, spans


def _words(symbol: Symbol, words: Mapping[str, str]) -> str:
    """Name of a symbol for people: the ruleset's words, else the first part of its name."""
    name = symbol.name.partition(", ")[0]
    told = words.get(symbol.name.casefold()) or words.get(name.casefold())
    text = told or name.replace("_", " ")
    return text[:1].upper() + text[1:]


def _pieces(presenter: AnyPresenter, board: Board) -> list[tuple[Symbol, int]]:
    """Symbols of pieces with their owners, each pair once."""
    piece, owner = board.piece.cells.astype(np.int64), board.owner.cells.astype(np.int64)
    pairs = np.unique(np.stack([piece[piece > 0], owner[piece > 0]]), axis=1).T.tolist()
    found = [(presenter.symbols[number], seat) for number, seat in pairs]
    return [(symbol, seat) for symbol, seat in found if symbol.role not in _LEFT_OUT]


def _land(presenter: AnyPresenter, board: Board) -> list[tuple[Symbol, int]]:
    """Symbols of the ground, each once."""
    found = [presenter.symbols[number] for number in np.unique(board.ground.cells).tolist()]
    return [(symbol, NOBODY) for symbol in found if symbol.role not in _LEFT_OUT]


def _style(palette: Palette, symbol: Symbol, seat: int, *, is_piece: bool) -> Style:
    if is_piece:
        return palette.cell(Role.PLAIN, symbol.role, seat, None)
    return palette.cell(symbol.role, None, NOBODY, None)
