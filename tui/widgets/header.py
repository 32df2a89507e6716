"""Header of a screen with a board: scenario, round, track of the phases, and what is left to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from engine.core.ids import Seat
from engine.tabletop.board import NOBODY, GlyphSet, Status
from tui.style.palette import FULL, Palette
from tui.terminal.painted import Painted

MOST_PIPS: Final = 15
"""Maximum rounds of a game for which each round has a pip."""

_SHORT_TITLE: Final = 14
"""Columns of a shortened title."""

_GAP: Final = "   "
"""Space between the parts of the row."""


class _Signs(NamedTuple):
    """Signs of a glyph set: past and future rounds, between phases, and the end of a cut title."""

    begun: str
    to_come: str
    then: str
    dots: str


_SIGNS: Final[dict[GlyphSet, _Signs]] = {
    "rich": _Signs("●", "○", "►", "…"),
    "box": _Signs("●", "○", "►", "…"),
    "ascii": _Signs("*", ".", ">", "."),
}


class BarContent(NamedTuple):
    """Content of a header: the game's title, its status, and notes at the right."""

    title: str
    status: Status
    notes: tuple[str, ...] = ()
    tells_left: bool = True
    """True if the number of pieces that can still act is shown."""


def scenario_of(title: str, game: str) -> str:
    """Return the scenario in the title of a save, which may begin with the name of the game.

    >>> scenario_of("Border War: The Ford", "Border War")
    'The Ford'
    """
    return title.removeprefix(f"{game}: ")


class BarPiece(NamedTuple):
    """Text in the header with a style name, and the seat that some styles need."""

    text: str
    style: str = "plain"
    seat: Seat = NOBODY


BarPart = tuple[BarPiece, ...]


class BarFit(NamedTuple):
    """Ways to make a header shorter; True ones are applied."""

    short_left: bool = False
    no_pips: bool = False
    no_stock: bool = False
    short_title: bool = False
    no_title: bool = False
    now_only: bool = False
    short_round: bool = False
    no_side: bool = False


def fits() -> Iterator[BarFit]:
    """Yield shorter and shorter forms of a header, beginning with the full one."""
    fit = BarFit()
    yield fit
    for name in BarFit._fields:
        fit = fit._replace(**{name: True})
        yield fit


class PhaseBar(Painted):
    """The header row; parts that do not fit are shortened or omitted, the least needed first."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self._heading: BarContent | None = None
        self._palette: Palette = FULL
        self._glyphs: GlyphSet = "rich"

    @property
    def text(self) -> str:
        """The row as it is drawn, without colours."""
        return self.render_line(0).text.rstrip()

    @property
    def heading(self) -> BarContent | None:
        """The present content, if any."""
        return self._heading

    def put(self, heading: BarContent) -> None:
        """Show other content."""
        if heading != self._heading:
            self._heading = heading
            self.refresh()

    def dress(self, glyphs: GlyphSet, palette: Palette) -> None:
        """Set signs and colours, and redraw."""
        self._glyphs, self._palette = glyphs, palette
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Render the row in the first form that fits."""
        width, plain = self.size.width, self._palette.heading
        if y or self._heading is None:
            return Strip([Segment(" " * width, plain)], width)
        bracketed = self._palette.depth == "none"
        left, right = fitted(self._heading, width, _SIGNS[self._glyphs], bracketed=bracketed)
        room = max(0, width - cell_len(right) - 2) if right else width
        used, segments = 1, [Segment(" ", plain)]
        for piece in left:
            text = piece.text
            if used + cell_len(text) > room:
                text = set_cell_size(text, max(0, room - used))
            used += cell_len(text)
            segments.append(Segment(text, self._style(piece)))
        segments.append(Segment(" " * (width - used - cell_len(right) - 1), plain))
        segments.append(Segment(f"{right} ", plain))
        return Strip(segments).adjust_cell_length(width, plain)

    def _style(self, piece: BarPiece) -> Style:
        palette = self._palette
        match piece.style:
            case "key":
                return palette.key
            case "lit":
                return palette.lit
            case "faint":
                return palette.faint
            case "side":
                return palette.on_bar(piece.seat)
            case _:
                return palette.heading


