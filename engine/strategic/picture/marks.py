"""What is laid over the map for the cursor: what can move, where to, what an attack comes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.kit.grid import Place
from engine.kit.memo import recent, recent_each
from engine.strategic.picture import panel, ways, weighing
from engine.strategic.picture.holding import (
    enemy_of,
    held,
    hint,
    is_attack,
    is_betrayal,
    is_weighed,
)
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import many, note, side_name
from engine.strategic.pieces import NONE, TO_FLAG, Army, City
from engine.strategic.world import city_at
from engine.tabletop.board import Line, Mark, Overlay
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Sign, Tone

_DEAREST: Final = 99
"""Higher prices do not fit on a tile."""


def overlay(scene: Scene, focus: Focus) -> Overlay:
    """Marks and panel for a focus. Rules: W2-6.4, W2-8.3, W2-9.5."""
    at, group = (focus.x, focus.y), held(scene, focus)
    if group:
        ways.prepare(scene, group)
        percent = ""
        if is_weighed(scene, at):
            percent = weighing.told(weighing.weigh(scene, group, at))
        lines = (*panel.tile(scene, at), *_sending(scene, group, at))
        rest = (line for line in panel.panel(scene, at) if line not in lines)
        marks = (*_of_group(scene, group), *_way(scene, group, at))
        return Overlay(marks, (*lines, *rest), hint(scene, focus, percent))
    return Overlay(_free(scene, at), tuple(panel.panel(scene, at)), hint(scene, focus))


# -- nothing is held -------------------------------------------------------------------------------


def _free(scene: Scene, at: Place) -> tuple[Mark, ...]:
    """What can still move; on an own city also where its armies go, and where from they come."""
    city = city_at(scene.world, at)
    if city is None or city.owner != scene.viewer:
        return idle_marks(scene)
    lines = _vectors(scene, city.id)
    return (*idle_marks(scene), *lines) if lines else idle_marks(scene)


@recent
def idle_marks(scene: Scene) -> tuple[Mark, ...]:
    """The stacks that can still move; the same marks as long as the view is the same."""
    return tuple(Mark(x, y, Sign.IDLE) for x, y in idle(scene))


@recent
def idle(scene: Scene) -> tuple[Place, ...]:
    """Where own armies can still move: who defends, or has a goal, is not waiting."""
    return tuple(
        at
        for at, group in scene.movers.items()
        if any(not a.defends and a.goal is None and not a.to_flag for a in group)
    )


@recent_each
def _vectors(scene: Scene, number: int) -> tuple[Mark, ...]:
    """Lines from a city to where its armies go, and from cities that send to it. Rules: W2-9.5."""
    city = scene.world.cities[number]
    return (
        *vector_line(scene, city),
        *(
            mark
            for other in scene.own_cities
            if other.vector == number
            for mark in vector_line(scene, other)
        ),
    )


def vector_line(scene: Scene, city: City) -> Iterator[Mark]:
    """The line to where a city's armies go."""
    target = vector_end(scene, city)
    if target is None:
        return
    (x1, y1), (x2, y2) = (city.x, city.y), target
    steps = max(abs(x2 - x1), abs(y2 - y1))
    for step in range(1, steps):
        x = x1 + (2 * step * (x2 - x1) + steps) // (2 * steps)
        y = y1 + (2 * step * (y2 - y1) + steps) // (2 * steps)
        yield Mark(x, y, Sign.PATH, ":")
    yield Mark(x2, y2, Sign.TARGET)


def vector_end(scene: Scene, city: City) -> Place | None:
    """Where a city's armies go."""
    if city.vector == TO_FLAG:
        row = scene.world.sides.get(city.owner)
        return row.flag if row is not None else None
    target = scene.world.cities.get(city.vector) if city.vector != NONE else None
    return (target.x, target.y) if target is not None else None


# -- a group is held -------------------------------------------------------------------------------


def _of_group(scene: Scene, group: tuple[Army, ...]) -> tuple[Mark, ...]:
    return _reach_marks(scene, tuple(army.id for army in group))


@recent_each
def _reach_marks(scene: Scene, ids: tuple[int, ...]) -> tuple[Mark, ...]:
    """Where a group can get in this turn, and whom it can attack with what chance."""
    group = tuple(scene.world.armies[army] for army in ids)
    found = ways.reach(scene, group)
    marks = [Mark(*at, Sign.REACH, price(cost)) for at, cost in found.stops.items()]
    told = _told_at(scene, found.targets)
    for at in found.targets:
        forecast = weighing.weigh(scene, group, at) if at in told else None
        odds = weighing.percent(forecast) if forecast is not None else ""
        short = weighing.short(forecast) if forecast is not None else ""
        marks.append(Mark(*at, Sign.TARGET, odds, short=short))
    marks.append(Mark(*group[0].at, Sign.HELD))
    return tuple(marks)


def _told_at(scene: Scene, targets: Iterable[Place]) -> frozenset[Place]:
    """The targets at which a chance is written: one tile of each city, the others alone."""
    found: dict[int | Place, Place] = {}
    for at in sorted(targets, key=lambda at: at[::-1]):
        city = city_at(scene.world, at)
        found[at if city is None else city.id] = at
    return frozenset(found.values())


def price(cost: int) -> str:
    """A price in at most two characters."""
    return str(cost) if cost <= _DEAREST else "++"


def _way(scene: Scene, group: tuple[Army, ...], at: Place) -> tuple[Mark, ...]:
    """The way to the cursor, tile by tile, with the turns it takes."""
    if at == group[0].at:
        return ()
    stops = ways.way(scene, group, at)
    return tuple(
        Mark(*stop.at, Sign.PATH, str(stop.turn + 1) if stop.turn else "", stop.turn)
        for stop in stops
        if stop.at != at or not is_attack(scene, at)
    )


def way_marks(scene: Scene, group: tuple[Army, ...], at: Place) -> tuple[Mark, ...]:
    """The way to a tile with what it costs so far."""
    stops = ways.way(scene, group, at)
    return tuple(Mark(*stop.at, Sign.PATH, price(stop.cost), stop.turn) for stop in stops)


def _sending(scene: Scene, group: tuple[Army, ...], at: Place) -> Iterator[Line]:
    """Who is held, and what going to the cursor means. Rules: W2-6.2, W2-12.3."""
    side, start = scene.viewer, group[0].at
    points = min(army.points for army in group)
    text = f"Held: {many(len(group), 'army', 'armies')}, {many(points, 'point')}"
    yield note(scene, text, "group", side, at=start, tone=Tone.STRONG)
    if at == start:
        return
    if is_weighed(scene, at):
        if is_betrayal(scene, at):
            text = f"Treaty with {side_name(scene, enemy_of(scene, at))}"
            yield note(scene, text, "betrayal", side, at=at, tone=Tone.BAD)
        yield from weighing.lines(scene, group, at)
    stops = ways.way(scene, group, at)
    if not stops:
        yield note(scene, "No way leads there", "way", side, at=at, tone=Tone.BAD)
        return
    last = stops[-1]
    when = f", {many(last.turn + 1, 'turn')}" if last.turn else ""
    yield note(scene, f"Way: {many(last.cost, 'point')}{when}", "way", side, at=at)
