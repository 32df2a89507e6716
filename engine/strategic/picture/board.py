"""Boards: the map at full size, and overviews in which a cell shows a square of tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.kit.grid import Place as At
from engine.kit.identity_cache import keyed_identity_cache
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.style import EAST, JOINS, NORTH, SOUTH, WEST
from engine.strategic.picture.words import seat_of
from engine.strategic.pieces import Army, City, Site
from engine.tabletop.board import NOBODY, NOWHERE, Board, BoardCaption, BoardPlace

# -- full size -------------------------------------------------------------------------------------

SITE_PLACES: Final = 10_000
"""Offset of the place numbers of sites on the board. The place number of a city is its id."""


def known_as(site: Site) -> str:
    """Return ``searched`` for a searched site except a temple, else its kind in the view."""
    return "searched" if site.searched and site.kind != "temple" else site.kind


_AHEAD: Final = ((NORTH, 0, -1), (EAST, 1, 0), (SOUTH, 0, 1), (WEST, -1, 0))

_LINKS: Final = np.array([sides.bit_count() for sides in range(JOINS)])
"""Number of set bits for each combination of side bits."""


@keyed_identity_cache
def board(context: PictureContext, zoom: str) -> Board:
    """Return the board of a zoom; cached per view and zoom."""
    return _full_board(context) if zoom == "map" else _far_board(context, zoom)


def _full_board(context: PictureContext) -> Board:
    piece, owner, place = _pieces(context)
    life, count = _strengths(context)
    return Board(
        Plane(_ground(context)),
        Plane(piece),
        Plane(owner),
        Plane(place),
        _places(context),
        life=life,
        count=count,
        captions=tuple(_captions(context)),
    )


def _ground(context: PictureContext) -> npt.NDArray[Any]:
    """Return the ground symbol of each cell, int16 of shape (height, width)."""
    world, symbols = context.world, context.symbols
    terrain = world.terrain.cells
    dim = (context.visible.cells == 0).astype(np.int8)
    cells: npt.NDArray[Any] = symbols.ground[dim, terrain]
    joins = linked(context)
    for first, where in (
        (symbols.road, (world.roads.cells != 0) & (terrain != 0)),
        (symbols.bridge, terrain == context.style.bridge),
    ):
        numbers = np.where(dim, first[1], first[0]) + joins
        cells[where] = numbers[where]
    for (x, y), pair in _marks(context):
        if terrain[y, x]:
            cells[y, x] = pair[dim[y, x]]
    return cells


def linked(context: PictureContext) -> npt.NDArray[Any]:
    """Return, per tile, the bitmask of the sides on which the road continues.

    Roads, bridges and cities are joined. Sites, ruins and ports carry no road themselves: a road
    that ends beside one leads to it, and from there to other roads beside it.
    """
    world = context.world
    terrain = world.terrain.cells
    carries = (world.roads.cells != 0) | (terrain == context.style.bridge)
    leads = carries | (terrain == context.style.city)
    ends = carries & (_LINKS[_beside(leads)] <= 1)
    leads |= _road_ends(context) & (_beside(ends) != 0)
    return _beside(leads)


def _road_ends(context: PictureContext) -> npt.NDArray[Any]:
    """Return the mask of tiles that roads lead to but not across: sites, ruins and ports."""
    goals: npt.NDArray[Any] = context.world.terrain.cells == context.style.site
    for x, y in context.world.ports:
        goals[y, x] = True
    return goals


def _beside(cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return, per tile, the bitmask of the sides on which the mask is set."""
    height, width = cells.shape
    padded = np.zeros((height + 2, width + 2), dtype=np.int16)
    padded[1:-1, 1:-1] = cells
    found = np.zeros(cells.shape, dtype=np.int16)
    for bit, dx, dy in _AHEAD:
        found += bit * padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
    return found


def _marks(context: PictureContext) -> Iterator[tuple[At, tuple[int, int]]]:
    """Yield symbols of single tiles, in sight and out of sight; later ones cover earlier ones."""
    world, symbols = context.world, context.symbols
    for at in world.ports:
        yield at, symbols.mark["port"]
    for post in world.signs:
        yield (post.x, post.y), symbols.mark["signpost"]
    for city in world.cities.values():
        if city.razed:
            yield from ((at, symbols.mark["rubble"]) for at in city.tiles)
    for site in world.sites.values():
        yield (site.x, site.y), symbols.site.get(known_as(site), symbols.site["unknown"])
    for tower in world.towers.values():
        yield (tower.x, tower.y), symbols.mark["tower"]
    for item in world.items.values():
        if item.where == "ground":
            yield (item.x, item.y), symbols.mark["item"]


def _pieces(context: PictureContext) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """Return three planes: symbols of pieces, seats of their owners, and place numbers."""
    world, symbols, wounds = context.world, context.symbols, context.style.wounded
    shape = world.terrain.cells.shape
    piece = np.zeros(shape, dtype=np.int16)
    owner = np.full(shape, NOBODY, dtype=np.int8)
    place = np.full(shape, NOWHERE, dtype=np.int16)
    for site in world.sites.values():
        place[site.y, site.x] = SITE_PLACES + site.id
    for city in world.cities.values():
        block = slice(city.y, city.y + 2), slice(city.x, city.x + 2)
        place[block] = city.id
        if not city.razed:
            first = symbols.city[min(city.defence, len(symbols.city) - 1)]
            piece[block] = ((first, first + 1), (first + 2, first + 3))
            owner[block] = seat_of(city.owner)
    for side in world.sides.values():
        if side.flag is not None:
            x, y = side.flag
            piece[y, x], owner[y, x] = symbols.flag, side.id
    for (x, y), stack in context.stacks.items():
        piece[y, x] = symbols.stack(best(stack), len(stack), wounds(stack) if wounds else 0)
        owner[y, x] = seat_of(stack[0].owner)
    return piece, owner, place


