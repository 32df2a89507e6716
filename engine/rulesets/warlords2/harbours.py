"""Where ships can land, so that every city can be reached from every other (section 15.12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.grid import Place, neighbours
from engine.rulesets.warlords2.ground_plan import is_water
from engine.rulesets.warlords2.terrain import Terrain, on_foot
from engine.strategic.generate.settlements import tiles
from engine.strategic.generate.shapes import Mask, around, parts

Numbers = npt.NDArray[Any]


def harbours(terrain: Plane, cities: Sequence[Place]) -> tuple[Place, ...] | None:
    """Ports on shores for lands without a port city, or None where some city stays cut off.

    Mountains count as closed, as in the classic table of costs. Rules: W2-6.6, W2-15.10, W2-15.12.
    """
    ground = terrain.cells
    walked = np.array(on_foot("classic"))[ground] > 0
    afloat = is_water(ground) | (ground == Terrain.BRIDGE)
    lands, count = parts(walked)
    seas, _ = parts(afloat)
    ports: list[Place] = []
    docks = _docks(ground, cities)
    inhabited = {int(lands[y, x]) for x, y in cities}
    for land in range(1, count + 1):
        here = lands == land
        if (here & docks).any() or (land not in inhabited and int(here.sum()) < 6):
            continue
        at = _best_shore(ground, here, seas)
        if at is not None:
            ports.append(at)
            docks[at[1], at[0]] = True
    linked = _linked(lands, seas, docks)
    homes = {_find(linked, ("land", int(lands[y, x]))) for x, y in cities}
    return tuple(ports) if len(homes) == 1 else None


def _docks(ground: Numbers, cities: Sequence[Place]) -> Mask:
    """Tiles that are ports by themselves: those of cities on the water, and bridges."""
    wet = is_water(ground) | (ground == Terrain.BRIDGE)
    near = around(wet) > 0
    docks = np.asarray(ground == Terrain.BRIDGE).copy()
    for at in cities:
        if any(near[y, x] for x, y in tiles(at)):
            for x, y in tiles(at):
                docks[y, x] = True
    return docks


def _best_shore(ground: Numbers, land: Mask, seas: Numbers) -> Place | None:
    """The shore beside a land, on its largest sea: first in reading order."""
    shore = (ground == Terrain.SHORE) & (around(land) > 0)
    if not shore.any():
        return None
    sizes = np.bincount(seas[seas > 0])
    rank = np.where(shore, sizes[seas], -1)
    y, x = divmod(int(rank.argmax()), ground.shape[1])
    return x, y


Spot = tuple[str, int]


def _linked(lands: Numbers, seas: Numbers, docks: Mask) -> dict[Spot, Spot]:
    """Lands and seas that ports join, as a forest of groups."""
    group: dict[Spot, Spot] = {}
    for y, x in np.argwhere(docks).tolist():
        spots = set(_spots(lands, seas, (x, y)))
        for at in neighbours(x, y, (lands.shape[1], lands.shape[0]), 8):
            spots |= set(_spots(lands, seas, at))
        first, *rest = sorted(spots)
        for other in rest:
            group[_find(group, other)] = _find(group, first)
    return group


def _spots(lands: Numbers, seas: Numbers, at: Place) -> Iterator[Spot]:
    x, y = at
    if lands[y, x]:
        yield "land", int(lands[y, x])
    if seas[y, x]:
        yield "sea", int(seas[y, x])


def _find(group: dict[Spot, Spot], spot: Spot) -> Spot:
    while group.get(spot, spot) != spot:
        spot = group[spot]
    return spot
