"""Marches: reach and routes of a group as clients draw them, and the events of moving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.core.record import replace
from engine.kit.grid import Place
from engine.kit.memo import recent, recent_each
from engine.strategic import events as ev
from engine.strategic.heroes import items
from engine.strategic.moving import groups
from engine.strategic.moving import reach as reaching
from engine.strategic.moving.outlook import Outlook
from engine.strategic.moving.reach import Reach
from engine.strategic.moving.routes import Route
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.style import Topic
from engine.strategic.picture.words import company, many, mood, say, side_name, where
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.world import city_at
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

# -- reach and routes ------------------------------------------------------------------------------


_MOST_TURNS: Final = 60
"""Ways that take longer are not drawn to their end."""


class WayStop(NamedTuple):
    """A tile of a way: what it costs to come here, and in which turn from now on (0: this one)."""

    at: Place
    cost: int
    turn: int


def reach_of(scene: PictureContext, group: tuple[Army, ...]) -> Reach:
    """How far a group gets in this turn, and whom it can attack. Rules: W2-6.2, W2-6.4."""
    return _reached(scene, group)


@recent_each
def _reached(scene: PictureContext, group: tuple[Army, ...]) -> Reach:
    return reaching.reach(scene.world, scene.book, group[0].owner, group)


def way_to(scene: PictureContext, group: tuple[Army, ...], to: Place) -> tuple[WayStop, ...]:
    """The way that a march to a tile would take, empty if there is none. Rules: W2-5.3, W2-6.4."""
    found = _route_to(scene, group, to)
    return tuple(_stops(scene, group, found)) if found is not None else ()


def _route_to(scene: PictureContext, group: tuple[Army, ...], to: Place) -> Route | None:
    """The same as the rules have it."""
    return _routed(scene, (group, to)) if group else None


def prepare_ways(scene: PictureContext, group: tuple[Army, ...]) -> None:
    """Find out now what all ways of a group need, so that the first one comes as quickly as any."""
    _outlook(scene, group)


@recent_each
def _routed(scene: PictureContext, key: tuple[tuple[Army, ...], Place]) -> Route | None:
    group, to = key
    return _outlook(scene, group).way(to)


def _outlook(scene: PictureContext, group: tuple[Army, ...]) -> Outlook:
    """Where a group gets. That of one group is kept: one is held at a time, and it is large."""
    kept = _outlooks(scene)
    found = kept.get(group)
    if found is None:
        side = group[0].owner
        row = scene.world.sides.get(side)
        human = row is None or row.human
        found = Outlook(scene.world, scene.book, side, group, human=human)
        kept.clear()
        kept[group] = found
    return found


@recent
def _outlooks(_scene: PictureContext) -> dict[tuple[Army, ...], Outlook]:
    return {}


def _stops(scene: PictureContext, group: tuple[Army, ...], found: Route) -> Iterator[WayStop]:
    """The turns of a way: who cannot pay a step waits for the next one. Rules: W2-6.2, W2-6.3."""
    left, spent, turn = groups.points(group), 0, 0
    for at, cost in zip(found.path, found.costs, strict=True):
        needed = 1 if found.attack and at == found.path[-1] else cost
        while left < needed and turn < _MOST_TURNS:
            turn, left = turn + 1, _points_next_turn(scene, group, left)
        left = max(0, left - cost)
        spent += cost
        yield WayStop(at, spent, turn)


def _points_next_turn(scene: PictureContext, group: tuple[Army, ...], left: int) -> int:
    """What a group that has so many points left can spend in the next turn. Rules: W2-6.3."""
    quick = sum(
        army.hero is not None and items.speed(scene.world, army.id) > 0
        for army in scene.stacks.get(group[0].at, group)
    )
    return min(scene.book.turns.refill(replace(army, points=left), quick) for army in group)


# -- events ----------------------------------------------------------------------------------------


def known_armies(scene: PictureContext, armies: tuple[int, ...]) -> tuple[Army, ...]:
    """Those of some armies that are known."""
    rows = scene.world.armies
    return tuple(rows[army] for army in armies if army in rows)


def moved(scene: PictureContext, event: ev.GroupMoved) -> Iterator[Line]:
    """A march as far as it was seen. Rules: W2-6.4, W2-6.6."""
    group = known_armies(scene, event.armies)
    owner = group[0].owner if group else scene.world.current
    who = company(scene, group) if group else many(len(event.armies), "army", "armies")
    if not event.path:
        text = f"{who} of {side_name(scene, owner)} went out of sight"
        yield say(scene, text, "march", owner, tone=Tone.QUIET)
        return
    at = event.path[-1]
    text = f"{who} of {side_name(scene, owner)} went to {where(scene, at)}"
    if any(event.aboard):
        text += ", aboard"
    if owner == scene.viewer:
        text += f", {many(min(event.points), 'point')} left"
    topic: Topic = "aboard" if any(event.aboard) else "march"
    way = f"way of {event.armies[0]}"
    yield say(scene, text, topic, owner, at=at, tone=Tone.QUIET, group=way)


def stopped(scene: PictureContext, event: ev.MarchStopped) -> Iterator[Line]:
    """Rules: W2-6.4."""
    group, at = known_armies(scene, event.armies), event.before
    owner = group[0].owner if group else scene.world.current
    foes = scene.stacks.get(at, ())
    if foes and foes[0].owner != owner:
        why = f"{company(scene, foes)} of {side_name(scene, foes[0].owner)} bar the way"
    elif city_at(scene.world, at) is not None:
        why = f"{where(scene, at)} bars the way"
    else:
        why = "the way is barred"
    text = f"{company(scene, group)} stopped before {where(scene, at)}: {why}"
    yield say(scene, text, "march", owner, at=at, tone=Tone.STRONG)


def aimed(scene: PictureContext, event: ev.GoalSet) -> Iterator[Line]:
    """Rules: W2-6.5."""
    group = known_armies(scene, event.armies)
    if not group:
        return
    who, owner = company(scene, group), group[0].owner
    if event.flag:
        text = f"{who} are to go to the rally flag"
    elif event.to is not None:
        text = f"{who} are on the way to {where(scene, event.to)}"
    else:
        text = f"{who} have no goal any more"
    yield say(scene, text, "goal", owner, at=event.to or group[0].at, tone=Tone.QUIET)


def defended(scene: PictureContext, event: ev.DefendSet) -> Iterator[Line]:
    """Rules: W2-6.7."""
    group = known_armies(scene, event.armies)
    if group:
        does = "defend where they stand" if event.on else "do not defend any more"
        text = f"{company(scene, group)} {does}"
        yield say(scene, text, "tower", group[0].owner, at=group[0].at, tone=Tone.QUIET)


def found(scene: PictureContext, event: ev.TilesFound) -> Iterator[Line]:
    """Rules: W2-11."""
    text = f"{many(len(event.tiles), 'new tile')} discovered"
    place = event.tiles[0] % scene.world.width, event.tiles[0] // scene.world.width
    yield say(scene, text, "fog", event.side, at=place, tone=Tone.QUIET, group="discovered")


def lifted(scene: PictureContext, _event: ev.FogLifted) -> Iterator[Line]:
    """Rules: W2-11."""
    text = "Every side knows every city: nothing is hidden any more"
    yield say(scene, text, "fog", tone=Tone.STRONG)


def towers_built(scene: PictureContext, event: ev.TowersBuilt) -> Iterator[Line]:
    """Rules: W2-6.7."""
    for tower in event.towers:
        text = f"{side_name(scene, tower.owner)} built a tower at {tower.x},{tower.y}"
        at = tower.x, tower.y
        yield say(scene, text, "tower", tower.owner, at=at, tone=mood(scene, tower.owner))


def towers_fell(scene: PictureContext, event: ev.TowersFell) -> Iterator[Line]:
    """Rules: W2-6.7."""
    width = scene.world.width
    for number in event.towers:
        at = number % width, number // width
        text = f"The tower at {at[0]},{at[1]} is gone"
        yield say(scene, text, "tower", NOBODY, at=at, tone=Tone.QUIET)
