"""Words of line mode about the board: here, around, everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from string import ascii_lowercase
from typing import Final

from engine.kit.grid import Place
from engine.tabletop.board import NOBODY, NOWHERE, BoardMark, Find
from engine.tabletop.english import many
from engine.tabletop.focus import NOTHING, Direction, Focus, Push
from engine.tabletop.roles import MarkSign, Role
from engine.tabletop.spoken import SpokenMark
from tui.linemode.asking import cell_words
from tui.linemode.line_seat import LineSeat
from tui.linemode.line_session import LineSession
from tui.play.place_names import SeveralPlaces, place_named
from tui.play.speech import (
    apart,
    bearing,
    distance,
    marked,
    nearest,
    place_of,
    sign_name,
    steps_of,
    way_of,
    words_of,
)

_NEAR: Final = 8
_RADIUS: Final = 6
_WIDEST: Final = 18
"""Maximum radius of a map that fits into a row."""
_FOUND: Final = 20
"""Maximum number of things named in a list."""
_THREATS: Final = 6
_THREATS_TO_PIECE: Final = 2
"""Maximum number of threats that are named: to a place, and to each piece in a list."""
_WRITING: Final = "written"
"""Name under which letters of names on the board are collected for the legend of a map."""

_MARKS: Final = "*!>"
"""Marks before a sign: own, of others, the cursor."""
_DIAGONAL: Final[dict[Direction, tuple[Direction, Direction]]] = {
    "up-left": ("up", "left"),
    "up-right": ("up", "right"),
    "down-left": ("down", "left"),
    "down-right": ("down", "right"),
}


def look(session: LineSession, rest: str) -> None:
    """Describe the cell under the cursor, or the cell that ``rest`` names."""
    client = session.client
    at = _cell(session, rest) if rest else client.at
    if at is None:
        return
    session.voice.tell(client.presenter.look(client.view, *at))
    focus = Focus(*at, client.focus.held)
    overlay = client.presenter.overlay(client.view, focus)
    for noted in marked(overlay.marks, at):
        session.voice.say(f"{noted.capitalize()}.")
    if overlay.hint and at == client.at:
        session.voice.say(f"press would: {overlay.hint}.")


def where(session: LineSession, _rest: str) -> None:
    """Say where the cursor is."""
    client = session.client
    board = client.board
    session.voice.say(
        f"The cursor is at {cell_words(client.at)}. The board has {board.width} columns and"
        f" {board.height} rows; 0,0 is in the north-west, the first number grows to the east,"
        " the second to the south."
    )
    if client.focus.held != NOTHING:
        session.voice.say("You hold a piece; release lets it go.")


def go(session: LineSession, rest: str) -> None:
    """Move the cursor to the cell or the named thing that ``rest`` names."""
    at = _cell(session, rest) if rest else None
    if at is None:
        if not rest:
            session.voice.say("Where to? Type go x,y, go 3 east 1 north, or go and a name.")
        return
    session.client.point(*at)
    look(session, "")


def walk(session: LineSession, rest: str) -> bool:
    """Move the cursor or the held piece in directions; return False if ``rest`` has none."""
    steps = steps_of(rest)
    if steps is None:
        return False
    client, left = session.client, len(steps)
    for way in steps:
        before, pushed = client.at, client.presenter.step(client.view, client.focus, way)
        moved = client.push(way)
        note = client.note
        if way in _DIAGONAL and not client.opened:
            if pushed.line:
                note = f"{note} {_straight(session, before, pushed)}".strip()
            elif moved:
                moved = _corner(session, before, way)
        if not moved or note:
            session.say_note(note or "Here is the edge of the board.")
        if client.opened:
            session.open_dialogue()
            return True
        if not moved:
            break
        left -= 1
    session.go_on()
    if left < len(steps):
        look(session, "")
    return True


def _straight(session: LineSession, before: Place, pushed: Push) -> str:
    """Return a remark if a diagonal push of a held piece goes along one axis only."""
    dx, dy = apart(session.client.board, before, (pushed.focus.x, pushed.focus.y))
    if dx and dy:
        return ""
    moving = session.intent_named("move")
    other = " move and the direction goes diagonally." if moving is not None else ""
    return f"That pushed it {bearing(dx, dy)}: a held piece goes in four directions.{other}"


def _corner(session: LineSession, before: Place, way: Direction) -> bool:
    """Finish a diagonal step if the stick moved along one axis; return whether it moved."""
    client = session.client
    dx, dy = client.at[0] - before[0], client.at[1] - before[1]
    if dx and dy:
        return True
    for part in _DIAGONAL[way]:
        if (part in {"up", "down"}) == (dy == 0):
            client.push(part)
    return client.at != before


def draw(session: LineSession, rest: str) -> None:
    """Print part of the board as a table of signs."""
    client = session.client
    if rest and not rest.isdecimal():
        session.voice.say("Type map, or map and a radius such as 4.")
        return
    radius = int(rest[:4] or _RADIUS)
    widest = min(_WIDEST, (session.voice.width - 6) // 4)
    radius = min(max(1, radius), widest)
    board, (x, y) = client.board, client.at
    columns = range(max(0, x - radius), min(board.width, x + radius + 1))
    rows = range(max(0, y - radius), min(board.height, y + radius + 1))
    margin = len(str(rows[-1]))
    blank = " " * (margin + 1)
    numbers = [f"{blank}{''.join(f'{c // 10 or chr(32):>2}' for c in columns)}"] * (
        columns[-1] >= 10
    )
    session.voice.rows([*numbers, f"{blank}{''.join(f'{c % 10:>2}' for c in columns)}"])
    signs = MapSigns(session, [(column, row) for row in rows for column in columns])
    for row in rows:
        cells = "".join(signs.cell((column, row)) for column in columns)
        session.voice.rows([f"{row:>{margin}} {cells}".rstrip()])
    own, others, here = map(sign_name, _MARKS)
    session.voice.say(
        f"A mark before a sign: {here} is the cursor, {own} yours, {others} of others."
    )
    for line in signs.legend():
        session.voice.say(line)


class MapSigns:
    """Signs of the things on a part of the board: none has two meanings, or is a mark."""

    def __init__(self, session: LineSession, cells: Iterable[Place]) -> None:
        """Give each thing on these cells its usual sign, or else a free letter."""
        self._client = session.client
        drawn = dict.fromkeys(map(self._drawn, cells))
        self._has_writing = any(name == _WRITING for name, _ in drawn)
        taken = {*_MARKS, *(sign for name, sign in drawn if name == _WRITING)}
        self._signs: dict[tuple[str, str], str] = {}
        owners: dict[str, str] = {}
        for name, usual in drawn:
            if name == _WRITING or not usual.strip():
                continue
            wanted = (usual, *filter(str.isalpha, name), *name.upper(), *ascii_lowercase)
            free = (one for one in wanted if one not in taken and owners.get(one, name) == name)
            sign = next(free, usual)
            owners[sign] = name
            self._signs[name, usual] = sign

    def _drawn(self, at: Place) -> tuple[str, str]:
        """Return the name of the thing that is drawn on a cell, and its usual sign."""
        board = self._client.board
        piece, ground = int(board.piece[at[1], at[0]]), int(board.ground[at[1], at[0]])
        symbol = self._client.presenter.symbols[piece or ground]
        is_written = piece and symbol.role is Role.WRITING and symbol.name.startswith("written ")
        name = symbol.name.partition(",")[0].partition("_")[0].rstrip(" 0123456789")
        return _WRITING if is_written else name, symbol.ascii

    def cell(self, at: Place) -> str:
        """Return two characters for a cell: a mark and a sign."""
        client, board = self._client, self._client.board
        x, y = at
        piece, owner = int(board.piece[y, x]), int(board.owner[y, x])
        role = client.presenter.symbols[piece].role
        is_plain = not piece or (owner == NOBODY and role in {Role.WRITING, Role.SITE})
        whose = " " if is_plain else "*" if owner == client.viewer else "!"
        drawn = self._drawn(at)
        return (">" if at == client.at else whose) + self._signs.get(drawn, drawn[1])

    def legend(self) -> list[str]:
        """Return a line for each thing, with its signs."""
        made: dict[str, list[str]] = {}
        for (name, _), sign in self._signs.items():
            made.setdefault(name, []).append(sign)
        lines = [
            f"{name}: {', '.join(map(sign_name, sorted(made[name])))}" for name in sorted(made)
        ]
        if self._has_writing:
            lines.append("Other letters and digits are names and numbers of places.")
        return lines


def units(session: LineSession, rest: str) -> None:
    """List pieces: the viewer's, those of others, or those that can still act, as ``rest`` says."""
    client = session.client
    pieces = client.pieces()
    if rest in {"", "all"}:
        found = pieces
    elif rest == "mine":
        found = [find for find in pieces if find.seat == client.viewer]
    elif rest in {"enemy", "enemies"}:  # those that foe goes to
        foes = client.presenter.jumps(client.view, Focus(*client.at), "enemy")
        spots = {_spot(client, at) for at in foes}
        found = [find for find in pieces if _spot(client, find.at) in spots]
    elif rest == "idle":
        idle = set(client.presenter.jumps(client.view, client.focus, "idle"))
        found = [find for find in pieces if find.at in idle]
    else:
        session.voice.say("Type units, units mine, units enemy or units idle.")
        return
    _list(session, found, len(found))
    if rest == "idle":
        session.voice.tell(client.presenter.marches(client.view))


