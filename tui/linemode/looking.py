"""Commands that tell of the board: here, around, everywhere."""

from __future__ import annotations

from typing import Final

from engine.tabletop.board import NOBODY, Find, Mark
from engine.tabletop.focus import NOTHING, Direction, Focus
from engine.tabletop.roles import Sign
from tui.linemode.line_session import Party
from tui.play.speech import (
    Cell,
    apart,
    marked,
    nearest,
    offset,
    place_of,
    steps_of,
    way_of,
)

_NEAR: Final = 8
_RADIUS: Final = 6
_WIDEST: Final = 18
"""The largest radius of a map that fits into a row."""
_FOUND: Final = 20
"""Most things that are named in a list."""
_DIAGONAL: Final[dict[Direction, tuple[Direction, Direction]]] = {
    "up-left": ("up", "left"),
    "up-right": ("up", "right"),
    "down-left": ("down", "left"),
    "down-right": ("down", "right"),
}


def look(party: Party, rest: str) -> None:
    """Tell of the cell under the cursor, or of another."""
    chair = party.chair
    at = _cell(party, rest) if rest else chair.at
    if at is None:
        return
    party.voice.tell(chair.presenter.look(chair.view, *at))
    focus = Focus(*at, chair.focus.held)
    overlay = chair.presenter.overlay(chair.view, focus)
    for noted in marked(overlay.marks, at):
        party.voice.say(f"{noted.capitalize()}.")
    if overlay.hint and at == chair.at:
        party.voice.say(f"press would: {overlay.hint}.")


def where(party: Party, _rest: str) -> None:
    """Tell where the cursor is."""
    chair = party.chair
    board = chair.board
    party.voice.say(
        f"The cursor is at {_written(chair.at)}. The board has {board.width} columns and"
        f" {board.height} rows; 0,0 is in the north-west, the first number grows to the east,"
        " the second to the south."
    )
    if chair.focus.held != NOTHING:
        party.voice.say("You hold a piece; release lets it go.")


def go(party: Party, rest: str) -> None:
    """Move the cursor to a cell, or to something with a name."""
    at = _cell(party, rest) if rest else None
    if at is None:
        if not rest:
            party.voice.say("Where to? Type go x,y, go 3 east 1 north, or go and a name.")
        return
    party.chair.point(*at)
    look(party, "")


def walk(party: Party, rest: str) -> bool:
    """Move the cursor, or the piece that is held, in directions; whether it was understood."""
    steps = steps_of(rest)
    if steps is None:
        return False
    chair, left = party.chair, len(steps)
    for way in steps:
        before = chair.at
        moved = chair.push(way)
        note = chair.note
        if way in _DIAGONAL and moved and chair.focus.held == NOTHING:
            moved, note = _corner(party, before, way), ""
        if not moved or note:
            party.voice.say(note or "Here is the edge of the board.")
        if chair.opened:
            party.open_dialogue()
            return True
        if not moved:
            break
        left -= 1
    party.go_on()
    if left < len(steps):
        look(party, "")
    return True


def _corner(party: Party, before: Cell, way: Direction) -> bool:
    """Finish a diagonal step where the stick goes one way at a time; whether it led anywhere."""
    chair = party.chair
    dx, dy = chair.at[0] - before[0], chair.at[1] - before[1]
    if dx and dy:
        return True
    for part in _DIAGONAL[way]:
        if (part in {"up", "down"}) == (dy == 0):
            chair.push(part)
    return chair.at != before


