"""Animations: frames that show marches, shots, blows and arrows.

Frames are built from facts and from the viewer's own boards around them, so that they show nothing
that the viewer does not know. No widgets and no clock are used here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Final, NamedTuple, TypeVar

from engine.core.containers import Plane
from engine.core.record import replace
from engine.kit.grid import Place
from engine.tabletop.board import Board, BoardMark, Line
from engine.tabletop.fact import EventMoment, Fact
from engine.tabletop.roles import MarkSign

T = TypeVar("T")

MOST_FRAMES: Final = 24
"""Maximum frames of one animation; beyond that, some are omitted."""

_MARCH: Final = 7
"""Maximum frames of a march, regardless of its length."""

_MARCH_CELLS: Final = 24
"""Cells of a screen for the tiles of a march: with larger tiles it has fewer frames."""

_LARGE: Final = 4
"""Screen cells above which a tile is large: then only pieces and targets are redrawn."""

_TRACKS: Final = 12
"""Maximum number of simultaneous marches; other pieces appear at their destination."""

_GROWTH: Final = 6
"""Maximum frames in which arrows grow."""

_ARROW_MARKS: Final = 40
"""Maximum marks of arrows that grow together; beyond that, each is drawn with gaps."""

_SHOTS: Final = 2
"""Frames of a shot in flight."""

_NUMBER: Final = 2
"""Frames for which the loss is shown beside the target."""

_COURSE: Final = 12
"""Maximum moments of a fight; beyond that, some are omitted, but not the last."""

_TICKS: Final = 3
"""Frames per moment, if there are few moments."""

_BYTES: Final = 760
"""Maximum bytes for the moments of a fight; restoring the panel takes about the same again."""

_MOVE_BYTES: Final = 26
"""Bytes that send the cursor to a changed cell and choose its colour."""

_FACED: Final = frozenset({"attack", "defence", "loss", "capture"})
"""Kinds of facts that are shown as a blow."""


class ShownCell(NamedTuple):
    """Cell of a frame that differs from the board after the events.

    ``of`` is the cell whose content is drawn at ``at``, before or after the events.
    """

    at: Place
    of: Place
    is_before: bool = True
    is_fallen: bool = False
    """True if the piece has lost its side's colour."""


class PlaybackFrame(NamedTuple):
    """Frame of an animation: marks over the board, lines for the panel, and redrawn cells."""

    marks: tuple[BoardMark, ...] = ()
    lines: tuple[Line, ...] = ()
    cells: tuple[ShownCell, ...] = ()


class BoardChange(NamedTuple):
    """Boards of one viewer before and after some events."""

    before: Board
    after: Board

    @property
    def has_tiles(self) -> bool:
        """True if both boards have the same size, the default zoom and no narrow cells.

        Only then can a piece be drawn on any cell.
        """
        size = self.before.ground.cells.shape
        return (
            size == self.after.ground.cells.shape
            and not self.after.narrow
            and self.before.spans == self.after.spans == ((1, 1), (1, 1))
        )

    def drawn(self, cells: Sequence[ShownCell]) -> Board:
        """Return the board after the events with the cells of a frame in it."""
        if not cells or not self.has_tiles:
            return self.after
        ground = self.after.ground.edit()
        piece, owner = self.after.piece.edit(), self.after.owner.edit()
        life = self.after.life.edit() if self.after.life is not None else None
        count = self.after.count.edit() if self.after.count is not None else None
        for shown in cells:
            (x, y), (x_of, y_of) = shown.at, shown.of
            board = self.before if shown.is_before else self.after
            piece[y, x] = board.piece[y_of, x_of]
            owner[y, x] = -1 if shown.is_fallen else board.owner[y_of, x_of]
            if shown.at == shown.of:
                ground[y, x] = board.ground[y, x]
            if life is not None and board.life is not None:
                life[y, x] = board.life[y_of, x_of]
            if count is not None and board.count is not None:
                count[y, x] = board.count[y_of, x_of]
        return replace(
            self.after,
            ground=Plane(ground),
            piece=Plane(piece),
            owner=Plane(owner),
            life=Plane(life) if life is not None else None,
            count=Plane(count) if count is not None else None,
        )


