"""The board: tiles by id, neighbours, capacity, control, and the units on each tile."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from engine.core.decision import BaseDecision
from engine.core.refused import Refused
from engine.kit.identity_cache import identity_cache
from engine.kit.places import (
    HexRows,
    distances_from,
    hex_distance,
    hex_graph,
    hex_names,
    hex_number,
    hex_positions,
    paths_from,
    rim,
)
from engine.rulesets.kaladan.events import AnyEvent
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import (
    NOBODY,
    BasicKind,
    Phase,
    State,
    StateOrView,
    Tile,
    Unit,
    UnitKind,
)
from engine.rulesets.kaladan.tables import LayoutRow, tables, terrains, unit_rows

Decision: TypeAlias = BaseDecision[State, AnyEvent]
"""Decision on one command of this game."""


# -- layouts ---------------------------------------------------------------------------------------


@cache
def layouts() -> dict[int, LayoutRow]:
    """Return the layouts by number of tiles. See: KA-3.1."""
    return {row.tiles: row for row in tables().layout}


def layout_for(seats: int) -> int:
    """Return the number of tiles for a number of seats. Rules: KA-3.1."""
    return next(row.tiles for row in tables().layout if seats in row.players)


@cache
def _rows(layout: int) -> HexRows:
    shape = layouts()[layout]
    return HexRows(shape.row_widths, shape.row_first_x)


@cache
def tile_names(layout: int) -> tuple[str, ...]:
    """Return the ids of tiles such as B2, row by row, left to right. Rules: KA-3.1."""
    return hex_names(_rows(layout))


def tile_name(layout: int, tile: int) -> str:
    """Return the id of a tile, such as B2, from its number."""
    return tile_names(layout)[tile - 1]


def tile_number(layout: int, name: str) -> int:
    """Return the number of a tile from its id.

    Raises:
        Refused: there is no such tile.
    """
    number = hex_number(_rows(layout), name)
    if number is None:
        names = tile_names(layout)
        known = f"{names[0]} to {names[-1]}"
        raise Refused(
            Refusal.NO_TILE, f"There is no tile {name[:8]!r}; they are {known}.", "KA-3.1"
        )
    return number + 1


@cache
def coordinates(layout: int) -> tuple[tuple[int, int], ...]:
    """Return the doubled-width coordinates (row, x) of all tiles, tile 1 first. See: KA-3.2."""
    return hex_positions(_rows(layout))


@cache
def neighbours(layout: int, tile: int) -> tuple[int, ...]:
    """Return the numbers of the adjacent tiles, in order. Rules: KA-3.2."""
    return tuple(sorted(other + 1 for other in hex_graph(_rows(layout)).beside(tile - 1)))


def distance(layout: int, one: int, other: int) -> int:
    """Return the number of steps between two tiles, ignoring units. See: KA-3.2."""
    places = coordinates(layout)
    return hex_distance(places[one - 1], places[other - 1])


@cache
def is_edge(layout: int, tile: int) -> bool:
    """Return whether a tile has fewer than six neighbours. Rules: KA-3.2."""
    return tile - 1 in rim(_rows(layout))


def linked(seen: StateOrView, start: int, tiles: Collection[int]) -> tuple[int, ...]:
    """Return those of ``tiles`` that a path over them connects to ``start``, without ``start``."""
    allowed = {tile - 1 for tile in tiles}
    found = distances_from(hex_graph(_rows(seen.layout)), [start - 1], allowed=allowed)
    return tuple(sorted(tile + 1 for tile in found if tile + 1 != start))


def way(seen: StateOrView, start: int, goal: int) -> tuple[int, ...]:
    """Find a shortest path around tiles of other seats; return it without ``start``, or ().

    Any seat may hold the goal. See: KA-3.2.
    """
    seat = controller(seen, start)
    open_tiles = {
        tile - 1 for tile in seen.tiles if tile == goal or controller(seen, tile) in (NOBODY, seat)
    }
    found = paths_from(hex_graph(_rows(seen.layout)), start - 1, allowed=open_tiles)
    return tuple(tile + 1 for tile in found.get(goal - 1, ())[1:])


# -- units on tiles --------------------------------------------------------------------------------


@identity_cache
def stacks(seen: StateOrView) -> dict[int, tuple[Unit, ...]]:
    """Return the units on each occupied tile, in id order."""
    found: dict[int, list[Unit]] = {}
    for unit in seen.units.values():
        if unit.place == "board":
            found.setdefault(unit.tile, []).append(unit)
    return {tile: tuple(units) for tile, units in sorted(found.items())}


def standing(seen: StateOrView, tile: int) -> tuple[Unit, ...]:
    """Return the units on a tile, in id order."""
    return stacks(seen).get(tile, ())


def controller(seen: StateOrView, tile: int) -> int:
    """Return the seat that controls a tile, or NOBODY. Rules: KA-1.1."""
    here = standing(seen, tile)
    return here[0].owner if here else NOBODY


def controlled(seen: StateOrView, seat: int) -> tuple[int, ...]:
    """Return the tiles that a seat controls, in order. See: KA-1.1."""
    return tuple(tile for tile, units in stacks(seen).items() if units[0].owner == seat)


def castles(seen: StateOrView, seat: int) -> tuple[int, ...]:
    """Return the castle tiles that a seat controls, in order. See: KA-1.1."""
    return tuple(tile for tile in controlled(seen, seat) if has_castle(seen, tile))


def enemies_beside(seen: StateOrView, seat: int, tile: int) -> tuple[int, ...]:
    """Return the adjacent tiles that seats other than ``seat`` control, in order. See: KA-1.1."""
    return tuple(
        other
        for other in neighbours(seen.layout, tile)
        if controller(seen, other) not in (seat, NOBODY)
    )


def has_castle(seen: StateOrView, tile: int) -> bool:
    """Return whether a tile has a Castle."""
    return seen.tiles[tile].castle != NOBODY


def capacity(tile: Tile) -> int:
    """Return the maximum number of units on a tile. Rules: KA-1.2."""
    row = terrains()[tile.terrain]
    return row.capacity if tile.castle == NOBODY else row.capacity_with_castle


def room(seen: StateOrView, tile: int) -> int:
    """Return the number of units for which a tile still has room. See: KA-1.2."""
    return capacity(seen.tiles[tile]) - len(standing(seen, tile))


def owned(seen: StateOrView, seat: int) -> Iterator[Unit]:
    """Return the units of a seat, wherever they are, in id order."""
    return (unit for unit in seen.units.values() if unit.owner == seat)


def on_board(seen: StateOrView, seat: int) -> tuple[Unit, ...]:
    """Return the units of a seat on the board, in id order."""
    return tuple(unit for unit in owned(seen, seat) if unit.place == "board")


def crown(seen: StateOrView, seat: int) -> Unit | None:
    """Return the Crown of a seat if it is on the board, else None."""
    return next((unit for unit in on_board(seen, seat) if unit.kind == "crown"), None)


def in_reserve(seen: StateOrView, seat: int, kind: UnitKind | str) -> Unit | None:
    """Return the first unit of a type in a seat's reserve, or None."""
    return next(
        (unit for unit in owned(seen, seat) if unit.place == "reserve" and unit.kind == kind), None
    )


