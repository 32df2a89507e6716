"""Reports of armies, stacks, heroes, items, quests and sites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.kit.grid import Place
from engine.strategic.heroes import title
from engine.strategic.item_records import guardian_of
from engine.strategic.picture.board import known_as
from engine.strategic.picture.cities import city_place, vector_end
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.forecast import are_strange
from engine.strategic.picture.heroes import site_text
from engine.strategic.picture.words import seat_of, spot
from engine.strategic.pieces import NOBODY, Army, Item, Quest, Site, Transit
from engine.strategic.world import armies_of, city_at, items_of
from engine.tabletop.board import Line
from engine.tabletop.english import capital, joined, many
from engine.tabletop.report import UNKNOWN, Report, ReportCell, ReportRow, columns
from engine.tabletop.roles import Tone

# -- tables ----------------------------------------------------------------------------------------


class SideRow(NamedTuple):
    """Row of a report, with its side."""

    side: int
    cells: tuple[ReportCell, ...]
    at: Place | None = None
    tone: Tone = Tone.NORMAL


def side_table(
    context: PictureContext,
    name: str,
    title: str,
    headings: tuple[str, ...],
    entries: Iterable[SideRow],
    notes: Iterable[str] = (),
) -> Report:
    """Build a report from rows by side; rows begin with the side if there are several."""
    if context.reports_own_side:
        rows = tuple(ReportRow(row.cells, row.tone, row.at) for row in entries)
        return Report(name, title, columns(*headings), rows, tuple(notes))
    rows = tuple(
        ReportRow((context.side_name(row.side), *row.cells), row.tone, row.at, seat_of(row.side))
        for row in entries
    )
    return Report(name, title, columns("Side", *headings), rows, tuple(notes))


def if_known(there: Iterable[Army], cell: ReportCell) -> ReportCell:
    """Return the cell if the viewer knows the type of every army, else ``UNKNOWN``."""
    return UNKNOWN if are_strange(there) else cell


def _spread(values: Iterable[int]) -> ReportCell:
    """Return the range of some numbers, such as ``3-5``, or the number if all are equal."""
    found = list(values)
    low, high = min(found, default=0), max(found, default=0)
    return low if low == high else f"{low}-{high}"


# -- armies ----------------------------------------------------------------------------------------


def armies(context: PictureContext) -> Iterator[Report]:
    """Yield the report of armies by type: number, strength, moves, upkeep."""
    headings = ("Type", ">Armies", ">Strength", ">Moves", ">Ready", ">Upkeep", ">At sea", ">Away")
    rows: list[SideRow] = []
    count = 0
    for side in context.reported_sides:
        there = armies_of(context.world, side)
        away = [way.army for way in context.world.transits.values() if way.army.owner == side]
        count += len(there) + len(away)
        for kind in sorted({army.type for army in (*there, *away)}):
            here = [army for army in there if army.type == kind]
            gone = [army for army in away if army.type == kind]
            rows.append(_type_row(context, side, kind, here, gone))
    ways = "Ready: can still move. Away: off the map, on the way from city to city."
    notes = (f"{many(count, 'army', 'armies')}.", ways)
    yield side_table(context, "armies", "Armies", headings, rows, notes)


def _type_row(
    context: PictureContext, side: int, kind: int, here: Sequence[Army], gone: Sequence[Army]
) -> SideRow:
    """Return the row of one type, on the map (``here``) and in transit (``gone``)."""
    every = (*here, *gone)
    cells = (
        context.type_name(kind),
        len(every),
        if_known(every, _spread(army.strength for army in every)),
        if_known(every, _spread(army.max_move for army in every)),
        context.if_open(side, sum(army.points > 0 for army in here)),
        if_known(here, sum(context.settings.cities.upkeep(army) for army in here)),
        sum(army.aboard for army in here),
        context.if_open(side, len(gone)),
    )
    return SideRow(side, cells, here[0].at if here else None)


def stacks(context: PictureContext) -> Iterator[Report]:
    """Yield the report of stacks outside cities and armies in transit."""
    headings = ("At", "Armies", ">Size", ">Strength", ">Moves", "Goes to")
    rows = [
        _stack_row(context, at, stack)
        for side in context.reported_sides
        for at, stack in sorted(context.stacks.items(), key=lambda row: row[0][::-1])
        if stack[0].owner == side and city_at(context.world, at) is None
    ]
    rows += [
        _transit_row(context, way)
        for way in context.world.transits.values()
        if way.army.owner in context.reported_sides
    ]
    note = "Outside cities, and sent from one to another; the report of cities counts garrisons."
    yield side_table(context, "stacks", "Stacks", headings, rows, (note,))


def _stack_row(context: PictureContext, at: Place, stack: Sequence[Army]) -> SideRow:
    side = stack[0].owner
    cells = (
        context.where(at),
        context.company(stack),
        len(stack),
        if_known(stack, sum(army.strength for army in stack)),
        context.if_open(side, min(army.points for army in stack)),
        context.if_open(side, _goal_text(context, stack)),
    )
    return SideRow(side, cells, at)


def _goal_text(context: PictureContext, stack: Sequence[Army]) -> str:
    """Return the goal of a stack, or the reason why it stays."""
    if any(army.to_flag for army in stack):
        return "the rally flag"
    goal = next((army.goal for army in stack if army.goal is not None), None)
    if goal is not None:
        return context.where(goal)
    return "on guard" if all(army.defends for army in stack) else ""


def _transit_row(context: PictureContext, way: Transit) -> SideRow:
    army = way.army
    at = vector_end(context, army.owner, way.target)
    place = f"{context.city_name(way.target)}, round {way.due}"
    return SideRow(
        army.owner, ("off the map", context.army_name(army), 1, army.strength, "", place), at
    )


# -- heroes, items, quests and sites ---------------------------------------------------------------


def heroes(context: PictureContext) -> Iterator[Report]:
    """Yield the report of heroes with rank, place and items."""
    headings = ("Hero", "Rank", ">Experience", ">Strength", ">Moves", "At", "Carries")
    rows = [
        _hero_row(context, army)
        for side in context.reported_sides
        for army in armies_of(context.world, side)
        if army.hero is not None
    ]
    yield side_table(context, "heroes", "Heroes", headings, rows)


def _hero_row(context: PictureContext, hero: Army) -> SideRow:
    side = hero.owner
    carries = joined([item.name for item in items_of(context.world, hero.id)]) or "nothing"
    cells = (
        context.army_name(hero),
        title(context.settings.heroes.levels, hero),
        context.if_open(side, context.style.experience(context, hero)),
        hero.strength,
        context.if_open(side, f"{hero.points}/{hero.max_move}"),
        context.where(hero.at),
        context.if_open(side, carries),
    )
    return SideRow(side, cells, hero.at)


def items(context: PictureContext) -> Iterator[Report]:
    """Yield the report of items that are carried or whose place is known."""
    rows = []
    for item in context.world.items.values():
        found = _item_place(context, item)
        if found is not None:
            text, at = found
            rows.append(ReportRow((item.name, context.effect(item), text), at=at))
    notes = ("Carried by your heroes, in sight, or known to be at a site.",)
    headings = columns("Item", "Effect", "Where")
    yield Report("items", "Items", headings, tuple(rows), notes if context.reports_own_side else ())


def _item_place(context: PictureContext, item: Item) -> tuple[str, Place | None] | None:
    """Return the place of an item as text and as a tile; None if the viewer does not know it."""
    bearer, site = context.world.armies.get(item.holder), context.world.sites.get(item.holder)
    match item.where:
        case "carried" if bearer is not None:
            return (
                f"carried by {context.army_name(bearer)}, {context.where(bearer.at)}",
                bearer.at,
            )
        case "site" if site is not None:
            return f"hidden in {context.where((site.x, site.y))}", (site.x, site.y)
        case "ground" | "planted":
            word = "lies" if item.where == "ground" else "planted"
            return f"{word} at {context.where((item.x, item.y))}", (item.x, item.y)
        case "lost":
            return "lost", None
        case _:
            return None


def quests(context: PictureContext) -> Iterator[Report]:
    """Yield the report of quests."""
    rows = []
    for side in context.reported_sides:
        quest = context.world.sides[side].quest
        if quest is not None:
            text = context.quest_text(quest)
            done = f"{quest.done} of {quest.count}" if quest.count > 1 else "not yet"
            cells = (context.named(quest.hero), capital(text), done)
            rows.append(SideRow(side, cells, _quest_target(context, quest)))
    note = "What a quest brings is drawn when it is done: an item, a site, allies or gold."
    yield side_table(context, "quests", "Quests", ("Hero", "Task", "Done"), rows, (note,))


def _quest_target(context: PictureContext, quest: Quest) -> Place | None:
    """Return the tile that a quest leads to, or None if the viewer does not know it."""
    world = context.world
    if quest.kind in {"keep-city", "raze-city"}:
        return city_place(context, quest.target)
    if quest.kind == "kill-hero":
        army = world.armies.get(quest.target)
        return army.at if army is not None else None
    if quest.kind == "fetch-item" and (item := world.items.get(quest.target)) is not None:
        found = _item_place(context, item)
        return found[1] if found is not None else None
    foes = [army.at for army in world.armies.values() if _is_quest_target(quest, army)]
    return foes[0] if foes else None


def _is_quest_target(quest: Quest, army: Army) -> bool:
    if quest.side == NOBODY or army.owner != quest.side:
        return False
    return quest.kind == "kill-armies" or (quest.kind == "kill-type" and army.type == quest.target)


def sites(context: PictureContext) -> Iterator[Report]:
    """Yield the report of known sites."""
    rows = tuple(_site_row(context, site) for site in context.world.sites.values())
    searched = sum(known_as(site) == "searched" for site in context.world.sites.values())
    notes = (f"{len(rows)} known, {searched} of them searched.",)
    headings = columns("Site", "At", "What is known", "Kept by", ">Strength")
    yield Report("sites", "Sites", headings, rows, notes)


def _site_row(context: PictureContext, site: Site) -> ReportRow:
    at, known = (site.x, site.y), known_as(site)
    keeper = guardian_of(context.world, site.guardian)
    secret = UNKNOWN if known == "unknown" else ""
    cells = (
        site.name or "A site",
        spot(at),
        site_text(site, "there"),
        keeper.name if keeper is not None else secret,
        keeper.strength if keeper is not None else secret,
    )
    return ReportRow(cells, Tone.QUIET if known == "searched" else Tone.NORMAL, at)


def army_lines(context: PictureContext) -> Iterator[Line]:
    """Yield the viewer's armies by type and those in transit, as lines of the summary."""
    if context.own_armies:
        text = f"Armies: {context.company(context.own_armies)}"
        yield context.say(text, "unit", context.viewer)
    for way in context.world.transits.values():
        if way.army.owner == context.viewer:
            text = f"{context.army_name(way.army)} march to"
            text += f" {context.city_name(way.target)} (round {way.due})"
            yield context.say(text, "vector", context.viewer)


def hero_lines(context: PictureContext) -> Iterator[Line]:
    """Yield the viewer's heroes with their items, and its quest, as lines of the summary."""
    side = context.own_side
    for hero in context.own_armies:
        if hero.hero is not None:
            rank = title(context.settings.heroes.levels, hero)
            carries = (
                joined([context.item_name(i) for i in items_of(context.world, hero.id)])
                or "nothing"
            )
            known = context.style.experience(context, hero)
            text = f"{context.army_name(hero)}, {rank}, {known} experience"
            text += f", {context.place(hero.at)}, carries {carries}"
            yield context.say(text, "level", side.id, at=hero.at)
    if side.quest is not None:
        text = f"Your quest: {context.quest_text(side.quest)}"
        yield context.say(text, "quest", side.id)
