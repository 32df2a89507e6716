"""Orders to go somewhere: the part of a way that this turn's points pay for."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from engine.kit.grid import Place
from engine.strategic.bot.atlas import Tiles
from engine.strategic.bot.bands import Band
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import AnyCommand, Walk
from engine.strategic.moving.advancing import gets_on
from engine.strategic.moving.routes import plan
from engine.strategic.world import armies_at, city_at


class Course(NamedTuple):
    """The tiles of a way for this turn; ``barred`` is one that others hold and that is no goal."""

    path: Tiles
    barred: Place | None = None


def course(here: Situation, band: Band, goal: Tiles) -> Course:
    """How far a band gets this turn on the way to one of some tiles, if all goes well."""
    atlas, at, left = here.atlas(band.who), band.at, band.points
    path: list[Place] = []
    while left > 0 and at not in goal:
        step = atlas.step(at, goal)
        if step is None:
            break
        if _is_held(here, step.at):
            if step.at not in goal:
                return Course(tuple(path), step.at)
            path.append(step.at)
            break
        price = step.price
        if step.coast:
            path.append(step.at)
            break
        if price > left:
            break
        left, at = left - price, step.at
        path.append(at)
    return Course(tuple(path))


def order(here: Situation, band: Band, goal: Tiles) -> AnyCommand | None:
    """The order that brings a band nearer to one of some tiles; None: it cannot go now."""
    found = course(here, band, goal)
    if found.barred is not None:
        return march(here, band, goal[0])
    if found.path and gets_on(here.view, here.book, band.who, band.armies, found.path):
        return Walk(band.ids, found.path)
    return None


def march(here: Situation, band: Band, at: Place) -> AnyCommand | None:
    """The order to go round whoever is in the way; None: there is no way, or not now."""
    human = here.me.human
    route = plan(here.view, here.book, here.side, band.armies, at, human=human)
    if route is None:
        return None
    paid = tuple(accumulate(route.costs))
    path = tuple(tile for tile, spent in zip(route.path, paid, strict=True) if spent <= band.points)
    if not path or not gets_on(here.view, here.book, band.who, band.armies, path):
        return None
    return Walk(band.ids, path)


def _is_held(here: Situation, at: Place) -> bool:
    """Whether others hold a tile, as far as is seen."""
    city, stack = city_at(here.view, at), armies_at(here.view, at)
    foreign = city is not None and city.owner != here.side
    return foreign or bool(stack and stack[0].owner != here.side)
