"""Aids for planning: reach of bands, routes over several rounds, names to search for."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.core.ids import Seat
from engine.tabletop.board import BoardMark, Find, Layer
from engine.tabletop.focus import Focus
from engine.tabletop.roles import MarkSign
from tests.toy.canvas import cell_of, hex_at
from tests.toy.hexes import paths, standing
from tests.toy.numbers import numbers
from tests.toy.state import CLANS, Band, Terrain, View

LAYERS: Final = (
    Layer("danger", "enemy bands that can march here"),
    Layer("mine", "own bands that can march here"),
)


def layer(view: View, name: str) -> tuple[BoardMark, ...]:
    """Return a mark on each hex that bands can be on after the march, with their number.

    See: T-ORDER-1.
    """
    if name not in {known.name for known in LAYERS}:
        raise ValueError(f"there is no layer {name!r}")
    mine, sign = name == "mine", MarkSign.STRIKE if name == "mine" else MarkSign.DANGER
    counts: Counter[tuple[int, int]] = Counter()
    for band in view.bands.values():
        if band.alive and (band.clan == _clan(view)) == mine:
            here = (band.x, band.y)
            counts.update({here, *(path[-1] for path in paths(view, here, numbers().march.value))})
    return tuple(BoardMark(*cell_of(at), sign, str(min(n, 9))) for at, n in sorted(counts.items()))


def _clan(view: View) -> Seat:
    """Return the clan whose bands are shown: the viewer's, or the first one for spectators."""
    return view.viewer if view.viewer in view.clans else min(view.clans)


def route(view: View, focus: Focus, x: int, y: int) -> tuple[BoardMark, ...]:
    """Return marks along the route of the held band, or of the first band under the cursor.

    Each mark has the number of its step, and the round in which it is reached.
    """
    band, goal = _traveller(view, focus), hex_at(view, x, y)
    if band is None or goal is None:
        return ()
    far = view.terrain.width * view.terrain.height
    ways = {path[-1]: path for path in paths(view, (band.x, band.y), far)}
    most = numbers().march.value
    return tuple(
        BoardMark(*cell_of(at), MarkSign.PATH, str(number)[-2:], (number - 1) // most)
        for number, at in enumerate(ways.get(goal, ()), 1)
        if goal != (band.x, band.y)
    )


def _traveller(view: View, focus: Focus) -> Band | None:
    held = view.bands.get(focus.held)
    if held is not None and held.alive:
        return held
    at = hex_at(view, focus.x, focus.y)
    return next(iter(standing(view, at)), None) if at is not None else None


def finds(view: View) -> tuple[Find, ...]:
    """Return living bands and shrines with their cells."""
    bands = [
        Find(f"band {band.id} ({CLANS[band.clan]})", "band", cell_of((band.x, band.y)), band.clan)
        for band in view.bands.values()
        if band.alive
    ]
    shrines = [
        Find(f"shrine {x},{y}", "shrine", cell_of((x, y)))
        for y in range(view.terrain.height)
        for x in range(view.terrain.width)
        if view.terrain[y, x] == Terrain.SHRINE
    ]
    return (*bands, *shrines)
