"""What ways over a map cost, whoever may stand on them: for plans over many turns.

Land and water are one map here: going aboard and ashore are steps with a price for the time that
they take. So ways lead over the sea by themselves, and the same fields serve all computer players
of a game for as long as the land is the same.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane, Roster
from engine.core.record import replace
from engine.kit import waves
from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.moving import costs, ports
from engine.strategic.moving.groups import Mode, Mover
from engine.strategic.moving.routes import DIRECTIONS
from engine.strategic.moving.rules import MovingRules
from engine.strategic.world import World

Short: TypeAlias = npt.NDArray[np.int16]
Mask: TypeAlias = npt.NDArray[np.bool_]
Tiles: TypeAlias = tuple[Place, ...]

FAR: Final = waves.CLOSED
"""What it costs to get where no way leads."""

_HASTE: Final = 8
"""Points that are worth as much as the rest of a turn, which going aboard or ashore costs."""

_SWEEPS: Final = 400
_KEPT: Final = 12
"""Atlases that are remembered."""


class _Land(NamedTuple):
    """What an atlas is made from, to be found again by what it says."""

    terrain: Plane
    roads: Plane
    ports: Tiles
    cities: Tiles
    rules: MovingRules
    mode: Mode
    flags: int


class Step(NamedTuple):
    """A step of a way: where it leads, its price, whether it leads aboard or ashore."""

    at: Place
    price: int
    coast: bool


class Atlas:
    """Fields of distances to goals for one way of moving."""

    def __init__(self, world: World, book: Book, mode: Mode, flags: int) -> None:
        """Of the land of a world, with nobody on it."""
        self._stride = world.width + 2
        self._rows = world.height + 4
        wet = ports.one_of(world.terrain.cells, book.moving.water)
        self._wet = wet if mode is not Mode.AIR else np.zeros_like(wet)
        self._prices = _prices(replace(world, armies=Roster()), book, mode, flags, self._wet)
        self._edges = tuple(
            (-dx - dy * self._stride, price)
            for (dx, dy), price in zip(DIRECTIONS, self._prices, strict=True)
        )
        self._fields: dict[Tiles, Short] = {}

    def to(self, goal: Tiles) -> Short:
        """What getting to the nearest of some tiles costs from each tile, of shape (height, width).

        FAR where no way leads.
        """
        found = self._fields.get(goal)
        if found is None:
            found = self._fields[goal] = self._field(goal)
        return found

    def cost(self, start: Place, goal: Tiles) -> int:
        """What getting from a tile to the nearest of some tiles costs."""
        return self.to(goal).item(start[1], start[0])

    def step(self, start: Place, goal: Tiles) -> Step | None:
        """The next step from a tile; None: it is there, or no way leads on."""
        field, (x, y) = self.to(goal), start
        left = field.item(y, x)
        if not 0 < left < FAR:
            return None
        number = self._number(start)
        for (dx, dy), prices in zip(DIRECTIONS, self._prices, strict=True):
            price = prices.item(number)
            if price <= left and field.item(y + dy, x + dx) + price == left:
                coast = bool(self._wet[y, x] != self._wet[y + dy, x + dx])
                return Step((x + dx, y + dy), price, coast)
        return None

    def _number(self, at: Place) -> int:
        return (at[1] + 2) * self._stride + at[0] + 1

    def _field(self, goal: Tiles) -> Short:
        field = np.full(self._stride * self._rows, FAR, dtype=np.int16)
        field[[self._number(at) for at in goal]] = 0
        sweeping = waves.Edges(field, self._stride, self._edges)
        while waves.settle(sweeping, _SWEEPS, FAR).size:
            pass
        return field.reshape(-1, self._stride)[2:-2, 1:-1].copy()


_atlases: list[tuple[_Land, Atlas]] = []


def atlas(world: World, book: Book, who: Mover) -> Atlas:
    """The atlas for a mover. Armies aboard go as those on land do."""
    mode = Mode.AIR if who.mode is Mode.AIR else Mode.GROUND
    cities = tuple((city.x, city.y) for city in world.cities.values() if not city.razed)
    land = _Land(world.terrain, world.roads, world.ports, cities, book.moving, mode, who.flags)
    for place, (known, found) in enumerate(_atlases):
        if known == land:
            _atlases.insert(0, _atlases.pop(place))
            return found
    made = Atlas(world, book, mode, who.flags)
    _atlases.insert(0, (land, made))
    del _atlases[_KEPT:]
    return made


def _prices(bare: World, book: Book, mode: Mode, flags: int, wet: Mask) -> tuple[Short, ...]:
    """For each direction what the step into it costs, by the tile where it begins, in one list."""
    side, stride = next(iter(bare.sides), 0), bare.width + 2
    if mode is Mode.AIR:
        open_air = _framed(costs.prices(bare, book, Mover(side, mode, flags)).steps)
        return tuple(np.roll(open_air, -dx - dy * stride) for dx, dy in DIRECTIONS)
    walker, fleet = Mover(side, Mode.GROUND, flags), Mover(side, Mode.WATER, flags, aboard=True)
    on_land = _framed(costs.prices(bare, book, walker).steps)
    on_water = _framed(costs.prices(bare, book, fleet).steps)
    ashore = _framed(costs.ashore(bare, book, fleet))
    sea, dock = _framed(wet) == 1, _framed(ports.docks(bare, book.moving)) == 1
    native = np.where(sea, on_water, on_land)
    crossing = np.minimum(np.where(sea, book.moving.boarding, ashore) + _HASTE, FAR)
    found = []
    for dx, dy in DIRECTIONS:
        ahead = -dx - dy * stride
        port = dock | np.roll(dock, ahead)
        over = np.where(port, np.roll(crossing, ahead), FAR)
        price = np.where(sea == np.roll(sea, ahead), np.roll(native, ahead), over)
        found.append(price.astype(np.int16))
    return tuple(found)


def _framed(cells: npt.NDArray[np.generic]) -> Short:
    """A plane as a list with the rim that sweeps want; FAR where it is 0, and on the rim."""
    framed = np.zeros((cells.shape[0] + 4, cells.shape[1] + 2), dtype=np.int16)
    framed[2:-2, 1:-1] = cells
    flat = framed.reshape(-1)
    flat[flat == 0] = FAR
    return flat
