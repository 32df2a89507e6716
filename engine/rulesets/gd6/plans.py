"""What is laid over the map: own orders, what can be reached, what may come, ways, jumps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.rulesets.gd6 import walking
from engine.rulesets.gd6.canvas import outline, spot, territory_at
from engine.rulesets.gd6.forces import price, threat
from engine.rulesets.gd6.lands import headquarters, owned
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.orders import Build, LayMines, Move, PlaceHq, Promote, Spawn
from engine.rulesets.gd6.stages_spawn import places
from engine.rulesets.gd6.state import NOBODY, View
from engine.tabletop.board import Layer, Mark
from engine.tabletop.focus import NOTHING, Focus
from engine.tabletop.roles import Sign

LAYERS: Final = (
    Layer("danger", "the most that one other can send here in this turn, in armies"),
    Layer("price", "armies needed to take what lies beside yours"),
    Layer("spawn", "where you can spawn"),
)

_SLOPE: Final = 2


def overlay(view: View, focus: Focus) -> tuple[Mark, ...]:
    """The outline of the territory under the cursor, what is held, and the viewer's orders."""
    at = territory_at(view.world, focus.x, focus.y)
    marks = list(_ordered(view))
    if focus.held != NOTHING:
        marks += _held(view, focus.held)
    if at and at != focus.held:
        marks += [Mark(x, y, Sign.HELD) for x, y in outline(view.world, at)]
    return tuple(marks)


def _held(view: View, held: int) -> Iterator[Mark]:
    for there in walking.ways(view, held, walking.best_unit(view, held)):
        owner = view.territories[there].owner
        sign = Sign.TARGET if owner not in (NOBODY, view.viewer) else Sign.REACH
        for x, y in outline(view.world, there):
            yield Mark(x, y, sign)
    for x, y in outline(view.world, held):
        yield Mark(x, y, Sign.HELD)


def _ordered(view: View) -> Iterator[Mark]:
    """The viewer's list on the map; nobody else's is known."""
    for order in walking.sent(view):
        match order:
            case Move():
                yield from _arrow(view, order)
            case Spawn():
                yield from _note(view, order.at, f"+{order.count}")
            case Promote():
                yield from _note(view, order.at, f">{order.unit[0]}")
            case Build():
                yield from _note(view, order.at, f"+{order.construct[0].upper()}")
            case LayMines():
                yield from _note(view, order.at, "+m")
            case PlaceHq():
                yield from _note(view, order.at, "+*")
            case _:
                pass


def _note(view: View, at: int, text: str) -> Iterator[Mark]:
    """A sign on a territory, above its name."""
    x, y = spot(view.world, at)
    for place, character in enumerate(text[:4]):
        yield Mark(x + place, y - 1, Sign.PATH, character)


def _arrow(view: View, order: Move) -> Iterator[Mark]:
    """Lines from label to label, the second hop with gaps, a head at each end, the count beside."""
    for hop, (here, there) in enumerate(zip(order.path, order.path[1:], strict=False)):
        cells = list(_between(spot(view.world, here), spot(view.world, there)))
        for number, (x, y, character) in enumerate(cells):
            if number == len(cells) - 1:
                yield Mark(x, y, Sign.PATH, _head(cells))
            elif not hop or number % 2:
                yield Mark(x, y, Sign.PATH, character)
        if cells and not hop:
            x, y, _ = cells[len(cells) // 2]
            for place, digit in enumerate(str(order.count)):
                yield Mark(x + place, y, Sign.PATH, digit)


def _between(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int, str]]:
    """The cells of a line below two labels, without its ends, each with the sign that is drawn."""
    (x1, y1), (x2, y2) = (start[0], start[1] + 1), (end[0], end[1] + 1)
    across, down = x2 - x1, y2 - y1
    steps = max(abs(across), abs(down))
    for step in range(1, steps):
        x = x1 + (2 * step * across + steps) // (2 * steps)
        y = y1 + (2 * step * down + steps) // (2 * steps)
        yield x, y, _sign(across, down)