def best(stack: tuple[Army, ...]) -> Army:
    """Return the army that represents a stack: a hero, else the strongest, then the lowest id."""
    return max(stack, key=lambda army: (army.hero is not None, army.strength, -army.id))


def _places(context: PictureContext) -> tuple[BoardPlace, ...]:
    cities = (
        BoardPlace(
            city.id, city.x, city.y, 2, 2, f"{city.name} (razed)" if city.razed else city.name
        )
        for city in context.world.cities.values()
    )
    sites = (
        BoardPlace(SITE_PLACES + site.id, site.x, site.y, 1, 1, site.name)
        for site in context.world.sites.values()
    )
    return (*cities, *sites)


def _strengths(context: PictureContext) -> tuple[Plane | None, Plane]:
    """Return the life of stacks in percent (None without lasting wounds), and their sizes."""
    shape = context.world.terrain.cells.shape
    left = context.style.life
    life, count = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.int8)
    for (x, y), stack in context.stacks.items():
        count[y, x] = len(stack)
        if left is not None:
            life[y, x] = left(stack)
    return Plane(life) if left is not None else None, Plane(count)


def _captions(context: PictureContext) -> Iterator[BoardCaption]:
    """Yield the name of each city, with the size of its garrison if the viewer knows it."""
    for city in context.world.cities.values():
        if not city.razed:
            number = garrison(context, city)
            text = city.name if number is None else f"{city.name} {number}"
            yield BoardCaption(city.x, city.y + 1, text, seat_of(city.owner), width=2)


def garrison(context: PictureContext, city: City) -> int | None:
    """Return the number of armies in a city, or None if the viewer cannot know it."""
    if not context.is_open(city.owner) and not all(context.sees(tile) for tile in city.tiles):
        return None
    return sum(len(context.stacks.get(tile, ())) for tile in city.tiles)


# -- overview --------------------------------------------------------------------------------------

OVERVIEW_ROWS: Final = {"lands": 40, "world": 20}
"""Maximum number of rows by zoom."""


def scale(context: PictureContext, zoom: str) -> int:
    """Return the side length, in tiles, of the square that one cell of a zoom shows."""
    world = context.world
    return max(
        1, -(-world.height // OVERVIEW_ROWS[zoom]), -(-world.width // (2 * OVERVIEW_ROWS[zoom]))
    )


def _far_board(context: PictureContext, zoom: str) -> Board:
    """Build an overview: the most frequent terrain of each square, below its city or armies."""
    size = scale(context, zoom)
    ground = _far_ground(context, size)
    piece = np.zeros(ground.shape, dtype=np.int16)
    owner = np.full(ground.shape, NOBODY, dtype=np.int8)
    symbols = context.symbols.overview
    capitals = {side.capital: side.id for side in context.world.sides.values()}
    for (x, y), stack in context.stacks.items():
        _put(piece, owner, (x // size, y // size), symbols["army"], stack[0].owner)
    ranked = sorted(
        (city for city in context.world.cities.values() if not city.razed),
        key=lambda city: ((city.x, city.y) in capitals, city.owner == context.viewer, -city.id),
    )
    for city in ranked:
        is_capital = capitals.get((city.x, city.y), NOBODY) == city.owner
        sign = symbols["capital" if is_capital else "city"]
        _put(piece, owner, (city.x // size, city.y // size), sign, city.owner)
    nowhere = np.full(ground.shape, NOWHERE, dtype=np.int16)
    return Board(Plane(ground), Plane(piece), Plane(owner), Plane(nowhere), scale=size)


def _put(
    piece: npt.NDArray[Any], owner: npt.NDArray[Any], at: tuple[int, int], sign: int, whose: int
) -> None:
    piece[at[1], at[0]], owner[at[1], at[0]] = sign, seat_of(whose)


def _far_ground(context: PictureContext, size: int) -> npt.NDArray[Any]:
    """Return the symbol of each square's most frequent known terrain; ties go to the lower code.

    City ground counts only if a square has no other known ground, because the city's own symbol
    covers it.
    """
    terrain = context.world.terrain.cells
    height, width = terrain.shape
    high, wide = -(-height // size), -(-width // size)
    whole = np.zeros((high * size, wide * size), dtype=np.int16)
    whole[:height, :width] = terrain
    blocks = whole.reshape(high, size, wide, size)
    codes = len(context.style.grounds)
    counts = np.stack([(blocks == code).sum(axis=(1, 3)) for code in range(codes)])
    counts[0] = 0
    counts[context.style.city] = np.minimum(counts[context.style.city], 1)
    most = counts.argmax(axis=0)
    most[counts.max(axis=0) == 0] = 0
    found: npt.NDArray[Any] = context.symbols.ground[0][most]
    return found
