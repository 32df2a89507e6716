"""The ground of the map as symbols; walls are lines that join their neighbours."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.rulesets.weltendaemmerung.fighting import WALLS
from engine.rulesets.weltendaemmerung.state import Terrain
from engine.rulesets.weltendaemmerung.symbols import (
    EAST,
    FIRST_GROUND,
    FIRST_WALL,
    NORTH,
    SOUTH,
    WEST,
)

_JOINED: Final = (*sorted(WALLS), Terrain.HARD_WALL, Terrain.GATE)
"""What a wall goes on to."""


def ground(cells: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
    """The symbol of every tile, of the same shape as the terrain."""
    symbols: npt.NDArray[np.int16] = cells.astype(np.int16) + FIRST_GROUND
    joined = np.pad(np.isin(cells, _JOINED), 1)
    sides = (
        NORTH * joined[:-2, 1:-1]
        + EAST * joined[1:-1, 2:]
        + SOUTH * joined[2:, 1:-1]
        + WEST * joined[1:-1, :-2]
    )
    walls = np.isin(cells, sorted(WALLS))
    symbols[walls] = FIRST_WALL + sides[walls]
    return symbols