# -- acts ------------------------------------------------------------------------------------------


@dataclass
class _Track:
    """Path of a piece, from where it stood."""

    first: Fact
    cells: list[Place]

    def takes(self, fact: Fact, *, jumps: bool) -> bool:
        """Return whether a move continues this path; without ``jumps`` only to an adjacent cell."""
        same = (fact.seat, fact.piece) == (self.first.seat, self.first.piece)
        on = same and fact.at is not None and fact.source == self.cells[-1]
        return on and (jumps or (fact.at is not None and _distance(self.cells[-1], fact.at) == 1))


@dataclass
class _Blow:
    """Attack on a cell with its losses, or a loss alone."""

    at: Place
    source: Place | None = None
    number: int = 0
    """Loss to show: damage, or else pieces."""
    is_exact: bool = False
    """True if ``number`` is the damage of the attack."""


@dataclass
class _Act:
    """Part of an animation: simultaneous marches, or one blow."""

    tracks: list[_Track] = field(default_factory=list)
    blow: _Blow | None = None

    @property
    def cells(self) -> set[Place]:
        """Cells that it changes."""
        ends = {cell for track in self.tracks for cell in (track.cells[0], track.cells[-1])}
        return ends | ({self.blow.at} if self.blow is not None else set())


def _acts(facts: Iterable[Fact], *, jumps: bool) -> list[_Act]:
    """Return the acts in order: consecutive moves form one, an attack includes its losses."""
    acts: list[_Act] = []
    for fact in facts:
        if fact.at is None:
            continue
        last = acts[-1] if acts else None
        if fact.kind == "move":
            if last is None or last.blow is not None:
                last = _Act()
                acts.append(last)
            _add_move(last.tracks, fact, jumps=jumps)
        elif fact.kind in _FACED:
            blow = last.blow if last is not None else None
            if blow is None or blow.at != fact.at or (fact.source and fact.source != blow.source):
                blow = _Blow(fact.at, fact.source)
                acts.append(_Act(blow=blow))
            _add_loss(blow, fact)
    return acts


def _add_move(tracks: list[_Track], fact: Fact, *, jumps: bool) -> None:
    assert fact.at is not None  # noqa: S101 - tells the type checker
    on = next((track for track in tracks if track.takes(fact, jumps=jumps)), None)
    if on is not None:
        on.cells += fact.way or (fact.at,)
    elif len(tracks) < _TRACKS or not jumps:
        start = () if fact.source is None else (fact.source,)
        tracks.append(_Track(fact, [*start, *(fact.way or (fact.at,))]))


def _add_loss(blow: _Blow, fact: Fact) -> None:
    if fact.kind in {"attack", "defence"} and fact.odds is not None and fact.amount is not None:
        blow.number, blow.is_exact = fact.amount, True
    elif fact.kind == "loss" and not blow.is_exact:
        blow.number += 1 if fact.amount is None else fact.amount


# -- frames ----------------------------------------------------------------------------------------


def frames(
    facts: Iterable[Fact],
    moments: Sequence[EventMoment] = (),
    change: BoardChange | None = None,
    most: int = MOST_FRAMES,
    tile: int = 1,
) -> list[PlaybackFrame]:
    """Return at most ``most`` frames for some events, then an empty one; [] if nothing moves.

    If there are ``moments``, they are shown in place of the first attack, and nothing else is.
    ``tile`` is the number of screen cells per cell of the board.
    """
    tiles = change is not None and change.has_tiles
    acts = _acts(facts, jumps=tiles)
    made: list[PlaybackFrame] = []
    to_come = moments
    for number, act in enumerate(acts):
        later = {cell for other in acts[number + 1 :] for cell in other.cells}
        pending = tuple(ShownCell(cell, cell) for cell in sorted(later - act.cells))
        if act.blow is None and moments:
            continue
        if act.blow is None:
            is_march = change is not None and tiles
            shown = _march(act.tracks, change, tile) if is_march and change else _arrows(act)
        elif to_come:
            pending += (ShownCell(act.blow.at, act.blow.at),)
            shown, to_come = _course(to_come, tile), ()
        elif moments:
            continue
        else:
            shown = _struck(act.blow, change if tiles else None, tile)
        made += (frame._replace(cells=pending + frame.cells) for frame in shown)
    if to_come:
        made += _course(to_come, tile)
    return [*_thinned(made, most), PlaybackFrame()] if made else []