def is_basic(unit: Unit) -> bool:
    """Return whether a unit is a Sword, Archer or Shield. See: KA-2.1."""
    return unit.kind in unit_rows() and unit_rows()[unit.kind].kind == "basic"


def living(seen: StateOrView) -> tuple[int, ...]:
    """Return the living seats, in order."""
    return tuple(player.id for player in seen.players.values() if player.alive)


def turn_order(seen: StateOrView, start: int) -> tuple[int, ...]:
    """Return the living seats from ``start`` on, clockwise. Rules: KA-5.1. See: KA-16."""
    count = len(seen.players)
    order = ((start + step) % count for step in range(count))
    return tuple(seat for seat in order if seen.players[seat].alive)


# -- checks of commands ----------------------------------------------------------------------------


def check_phase(state: State, phase: Phase, text: str, rule: str) -> None:
    """Check that a phase is open and no battle or event waits for an answer.

    Raises:
        Refused: another phase is open, or a battle or an event waits for an answer.
    """
    if state.phase != phase or state.battle is not None or state.event is not None:
        raise Refused(Refusal.WRONG_PHASE, text, rule)


def check_gold(state: State, seat: int, price: int, rule: str) -> None:
    """Check that a seat can pay a price. See: KA-6.5.

    Raises:
        Refused: the price is more than its gold.
    """
    gold = state.players[seat].gold
    if gold < price:
        raise Refused(Refusal.NO_GOLD, f"That costs {price} gold; you have {gold}.", rule)


def own_units(state: State, seat: int, tile: int, units: Sequence[int]) -> tuple[Unit, ...]:
    """Return the named units of a seat on a tile.

    Raises:
        Refused: no unit is named, one is named twice, or one is not the seat's or not there.
    """
    here = {unit.id: unit for unit in standing(state, tile) if unit.owner == seat}
    if not units or len({*units}) != len(units) or not {*units} <= {*here}:
        where = tile_name(state.layout, tile)
        raise Refused(Refusal.NO_UNIT, f"Name units of yours on {where}, each once.", "KA-6.4")
    return tuple(here[unit] for unit in units)


def check_room(state: State, tile: int, count: int) -> None:
    """Check that ``count`` more units fit on a tile. Rules: KA-1.2.

    Raises:
        Refused: fewer than ``count`` units fit.
    """
    if room(state, tile) < count:
        name, left = tile_name(state.layout, tile), room(state, tile)
        raise Refused(Refusal.NO_ROOM, f"{name} has room for {left} more.", "KA-1.2")


def reserve_basic(state: State, seat: int, kind: BasicKind) -> Unit:
    """Return the first Basic unit of a type in the reserve.

    Raises:
        Refused: the reserve has no unit of this type.
    """
    unit = in_reserve(state, seat, kind)
    if unit is None:
        text = f"Your reserve has no {kind.capitalize()} left."
        raise Refused(Refusal.NOT_IN_RESERVE, text, "KA-2.1")
    return unit
