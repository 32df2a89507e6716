"""Which of many things are near a tile: they are all measured at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from engine.kit.grid import Place

Steps = npt.NDArray[np.int32]


class Spots:
    """The tiles of things, in an order that breaks ties."""

    def __init__(self, places: Iterable[Place]) -> None:
        """Things are named by their number in ``places``."""
        self._places = np.array(list(places), dtype=np.int32).reshape(-1, 2).T
        self._nearest: dict[tuple[Place, int], list[int]] = {}

    def apart(self, at: Place) -> Steps:
        """The steps to each on open ground, of shape (things,)."""
        xs, ys = self._places
        steps: Steps = np.maximum(np.abs(xs - at[0]), np.abs(ys - at[1]))
        return steps

    def values(self, cells: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """What stands at each in a plane of shape (height, width)."""
        xs, ys = self._places
        return cells[ys, xs]

    def nearest(self, at: Place, count: int) -> list[int]:
        """The nearest ones, the first of equals first."""
        if (at, count) not in self._nearest:
            self._nearest[at, count] = _least(self.apart(at), count)
        return self._nearest[at, count]

    def nearest_to_any(self, places: Iterable[Place], count: int) -> list[int]:
        """Those that are nearest to one of some tiles."""
        return _least(np.min([self.apart(at) for at in places], axis=0), count)

    def within(self, at: Place, steps: int | Steps) -> list[int]:
        """Those that are at most so many steps away; there may be a number for each."""
        near: list[int] = np.flatnonzero(self.apart(at) <= steps).tolist()
        return near


def _least(steps: Steps, count: int) -> list[int]:
    least: list[int] = np.argsort(steps, kind="stable")[:count].tolist()
    return least
