"""Reports of cities, money and sides, the list of all reports, and the numbers behind the charts.

A player's reports cover its own side, an observer's all sides. Reports are made from a view, so
they cannot contain what the view hides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from engine.strategic import diplomacy as treating
from engine.strategic import item_records
from engine.strategic.picture import report_armies
from engine.strategic.picture.board import garrison
from engine.strategic.picture.cities import heart
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.report_armies import SideRow, side_table
from engine.strategic.picture.words import MINUS, spot
from engine.strategic.pieces import NONE, UNKNOWN_TYPE, Army, City, Side, UnitType
from engine.strategic.world import WAR, armies_of, cities_of, treaty
from engine.tabletop.board import Line
from engine.tabletop.english import joined, many
from engine.tabletop.report import UNKNOWN, Report, ReportCell, ReportRow, SeatNumbers, columns
from engine.tabletop.roles import Tone

# -- cities ----------------------------------------------------------------------------------------

_DEAREST: Final = 5
"""Maximum number of purchases in the report of gold."""


def cities(context: PictureContext) -> Iterator[Report]:
    """Yield the report of cities with place, income, production and garrison."""
    headings = ("City", "At", ">Income", ">Defence", "Makes", ">Turns", "Sent to", ">Garrison")
    found = [city for side in context.reported_sides for city in cities_of(context.world, side)]
    rows = [_city_row(context, city) for city in found]
    notes = [f"{many(len(found), 'city', 'cities')}."] if context.reports_own_side else []
    idle = sum(city.making == NONE for city in found)
    if context.reports_own_side and idle:
        notes.append(f"{many(idle, 'city makes', 'cities make')} nothing.")
    yield side_table(context, "cities", "Cities", headings, rows, notes)


def _city_row(context: PictureContext, city: City) -> SideRow:
    cells: tuple[ReportCell, ...] = (city.name, spot((city.x, city.y)), city.income, city.defence)
    at = heart(context, city)
    if not context.is_open(city.owner):
        unknown = (UNKNOWN, UNKNOWN, UNKNOWN)
        return SideRow(city.owner, (*cells, *unknown, _garrison(context, city)), at)
    busy = city.making != NONE
    made = context.type_name(city.slots[city.making].type) if busy else "nothing"
    target = context.city_name(city.vector) if city.vector != NONE else ""
    left: ReportCell = city.left if busy else ""
    tone = Tone.NORMAL if busy else Tone.BAD
    return SideRow(city.owner, (*cells, made, left, target, _garrison(context, city)), at, tone)


def _garrison(context: PictureContext, city: City) -> ReportCell:
    number = garrison(context, city)
    return UNKNOWN if number is None else number


# -- money -----------------------------------------------------------------------------------------


def gold(context: PictureContext) -> Iterator[Report]:
    """Yield the report of gold, income, upkeep and affordable purchases."""
    if context.reports_own_side:
        yield _purse(context, context.viewer)
    elif any(context.is_open(side) for side in context.world.sides):
        yield _purses(context)


def _purse(context: PictureContext, side: int) -> Report:
    world = context.world
    have, (comes, goes) = world.sides[side].gold, context.money_per_turn(side)
    soon = max(0, min(have + comes - goes, context.settings.cities.most_gold))
    purses = len(cities_of(world, side)) * item_records.purses(world, side)
    rows = [
        ReportRow(("In the treasury", have), Tone.STRONG),
        ReportRow(("Income of cities, each turn", comes - purses)),
        *([ReportRow(("Added by purses", purses))] if purses else []),
        ReportRow(("Upkeep of armies, each turn", -goes)),
        ReportRow(("Balance, each turn", comes - goes), _balance_tone(comes - goes)),
        ReportRow(("After the next turn", soon), _balance_tone(soon - 1)),
    ]
    rows += [
        ReportRow((f"To buy: {kind.name}", kind.price), Tone.QUIET)
        for kind in _purchases(context, have)
    ]
    notes = ["The dearest types that a city could learn to make for what is there."]
    if len(rows) == 5 + bool(purses):
        notes = ["There is too little for a city to learn anything."]
    return Report("gold", "Gold", columns("What", ">Gold"), tuple(rows), tuple(notes))


def _balance_tone(balance: int) -> Tone:
    return Tone.BAD if balance < 0 else Tone.NORMAL


def _purchases(context: PictureContext, have: int) -> list[UnitType]:
    """Return the most expensive types that the gold buys for some own city."""
    sells = context.settings.cities.for_sale
    kinds = [
        kind
        for kind in context.world.types.values()
        if kind.price <= have
        and any(sells(context.world, city, kind) for city in context.own_cities)
    ]
    return sorted(kinds, key=lambda kind: (-kind.price, kind.id))[:_DEAREST]


def _purses(context: PictureContext) -> Report:
    """Report gold, income and upkeep of all sides, as far as the viewer may know them."""
    world, rows = context.world, []
    for side in world.sides.values():
        comes, goes = context.money_per_turn(side.id)
        found = (side.gold, comes, -goes, comes - goes)
        cells = (context.side_name(side.id), *(context.if_open(side.id, cell) for cell in found))
        rows.append(ReportRow(cells, seat=side.id))
    headings = columns("Side", ">Gold", ">Income", ">Upkeep", ">Balance")
    return Report("gold", "Gold", headings, tuple(rows))


# -- sides and treaties ----------------------------------------------------------------------------

_FOG: Final = "Of others you know discovered cities only, no armies and no gold."
_OPEN: Final = "The gold of others is their secret."


def winners(context: PictureContext) -> Iterator[Report]:
    """Yield the report of sides by number of known cities; winners come first."""
    headings = columns(
        ">#", "Side", ">Cities", ">Armies", ">Strength", ">Heroes", ">Gold", "Played by", "Is"
    )
    world = context.world
    order = sorted(
        world.sides.values(),
        key=lambda side: (side.id not in world.winners, -len(cities_of(world, side.id)), side.id),
    )
    rows = tuple(_side_row(context, place, side) for place, side in enumerate(order, 1))
    notes = []
    if not all(context.is_open(side) for side in world.sides):
        notes.append(_OPEN if context.sees_all else _FOG)
    notes += [_deeds(context.own_side)] if context.is_player else []
    yield Report("winners", "Winners", headings, rows, tuple(notes))


def _side_row(context: PictureContext, place: int, side: Side) -> ReportRow:
    world = context.world
    there: tuple[Army, ...] = armies_of(world, side.id)
    counts = {
        "armies": len(there),
        "strength": sum(army.strength for army in there),
        "heroes": sum(army.hero is not None for army in there),
    }
    cells: tuple[ReportCell, ...] = (
        place,
        context.side_name(side.id),
        len(cities_of(world, side.id)),
        *(count if _is_told(context, name, side.id) else UNKNOWN for name, count in counts.items()),
        context.if_open(side.id, side.gold),
        "person" if side.human else "computer",
        "winner" if side.id in world.winners else "in play" if side.alive else "out",
    )
    tone = Tone.NORMAL if side.alive else Tone.QUIET
    return ReportRow(cells, tone, side.capital, side.id)


def _deeds(side: Side) -> str:
    """Return a sentence about the viewer's deeds in war."""
    deeds = side.deeds
    return (
        f"Yours so far: {many(deeds.battles, 'battle')}, {deeds.clean_wins} won without loss,"
        f" {many(deeds.armies_killed, 'army', 'armies')} and"
        f" {many(deeds.heroes_killed, 'hero', 'heroes')} destroyed,"
        f" {many(deeds.cities_won, 'city', 'cities')} taken."
    )


