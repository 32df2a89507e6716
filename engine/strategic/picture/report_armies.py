"""Reports of armies: by type, and where they stand outside cities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.kit.grid import Place
from engine.strategic.picture.report_rows import Entry, if_open, spread, table, whose
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import (
    army_name,
    city_name,
    company,
    many,
    type_name,
    where,
)
from engine.strategic.pieces import TO_FLAG, Army, Transit
from engine.strategic.world import armies_of, city_at
from engine.tabletop.report import Report


def armies(scene: Scene) -> Iterator[Report]:
    """How many of each type, and what they can and cost. Rules: W2-7, W2-9.5, W2-9.6."""
    headings = ("Type", ">Armies", ">Strength", ">Moves", ">Ready", ">Upkeep", ">At sea", ">Away")
    rows: list[Entry] = []
    count = 0
    for side in whose(scene):
        there = armies_of(scene.world, side)
        away = [way.army for way in scene.world.transits.values() if way.army.owner == side]
        count += len(there) + len(away)
        for kind in sorted({army.type for army in (*there, *away)}):
            here = [army for army in there if army.type == kind]
            gone = [army for army in away if army.type == kind]
            rows.append(_kind(scene, side, kind, here, gone))
    ways = "Ready: can still move. Away: off the map, on the way from city to city."
    notes = (f"{many(count, 'army', 'armies')}.", ways)
    yield table(scene, "armies", "Armies", headings, rows, notes)


def _kind(scene: Scene, side: int, kind: int, here: Sequence[Army], gone: Sequence[Army]) -> Entry:
    """The armies of a type: those on the map, and those that are away."""
    every = (*here, *gone)
    cells = (
        type_name(scene, kind),
        len(every),
        spread(army.strength for army in every),
        spread(army.max_move for army in every),
        if_open(scene, side, sum(army.points > 0 for army in here)),
        sum(scene.book.cities.upkeep(army) for army in here),
        sum(army.aboard for army in here),
        if_open(scene, side, len(gone)),
    )
    return Entry(side, cells, here[0].at if here else None)


# -- in the field ----------------------------------------------------------------------------------


def stacks(scene: Scene) -> Iterator[Report]:
    """Stacks outside cities, and armies on their way. Rules: W2-1.8, W2-6.5, W2-9.5."""
    headings = ("At", "Armies", ">Size", ">Strength", ">Moves", "Goes to")
    rows = [
        _stack(scene, at, stack)
        for side in whose(scene)
        for at, stack in sorted(scene.stacks.items(), key=lambda row: row[0][::-1])
        if stack[0].owner == side and city_at(scene.world, at) is None
    ]
    rows += [
        _away(scene, way) for way in scene.world.transits.values() if way.army.owner in whose(scene)
    ]
    note = "Outside cities, and sent from one to another; the report of cities counts garrisons."
    yield table(scene, "stacks", "Stacks", headings, rows, (note,))


def _stack(scene: Scene, at: Place, stack: Sequence[Army]) -> Entry:
    side = stack[0].owner
    cells = (
        where(scene, at),
        company(scene, stack),
        len(stack),
        sum(army.strength for army in stack),
        if_open(scene, side, min(army.points for army in stack)),
        if_open(scene, side, _goal(scene, stack)),
    )
    return Entry(side, cells, at)


def _goal(scene: Scene, stack: Sequence[Army]) -> str:
    """Where a stack is on the way to, or why it stays."""
    if any(army.to_flag for army in stack):
        return "the rally flag"
    goal = next((army.goal for army in stack if army.goal is not None), None)
    if goal is not None:
        return where(scene, goal)
    return "stays to defend" if all(army.defends for army in stack) else ""


def _away(scene: Scene, way: Transit) -> Entry:
    """An army that is off the map. Rules: W2-9.5."""
    army = way.army
    target = scene.world.cities.get(way.target)
    at = (target.x, target.y) if target is not None else None
    if way.target == TO_FLAG:
        at = scene.world.sides[army.owner].flag
    place = f"{city_name(scene, way.target)}, round {way.due}"
    return Entry(
        army.owner, ("off the map", army_name(scene, army), 1, army.strength, "", place), at
    )
