"""Marches: reach and routes of a group as clients draw them, and the events of moving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.core.record import replace
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_cache, keyed_identity_cache
from engine.strategic import crossings, turns
from engine.strategic import events as ev
from engine.strategic import reach as reaching
from engine.strategic.arrivals import crossed
from engine.strategic.path_cache import PathCache
from engine.strategic.picture.context import PictureContext, facts, tells
from engine.strategic.picture.words import seat_of, verb
from engine.strategic.pieces import NOBODY, STACK, Army
from engine.strategic.reach import Reach
from engine.strategic.refusal import Topic
from engine.strategic.routes import Route
from engine.strategic.world import city_at
from engine.tabletop.board import Line
from engine.tabletop.english import many
from engine.tabletop.fact import Fact
from engine.tabletop.narration import mood
from engine.tabletop.roles import Tone

# -- reach and routes ------------------------------------------------------------------------------

_MOST_TURNS: Final = 60
"""Maximum number of turns for which a route is followed."""


class WayStop(NamedTuple):
    """Tile of a route, the total cost up to it, and its turn counted from now (0: this turn)."""

    at: Place
    cost: int
    turn: int


@keyed_identity_cache
def reach_of(context: PictureContext, group: tuple[Army, ...]) -> Reach:
    """Return the tiles that a group can reach in this turn and the targets it can attack."""
    return reaching.reach(context.world, context.settings, group[0].owner, group)


def way_to(context: PictureContext, group: tuple[Army, ...], to: Place) -> tuple[WayStop, ...]:
    """Return the route of a march to a tile; empty if no route leads there."""
    return tuple(_stops(context, group, _legs_to(context, (group, to)))) if group else ()


def legs_to(context: PictureContext, group: tuple[Army, ...], to: Place) -> tuple[Route, ...]:
    """Return the legs of the route of a march to a tile; empty if no route leads there."""
    return _legs_to(context, (group, to))


def prepare_ways(context: PictureContext, group: tuple[Army, ...]) -> None:
    """Compute the shared part of all routes of a group, so that the first query is fast too."""
    _outlook(context, group)


@keyed_identity_cache
def _legs_to(context: PictureContext, key: tuple[tuple[Army, ...], Place]) -> tuple[Route, ...]:
    (group, to), world, settings = key, context.world, context.settings
    found = _outlook(context, group).way(to)
    if found is not None:
        return (reaching.in_time(world, settings, group, found),)
    return crossings.legs(world, settings, group[0].owner, group, to)


def _outlook(context: PictureContext, group: tuple[Army, ...]) -> PathCache:
    """Return the cached paths of a group. Only the last group's are kept: they are large."""
    kept = _outlooks(context)
    found = kept.get(group)
    if found is None:
        side = group[0].owner
        row = context.world.sides.get(side)
        human = row is None or row.human
        found = PathCache(context.world, context.settings, side, group, human=human)
        kept.clear()
        kept[group] = found
    return found


@identity_cache
def _outlooks(_context: PictureContext) -> dict[tuple[Army, ...], PathCache]:
    return {}


def _stops(
    context: PictureContext, group: tuple[Army, ...], legs: tuple[Route, ...]
) -> Iterator[WayStop]:
    """Yield the stops of a route's legs; a group that cannot pay a step waits for the next turn.

    It waits on the last tile with room for it. After each leg it has no points left.
    """
    turn = spent = 0
    resting, left = group, tuple(army.points for army in group)
    for number, leg in enumerate(legs):
        turns, walked, rested = [_MOST_TURNS] * len(leg.path), 0, (0, left)
        while walked < len(leg.path) and turn < _MOST_TURNS:
            at, cost = leg.path[walked], leg.costs[walked]
            if min(left) >= (leg.needs if leg.attack and at == leg.path[-1] else cost):
                left = _left(context, group, left, at, cost)
                turns[walked], walked = turn, walked + 1
                rested = (walked, left) if has_room(context, group, at) else rested
            else:
                turn, walked = turn + 1, rested[0]
                if walked:
                    resting = tuple(
                        replace(army, x=leg.path[walked - 1][0], y=leg.path[walked - 1][1])
                        for army in resting
                    )
                left = _points_next_turn(context, resting, rested[1])
                rested = walked, left
        for at, cost, reached in zip(leg.path, leg.costs, turns, strict=True):
            spent += cost
            yield WayStop(at, spent, reached)
        if number + 1 < len(legs):
            resting = tuple(crossed(context.world, army, leg.path[-1]) for army in resting)
            left = (0,) * len(group)


def _left(
    context: PictureContext, group: tuple[Army, ...], left: tuple[int, ...], at: Place, cost: int
) -> tuple[int, ...]:
    """Return the points of each member after a step onto a tile."""
    pays = context.settings.moving.member_price
    if pays is None:
        return tuple(max(0, points - cost) for points in left)
    ground = context.world.terrain[at[1], at[0]]
    rows = zip(group, left, strict=True)
    return tuple(max(0, points - pays(context.world, army, ground, cost)) for army, points in rows)


def has_room(context: PictureContext, group: tuple[Army, ...], at: Place) -> bool:
    """Return whether a group can stop on a tile beside the armies that the viewer sees there."""
    return len({*context.stacks.get(at, ()), *group}) <= STACK


