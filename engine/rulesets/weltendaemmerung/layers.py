"""What can be laid over the whole map: where blows can fall, prices, times of travel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.kit.grid import disc
from engine.kit.memo import recent_each
from engine.kit.patches import flat as number_of
from engine.kit.patches import place
from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.lookup import side_of
from engine.rulesets.weltendaemmerung.reach import arrivals, below, patch
from engine.rulesets.weltendaemmerung.state import ATTACK, DAILOR, ELDOIN, Unit, View
from engine.rulesets.weltendaemmerung.tables import enterable, prices
from engine.rulesets.weltendaemmerung.travel import traveller, turns
from engine.tabletop.board import Layer, Mark
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Sign

Counts: TypeAlias = npt.NDArray[np.int16]
Stack: TypeAlias = npt.NDArray[np.bool_]
"""For each of several units which tiles of the map: shape (units, height, width)."""

LAYERS: Final = (
    Layer("danger", "enemies that can strike here next"),
    Layer("mine", "own units that can strike here next"),
    Layer("turns", "turns until the unit is there", of_piece=True),
    Layer("prices", "prices of the ground for the unit", of_piece=True),
)
"""The first two count units; the others are about the unit that is held or under the cursor."""

_MOST: Final = 9
"""The largest number of units that is told exactly."""


def layer(view: View, focus: Focus, name: str) -> tuple[Mark, ...]:
    """The marks of one of ``LAYERS``.

    Raises:
        ValueError: there is no such layer.
    """
    mine = view.viewer if view.viewer in (ELDOIN, DAILOR) else view.player
    match name:
        case "danger":
            return _counted(view, ELDOIN + DAILOR - mine, Sign.DANGER)
        case "mine":
            return _counted(view, mine, Sign.STRIKE)
        case "turns":
            return turns(view, focus)
        case "prices":
            return _prices(view, focus)
        case _:
            raise ValueError(f"there is no layer {name!r}")


def _counted(view: View, side: int, sign: Sign) -> tuple[Mark, ...]:
    """How many units of a side could strike each tile; on its own units there is no number."""
    counts = strikers(view, side)
    numbers = np.array(["", *map(str, range(1, _MOST + 1)), "+"])[counts.clip(0, _MOST + 1)]
    for unit in view.units.values():
        if unit.alive and sight.side(unit) == side:
            numbers[unit.y, unit.x] = ""
    rows, columns = np.nonzero(counts)
    texts = numbers[rows, columns].tolist()
    cells = zip(columns.tolist(), rows.tolist(), texts, strict=True)
    return tuple(Mark(x, y, sign, text) for x, y, text in cells)


@recent_each
def strikers(view: View, side: int) -> Counts:
    """How many units of a side could strike each tile in its next Angriffsphase.

    A side that moves before it attacks goes as far as its points reach first. Its own units are
    taken to make way, those of the other side to stay where they are.

    Rules: WD-TURN-1, WD-MOVE-3, WD-ATT-1, WD-ATT-2.
    """
    total = np.zeros(view.terrain.cells.shape, dtype=np.int16)
    if view.winner >= 0:
        return total
    by_type: dict[int, list[Unit]] = {}
    for unit in view.units.values():
        if unit.alive and side_of(unit.type) == side and _attacks(view, unit):
            by_type.setdefault(unit.type, []).append(unit)
    for kind, units in by_type.items():
        total += _dilated(_stands(view, units), below(kind, view.options)).sum(axis=0)
    return total


def _attacks(view: View, unit: Unit) -> bool:
    """Whether the unit has an attack in its side's next Angriffsphase. Rules: WD-TURN-4."""
    acting = view.phase == ATTACK and view.player == sight.side(unit)
    return unit.b > 0 if acting else True


def _stands(view: View, units: list[Unit]) -> Stack:
    """Where units of one type can stand when they attack next."""
    side = sight.side(units[0])
    stack = np.zeros((len(units), *view.terrain.cells.shape), dtype=np.bool_)
    stride = view.terrain.width + 2
    foes = _places(view, ELDOIN + DAILOR - side, stride)
    ground = patch(view, units[0])
    for number, unit in enumerate(units):
        stack[number, unit.y, unit.x] = True
        points = _points(view, unit)
        if points > 0:
            own = patch(view, unit) if unit.x == 0 or units[0].x == 0 else ground
            start = number_of(unit.x, unit.y, stride)
            ends = arrivals(own._replace(taken=foes), start, points, view.options)
            xs, ys = zip(*(place(at, stride) for at in ends), strict=True)
            stack[number, ys, xs] = True
    return stack


def _points(view: View, unit: Unit) -> int:
    """What a unit can spend on steps before it attacks next. Rules: WD-TURN-1."""
    side = sight.side(unit)
    state = 2 * view.phase + view.player
    if side < state <= 2 * ATTACK + side:
        return 0
    return unit.b if state <= side else unit.b_max


def _places(view: View, side: int, stride: int) -> set[int]:
    return {
        number_of(unit.x, unit.y, stride)
        for unit in view.units.values()
        if unit.alive and sight.side(unit) == side
    }


def _dilated(stack: Stack, limit: int) -> Stack:
    """The tiles within a disc around any tile of each unit: a row of the disc at a time."""
    count, height, width = stack.shape
    spans = _spans(limit)
    most = max(spans)
    before = np.zeros((count, height, width + 2 * most + 1), dtype=np.int16)
    before[:, :, most + 1 : most + 1 + width] = stack
    sums = np.cumsum(before, axis=2, dtype=np.int16)
    reached = stack.copy()
    for dy, half in spans.items():
        if abs(dy) >= height:
            continue
        left, right = most - half, most + half + 1
        near = sums[:, :, right : right + width] > sums[:, :, left : left + width]
        reached[:, max(0, dy) : height + min(0, dy)] |= near[:, max(0, -dy) : height + min(0, -dy)]
    return reached


def _spans(limit: int) -> dict[int, int]:
    """For each row of a disc how far it goes to both sides."""
    spans = {0: 0}
    for dx, dy in disc(limit):
        spans[dy] = max(spans.get(dy, 0), dx)
    return spans


def _prices(view: View, focus: Focus) -> tuple[Mark, ...]:
    """What steps cost the unit, on every tile it may stand on. Rules: WD-TERR-2, WD-TERR-4."""
    unit = traveller(view, focus)
    if unit is None:
        return ()
    cells = view.terrain.cells
    price = np.array(prices()[unit.type])[cells]
    rows, columns = np.nonzero(np.array(enterable()[unit.type])[cells])
    costs: Iterable[int] = price[rows, columns].tolist()
    found = zip(columns.tolist(), rows.tolist(), costs, strict=True)
    return tuple(Mark(x, y, Sign.REACH, str(cost)) for x, y, cost in found)