def _thinned(made: Sequence[T], most: int) -> Sequence[T]:
    """Return at most ``most`` of the frames or moments, evenly spaced, including the last."""
    count = len(made)
    if count <= most:
        return made
    return [made[(place + 1) * count // most - 1] for place in range(most)]


def _march(tracks: Sequence[_Track], change: BoardChange, tile: int) -> Iterator[PlaybackFrame]:
    """Yield frames of pieces on their paths, with the latest step of each path marked."""
    longest = max(len(track.cells) for track in tracks)
    fewest = max(1, _MARCH_CELLS // (tile * len(tracks))) if tile > _LARGE else _MARCH
    count = min(_MARCH, fewest, max(longest - 2, 1))
    for number in range(1, count + 1):
        marks: list[BoardMark] = []
        cells: list[ShownCell] = []
        for track in tracks:
            way, end = track.cells, len(track.cells) - 1
            at = end * number // (count + 1)
            if tile <= _LARGE or end == 1:
                marks.append(BoardMark(*way[max(at - 1, 0)], MarkSign.PATH))
            if at < end > 1:
                cells += _on_the_way(track, at, change)
        yield PlaybackFrame(tuple(marks), cells=tuple(cells))


def _on_the_way(track: _Track, at: int, change: BoardChange) -> tuple[ShownCell, ...]:
    """Return the piece at a cell of its path, and the end of the path as it was before."""
    start, end, seat = track.cells[0], track.cells[-1], track.first.seat
    for board, cell, is_before in ((change.before, start, True), (change.after, end, False)):
        x, y = cell
        if board.piece[y, x] and board.owner[y, x] == seat:
            return ShownCell(end, end), ShownCell(track.cells[at], cell, is_before)
    return ()


def _struck(blow: _Blow, change: BoardChange | None, tile: int) -> Iterator[PlaybackFrame]:
    """Yield the shot in flight, the flashing target, its loss, and the fallen without colour.

    Until it has fallen, the target is drawn as it was.
    """
    at, source = blow.at, blow.source
    before = (ShownCell(at, at),) if change is not None else ()
    is_held = source is not None and tile <= _LARGE
    held = (BoardMark(*source, MarkSign.HELD),) if source is not None and is_held else ()
    if source is not None and (line := between(source, at)):
        count = min(_SHOTS, len(line))
        for number in range(1, count + 1):
            x, y = line[(2 * number - 1) * len(line) // (2 * count)]
            yield PlaybackFrame((*held, BoardMark(x, y, MarkSign.PATH, "*")), cells=before)
    lit = BoardMark(*at, MarkSign.TARGET, "x")
    yield PlaybackFrame((*held, lit), cells=before)
    falls = change is not None and _falls(change, at)
    told = (lit, *_number(blow, change)) if blow.number else (lit,)
    last = PlaybackFrame(told, cells=before if falls else ())
    yield from [last] * _NUMBER
    if falls:
        yield PlaybackFrame((), cells=(ShownCell(at, at, is_fallen=True),))


def _falls(change: BoardChange, at: Place) -> bool:
    """Return whether the piece of a cell is gone after the events."""
    x, y = at
    return bool(change.before.piece[y, x]) and not change.after.piece[y, x]


def _number(blow: _Blow, change: BoardChange | None) -> Iterator[BoardMark]:
    """Yield the loss beside the target, on a free cell if possible; one digit per narrow cell."""
    x, y = blow.at
    text = str(min(blow.number, 99))
    beside = [(x, y - 1), (x, y + 1)]
    if change is not None:
        ground = change.after.ground
        beside = [at for at in beside if ground.has(*at)]
        beside.sort(key=lambda at: bool(change.after.piece[at[1], at[0]]))
    x, y = beside[0]
    yield BoardMark(x, y, MarkSign.PATH, text, short=text[0])
    if len(text) > 1:
        yield BoardMark(x + 1, y, MarkSign.PATH, " ", short=text[1])


def _arrows(act: _Act) -> Iterator[PlaybackFrame]:
    """Yield arrows that grow together from where pieces start to where they go."""
    ways = [[*_line_of(track), track.cells[-1]] for track in act.tracks]
    gap = max(1, -(-sum(map(len, ways)) // _ARROW_MARKS))
    drawn = [
        [cell for place, cell in enumerate(way) if (len(way) - 1 - place) % gap == 0]
        for way in ways
    ]
    count = min(_GROWTH, max(map(len, drawn)))
    for number in range(1, count + 1):
        marks: list[BoardMark] = []
        for way, shown in zip(ways, drawn, strict=True):
            far = -(-len(shown) * number // count)
            sign, head = _signs(way)
            marks += (BoardMark(*cell, MarkSign.PATH, sign) for cell in shown[:far])
            if far == len(shown):
                marks[-1] = BoardMark(*shown[-1], MarkSign.PATH, head)
        yield PlaybackFrame(tuple(marks))


def _line_of(track: _Track) -> list[Place]:
    """Return the cells of a path before its end."""
    if len(track.cells) == 2 and not track.first.way:
        return between(track.cells[0], track.cells[1])
    return track.cells[:-1]


def _signs(way: Sequence[Place]) -> tuple[str, str]:
    """Return the signs for the line and the head of an arrow; such cells are taller than wide."""
    across, down = way[-1][0] - way[0][0], way[-1][1] - way[0][1]
    if abs(across) > 4 * abs(down):
        return "-", ">" if across > 0 else "<"
    head = "v" if down > 0 else "^"
    if 2 * abs(across) <= abs(down):
        return "|", head
    if abs(across) >= 2 * abs(down):
        head = ">" if across > 0 else "<"
    return "\\" if (across > 0) == (down > 0) else "/", head


def _course(moments: Sequence[EventMoment], tile: int) -> Iterator[PlaybackFrame]:
    """Yield moments for some frames each, limited by what the terminal can take."""
    seen = _thinned(moments, _COURSE)
    while len(seen) > 2 and _bytes_of(seen) > _BYTES:
        seen = _thinned(moments, len(seen) - 1)
    ticks = min(_TICKS, MOST_FRAMES // len(seen))
    for one in seen:
        marks = one.marks
        if tile > _LARGE:
            marks = tuple(mark for mark in marks if mark.sign is MarkSign.TARGET)
        yield from [PlaybackFrame(marks, one.lines)] * ticks


def _bytes_of(moments: Sequence[EventMoment]) -> int:
    """Estimate the bytes that moments send to a terminal: the changed cells of each."""
    sent = 0
    marks: tuple[BoardMark, ...] = ()
    texts: tuple[str, ...] = ()
    for moment in moments:
        now = tuple(line.text for line in moment.lines)
        for old, new in zip_longest(texts, now, fillvalue=""):
            runs = groupby(one == other for one, other in zip_longest(old, new))
            sent += sum(_MOVE_BYTES + len([*run]) for is_same, run in runs if not is_same)
        sent += _MOVE_BYTES * len({*marks} ^ {*moment.marks})
        marks, texts = moment.marks, now
    return sent


def between(start: Place, end: Place) -> list[Place]:
    """Return the cells on the straight line between two cells, without the ends.

    >>> between((0, 0), (4, 2))
    [(1, 1), (2, 1), (3, 2)]
    """
    across, down = end[0] - start[0], end[1] - start[1]
    steps = _distance(start, end)
    return [
        (
            start[0] + (2 * step * across + steps) // (2 * steps),
            start[1] + (2 * step * down + steps) // (2 * steps),
        )
        for step in range(1, steps)
    ]


def _distance(one: Place, other: Place) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