def diplomacy(context: PictureContext) -> Iterator[Report]:
    """Yield the report of treaties and stances of living sides; nothing without diplomacy."""
    wanted = context.own_side.stances if context.is_player else ()

    def cells(side: Side) -> dict[str, ReportCell]:
        if not context.is_player:
            return {}
        stance = context.style.stances[wanted[side.id]] if side.id < len(wanted) else ""
        now = context.style.treaties[treaty(context.world, context.viewer, side.id)]
        return {"With you": now, "You want": stance}

    return treaty_table(context, cells)


def treaty_table(
    context: PictureContext, cells: Callable[[Side], Mapping[str, ReportCell]], renown: str = ""
) -> Iterator[Report]:
    """Yield a report of living sides with their reputation and wars; nothing without diplomacy.

    ``cells`` gives the ruleset's cells of a side by heading, and ``renown`` ends the sentence on
    the viewer's reputation.
    """
    if not context.settings.turns.diplomacy:
        return
    called = treating.titles(context.world, context.settings)
    living = [side for side in context.world.sides.values() if side.alive]
    own, rows = called.get(context.viewer, ""), []
    for side in living:
        foes = [one.id for one in living if treaty(context.world, side.id, one.id) == WAR]
        enemies = joined([context.side_name(foe) for foe in foes]) or "nobody"
        row = (context.side_name(side.id), called[side.id], *cells(side).values(), enemies)
        if side.id != context.viewer:
            rows.append(ReportRow(row, at=side.capital, seat=side.id))
    own_headings = cells(next(iter(context.world.sides.values())))
    headings = columns("Side", "Reputation", *own_headings, "At war with")
    notes = (f"Your reputation: {own}{renown}.",) if own else ()
    yield Report("treaties", "Treaties", headings, tuple(rows), notes)