def draw(party: Party, rest: str) -> None:
    """Print a piece of the board as a table of signs."""
    chair = party.chair
    radius = int(rest[:4]) if rest.isdecimal() else _RADIUS
    widest = min(_WIDEST, (party.voice.width - 6) // 4)
    radius = min(max(1, radius), widest)
    board, (x, y) = chair.board, chair.at
    columns = range(max(0, x - radius), min(board.width, x + radius + 1))
    rows = range(max(0, y - radius), min(board.height, y + radius + 1))
    margin = len(str(rows[-1]))
    blank = " " * (margin + 1)
    numbers = [f"{blank}{''.join(f'{c // 10 or chr(32):>2}' for c in columns)}"] * (
        columns[-1] >= 10
    )
    party.voice.rows([*numbers, f"{blank}{''.join(f'{c % 10:>2}' for c in columns)}"])
    seen: dict[str, list[str]] = {}
    for row in rows:
        cells = "".join(_sign(party, (column, row), seen) for column in columns)
        party.voice.rows([f"{row:>{margin}} {cells}".rstrip()])
    signs = "; ".join(f"{name} {' '.join(sorted(made))}" for name, made in sorted(seen.items()))
    party.voice.say(f"> is the cursor, * yours, ! of others; {signs}.")


def _sign(party: Party, at: Cell, seen: dict[str, list[str]]) -> str:
    """Two characters: whose it is, and what it is."""
    chair, board = party.chair, party.chair.board
    x, y = at
    piece = int(board.piece[y, x])
    symbol = chair.presenter.symbols[piece or int(board.ground[y, x])]
    name = symbol.name.partition(",")[0].partition("_")[0]
    if symbol.ascii.strip() and symbol.ascii not in seen.setdefault(name, []):
        seen[name].append(symbol.ascii)
    owner = int(board.owner[y, x])
    whose = " " if not piece else "*" if owner == chair.viewer else "!"
    return (">" if at == chair.at else whose) + symbol.ascii


def units(party: Party, rest: str) -> None:
    """List pieces: mine, of others, or those that can still act."""
    chair = party.chair
    pieces = chair.pieces()
    if rest in {"", "all"}:
        found = pieces
    elif rest == "mine":
        found = [find for find in pieces if find.seat == chair.viewer]
    elif rest in {"enemy", "enemies"}:
        found = [find for find in pieces if find.seat not in {chair.viewer, NOBODY}]
    elif rest == "idle":
        idle = set(chair.presenter.jumps(chair.view, chair.focus, "idle"))
        found = [find for find in pieces if find.at in idle]
    else:
        party.voice.say("Type units, units mine, units enemy or units idle.")
        return
    _list(party, found, len(found))


def find(party: Party, rest: str) -> None:
    """List what has a name that holds a word."""
    chair, wanted = party.chair, rest.casefold()
    finds = chair.presenter.finds(chair.view)
    _list(party, [one for one in finds if wanted in f"{one.kind} {one.text}".casefold()], _FOUND)


def places(party: Party, _rest: str) -> None:
    """List what has a name and is no piece."""
    _list(party, party.chair.places(), _FOUND)


def near(party: Party, rest: str) -> None:
    """List what is nearest to the cursor."""
    most = min(int(rest[:4]), 99) if rest.isdecimal() else _NEAR
    _list(party, list(party.chair.presenter.finds(party.chair.view)), most)


def next_idle(party: Party, _rest: str) -> None:
    """Go to the next piece that can still act, row by row."""
    _jump(party, "idle", "Nothing is left to do in this phase.")


def next_enemy(party: Party, _rest: str) -> None:
    """Go to the next enemy, row by row."""
    _jump(party, "enemy", "There is no enemy to go to.")


def _jump(party: Party, kind: str, none: str) -> None:
    chair = party.chair
    found = chair.presenter.jumps(chair.view, chair.focus, kind)
    cells = sorted(set(found), key=lambda cell: cell[::-1])
    if not cells:
        party.voice.say(none)
        return
    if cells == [chair.at]:
        party.voice.say("There is no other.")
    behind = [cell for cell in cells if cell[::-1] > chair.at[::-1]]
    chair.point(*(behind or cells)[0])
    look(party, "")


def danger(party: Party, rest: str) -> None:
    """Tell what threatens this cell, and which own pieces are threatened."""
    chair = party.chair
    at = _cell(party, rest) if rest else chair.at
    if at is None:
        return
    marks = chair.presenter.layer(chair.view, chair.focus, "danger")
    label = next(one.label for one in chair.presenter.layers if one.name == "danger")
    told = {(mark.x, mark.y): mark.text.strip() or "yes" for mark in marks}
    party.voice.say(f"{_written(at)}: {label}: {told.get(at, 'none')}.")
    own = [one for one in chair.pieces() if one.seat == chair.viewer and one.at in told]
    if own:
        party.voice.say("Yours that are in danger:")
    for one in own:
        party.voice.say(f"{one.text} at {_written(one.at)}: {told[one.at]}")


def layers(party: Party, rest: str) -> None:
    """Tell what a layer says of the cursor's cell; without a name, list the layers."""
    chair = party.chair
    if rest not in {layer.name for layer in chair.presenter.layers}:
        for layer in chair.presenter.layers:
            party.voice.say(f"layer {layer.name}: {layer.label}")
        return
    marks = chair.presenter.layer(chair.view, chair.focus, rest)
    here = [mark for mark in marks if (mark.x, mark.y) == chair.at]
    text = here[0].text.strip() or "yes" if here else "nothing"
    party.voice.say(f"{_written(chair.at)}: {text}. The layer marks {len(marks)} cells.")


def route(party: Party, rest: str) -> None:
    """Tell the way of the piece here to a cell."""
    chair = party.chair
    at = _cell(party, rest) if rest else None
    if at is None:
        if not rest:
            party.voice.say("Where to? Type route x,y or route 3 east.")
        return
    marks = chair.presenter.route(chair.view, chair.focus, *at)
    if not marks:
        party.voice.say("There is no piece here, or no way for it.")
        return
    party.voice.say(f"To {_written(at)}: {way_of(chair.at, [(m.x, m.y) for m in marks])}.")
    cost = f" It costs {marks[-1].text.strip()}." if marks[-1].text.strip() else ""
    party.voice.say(f"{len(marks)} steps.{cost} {_stages(marks)}")


def _stages(marks: tuple[Mark, ...]) -> str:
    """Where each turn of a way ends."""
    ends = {mark.turn: (mark.x, mark.y) for mark in marks}
    if list(ends) == [0]:
        return "It arrives in this turn."
    told = [
        f"{'this turn' if turn == 0 else 'next turn' if turn == 1 else f'turn {turn} after this'}"
        f" to {_written(at)}"
        for turn, at in sorted(ends.items())
    ]
    return f"{', '.join(told).capitalize()}."


def targets(party: Party, _rest: str) -> None:
    """List what is marked as a target or within reach for the piece that is held."""
    chair = party.chair
    overlay = chair.presenter.overlay(chair.view, chair.focus)
    marks = [mark for mark in overlay.marks if mark.sign in {Sign.TARGET, Sign.DANGER}]
    if not marks:
        party.voice.say("No target is marked. press takes a piece up; its targets are marked then.")
    for mark in marks:
        where_to = offset(*apart(chair.board, chair.at, (mark.x, mark.y)))
        label = f": {mark.text.strip()}" if mark.text.strip() else ""
        party.voice.say(f"{mark.x},{mark.y}, {where_to}{label}")


def _list(party: Party, finds: list[Find], most: int) -> None:
    """Say where things are, the nearest first."""
    chair = party.chair
    here = [one for one in finds if one.at == chair.at]
    for one in here:
        party.voice.say(f"{one.text}: here")
    found = nearest(finds, chair.board, chair.at)
    for thing in found[:most]:
        party.voice.say(f"{thing.find.text}: {thing.where} ({_written(thing.find.at)})")
    if len(found) > most:
        party.voice.say(f"And {len(found) - most} more.")
    if not finds:
        party.voice.say("There is none.")


def _cell(party: Party, text: str) -> Cell | None:
    """The cell a text names: ``x,y``, a way from the cursor, or a name; None and a remark if none.

    Cells outside the board are none.
    """
    chair, wanted = party.chair, text.casefold()
    at = place_of(text, chair.at)
    if at is None:
        named = [one for one in chair.presenter.finds(chair.view) if wanted in one.text.casefold()]
        near_by = nearest(named, chair.board, chair.at)
        if not named:
            party.voice.say(f"There is no place or thing called {text[:40]!r}.")
            return None
        at = near_by[0].find.at if near_by else named[0].at
    if not (0 <= at[0] < chair.board.width and 0 <= at[1] < chair.board.height):
        party.voice.say(f"{_written(at)} is not on the board.")
        return None
    return at


def _written(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"
