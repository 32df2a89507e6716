"""Distances over the map for plans over many turns, and lookup of the nearest of many places.

Land and water are one map here: embarking and disembarking are steps, priced by the time that they
take. So routes cross the sea without special cases. Distance fields depend on the land only; all
computer players of a game share them. When more land is discovered, the new fields start from those
of the smaller known map, because routes can only have become shorter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane, Roster
from engine.core.record import replace
from engine.kit import relaxation
from engine.kit.grid import Place, distance
from engine.strategic import costs, sight
from engine.strategic.costs import Mode, Mover
from engine.strategic.routes import DIRECTIONS
from engine.strategic.settings import MovingRules, RuleSettings
from engine.strategic.world import World

# -- distances -------------------------------------------------------------------------------------

FAR: Final = relaxation.CLOSED
"""Distance if no route exists."""

_HASTE: Final = 8
"""Points charged for embarking or disembarking, which costs the rest of the turn."""

_CLOSE: Final = (15, 30, 60)
_USUAL: Final = 3
"""Limits to try first for fields around a single tile, and the likely points per tile."""

_SWEEPS: Final = 400
_KEPT: Final = 12
"""Maximum number of cached atlases."""


class _Land(NamedTuple):
    """Cache key of an atlas: everything that its prices depend on."""

    terrain: Plane
    roads: Plane
    ports: tuple[Place, ...]
    cities: tuple[Place, ...]
    rules: MovingRules
    mode: Mode
    flags: int


class AtlasStep(NamedTuple):
    """One step of a route: its tile, its price, and True if it embarks or disembarks."""

    at: Place
    price: int
    coast: bool


class Atlas:
    """Distance fields for one way of moving."""

    def __init__(
        self, world: World, settings: RuleSettings, who: Mover, older: Iterable[Atlas] = ()
    ) -> None:
        """Prepare the land without armies; ``older`` are atlases of smaller known parts of it."""
        self._stride = world.width + 2
        self._rows = world.height + 4
        water = sight.one_of(world.terrain.cells, settings.moving.water)
        wet = water & ~costs.quays(world.terrain, world.ports, settings.moving)
        self._wet = wet if who.mode is not Mode.AIR else np.zeros_like(wet)
        bare = replace(world, armies=Roster())
        self._prices = _prices(bare, settings, who.mode, who.flags, self._wet)
        self._edges = tuple(
            (-dx - dy * self._stride, price)
            for (dx, dy), price in zip(DIRECTIONS, self._prices, strict=True)
        )
        self._fields: dict[tuple[Place, ...], relaxation.Short] = {}
        self._near: dict[tuple[Place, int], relaxation.Short] = {}
        before = next((one for one in older if self._knows_more(one)), None)
        self._before: dict[tuple[Place, ...], relaxation.Short] = {}
        self._new = 0, -1
        if before is not None:
            self._before = dict(before._fields)
            self._new = self._rows_since(before)

    def _knows_more(self, older: Atlas) -> bool:
        """Return whether no step costs more than in an older atlas of a map of the same size."""
        return all(
            len(price) == len(before) and bool((price <= before).all())
            for price, before in zip(self._prices, older._prices, strict=True)
        )

    def _rows_since(self, older: Atlas) -> tuple[int, int]:
        """Return the first and last row with a step whose price differs from an older atlas."""
        pairs = zip(self._prices, older._prices, strict=True)
        rows = np.flatnonzero(np.any([now != then for now, then in pairs], axis=0)) // self._stride
        return (int(rows[0]), int(rows[-1])) if rows.size else (0, -1)

    def to(self, goal: tuple[Place, ...]) -> relaxation.Short:
        """Return each tile's distance to the nearest goal tile, int16 of shape (height, width).

        ``FAR`` if no route exists.
        """
        found = self._fields.get(goal)
        if found is None:
            found = self._fields[goal] = self._field(goal, self._before.pop(goal, None))
        return found

    def carries_on(self, goal: tuple[Place, ...]) -> bool:
        """Return whether the distances to a goal start from those of an older atlas."""
        return goal in self._before

    def near(self, goal: Place, limit: int) -> relaxation.Short:
        """Return one tile's distance field: exact up to ``limit``, possibly too high above it.

        The shape and the value for no route are those of ``to``.
        """
        found = self._fields.get((goal,))
        if found is None:
            found = self._near.get((goal, limit))
        if found is None:
            found = self._near[goal, limit] = self._field((goal,), None, limit)
        return found

    def toward(self, goal: tuple[Place, ...], start: Place) -> relaxation.Short:
        """Return a distance field of some tiles, exact for tiles nearer to them than ``start``.

        The shape and the value for no route are those of ``to``.
        """
        if len(goal) > 1 or goal in self._fields or goal in self._before:
            return self.to(goal)
        likely = _USUAL * distance(start, goal[0], 8)
        limit = next((limit for limit in _CLOSE if likely <= limit), 0)
        near = self.near(goal[0], limit) if limit else None
        if near is None or near.item(start[1], start[0]) > limit:
            return self.to(goal)
        return near

    def cost(self, start: Place, goal: tuple[Place, ...]) -> int:
        """Return the distance from a tile to the nearest goal tile."""
        return self.to(goal).item(start[1], start[0])

    def step(self, start: Place, goal: tuple[Place, ...]) -> AtlasStep | None:
        """Return the next step toward the nearest goal tile; None on arrival or without a route."""
        return self.ahead(start, self.to(goal))

    def ahead(self, start: Place, field: relaxation.Short) -> AtlasStep | None:
        """Return the next step down a distance field; None on arrival or without a route."""
        x, y = start
        left = field.item(y, x)
        if not 0 < left < FAR:
            return None
        number = self._number(start)
        for (dx, dy), prices in zip(DIRECTIONS, self._prices, strict=True):
            price = prices.item(number)
            if price <= left and field.item(y + dy, x + dx) + price == left:
                coast = bool(self._wet[y, x] != self._wet[y + dy, x + dx])
                return AtlasStep((x + dx, y + dy), price, coast)
        return None

    def _number(self, at: Place) -> int:
        return (at[1] + 2) * self._stride + at[0] + 1

    def _field(
        self, goal: tuple[Place, ...], known: relaxation.Short | None, limit: int = FAR
    ) -> relaxation.Short:
        """Compute the distance field of a goal; ``known`` is its field of a smaller known map."""
        field = np.full(self._stride * self._rows, FAR, dtype=np.int16)
        if known is not None:
            field.reshape(-1, self._stride)[2:-2, 1:-1] = known
        field[[self._number(at) for at in goal]] = 0
        sweeping = relaxation.Edges(field, self._stride, self._edges)
        if known is not None:
            self._renew(sweeping)
        else:
            while relaxation.settle(sweeping, _SWEEPS, limit).size:
                pass
        return field.reshape(-1, self._stride)[2:-2, 1:-1].copy()

    def _renew(self, sweeping: relaxation.Edges) -> None:
        """Sweep the rows affected by changed prices until the field is stable."""
        field, (top, bottom) = sweeping.field, self._new
        while top <= bottom:
            first, end = max(2, top - 1) * self._stride, (min(bottom + 1, self._rows - 3) + 1)
            end *= self._stride
            before = field[first:end].copy()
            sweeping.over(first, end)()
            changed = first + np.flatnonzero(before != field[first:end])
            if not changed.size:
                return
            top, bottom = int(changed[0]) // self._stride, int(changed[-1]) // self._stride


_atlases: list[tuple[_Land, Atlas]] = []


def atlas(world: World, settings: RuleSettings, who: Mover) -> Atlas:
    """Return the cached atlas for a mover. Armies aboard use that of land movers."""
    who = who._replace(mode=Mode.AIR if who.mode is Mode.AIR else Mode.GROUND)
    cities = tuple((city.x, city.y) for city in world.cities.values() if not city.razed)
    land = _Land(
        world.terrain, world.roads, world.ports, cities, settings.moving, who.mode, who.flags
    )
    for place, (known, found) in enumerate(_atlases):
        if known == land:
            _atlases.insert(0, _atlases.pop(place))
            return found
    alike = [found for known, found in _atlases if known[4:] == land[4:]]
    made = Atlas(world, settings, who, alike)
    _atlases.insert(0, (land, made))
    del _atlases[_KEPT:]
    return made


def _prices(
    bare: World, settings: RuleSettings, mode: Mode, flags: int, wet: npt.NDArray[np.bool_]
) -> tuple[relaxation.Short, ...]:
    """Return the price of the step in each direction, by the framed tile where it begins.

    No step begins on a tile that cannot be entered, such as unknown land. Fleets enter quays by
    water and continue on land.
    """
    side, stride = next(iter(bare.sides), 0), bare.width + 2
    if mode is Mode.AIR:
        open_air = _framed(costs.prices(bare, settings, Mover(side, mode, flags)).steps)
        ways = [np.roll(open_air, -dx - dy * stride) for dx, dy in DIRECTIONS]
        return tuple(np.where(open_air < FAR, way, FAR).astype(np.int16) for way in ways)
    walker, fleet = Mover(side, Mode.GROUND, flags), Mover(side, Mode.WATER, flags, aboard=True)
    on_land = _framed(costs.prices(bare, settings, walker).steps)
    on_water = _framed(costs.prices(bare, settings, fleet).steps)
    ashore = _framed(costs.ashore(bare, settings, fleet))
    sea, dock = _framed(wet) == 1, _framed(sight.docks(bare, settings.moving)) == 1
    native = np.where(sea, on_water, on_land)
    boarding = _framed(costs.boarding_prices(bare.terrain, bare.ports, settings.moving))
    crossing = np.minimum(np.where(sea, boarding, ashore) + _HASTE, FAR)
    quay = _framed(costs.quays(bare.terrain, bare.ports, settings.moving)) == 1
    found = []
    for dx, dy in DIRECTIONS:
        ahead = -dx - dy * stride
        port = dock | np.roll(dock, ahead)
        over = np.where(port, np.roll(crossing, ahead), FAR)
        moored = np.where(sea & np.roll(quay, ahead), np.roll(on_water, ahead), FAR)
        over = np.minimum(over, moored)
        price = np.where(sea == np.roll(sea, ahead), np.roll(native, ahead), over)
        found.append(np.where(native < FAR, price, FAR).astype(np.int16))
    return tuple(found)


def _framed(cells: npt.NDArray[np.generic]) -> relaxation.Short:
    """Flatten a plane and add the rim for sweeping; ``FAR`` on the rim and where the plane is 0."""
    framed = np.zeros((cells.shape[0] + 4, cells.shape[1] + 2), dtype=np.int16)
    framed[2:-2, 1:-1] = cells
    flat = framed.reshape(-1)
    flat[flat == 0] = FAR
    return flat


# -- nearest places --------------------------------------------------------------------------------

Steps = npt.NDArray[np.int32]


class PlaceIndex:
    """Index of places for nearest-first queries; equal distances keep the order of the places."""

    def __init__(self, places: Iterable[Place]) -> None:
        """Index ``places``; queries return positions in this list."""
        self._places = np.array(list(places), dtype=np.int32).reshape(-1, 2).T
        self._nearest: dict[tuple[Place, int], list[int]] = {}

    def apart(self, at: Place) -> Steps:
        """Return the steps to each place on open ground, int32 of shape (places,)."""
        xs, ys = self._places
        steps: Steps = np.maximum(np.abs(xs - at[0]), np.abs(ys - at[1]))
        return steps

    def values(self, cells: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """Return the values of a plane of shape (height, width) at each place."""
        xs, ys = self._places
        return cells[ys, xs]

    def nearest(self, at: Place, count: int) -> list[int]:
        """Return the positions of the ``count`` nearest places."""
        if (at, count) not in self._nearest:
            self._nearest[at, count] = _least(self.apart(at), count)
        return self._nearest[at, count]

    def nearest_to_any(self, places: Iterable[Place], count: int) -> list[int]:
        """Return the positions of the ``count`` places nearest to any of the given tiles."""
        return _least(np.min([self.apart(at) for at in places], axis=0), count)

    def within(self, at: Place, steps: int | Steps) -> list[int]:
        """Return the positions of the places within ``steps``, which may differ by place."""
        near: list[int] = np.flatnonzero(self.apart(at) <= steps).tolist()
        return near


def _least(steps: Steps, count: int) -> list[int]:
    least: list[int] = np.argsort(steps, kind="stable")[:count].tolist()
    return least
