"""Place graphs: numbered places with their neighbours, distances, paths and areas.

Hex rows are the place graph of a board of hexagons in rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable
from functools import lru_cache
from typing import Any, Final, Protocol, TypeAlias

from engine.core.record import Record


class Neighbourhood(Protocol):
    """Anything that knows the neighbours of numbered places; being neighbours is mutual."""

    def beside(self, at: int, /) -> tuple[int, ...]:
        """Return the numbers of the neighbouring places, in ascending order."""
        ...


class PlaceGraph(Record, frozen=True, weakref=True):
    """Places numbered from 0, each with its neighbours in ascending order."""

    neighbours: tuple[tuple[int, ...], ...]

    def beside(self, at: int) -> tuple[int, ...]:
        """Return the numbers of the neighbouring places, in ascending order."""
        return self.neighbours[at]


PathCost: TypeAlias = Callable[[tuple[int, ...]], Any]
"""Cost for comparing paths of the same length; the lowest wins."""


def neighbours_of(borders: Iterable[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    """Return the neighbours by place, in ascending order, from pairs in any order.

    >>> neighbours_of([(2, 1), (2, 3)])
    {2: (1, 3), 1: (2,), 3: (2,)}
    """
    found: dict[int, set[int]] = {}
    for one, other in borders:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {at: tuple(sorted(beside)) for at, beside in found.items()}


def distances_from(
    graph: Neighbourhood,
    starts: Iterable[int],
    *,
    most: int | None = None,
    allowed: Container[int] | None = None,
) -> dict[int, int]:
    """Return the steps from the nearest start to each place in reach, in the order of the search.

    Args:
        graph: the neighbours.
        starts: places at distance 0.
        most: maximum distance; None for no limit.
        allowed: places that may be entered, except the starts; None for all.
    """
    found = dict.fromkeys(starts, 0)
    ahead = deque(found)
    while ahead:
        here = ahead.popleft()
        if most is not None and found[here] >= most:
            break
        for there in graph.beside(here):
            if there not in found and (allowed is None or there in allowed):
                found[there] = found[here] + 1
                ahead.append(there)
    return found


def paths_from(
    graph: Neighbourhood,
    start: int,
    *,
    most: int | None = None,
    allowed: Container[int] | None = None,
    cost: PathCost | None = None,
) -> dict[int, tuple[int, ...]]:
    """Return shortest paths to all places in reach, by goal, with both the start and the goal.

    Among paths of the same length the cheapest wins, then the one found first, with low numbers
    first. The path to the start is the start alone.

    Args:
        graph: the neighbours.
        start: first place of all paths.
        most: maximum number of steps; None for no limit.
        allowed: places that may be entered, except the start; None for all.
        cost: compares paths of the same length.
    """
    found: dict[int, tuple[int, ...]] = {start: (start,)}
    ahead = deque([start])
    while ahead:
        here = ahead.popleft()
        path = found[here]
        if most is not None and len(path) > most:
            break
        for there in graph.beside(here):
            if allowed is not None and there not in allowed:
                continue
            longer = (*path, there)
            known = found.get(there)
            if known is None:
                ahead.append(there)
            elif len(known) < len(longer) or cost is None or cost(longer) >= cost(known):
                continue
            found[there] = longer
    return found


# -- hex rows --------------------------------------------------------------------------------------

HexPosition: TypeAlias = tuple[int, int]
"""(row, x) in doubled-width coordinates: tiles of a row are 2 apart, rows are shifted by 1."""

HEX_STEPS: Final[tuple[HexPosition, ...]] = ((-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1))
"""(rows, x) of each step, in reading order."""

_KEPT: Final = 32
"""Maximum number of boards whose tiles are in the cache."""


class HexRows(Record, frozen=True):
    """Board of hexagons in rows: number of tiles and lowest x of each row, from the top.

    Tiles are numbered from 0 in reading order. A tile's name is the letter of its row and its
    number from the left, such as ``B2``.
    """

    widths: tuple[int, ...]
    first: tuple[int, ...]

    @property
    def count(self) -> int:
        """Number of tiles."""
        return sum(self.widths)


@lru_cache(maxsize=_KEPT)
def hex_positions(rows: HexRows) -> tuple[HexPosition, ...]:
    """Return the position of each tile, by number."""
    return tuple(
        (row, x)
        for row, (width, first) in enumerate(zip(rows.widths, rows.first, strict=True))
        for x in range(first, first + 2 * width, 2)
    )


@lru_cache(maxsize=_KEPT)
def hex_graph(rows: HexRows) -> PlaceGraph:
    """Return the place graph of the tiles: which are neighbours."""
    numbers = {position: at for at, position in enumerate(hex_positions(rows))}
    return PlaceGraph(
        tuple(
            tuple(
                numbers[row + down, x + across]
                for down, across in HEX_STEPS
                if (row + down, x + across) in numbers
            )
            for row, x in hex_positions(rows)
        )
    )


@lru_cache(maxsize=_KEPT)
def hex_names(rows: HexRows) -> tuple[str, ...]:
    """Return the name of each tile, by number.

    >>> hex_names(HexRows((2, 3, 2), (1, 0, 1)))
    ('A1', 'A2', 'B1', 'B2', 'B3', 'C1', 'C2')
    """
    return tuple(
        f"{chr(ord('A') + row)}{number}"
        for row, width in enumerate(rows.widths)
        for number in range(1, width + 1)
    )


def hex_number(rows: HexRows, name: str) -> int | None:
    """Return the number of the tile with a name in any case, or None if it is unknown."""
    names = hex_names(rows)
    return names.index(name.upper()) if name.upper() in names else None


def hex_distance(one: HexPosition, other: HexPosition) -> int:
    """Return the number of steps between two positions on an endless board.

    >>> hex_distance((0, 2), (2, 2)), hex_distance((0, 1), (1, 4))
    (2, 2)
    """
    down, across = abs(one[0] - other[0]), abs(one[1] - other[1])
    return down + max(0, (across - down) // 2)


def rim(rows: HexRows) -> tuple[int, ...]:
    """Return the tiles at the edge of the board, which have fewer than six neighbours."""
    return tuple(
        at for at, beside in enumerate(hex_graph(rows).neighbours) if len(beside) < len(HEX_STEPS)
    )
