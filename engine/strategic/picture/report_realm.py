"""Reports of cities, money and sides, the list of all reports, and the numbers behind the charts.

A player's reports cover its own side; an observer's cover all sides. Reports are made from a view,
so they cannot contain what the view hides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.strategic.cities import economy
from engine.strategic.heroes import effects
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.report_armies import (
    SideRow,
    armies,
    heroes,
    if_open,
    is_of_own_side,
    items,
    quests,
    reported_sides,
    side_table,
    sites,
    stacks,
)
from engine.strategic.picture.words import (
    STANCES,
    TREATIES,
    city_name,
    joined,
    many,
    side_name,
    spot,
    type_name,
)
from engine.strategic.pieces import NONE, Army, City, Side, UnitType
from engine.strategic.statistics import statistics
from engine.strategic.turns import diplomacy as treating
from engine.strategic.world import WAR, armies_of, cities_of, treaty
from engine.tabletop.report import UNKNOWN, Cell, Numbers, Report, ReportRow, columns
from engine.tabletop.roles import Tone

# -- cities ----------------------------------------------------------------------------------------


_DEAREST: Final = 5
"""Purchases that the report of money names."""


def cities(scene: PictureContext) -> Iterator[Report]:
    """Where they are, what they bring and make, and who keeps them. Rules: W2-9.1, W2-9.3."""
    headings = ("City", "At", ">Income", ">Defence", "Makes", ">Turns", "Sent to", ">Garrison")
    found = [city for side in reported_sides(scene) for city in cities_of(scene.world, side)]
    rows = [_city_row(scene, city) for city in found]
    notes = [f"{many(len(found), 'city', 'cities')}."] if is_of_own_side(scene) else []
    idle = sum(city.making == NONE for city in found)
    if is_of_own_side(scene) and idle:
        notes.append(f"{many(idle, 'city makes', 'cities make')} nothing.")
    yield side_table(scene, "cities", "Cities", headings, rows, notes)


def _city_row(scene: PictureContext, city: City) -> SideRow:
    """Rules: W2-9.1, W2-9.3, W2-9.5."""
    cells: tuple[Cell, ...] = (city.name, spot((city.x, city.y)), city.income, city.defence)
    at = city.x, city.y
    if not scene.is_open(city.owner):
        unknown = (UNKNOWN, UNKNOWN, UNKNOWN)
        return SideRow(city.owner, (*cells, *unknown, _garrison(scene, city)), at)
    busy = city.making != NONE
    made = type_name(scene, city.slots[city.making].type) if busy else "nothing"
    target = city_name(scene, city.vector) if city.vector != NONE else ""
    left: Cell = city.left if busy else ""
    tone = Tone.NORMAL if busy else Tone.BAD
    return SideRow(city.owner, (*cells, made, left, target, _garrison(scene, city)), at, tone)


def _garrison(scene: PictureContext, city: City) -> Cell:
    if not scene.is_open(city.owner) and not all(scene.sees(tile) for tile in city.tiles):
        return UNKNOWN
    return sum(len(scene.stacks.get(tile, ())) for tile in city.tiles)


# -- money -----------------------------------------------------------------------------------------


def gold(scene: PictureContext) -> Iterator[Report]:
    """What there is, comes and goes, and what could be bought. Rules: W2-9.4, W2-9.6."""
    if is_of_own_side(scene):
        yield _purse(scene, scene.viewer)
    elif any(scene.is_open(side) for side in scene.world.sides):
        yield _purses(scene)


def _purse(scene: PictureContext, side: int) -> Report:
    world = scene.world
    have, comes = world.sides[side].gold, economy.income(world, side)
    goes = economy.upkeep(world, scene.book, side)
    purses = len(cities_of(world, side)) * effects.purses(world, side)
    rows = [
        ReportRow(("In the treasury", have), Tone.STRONG),
        ReportRow(("Income of cities, each turn", comes - purses)),
        *([ReportRow(("Added by purses", purses))] if purses else []),
        ReportRow(("Upkeep of armies, each turn", -goes)),
        ReportRow(("Balance, each turn", comes - goes), _balance_tone(comes - goes)),
        ReportRow(
            ("After the next turn", _gold_next_turn(scene, side)),
            _balance_tone(_gold_next_turn(scene, side) - 1),
        ),
    ]
    rows += [
        ReportRow((f"To buy: {kind.name}", kind.price), Tone.QUIET)
        for kind in _purchases(scene, have)
    ]
    notes = ["The dearest types that a city could learn to make for what is there."]
    if len(rows) == 5 + bool(purses):
        notes = ["There is too little for a city to learn anything."]
    return Report("gold", "Gold", columns("What", ">Gold"), tuple(rows), tuple(notes))


def _gold_next_turn(scene: PictureContext, side: int) -> int:
    """What is in the treasury when the next turn begins as things are. Rules: W2-9.6."""
    world = scene.world
    balance = economy.income(world, side) - economy.upkeep(world, scene.book, side)
    return max(0, min(world.sides[side].gold + balance, scene.book.cities.most_gold))


def _balance_tone(balance: int) -> Tone:
    return Tone.BAD if balance < 0 else Tone.NORMAL


def _purchases(scene: PictureContext, have: int) -> list[UnitType]:
    """The dearest types that can be bought for some gold. Rules: W2-9.4."""
    sells = scene.book.cities.for_sale
    kinds = [
        kind
        for kind in scene.world.types.values()
        if kind.price <= have and any(sells(city, kind) for city in scene.own_cities)
    ]
    return sorted(kinds, key=lambda kind: (-kind.price, kind.id))[:_DEAREST]


def _purses(scene: PictureContext) -> Report:
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


# -- sides -----------------------------------------------------------------------------------------


_FOG: Final = "Of others only what you know: their cities that were discovered, no armies, no gold."
_OPEN: Final = "The gold of others is their secret."


def winners(scene: PictureContext) -> Iterator[Report]:
    """The sides from who has most known cities on. Rules: W2-11, W2-13.3."""
    headings = columns(
        ">#", "Side", ">Cities", ">Armies", ">Strength", ">Heroes", ">Gold", "Played by", "Is"
    )
    world = scene.world
    order = sorted(
        world.sides.values(),
        key=lambda side: (side.id not in world.winners, -len(cities_of(world, side.id)), side.id),
    )
    rows = tuple(_side_row(scene, place, side) for place, side in enumerate(order, 1))
    notes = []
    if not all(scene.is_open(side) for side in world.sides):
        notes.append(_OPEN if scene.sees_all else _FOG)
    notes += [_deeds(world.sides[scene.viewer])] if scene.is_player else []
    yield Report("winners", "Winners", headings, rows, tuple(notes))


def _side_row(scene: PictureContext, place: int, side: Side) -> ReportRow:
    world, known = scene.world, scene.is_open(side.id) or scene.sees_all
    there: tuple[Army, ...] = armies_of(world, side.id)
    counts = (
        len(there),
        sum(army.strength for army in there),
        sum(army.hero is not None for army in there),
    )
    cells: tuple[Cell, ...] = (
        place,
        side_name(scene, side.id),
        len(cities_of(world, side.id)),
        *(count if known else UNKNOWN for count in counts),
        if_open(scene, side.id, side.gold),
        "person" if side.human else "computer",
        _side_fate(scene, side),
    )
    tone = Tone.NORMAL if side.alive else Tone.QUIET
    return ReportRow(cells, tone, side.capital, side.id)


def _side_fate(scene: PictureContext, side: Side) -> str:
    if side.id in scene.world.winners:
        return "winner"
    return "in play" if side.alive else "out"


def _deeds(side: Side) -> str:
    """What a side has done in war, in a sentence."""
    deeds = side.deeds
    return (
        f"Yours so far: {many(deeds.battles, 'battle')}, {deeds.clean_wins} won without loss,"
        f" {many(deeds.armies_killed, 'army', 'armies')} and"
        f" {many(deeds.heroes_killed, 'hero', 'heroes')} destroyed,"
        f" {many(deeds.cities_won, 'city', 'cities')} taken."
    )


# -- treaties --------------------------------------------------------------------------------------


def diplomacy(scene: PictureContext) -> Iterator[Report]:
    """How the living sides stand; nothing where there is no diplomacy. Rules: W2-12.1."""
    if not scene.book.turns.diplomacy:
        return
    called = treating.titles(scene.world, scene.book)
    living = [side for side in scene.world.sides.values() if side.alive]
    rows = tuple(
        _treaty_row(scene, side, called.get(side.id, ""), living)
        for side in living
        if side.id != scene.viewer
    )
    headings: tuple[str, ...] = ("Side", "Reputation", "At war with")
    if scene.is_player:
        headings = ("Side", "Reputation", "With you", "You want", "At war with")
    own = called.get(scene.viewer, "")
    notes = (f"You are thought of as: {own}.",) if own else ()
    yield Report("treaties", "Treaties", columns(*headings), rows, notes)


def _treaty_row(scene: PictureContext, side: Side, called: str, living: list[Side]) -> ReportRow:
    """How a side stands with the viewer, and with others. Rules: W2-12.1, W2-12.2, W2-12.3."""
    world = scene.world
    foes = [
        side_name(scene, other.id)
        for other in living
        if other.id != side.id and treaty(world, side.id, other.id) == WAR
    ]
    cells = [side_name(scene, side.id), called]
    if scene.is_player:
        wanted = world.sides[scene.viewer].stances
        stance = STANCES[wanted[side.id]] if side.id < len(wanted) else ""
        cells += [TREATIES[treaty(world, scene.viewer, side.id)], stance]
    cells.append(joined(foes) or "nobody")
    return ReportRow(tuple(cells), at=side.capital, seat=side.id)


# -- all reports -----------------------------------------------------------------------------------


_REPORTS: Final[tuple[Callable[[PictureContext], Iterator[Report]], ...]] = (
    cities,
    armies,
    stacks,
    gold,
    heroes,
    items,
    quests,
    sites,
    winners,
    diplomacy,
)


def reports(scene: PictureContext) -> tuple[Report, ...]:
    """All reports that this viewer has in this game."""
    return tuple(report for make in _REPORTS for report in make(scene))


def numbers(scene: PictureContext) -> Numbers:
    """The statistics of the sides as far as the viewer knows them.

    Of others cities, armies and heroes can be counted where nothing is out of sight; a purse is
    its owner's secret. Rules: W2-11.
    """
    counted = statistics(scene.world)
    sides = list(scene.world.sides)
    return {
        name: tuple(
            value if scene.is_open(side) or (name != "gold" and scene.sees_all) else None
            for side, value in zip(sides, values, strict=True)
        )
        for name, values in counted.items()
    }