def _sign(across: int, down: int) -> str:
    if abs(across) > _SLOPE * 2 * abs(down):
        return "-"
    if abs(down) * _SLOPE > 2 * abs(across) * _SLOPE:
        return "|"
    return "\\" if (across > 0) == (down > 0) else "/"


def _head(cells: list[tuple[int, int, str]]) -> str:
    """The sign at the end of an arrow."""
    (x1, y1, _), (x2, y2, _) = cells[0], cells[-1]
    if abs(x2 - x1) >= abs(y2 - y1) * _SLOPE:
        return ">" if x2 >= x1 else "<"
    return "v" if y2 > y1 else "^"


# -- layers --------------------------------------------------------------------------------------


def layer(view: View, name: str) -> tuple[Mark, ...]:
    """The marks of a layer.

    Raises:
        ValueError: there is no such layer.
    """
    match name:
        case "danger":
            counted = {at: threat(view, at) for at in view.territories}
            sign = Sign.DANGER
        case "price":
            counted = _prices(view)
            sign = Sign.TARGET
        case "spawn":
            known = view.viewer in view.players
            counted = dict.fromkeys(places(view, view.viewer), 0) if known else {}
            sign = Sign.REACH
        case _:
            raise ValueError(f"there is no layer {name!r}")
    return tuple(
        Mark(x, y, sign, str(min(count, 99)) if count else "")
        for at, count in counted.items()
        if count or name == "spawn"
        for x, y in outline(view.world, at)
    )


def _prices(view: View) -> dict[int, int]:
    """Armies needed for each territory beside the viewer's; not told of free land."""
    beside = {at for here in owned(view, view.viewer) for at in view.world.beside(here.id)}
    found = {}
    for at in sorted(beside):
        owner, aims = view.territories[at].owner, price(view, at)
        if aims is not None and owner != view.viewer and (aims.take > 1 or owner != NOBODY):
            found[at] = aims.take
    return found


def route(view: View, focus: Focus, x: int, y: int) -> tuple[Mark, ...]:
    """The way of armies over several turns, a mark on each label. Rules: GD-MOVE-2."""
    start = focus.held if focus.held != NOTHING else territory_at(view.world, focus.x, focus.y)
    goal = territory_at(view.world, x, y)
    if not start or not goal or start == goal or view.territories[start].owner == NOBODY:
        return ()
    speed = unit_rows()["army"].speed
    way = _way(view, start, goal)
    return tuple(
        Mark(*spot(view.world, at), Sign.PATH, str(hop), (hop - 1) // speed)
        for hop, at in enumerate(way, 1)
    )


def _way(view: View, start: int, goal: int) -> tuple[int, ...]:
    """The territories on the shortest way, without the start; the lowest numbers go before."""
    known = {start: 0}
    ring = [start]
    while ring and goal not in known:
        reached: dict[int, int] = {}
        for here in ring:
            for there in view.world.beside(here):
                if there not in known:
                    reached.setdefault(there, here)
        known |= reached
        ring = sorted(reached)
    way: list[int] = []
    here = goal if goal in known else start
    while here != start:
        way.append(here)
        here = known[here]
    return tuple(reversed(way))


def jumps(view: View, kind: str) -> tuple[tuple[int, int], ...]:
    """``idle`` land with units to send, ``enemy`` land of others, ``site`` headquarters.

    While armies can be raised the viewer's headquarters, or where else it can be, are idle too.
    """
    match kind:
        case "idle":
            found = sorted({*walking.idle(view), *walking.to_raise_at(view)})
        case "enemy":
            found = [
                h.id for h in view.territories.values() if h.owner not in (NOBODY, view.viewer)
            ]
        case "site":
            found = [at for seat in view.players for at in headquarters(view, seat)]
        case _:
            found = []
    return tuple(spot(view.world, at) for at in found)