def find(session: LineSession, rest: str) -> None:
    """List the things whose name contains ``rest``."""
    client, wanted = session.client, rest.casefold()
    finds = client.presenter.finds(client.view)
    _list(session, [one for one in finds if wanted in f"{one.kind} {one.text}".casefold()], _FOUND)


def places(session: LineSession, _rest: str) -> None:
    """List things that have a name and are no pieces."""
    _list(session, session.client.places(), _FOUND)


def near(session: LineSession, rest: str) -> None:
    """List the named things nearest to the cursor; ``rest`` is how many."""
    if rest and not rest.isdecimal():
        session.voice.say("Type near, or near and how many.")
        return
    most = min(int(rest[:4] or _NEAR), 99)
    _list(session, list(session.client.presenter.finds(session.client.view)), most)


def next_idle(session: LineSession, _rest: str) -> None:
    """Move the cursor to the next piece that can still act, in reading order."""
    client = session.client
    marches = client.presenter.marches(client.view)
    waits = "waits for an order" if marches else "can still act"
    if not _jump(session, "idle", f"No piece of yours {waits}."):
        session.voice.tell(marches)


def next_enemy(session: LineSession, _rest: str) -> None:
    """Move the cursor to the next enemy, in reading order."""
    _jump(session, "enemy", "There is no enemy to go to.")