def _points_next_turn(
    context: PictureContext, group: tuple[Army, ...], left: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the points of each member in the next turn if ``left`` of this turn's are left."""
    staying = context.stacks.get(group[0].at, ())
    ids = {army.id for army in group}
    stack = (*group, *(army for army in staying if army.id not in ids))
    quick = sum(turns.speed_of(context.world, context.settings, army) for army in stack)
    refill = context.settings.turns.refill
    rows = zip(group, left, strict=True)
    return tuple(refill(replace(army, points=points), quick) for army, points in rows)


# -- events ----------------------------------------------------------------------------------------


def known_armies(context: PictureContext, armies: tuple[int, ...]) -> tuple[Army, ...]:
    """Return those of the armies that the viewer knows."""
    rows = context.world.armies
    return tuple(rows[army] for army in armies if army in rows)


@tells(ev.GroupMoved)
def _tell_moved(event: ev.GroupMoved, context: PictureContext) -> Iterator[Line]:
    """Report a march as far as the viewer saw it."""
    group = known_armies(context, event.armies)
    owner = group[0].owner if group else context.world.current
    who = context.company(group) if group else many(len(event.armies), "army", "armies")
    who, alone = context.owned(who, owner), len(event.armies) == 1
    single = alone and (not group or verb(group, "one", "") == "one")
    if not event.path:
        text = f"{who} {'vanishes' if single else 'vanish'} from sight"
        yield context.say(text, "march", owner, tone=Tone.QUIET)
        return
    at = event.path[-1]
    goes = ("sails" if single else "sail") if any(event.aboard) else "moves" if single else "move"
    text = f"{who} {goes} {context.toward(at)}"
    if owner == context.viewer:
        text += f", {many(min(event.points), 'move')} left"
    topic: Topic = "aboard" if any(event.aboard) else "march"
    way = f"way of {event.armies[0]}"
    yield context.say(text, topic, owner, at=at, tone=Tone.QUIET, group=way)


@facts(ev.GroupMoved)
def _moved_facts(event: ev.GroupMoved, before: PictureContext, _: PictureContext) -> Iterator[Fact]:
    group = [before.world.armies[a] for a in event.armies if a in before.world.armies]
    if group and event.path and event.path[-1] != group[0].at:
        yield Fact(
            "move",
            seat_of(group[0].owner),
            at=event.path[-1],
            source=group[0].at,
            piece=before.company(group),
            amount=len(event.path),
            way=event.path,
        )


@tells(ev.MarchStopped)
def _tell_stopped(event: ev.MarchStopped, context: PictureContext) -> Iterator[Line]:
    group, at = known_armies(context, event.armies), event.before
    owner = group[0].owner if group else context.world.current
    foes = context.stacks.get(at, ())
    if foes and foes[0].owner != owner:
        bar = context.owned(context.company(foes), foes[0].owner)
        why = f": {bar} {verb(foes, 'bars', 'bar')} the way"
    else:
        why = "" if city_at(context.world, at) is not None else ": the way is barred"
    stops = verb(group, "stops", "stop") if group else "stop"
    text = f"{context.company(group)} {stops} before {context.where(at)}{why}"
    yield context.say(text, "march", owner, at=at, tone=Tone.STRONG)


@tells(ev.GoalSet)
def _tell_aimed(event: ev.GoalSet, context: PictureContext) -> Iterator[Line]:
    group = known_armies(context, event.armies)
    if not group:
        return
    who, owner = context.company(group), group[0].owner
    if event.flag:
        text = f"{who} {verb(group, 'heads', 'head')} for the rally flag"
    elif event.to is not None:
        text = f"{who} {verb(group, 'heads', 'head')} for {context.where(event.to)}"
    else:
        text = f"{who} {verb(group, 'awaits', 'await')} new orders"
    yield context.say(text, "goal", owner, at=event.to or group[0].at, tone=Tone.QUIET)


@tells(ev.DefendSet)
def _tell_defended(event: ev.DefendSet, context: PictureContext) -> Iterator[Line]:
    group = known_armies(context, event.armies)
    if group:
        holds = verb(group, "stands guard", "stand guard")
        if not event.on:
            holds = verb(group, "leaves its post", "leave their post")
        text = f"{context.company(group)} {holds}"
        yield context.say(text, "tower", group[0].owner, at=group[0].at, tone=Tone.QUIET)


@tells(ev.TilesFound)
def _tell_found(event: ev.TilesFound, context: PictureContext) -> Iterator[Line]:
    text = f"{many(len(event.tiles), 'new tile')} discovered"
    place = event.tiles[0] % context.world.width, event.tiles[0] // context.world.width
    yield context.say(text, "fog", event.side, at=place, tone=Tone.QUIET, group="discovered")


@tells(ev.FogLifted)
def _tell_lifted(_event: ev.FogLifted, context: PictureContext) -> Iterator[Line]:
    text = "The whole map is known to all now"
    yield context.say(text, "fog", tone=Tone.STRONG)


@tells(ev.TowersBuilt)
def _tell_towers_built(event: ev.TowersBuilt, context: PictureContext) -> Iterator[Line]:
    for tower in event.towers:
        at = tower.x, tower.y
        text = f"{context.side_name(tower.owner)} builds a tower {context.place(at)}"
        yield context.say(text, "tower", tower.owner, at=at, tone=mood(context, tower.owner))


@facts(ev.TowersBuilt)
def _towers_facts(event: ev.TowersBuilt, *_: PictureContext) -> Iterator[Fact]:
    for tower in event.towers:
        yield Fact("work", seat_of(tower.owner), at=(tower.x, tower.y), target="tower")


@tells(ev.TowersFell)
def _tell_towers_fell(event: ev.TowersFell, context: PictureContext) -> Iterator[Line]:
    width = context.world.width
    for number in event.towers:
        at = number % width, number // width
        text = f"The tower {context.place(at)} falls"
        yield context.say(text, "tower", NOBODY, at=at, tone=Tone.QUIET)
