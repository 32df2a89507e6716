"""Orders to go somewhere: the part of a way that this turn's points pay for."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.strategic import movement as advancing
from engine.strategic import movement as marching
from engine.strategic.bot.atlas import Tiles
from engine.strategic.bot.bands import Band
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import Walk
from engine.strategic.costs import is_held
from engine.strategic.routes import plan


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
        if is_held(here.view, here.side, step.at):
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


def order(here: Situation, band: Band, goal: Tiles) -> Walk | None:
    """The order that brings a band nearer to one of some tiles; None: it cannot go now."""
    found = course(here, band, goal)
    if found.barred is not None:
        return march(here, band, goal[0])
    return allowed(here, band, found.path)


def approach(here: Situation, band: Band, goal: Tiles) -> Walk | None:
    """The same, but the band stops beside who holds the goal and attacks nobody."""
    walk = order(here, band, goal)
    if walk is None or not strikes(here, band, walk):
        return walk
    return allowed(here, band, walk.path[:-1])


def march(here: Situation, band: Band, at: Place) -> Walk | None:
    """The order to go round whoever is in the way; None: there is no way, or not now."""
    human = here.me.human
    route = plan(here.view, here.book, here.side, band.armies, at, human=human)
    if route is None:
        return None
    paid = tuple(accumulate(route.costs))
    path = tuple(tile for tile, spent in zip(route.path, paid, strict=True) if spent <= band.points)
    return allowed(here, band, path)


def strikes(here: Situation, band: Band, walk: Walk) -> bool:
    """Whether a band attacks at the end of its way this turn, as far as is seen."""
    return advancing.strikes(here.after, here.book, band.who, band.armies, walk.path)


def allowed(here: Situation, band: Band, path: Tiles) -> Walk | None:
    """The order to go along a way; None: it would be refused, or would bring nobody anywhere.

    The rules judge it as they will judge the order, by what the side sees and has ordered so far.
    Treaties are kept.
    """
    walk = Walk(band.ids, path)
    try:
        marching.judged(here.after, here.book, here.side, walk)
    except Refused:
        return None
    gets_on = advancing.gets_on(here.after, here.book, band.who, band.armies, path, betray=False)
    return walk if gets_on else None