def _jump(session: LineSession, kind: str, none: str) -> bool:
    """Go to the next cell of a kind; say ``none`` and return False if there is none."""
    client = session.client
    found = client.presenter.jumps(client.view, client.focus, kind)
    cells = sorted(set(found), key=lambda cell: cell[::-1])
    if not cells:
        session.voice.say(none)
        return False
    if cells == [client.at]:
        session.voice.say("There is no other.")
    behind = [cell for cell in cells if cell[::-1] > client.at[::-1]]
    client.point(*(behind or cells)[0])
    look(session, "")
    return True


def danger(session: LineSession, rest: str) -> None:
    """Print the threats to a cell, and the viewer's pieces that are threatened."""
    client = session.client
    at = _cell(session, rest) if rest else client.at
    if at is None:
        return
    label = next(one.label for one in client.presenter.layers if one.name == "danger")
    marks = client.presenter.layer(client.view, client.focus, "danger")
    told = _texts_by_spot(client, marks)
    text = _threats(client, told, at, _THREATS) or "none"
    session.voice.say(f"{client.words_for(at)}: {label}: {text}.")
    own = [one for one in client.pieces() if one.seat == client.viewer]
    held = {one.at for one in own}
    if client.board.places:  # lands without pieces can be lost too
        own += [one for one in client.places() if one.seat == client.viewer and one.at not in held]
    threats = [
        (one, text) for one in own if (text := _threats(client, told, one.at, _THREATS_TO_PIECE))
    ]
    if threats:
        session.voice.say("Yours that are in danger:")
    for one, text in threats:
        spot = client.words_for(one.at)
        where_at = "" if f" on {spot}" in one.text else f" at {spot}"
        session.voice.say(f"{one.text}{where_at}: {text}")


def _threats(client: LineSeat, told: Mapping[int | Place, str], at: Place, most: int) -> str:
    """Name the worst threats to a cell and count the others; else return the text of its mark."""
    spot = _spot(client, at)
    if spot not in told:
        return ""
    found = client.presenter.threats(client.view, *at)
    rest = len(found) - most
    more = [f"and {rest} more"] if rest > 0 else []
    text = told[spot] if told[spot] != "yes" else "an enemy is here"
    return "; ".join([*found[:most], *more]) or text


def layers(session: LineSession, rest: str) -> None:
    """Print the marks of the named layer at the cursor; without a name, list the layers."""
    client = session.client
    if rest not in {layer.name for layer in client.presenter.layers}:
        if rest:
            session.voice.say(f"There is no layer {rest[:30]!r}.")
        for layer in client.presenter.layers:
            session.voice.say(f"layer {layer.name}: {layer.label}")
        return
    told = _texts_by_spot(client, client.presenter.layer(client.view, client.focus, rest))
    text = told.get(_spot(client, client.at), "nothing")
    kind = "place" if client.board.places else "cell"
    marked = many(len(told), kind)
    session.voice.say(f"{client.words_for(client.at)}: {text}. The layer marks {marked}.")


def _spot(client: LineSeat, at: Place) -> int | Place:
    """Return the id of a cell's place, or else the cell: layers may mark only borders."""
    place = int(client.board.place[at[1], at[0]]) if client.board.places else NOWHERE
    return at if place == NOWHERE else place


