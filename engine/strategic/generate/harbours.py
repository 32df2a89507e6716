"""Harbours of a new map: ports that join lands and seas until every city can be reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from engine.kit.fields import Mask, Numbers
from engine.kit.grid import Place, neighbours
from engine.strategic.generate.settlements import tiles
from engine.strategic.generate.shapes import around, parts


class WaterPlan(NamedTuple):
    """Masks of a map: walkable tiles, navigable tiles, bridges, and shores that can have ports."""

    walked: Mask
    afloat: Mask
    bridges: Mask
    shore: Mask


def joining_ports(plan: WaterPlan, cities: Sequence[Place]) -> tuple[Place, ...] | None:
    """Return ports on shores for lands without a dock, or None if a city cannot be reached.

    Docks are bridges and the tiles of 2x2 cities on the water. Lands without a city get a port if
    they have six tiles.
    """
    lands, count = parts(plan.walked)
    seas, _ = parts(plan.afloat)
    ports: list[Place] = []
    docks = _docks(plan, cities)
    inhabited = {int(lands[y, x]) for x, y in cities}
    for number in range(1, count + 1):
        here = lands == number
        if (here & docks).any() or (number not in inhabited and int(here.sum()) < 6):
            continue
        at = _best_shore(plan.shore, here, seas)
        if at is not None:
            ports.append(at)
            docks[at[1], at[0]] = True
    linked = _linked(lands, seas, docks)
    homes = {_find(linked, ("land", int(lands[y, x]))) for x, y in cities}
    return tuple(ports) if len(homes) == 1 else None


def _docks(plan: WaterPlan, cities: Sequence[Place]) -> Mask:
    """Return the mask of the docks that exist without ports: cities on the water, and bridges."""
    near = around(plan.afloat) > 0
    docks = plan.bridges.copy()
    for at in cities:
        if any(near[y, x] for x, y in tiles(at)):
            for x, y in tiles(at):
                docks[y, x] = True
    return docks


def _best_shore(shores: Mask, land: Mask, seas: Numbers) -> Place | None:
    """Return the shore tile of a land on its largest sea, the first in reading order, or None."""
    shore = shores & (around(land) > 0)
    if not shore.any():
        return None
    sizes = np.bincount(seas[seas > 0])
    rank = np.where(shore, sizes[seas], -1)
    y, x = divmod(int(rank.argmax()), shores.shape[1])
    return x, y


_Spot: TypeAlias = tuple[str, int]


def _linked(lands: Numbers, seas: Numbers, docks: Mask) -> dict[_Spot, _Spot]:
    """Return a union-find forest of the lands and seas that docks join."""
    group: dict[_Spot, _Spot] = {}
    for y, x in np.argwhere(docks).tolist():
        spots = set(_spots(lands, seas, (x, y)))
        for at in neighbours(x, y, (lands.shape[1], lands.shape[0]), 8):
            spots |= set(_spots(lands, seas, at))
        first, *rest = sorted(spots)
        for other in rest:
            group[_find(group, other)] = _find(group, first)
    return group


def _spots(lands: Numbers, seas: Numbers, at: Place) -> Iterator[_Spot]:
    x, y = at
    if lands[y, x]:
        yield "land", int(lands[y, x])
    if seas[y, x]:
        yield "sea", int(seas[y, x])


def _find(group: dict[_Spot, _Spot], spot: _Spot) -> _Spot:
    while group.get(spot, spot) != spot:
        spot = group[spot]
    return spot