def fitted(
    heading: BarContent, width: int, signs: _Signs, *, bracketed: bool
) -> tuple[list[BarPiece], str]:
    """Return (pieces at the left, text at the right) in the first form that fits ``width``."""
    left: list[BarPiece] = []
    right = ""
    for fit in fits():
        left = list(_joined(_parts(heading, fit, signs, bracketed=bracketed)))
        right = _right(heading, fit)
        used = sum(cell_len(piece.text) for piece in left) + cell_len(right)
        if used + 2 + (len(_GAP) if right else 0) <= width:
            break
    return left, right


def _joined(parts: Iterator[BarPart]) -> Iterator[BarPiece]:
    for number, part in enumerate(parts):
        if number:
            yield BarPiece(_GAP)
        yield from part


def _parts(
    heading: BarContent, fit: BarFit, signs: _Signs, *, bracketed: bool
) -> Iterator[BarPart]:
    """Yield the parts at the left, in order."""
    status = heading.status
    if status.over:
        if heading.title:
            yield (BarPiece(heading.title.upper(), "key"),)
        yield (BarPiece(status.text),)
        return
    if heading.title and not fit.no_title:
        title = shortened(heading.title, signs.dots) if fit.short_title else heading.title
        yield (BarPiece(title.upper(), "key"),)
    yield _round(status, fit, signs)
    if status.side or status.track:
        yield _track(status, fit, signs, bracketed=bracketed)
    if status.stock and not fit.no_stock:
        yield (BarPiece(status.stock, "faint"),)


def shortened(title: str, dots: str = "…") -> str:
    """Return the whole words of a title that fit into a few columns.

    >>> shortened("The Ford"), shortened("The Lords of Thainfal")
    ('The Ford', 'The Lords…')
    """
    if len(title) <= _SHORT_TITLE:
        return title
    whole = title[:_SHORT_TITLE].rpartition(" ")[0] or title[: _SHORT_TITLE - 1]
    return f"{whole.removesuffix(' of')}{dots}"


def _round(status: Status, fit: BarFit, signs: _Signs) -> BarPart:
    """Return the number of the round, and a pip per round if they are few."""
    if fit.short_round:
        last = "" if status.endless else f"/{status.rounds}"
        return (BarPiece(f"{status.round_word[:1].upper()}{status.round}{last}"),)
    words = BarPiece(status.round_text.capitalize())
    if fit.no_pips or status.endless or status.rounds > MOST_PIPS:
        return (words,)
    begun, to_come = signs.begun * status.round, signs.to_come * (status.rounds - status.round)
    return words, BarPiece(f" {begun}", "key"), BarPiece(to_come, "faint")


def _track(status: Status, fit: BarFit, signs: _Signs, *, bracketed: bool) -> BarPart:
    """Return the side to act, and the phases with the present one highlighted."""
    found: list[BarPiece] = []
    if status.side and not (fit.no_side and status.track):
        found.append(BarPiece(status.side, "side", status.seat))
    for number, name in enumerate(status.track):
        now = number == status.at_track
        if fit.now_only and not now:
            continue
        if found:
            found.append(BarPiece(f" {signs.then} ", "faint"))
        if now:
            word = name.upper()
            found.append(BarPiece(f"[{word}]" if bracketed else f" {word} ", "lit"))
        else:
            found.append(BarPiece(name.lower(), "faint"))
    return tuple(found)


def _right(heading: BarContent, fit: BarFit) -> str:
    """Return the text at the right: the number of pieces left to act, and the notes."""
    status = heading.status
    left = status.left if heading.tells_left else ""
    if left and fit.short_left:
        of = f"/{status.todo_of}" if status.todo_of >= status.todo else ""
        left = f"{status.todo}{of} left"
    return "  ".join(part for part in (left, *heading.notes) if part)
