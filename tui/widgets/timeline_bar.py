"""The timeline on the screen: a bar with markers and the present position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from engine.tabletop.board import GlyphSet
from engine.tabletop.roles import Tone
from tui.replay.timeline import Marker, MarkerKind, bar, cell_of, place_of
from tui.style.palette import FULL, Palette
from tui.terminal.painted import Painted

SIGNS: Final[Mapping[MarkerKind, tuple[str, str]]] = {
    "comment": ('"', '"'),
    "end": ("■", "#"),
    "lead": ("▲", "^"),
    "capture": ("♦", "!"),
    "loss": ("x", "x"),
    "battle": ("·", "."),
    "round": ("│", "|"),
    "phase": ("'", "'"),
}
"""Sign of each kind of marker, and its sign in ASCII."""

_TONES: Final[Mapping[MarkerKind, Tone]] = {
    "comment": Tone.TITLE,
    "end": Tone.STRONG,
    "lead": Tone.GOOD,
    "capture": Tone.STRONG,
    "loss": Tone.BAD,
    "battle": Tone.NORMAL,
    "round": Tone.QUIET,
    "phase": Tone.QUIET,
}

_MARGIN: Final = 1


def sign(kind: MarkerKind, glyphs: GlyphSet) -> str:
    """Return the sign of a kind of marker."""
    return SIGNS[kind][glyphs == "ascii"]


class Timebar(Painted):
    """Bar of the whole game from left to right; a second row may number the rounds."""

    DEFAULT_CSS = "Timebar { height: 1; width: 100%; }"

    class Sought(Message):
        """An entry of the line was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.palette: Palette = FULL
        self._glyphs: GlyphSet = "rich"
        self._total = 0
        self._at = 0
        self._markers: tuple[Marker, ...] = ()
        self._rounds: tuple[tuple[int, int], ...] = ()
        self._cells: list[Marker | None] = []

    def dress(self, glyphs: GlyphSet, palette: Palette) -> None:
        """Set signs and colours, and redraw."""
        self._glyphs, self.palette = glyphs, palette
        self.refresh()

    def mark(
        self, markers: Sequence[Marker], rounds: Sequence[tuple[int, int]], total: int
    ) -> None:
        """Show markers on a line of ``total`` entries; ``rounds`` are (position, round)."""
        new = tuple(markers), tuple(rounds), total
        if new != (self._markers, self._rounds, self._total):
            self._markers, self._rounds, self._total = new
            self._cells = []
            self.refresh()

    def point(self, index: int) -> None:
        """Show ``index`` as the present position."""
        if index != self._at:
            self._at = index
            self.refresh()

    @property
    def room(self) -> int:
        """Number of cells of the bar."""
        return max(1, self.size.width - 2 * _MARGIN)

    def on_click(self, event: events.Click) -> None:
        """Post ``Sought`` with the clicked entry."""
        if self._total:
            self.post_message(self.Sought(place_of(event.x - _MARGIN, self._total, self.room)))

    def on_resize(self) -> None:
        """Distribute the line over the new cells."""
        self._cells = []

    def render_line(self, y: int) -> Strip:
        """Render the bar, or the numbers of the rounds below it."""
        segments = self._numbers() if y else self._bar()
        return Strip(segments).adjust_cell_length(self.size.width, self.palette.blank)

    def _bar(self) -> list[Segment]:
        if len(self._cells) != self.room:
            self._cells = bar(self._markers, self._total, self.room)
        here = cell_of(self._at, self._total, self.room)
        line = "-" if self._glyphs == "ascii" else "─"
        quiet = self.palette.line(Tone.QUIET, -1)
        segments = [Segment(" " * _MARGIN, self.palette.blank)]
        for cell, marker in enumerate(self._cells):
            text = sign(marker.kind, self._glyphs) if marker is not None else line
            style = self.palette.line(_TONES[marker.kind], -1) if marker is not None else quiet
            if cell == here:
                style = self.palette.under_cursor(style + Style(reverse=False), holding=False)
            segments.append(Segment(text, style))
        return segments

    def _numbers(self) -> list[Segment]:
        row = [" "] * (self.room + _MARGIN)
        free = 0
        for place, number in self._rounds:
            at = cell_of(place, self._total, self.room) + _MARGIN
            text = str(number)
            if at >= free and at + len(text) <= len(row):
                row[at : at + len(text)] = text
                free = at + len(text) + 1
        return [Segment("".join(row), self.palette.line(Tone.QUIET, -1))]
