"""Board as a canvas of cells, with its overlays and panel lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from engine.core.containers import Plane
from engine.core.ids import Seat
from engine.core.record import Record
from engine.tabletop.roles import MarkSign, Role, Tone

NOBODY: Seat = -1
NOWHERE = -1

GlyphSet: TypeAlias = Literal["rich", "box", "ascii"]


class Symbol(Record, frozen=True):
    """Symbol of a cell: its name, its role and one character per glyph set."""

    name: str
    role: Role
    rich: str
    box: str
    ascii: str
    rich2: str = ""
    """Form of ``rich`` for cells of two columns; if empty, clients widen ``rich``."""
    plain2: str = ""
    """Form of ``box`` and ``ascii`` for such cells; if empty, ``rich2`` is used if the sign is the
    same."""
    struck: bool = False
    """True if clients strike the sign through in cells of one column."""
    tile: str = ""
    """Name of the picture in the client's tile set; if empty, that of the role."""


class BoardPlace(Record, frozen=True):
    """Named place on the board, covering width x height cells from (x, y)."""

    id: int
    x: int
    y: int
    width: int
    height: int
    label: str


class BoardCaption(Record, frozen=True):
    """Name and number beside a place on the board, for zooms with room for them.

    (x, y) is the leftmost of the lowest cells of the place. Clients write the text on the row
    below, where it hides no piece.
    """

    x: int
    y: int
    text: str
    seat: Seat = NOBODY
    """Owner of the place, in whose colour the text is written."""
    width: int = 1
    """Number of cells of the place in that row; the text is centred below them."""


class Board(Record, frozen=True):
    """Planes of shape (height, width) with the content of each cell; cells need not be tiles.

    ``ground`` and ``piece`` are indices into the presenter's symbols (0 in ``piece``: no piece).
    ``owner`` is the seat of the piece, or of the land if the cell has no piece. ``place`` is the id
    of the cell's place. Both are -1 for none.
    """

    ground: Plane
    piece: Plane
    owner: Plane
    place: Plane
    places: tuple[BoardPlace, ...] = ()
    wraps: bool = False
    scroll: Literal["push", "centre"] = "push"
    """push: the window moves one cell when the cursor pushes its edge. centre: it follows."""
    homes: bool = False
    """True if the cursor jumps to the home cell of the window when a phase ends."""
    scale: int = 1
    """Number of cells of the default zoom, each way, that a cell of this zoom shows."""
    ratio: tuple[tuple[int, int], tuple[int, int]] = ((1, 1), (1, 1))
    """Across and down: (cells of this zoom, cells of the default zoom) that cover the same space.

    For zooms that ``scale`` cannot express, because they are larger or change by a fraction.
    """
    narrow: bool = False
    """True if a cell is higher than wide, so that it always takes one column of a screen."""
    life: Plane | None = None
    """Life left of each piece in percent, 1 to 100; 0 if there is nothing to show."""
    count: Plane | None = None
    """Number of pieces in a cell; 0 if unknown or hidden."""
    captions: tuple[BoardCaption, ...] = ()

    @property
    def width(self) -> int:
        """Number of cells in a row."""
        return self.ground.width

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.ground.height

    @property
    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Across and down: cells of this zoom, and cells of the default zoom in the same space."""
        (own, usual), (own_down, usual_down) = self.ratio
        return (own, usual * self.scale), (own_down, usual_down * self.scale)

    @property
    def usual_size(self) -> tuple[int, int]:
        """Columns and rows of the board in cells of the default zoom."""
        x, y = self.unzoomed(self.width - 1, self.height - 1)
        return x + 1, y + 1

    def zoomed(self, x: int, y: int) -> tuple[int, int]:
        """Return the cell of this zoom that shows a cell of the default zoom."""
        (own, usual), (own_down, usual_down) = self.spans
        return x * own // usual, y * own_down // usual_down

    def unzoomed(self, x: int, y: int) -> tuple[int, int]:
        """Return the cell of the default zoom in the middle of a cell of this zoom."""
        (own, usual), (own_down, usual_down) = self.spans
        return (2 * x + 1) * usual // (2 * own), (2 * y + 1) * usual_down // (2 * own_down)


class Gauge(Record, frozen=True):
    """Bar beside a line of a panel: ``value`` of ``most``, both at least 0.

    The line's text is complete without it, numbers included.
    """

    value: int
    most: int
    kind: Literal["life", "moves", "chance", "force", "gold"]
    """Quantity that is shown, by which clients choose the colour. force: in the line's colour."""