# -- summary, all reports, numbers -----------------------------------------------------------------


def ranked(context: PictureContext) -> list[Side]:
    """Return the sides by number of known cities, largest first."""
    sides = context.world.sides.values()
    return sorted(sides, key=lambda s: (-len(cities_of(context.world, s.id)), s.id))


def side_line(context: PictureContext, side: Side) -> Line:
    """Return the summary line of a side: its cities, its reputation and its treaty."""
    world = context.world
    if not side.alive:
        return context.say(f"{context.side_name(side.id)}: out of the game", "round", side.id)
    count = len(cities_of(world, side.id))
    if context.sees_all or side.id == context.viewer:
        parts = [many(count, "city", "cities")]
    else:
        parts = [many(count, "known city", "known cities") if count else "no known city"]
    if side.id == context.viewer or (context.sees_all and not context.is_player):
        parts.append(many(len(armies_of(world, side.id)), "army", "armies"))
    if context.settings.turns.diplomacy:
        rank = treating.titles(world, context.settings).get(side.id)
        parts += [rank] if rank else []
        if context.is_player and side.id != context.viewer:
            parts.append(
                f"{context.style.treaties[treaty(world, context.viewer, side.id)]} with you"
            )
    parts += ["computer"] if not side.human else []
    text = f"{context.side_name(side.id)}: {', '.join(parts)}"
    return context.say(text, "victory", side.id)


def money_line(context: PictureContext) -> Line:
    """Return the summary line of the viewer's gold, income and upkeep."""
    side = context.own_side
    comes, goes = context.money_per_turn(side.id)
    text = f"Treasury {side.gold:,}, income {comes:+,}, upkeep {MINUS}{goes:,}"
    return context.say(text, "economy", side.id, tone=Tone.STRONG)


def city_line(context: PictureContext, city: City) -> Line:
    """Return the summary line of an own city with its production."""
    made = "no production"
    if city.making != NONE:
        what = context.type_name(city.slots[city.making].type)
        made = f"makes {what}, {many(city.left, 'turn')}"
    if city.vector != NONE:
        made += f", sent to {context.city_name(city.vector)}"
    text = f"{city.name}: income {city.income}, defence {city.defence}, {made}"
    tone = Tone.BAD if city.making == NONE else Tone.NORMAL
    return context.say(text, "city", city.owner, at=(city.x, city.y), tone=tone)


def reports(context: PictureContext) -> tuple[Report, ...]:
    """Return all reports for a viewer in this game."""
    makers: tuple[Callable[[PictureContext], Iterator[Report]], ...] = (
        *(cities, report_armies.armies, report_armies.stacks, gold, report_armies.heroes),
        *(report_armies.items, report_armies.quests, report_armies.sites, winners, diplomacy),
    )
    own = {report.name: report for make in context.style.reports for report in make(context)}
    usual = tuple(report for make in makers for report in make(context))
    found = tuple(own.pop(report.name, report) for report in usual)
    return (*found, *own.values())


def numbers(context: PictureContext) -> SeatNumbers:
    """Return the sides' statistics; None for numbers that the viewer does not know.

    The cities, armies and heroes of others are known only if the viewer sees the whole map. Their
    strength and heroes also need visible army types, and only the owner knows the gold. After the
    end everything is known, and what the ruleset declares open is known to all.
    """
    sides = list(context.world.sides)
    return {
        name: tuple(
            value if _is_told(context, name, side) else None
            for side, value in zip(sides, values, strict=True)
        )
        for name, values in context.style.statistics(context.world).items()
    }


def _is_told(context: PictureContext, name: str, side: int) -> bool:
    if name in context.style.open_numbers or context.is_open(side):
        return True
    if name in {"strength", "heroes"} and UNKNOWN_TYPE.id in context.world.types:
        return False
    return name != "gold" and context.sees_all