def _texts_by_spot(client: LineSeat, marks: tuple[BoardMark, ...]) -> dict[int | Place, str]:
    """Return the texts of marks by place or cell, with "yes" for those without a text."""
    found: dict[int | Place, str] = {}
    for mark in marks:
        spot, text = _spot(client, _marked_cell(client, mark)), words_of(mark)
        found[spot] = text or found.get(spot, "yes")
    return found


def _marked_cell(client: LineSeat, mark: BoardMark) -> Place:
    """Return the cell that a mark is about: texts are written on the lower border of areas."""
    return (mark.x, mark.y - 1) if client.has_areas and mark.text else (mark.x, mark.y)


def route(session: LineSession, rest: str) -> None:
    """Describe the route of the piece under the cursor to a cell."""
    client = session.client
    at = _cell(session, rest) if rest else None
    if at is None:
        if not rest:
            session.voice.say("Where to? Type route x,y or route 3 east.")
        return
    marks = client.presenter.route(client.view, client.focus, *at)
    if not marks:
        session.voice.say("No piece of yours is here, or there is no way or no room for it.")
        return
    session.voice.say(f"To {client.words_for(at)}: {_way(client, [(m.x, m.y) for m in marks])}.")
    last = marks[-1]
    cost = f" It costs {last.words}." if isinstance(last, SpokenMark) else ""
    session.voice.say(f"{many(len(marks), 'step')}.{cost} {_stages(marks)}")


def _way(client: LineSeat, cells: list[Place]) -> str:
    """Return a path in runs of steps; if it leaps between places, by their names."""
    pairs = zip((client.at, *cells), cells, strict=False)
    if all(distance(*apart(client.board, *pair)) <= 1 for pair in pairs):
        return way_of(client.at, cells)
    names = client.names_by_cell()
    return "by " + ", ".join(names.get(cell, cell_words(cell)) for cell in cells)


def _stages(marks: tuple[BoardMark, ...]) -> str:
    """Return in words where the turns of a route end."""
    ends = {mark.turn: (mark.x, mark.y) for mark in marks}
    if list(ends) == [0]:
        return "It arrives in this turn."
    told = [
        f"{'this turn' if turn == 0 else 'next turn' if turn == 1 else f'turn {turn} after this'}"
        f" to {cell_words(at)}"
        for turn, at in sorted(ends.items())
    ]
    return f"If nothing changes: {', '.join(told)}."


def targets(session: LineSession, _rest: str) -> None:
    """List the cells marked as targets or as dangerous, for the held piece."""
    client = session.client
    overlay = client.presenter.overlay(client.view, client.focus)
    marks = [mark for mark in overlay.marks if mark.sign in {MarkSign.TARGET, MarkSign.DANGER}]
    if not marks:
        session.voice.say(
            "No target is marked. press takes a piece up; its targets are marked then."
        )
    cells = {_spot(client, (mark.x, mark.y)): (mark.x, mark.y) for mark in reversed(marks)}
    texts = _texts_by_spot(client, overlay.marks if client.has_areas else tuple(marks))
    for spot, cell in reversed(cells.items()):
        label = f": {texts[spot]}" if texts[spot] != "yes" else ""
        session.voice.say(f"{client.words_for(cell)}, {client.way_to(cell)}{label}")


def _list(session: LineSession, finds: list[Find], most: int) -> None:
    """Say where things are, nearest first."""
    client = session.client
    here = [one for one in finds if one.at == client.at]
    for one in here:
        session.voice.say(f"{one.text}: here")
    found = nearest(finds, client.board, client.at)
    for thing in found[:most]:
        cell = "" if client.has_areas else f" ({cell_words(thing.find.at)})"
        session.voice.say(f"{thing.find.text}: {client.way_to(thing.find.at)}{cell}")
    if len(found) > most:
        session.voice.say(f"And {len(found) - most} more.")
    if not finds:
        session.voice.say("There is none.")


def _cell(session: LineSession, text: str) -> Place | None:
    """Return the cell that a text names: ``x,y``, a path from the cursor, or a name.

    None after a remark, also for cells outside the board.
    """
    client = session.client
    at = place_of(text, client.at)
    if at is None:
        try:
            finds = client.presenter.finds(client.view)
            at = place_named(finds, text, client.board, anywhere=True)
        except SeveralPlaces as several:
            session.voice.say(f"{several}.")
            return None
    if at is None:
        session.voice.say(f"There is no place or thing called {text[:40]!r}.")
        return None
    if not (0 <= at[0] < client.board.width and 0 <= at[1] < client.board.height):
        session.voice.say(f"{cell_words(at)} is not on the board.")
        return None
    return at
