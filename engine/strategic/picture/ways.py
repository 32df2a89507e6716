"""Where a group can go, as clients draw it: reach, ways with turns, what can be attacked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.core.record import replace
from engine.kit.grid import Place
from engine.kit.memo import recent, recent_each
from engine.strategic import costs as groups
from engine.strategic import item_records as items
from engine.strategic import reach as reaching
from engine.strategic.path_cache import PathCache as Outlook
from engine.strategic.picture.scene import Scene
from engine.strategic.pieces import Army
from engine.strategic.reach import Reach
from engine.strategic.routes import Route

_MOST_TURNS: Final = 60
"""Ways that take longer are not drawn to their end."""


class Stop(NamedTuple):
    """A tile of a way: what it costs to come here, and in which turn from now on (0: this one)."""

    at: Place
    cost: int
    turn: int


def reach(scene: Scene, group: tuple[Army, ...]) -> Reach:
    """How far a group gets in this turn, and whom it can attack. Rules: W2-6.2, W2-6.4."""
    return _reached(scene, group)


@recent_each
def _reached(scene: Scene, group: tuple[Army, ...]) -> Reach:
    return reaching.reach(scene.world, scene.book, group[0].owner, group)


def way(scene: Scene, group: tuple[Army, ...], to: Place) -> tuple[Stop, ...]:
    """The way that a march to a tile would take, empty if there is none. Rules: W2-5.3, W2-6.4."""
    found = route(scene, group, to)
    return tuple(_stops(scene, group, found)) if found is not None else ()


def route(scene: Scene, group: tuple[Army, ...], to: Place) -> Route | None:
    """The same as the rules have it."""
    return _routed(scene, (group, to)) if group else None


def prepare(scene: Scene, group: tuple[Army, ...]) -> None:
    """Find out now what all ways of a group need, so that the first one comes as quickly as any."""
    _outlook(scene, group)


@recent_each
def _routed(scene: Scene, key: tuple[tuple[Army, ...], Place]) -> Route | None:
    group, to = key
    return _outlook(scene, group).way(to)


def _outlook(scene: Scene, group: tuple[Army, ...]) -> Outlook:
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
def _outlooks(_scene: Scene) -> dict[tuple[Army, ...], Outlook]:
    return {}


def _stops(scene: Scene, group: tuple[Army, ...], found: Route) -> Iterator[Stop]:
    """The turns of a way: who cannot pay a step waits for the next one. Rules: W2-6.2, W2-6.3."""
    left, spent, turn = groups.points(group), 0, 0
    for at, cost in zip(found.path, found.costs, strict=True):
        needed = 1 if found.attack and at == found.path[-1] else cost
        while left < needed and turn < _MOST_TURNS:
            turn, left = turn + 1, rested(scene, group, left)
        left = max(0, left - cost)
        spent += cost
        yield Stop(at, spent, turn)


def rested(scene: Scene, group: tuple[Army, ...], left: int) -> int:
    """What a group that has so many points left can spend in the next turn. Rules: W2-6.3."""
    quick = sum(
        army.hero is not None and items.speed(scene.world, army.id) > 0
        for army in scene.stacks.get(group[0].at, group)
    )
    return min(scene.book.turns.refill(replace(army, points=left), quick) for army in group)
