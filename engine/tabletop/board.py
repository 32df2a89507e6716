"""The board as a canvas of cells, and what is laid over it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from engine.core.containers import Plane
from engine.core.ids import Seat
from engine.core.record import Record
from engine.tabletop.roles import Role, Sign, Tone

NOBODY: Seat = -1
NOWHERE = -1

GlyphSet: TypeAlias = Literal["rich", "box", "ascii"]


class Symbol(Record, frozen=True):
    """A thing that can stand in a cell: its name and one character per glyph set."""

    name: str
    role: Role
    rich: str
    box: str
    ascii: str
    rich2: str = ""
    """What stands for ``rich`` where a cell takes two columns; empty: clients widen it."""


class Place(Record, frozen=True):
    """Something on the board with a name of its own, covering width x height cells from (x, y)."""

    id: int
    x: int
    y: int
    width: int
    height: int
    label: str


class Board(Record, frozen=True):
    """Planes of shape (height, width) that say what is in each cell; cells need not be tiles.

    ``ground`` and ``piece`` are indices into the presenter's symbols (0 in ``piece``: nothing
    stands there). ``owner`` is the seat of the piece, or of the land where nothing stands;
    ``place`` is the id of the place a cell belongs to; -1 where there is none.
    """

    ground: Plane
    piece: Plane
    owner: Plane
    place: Plane
    places: tuple[Place, ...] = ()
    wraps: bool = False
    scroll: Literal["push", "centre"] = "push"
    """push: the window moves one cell when the cursor pushes its edge. centre: it follows."""
    homes: bool = False
    """Whether the cursor jumps to a certain cell of the window when a phase ends."""
    scale: int = 1
    """How many cells of the usual zoom, each way, a cell of this one stands for."""
    narrow: bool = False
    """Whether a cell is higher than wide, so that it takes one column of a screen, never two."""

    @property
    def width(self) -> int:
        """Cells in a row."""
        return self.ground.width

    @property
    def height(self) -> int:
        """Rows."""
        return self.ground.height


class Line(Record, frozen=True):
    """A line of text for a panel or a log; ``seat`` says whose it is, ``rule`` why it is so."""

    text: str
    tone: Tone = Tone.NORMAL
    seat: Seat = NOBODY
    rule: str = ""
    at: tuple[int, int] | None = None
    """The cell it speaks of, to jump to."""
    group: str = ""
    """Of lines in a row with the same group only the last need be shown, such as steps of a way."""
    entry: int = -1
    """The entry of the log that it tells of, where whoever passes it on knows that."""
    others: tuple[Seat, ...] = ()
    """Whom what it tells of concerns besides ``seat``, where whoever passes it on knows that."""


def concerns(line: Line, seat: Seat) -> bool:
    """Whether a line tells of something that concerns a seat."""
    return seat == line.seat or seat in line.others


def condensed(lines: Iterable[Line]) -> list[Line]:
    """The lines without those that the next one of their group makes needless."""
    kept: list[Line] = []
    for line in lines:
        if kept and line.group and kept[-1].group == line.group:
            kept[-1] = line
        else:
            kept.append(line)
    return kept


class Mark(Record, frozen=True):
    """A sign on a cell; ``text`` of one or two characters may stand there (a price, a turn)."""

    x: int
    y: int
    sign: Sign
    text: str = ""
    turn: int = 0
    """Of a way: in which turn from now on it comes here; 0 is this one."""
    short: str = ""
    """One character in place of ``text`` where a cell takes one column; empty: ``text`` if it
    fits, else a plus."""


def tenths(percent: int) -> str:
    """A chance in percent as one digit, rounded down: 0 stands for less than 10, 9 for 90 to 99.

    >>> tenths(7), tenths(62), tenths(99)
    ('0', '6', '9')
    """
    return str(min(percent, 99) // 10)


class Layer(Record, frozen=True):
    """Marks that can be laid over the whole board: ``name`` for programs, ``label`` for people.

    ``of_piece``: they are about the piece that is held, or stands at the focus; without one there
    are none.
    """

    name: str
    label: str
    of_piece: bool = False


class Find(Record, frozen=True):
    """Something with a name that a player may look for: a piece, a place."""

    text: str
    """Short and unlike others, such as "archers 12 (Eldoin)"."""
    kind: str
    """A word for what it is: unit, gate, city."""
    at: tuple[int, int]
    seat: Seat = NOBODY


class Overlay(Record, frozen=True):
    """What is laid over the board for one focus, and the lines of the side panel."""

    marks: tuple[Mark, ...] = ()
    panel: tuple[Line, ...] = ()
    hint: str = ""
    """What the fire button would do now, in a few words; empty: nothing."""


class Status(Record, frozen=True):
    """Where the game stands: for the phase indicator and for stepping by phase and round."""

    round: int
    rounds: int
    phase: str
    seat: Seat
    """Who is to act; NOBODY when the game is over."""
    text: str
    """The whole of it in one line."""
    todo: int = 0
    """Pieces of that seat that could still do something."""
    over: bool = False

    @property
    def stage(self) -> tuple[int, str, Seat]:
        """Round, phase and seat: when one of them changes, another part of the game begins."""
        return self.round, self.phase, self.seat