class Line(Record, frozen=True):
    """Line of text for a panel or a log, with the seat it is about and the rule behind it."""

    text: str
    tone: Tone = Tone.NORMAL
    seat: Seat = NOBODY
    rule: str = ""
    at: tuple[int, int] | None = None
    """Cell that the line is about, to jump to."""
    group: str = ""
    """Group of the line, such as steps of a path. Of consecutive lines in one group, only the last
    is shown."""
    is_detail: bool = False
    """True if the whole log keeps the line, even if a later one of its group replaces it elsewhere.
    """
    entry: int = -1
    """Entry of the log that the line describes, if the sender knows it."""
    others: tuple[Seat, ...] = ()
    """Seats besides ``seat`` that the line concerns, if the sender knows them."""
    is_loss: bool = False
    """True if pieces or places were lost in what the line describes, if the sender knows it."""
    gauge: Gauge | None = None
    """Bar for clients with room for it."""


def concerns(line: Line, seat: Seat) -> bool:
    """Return whether a line concerns a seat."""
    return seat == line.seat or seat in line.others


def condensed(lines: Iterable[Line], *, details: bool = False) -> list[Line]:
    """Drop lines that a later line of their group replaces, but no details with ``details``."""
    kept: list[Line] = []
    for line in lines:
        is_same = bool(kept) and bool(line.group) and kept[-1].group == line.group
        if is_same and not (details and kept[-1].is_detail):
            kept[-1] = line
        else:
            kept.append(line)
    return kept


class BoardMark(Record, frozen=True):
    """Sign on a cell, with a text of one or two characters (a price, a turn).

    On boards of narrow cells the text of a ``PATH`` may be longer: it continues in the cells to the
    right, at every zoom.
    """

    x: int
    y: int
    sign: MarkSign
    text: str = ""
    turn: int = 0
    """For a path: turn of arrival counted from now; 0 is this turn."""
    short: str = ""
    """One character for narrow cells; if empty, ``text`` if it fits, else a plus."""


def tenths(percent: int) -> str:
    """Return a chance in percent as one digit, rounded down: 0 below 10 percent, 9 from 90.

    >>> tenths(7), tenths(62), tenths(99)
    ('0', '6', '9')
    """
    return str(min(percent, 99) // 10)


class Layer(Record, frozen=True):
    """Layer of marks over the whole board: ``name`` for programs, ``label`` for people.

    ``of_piece`` is True if it shows the piece held or at the focus; it is empty without one.
    """

    name: str
    label: str
    of_piece: bool = False


class Find(Record, frozen=True):
    """Named thing that a player may search for: a piece, a place."""

    text: str
    """Short and distinct, such as "archers 12 (Eldoin)"."""
    kind: str
    """Kind of thing in a word: unit, gate, city."""
    at: tuple[int, int]
    seat: Seat = NOBODY


class Overlay(Record, frozen=True):
    """Marks over the board for one focus, and the lines of the side panel."""

    marks: tuple[BoardMark, ...] = ()
    panel: tuple[Line, ...] = ()
    hint: str = ""
    """Effect of the fire button now, in a few words; empty if it has none."""


class Status(Record, frozen=True):
    """Status of a game, for the phase indicator and for stepping by phase and round."""

    round: int
    rounds: int
    phase: str
    seat: Seat
    """Seat to act; NOBODY when the game is over."""
    text: str
    """Whole status in one line."""
    todo: int = 0
    """Number of that seat's pieces that can still act."""
    over: bool = False
    track: tuple[str, ...] = ()
    """Names of the phases of a turn in order, in words for players; empty if it has only one."""
    at_track: int = 0
    """Position of the current phase in ``track``."""
    endless: bool = False
    """True if the game has no last round; ``rounds`` is then the current one."""
    round_word: str = "round"
    """The game's word for a round, that of its presenter."""
    side: str = ""
    """Name of the side to act, in words for players; empty if no side is to act."""
    todo_of: int = 0
    """Total number of pieces for ``todo``; 0 if there is no such total."""
    todo_word: str = "to do"
    """Words after that number, such as "still to move"."""
    stock: str = ""
    """Stock of the viewer in a word or two, such as "160 gold"; empty if the game has none."""

    @property
    def round_text(self) -> str:
        """Round in the game's own word, with the last one if any, such as ``turn 3 of 50``."""
        last = "" if self.endless else f" of {self.rounds}"
        return f"{self.round_word} {max(1, self.round)}{last}"

    @property
    def left(self) -> str:
        """Number of pieces that can still act, in words; empty if none can."""
        if not self.todo or self.over:
            return ""
        part = f" of {self.todo_of}" if self.todo_of >= self.todo else ""
        return f"{self.todo}{part} {self.todo_word}"

    @property
    def stage(self) -> tuple[int, str, Seat]:
        """Round, phase and seat; if one of them changes, another part of the game begins."""
        return self.round, self.phase, self.seat
