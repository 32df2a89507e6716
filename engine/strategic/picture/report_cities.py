"""Reports of cities and of money."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic import cities as economy
from engine.strategic import item_records as effects
from engine.strategic.picture.report_rows import Entry, if_open, is_own, table, whose
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import city_name, many, side_name, spot, type_name
from engine.strategic.pieces import NONE, City, UnitType
from engine.strategic.world import cities_of
from engine.tabletop.report import UNKNOWN, Cell, Report, ReportRow, columns
from engine.tabletop.roles import Tone

_DEAREST: Final = 5
"""Purchases that the report of money names."""


def cities(scene: Scene) -> Iterator[Report]:
    """Where they are, what they bring and make, and who keeps them. Rules: W2-9.1, W2-9.3."""
    headings = ("City", "At", ">Income", ">Defence", "Makes", ">Turns", "Sent to", ">Garrison")
    found = [city for side in whose(scene) for city in cities_of(scene.world, side)]
    rows = [_city(scene, city) for city in found]
    notes = [f"{many(len(found), 'city', 'cities')}."] if is_own(scene) else []
    idle = sum(city.making == NONE for city in found)
    if is_own(scene) and idle:
        notes.append(f"{many(idle, 'city makes', 'cities make')} nothing.")
    yield table(scene, "cities", "Cities", headings, rows, notes)


def _city(scene: Scene, city: City) -> Entry:
    """Rules: W2-9.1, W2-9.3, W2-9.5."""
    cells: tuple[Cell, ...] = (city.name, spot((city.x, city.y)), city.income, city.defence)
    at = city.x, city.y
    if not scene.is_open(city.owner):
        unknown = (UNKNOWN, UNKNOWN, UNKNOWN)
        return Entry(city.owner, (*cells, *unknown, _garrison(scene, city)), at)
    busy = city.making != NONE
    made = type_name(scene, city.slots[city.making].type) if busy else "nothing"
    target = city_name(scene, city.vector) if city.vector != NONE else ""
    left: Cell = city.left if busy else ""
    tone = Tone.NORMAL if busy else Tone.BAD
    return Entry(city.owner, (*cells, made, left, target, _garrison(scene, city)), at, tone)


def _garrison(scene: Scene, city: City) -> Cell:
    if not scene.is_open(city.owner) and not all(scene.sees(tile) for tile in city.tiles):
        return UNKNOWN
    return sum(len(scene.stacks.get(tile, ())) for tile in city.tiles)


# -- money -----------------------------------------------------------------------------------------


def gold(scene: Scene) -> Iterator[Report]:
    """What there is, comes and goes, and what could be bought. Rules: W2-9.4, W2-9.6."""
    if is_own(scene):
        yield _purse(scene, scene.viewer)
    elif any(scene.is_open(side) for side in scene.world.sides):
        yield _purses(scene)


def _purse(scene: Scene, side: int) -> Report:
    world = scene.world
    have, comes = world.sides[side].gold, economy.income(world, side)
    goes = economy.upkeep(world, scene.book, side)
    purses = len(cities_of(world, side)) * effects.purses(world, side)
    rows = [
        ReportRow(("In the treasury", have), Tone.STRONG),
        ReportRow(("Income of cities, each turn", comes - purses)),
        *([ReportRow(("Added by purses", purses))] if purses else []),
        ReportRow(("Upkeep of armies, each turn", -goes)),
        ReportRow(("Balance, each turn", comes - goes), _mood(comes - goes)),
        ReportRow(("After the next turn", _next(scene, side)), _mood(_next(scene, side) - 1)),
    ]
    rows += [
        ReportRow((f"To buy: {kind.name}", kind.price), Tone.QUIET)
        for kind in _purchases(scene, have)
    ]
    notes = ["The dearest types that a city could learn to make for what is there."]
    if len(rows) == 5 + bool(purses):
        notes = ["There is too little for a city to learn anything."]
    return Report("gold", "Gold", columns("What", ">Gold"), tuple(rows), tuple(notes))


def _next(scene: Scene, side: int) -> int:
    """What is in the treasury when the next turn begins as things are. Rules: W2-9.6."""
    world = scene.world
    balance = economy.income(world, side) - economy.upkeep(world, scene.book, side)
    return max(0, min(world.sides[side].gold + balance, scene.book.cities.most_gold))


def _mood(balance: int) -> Tone:
    return Tone.BAD if balance < 0 else Tone.NORMAL


def _purchases(scene: Scene, have: int) -> list[UnitType]:
    """The dearest types that can be bought for some gold. Rules: W2-9.4."""
    sells = scene.book.cities.for_sale
    kinds = [
        kind
        for kind in scene.world.types.values()
        if kind.price <= have and any(sells(city, kind) for city in scene.own_cities)
    ]
    return sorted(kinds, key=lambda kind: (-kind.price, kind.id))[:_DEAREST]


def _purses(scene: Scene) -> Report:
    """The money of all sides, for those who may know it."""
    world, rows = scene.world, []
    for side in world.sides.values():
        comes = economy.income(world, side.id)
        goes = economy.upkeep(world, scene.book, side.id)
        found = (side.gold, comes, -goes, comes - goes)
        cells = (side_name(scene, side.id), *(if_open(scene, side.id, cell) for cell in found))
        rows.append(ReportRow(cells, seat=side.id))
    headings = columns("Side", ">Gold", ">Income", ">Upkeep", ">Balance")
    return Report("gold", "Gold", headings, tuple(rows))
