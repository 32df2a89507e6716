"""Where a group might go, what that is worth and what it costs to get there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kit.grid import Place
from engine.strategic.bot.situation import Situation, apart
from engine.strategic.bot.temper import Temper
from engine.strategic.moving import costs, groups, ports
from engine.strategic.moving.groups import Mode, Mover
from engine.strategic.moving.routes import DIRECTIONS, UNREACHED, Field, Request, field
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.world import armies_at, is_on_map

WINDOW = 45
"""Tiles around a group in which ways are looked for."""

_DEEP = 4
"""At most so many goals are looked at closely, the best first."""


class Goal(NamedTuple):
    """A tile to go to, what it is worth less the way, and the points of the way."""

    worth: int
    at: Place
    cost: int
    fight: bool


class Ways:
    """What a group's ways to all tiles around cost."""

    def __init__(self, here: Situation, armies: tuple[Army, ...], who: Mover) -> None:
        """Of the armies of a tile that move like ``who``."""
        self._here = here
        self._who = who
        self._start = armies[0].at
        request = Request(who, self._start, self._start, WINDOW, wary=here.fog)
        self._field: Field | None = field(here.view, here.book, request)

    def cost(self, at: Place) -> int | None:
        """The points to a tile; for one that others hold, to the best tile beside it and 1 more."""
        grid = self._field
        if grid is None or not grid.has(at):
            return None
        if grid.at(at) < UNREACHED:
            return grid.at(at) - 1
        world, book = self._here.view, self._here.book
        if not costs.entry(world, book, self._who, at):
            return None
        beside = ((at[0] + dx, at[1] + dy) for dx, dy in DIRECTIONS)
        reached = [
            grid.at(near)
            for near in beside
            if is_on_map(world, near)
            and grid.has(near)
            and grid.at(near) < UNREACHED
            and costs.links(world, book, self._who, near, at)
        ]
        return min(reached) if reached else None

    def nearest(self, wanted: npt.NDArray[np.bool_]) -> Place | None:
        """The wanted tile (of shape (height, width)) that is cheapest to get to."""
        grid = self._field
        if grid is None:
            return None
        height, width = grid.grid.shape
        window = wanted[grid.top : grid.top + height, grid.left : grid.left + width]
        open_ones = np.where(window, grid.grid, UNREACHED)
        row, column = np.unravel_index(int(open_ones.argmin()), open_ones.shape)
        if open_ones[row, column] >= UNREACHED:
            return None
        return int(column) + grid.left, int(row) + grid.top


def goals(
    here: Situation,
    temper: Temper,
    armies: tuple[Army, ...],
    ways: Ways,
    shift: Callable[[Place], int],
) -> list[Goal]:
    """Goals of a group that it can get to, the best first. Rules: W2-14.

    ``shift`` changes what a goal is worth.
    """
    start = armies[0].at
    rough = [
        (worth - apart(start, at) + shift(at), at, fight)
        for worth, at, fight in _wishes(here, temper, armies)
    ]
    rough.sort(key=lambda wish: (-wish[0], wish[1]))
    found = []
    for worth, at, fight in rough[: _DEEP * 4]:
        cost = ways.cost(at)
        if cost is not None:
            found.append(Goal(worth + apart(start, at) - cost // 2, at, cost, fight))
        if len(found) >= _DEEP * 2:
            break
    found.sort(key=lambda goal: (-goal.worth, goal.at))
    return found[:_DEEP]


def _wishes(
    here: Situation, temper: Temper, armies: tuple[Army, ...]
) -> Iterator[tuple[int, Place, bool]]:
    """What there is to want: worth, tile, and whether somebody must be fought for it."""
    start = armies[0].at
    for city in here.prey:
        at = min(city.tiles, key=lambda tile: (apart(start, tile), tile))
        owner = here.view.sides.get(city.owner) if city.owner != NOBODY else None
        capital = owner is not None and owner.capital == (city.x, city.y)
        yield 30 + city.income // 3 + 10 * capital, at, True
    for stack in here.foes:
        if apart(start, stack[0].at) <= 12:
            heroes = sum(army.hero is not None for army in stack)
            yield 14 + 3 * heroes + 2 * len(stack), stack[0].at, True
    if temper.searches and any(army.hero is not None for army in armies):
        for site in here.view.sites.values():
            if not site.searched and site.kind != "temple":
                yield 26 + 5 * site.rich, (site.x, site.y), False
        for item in here.view.items.values():
            if item.where == "ground":
                yield 30, (item.x, item.y), False


def embarkation(here: Situation, armies: tuple[Army, ...], who: Mover) -> Place | None:
    """The nearest water tile where a group on land can go aboard. Rules: W2-6.6."""
    if who.mode is not Mode.GROUND:
        return None
    world, rules = here.view, here.book.moving
    docks = ports.docks(world, rules)
    wet = ports.one_of(world.terrain.cells, rules.water)
    quays = (docks & ~wet & costs.around(wet)) | (~wet & costs.around(wet & docks))
    quay = Ways(here, armies, who).nearest(quays)
    if quay is None:
        return None
    beside = ((quay[0] + dx, quay[1] + dy) for dx, dy in DIRECTIONS)
    open_water = [
        at
        for at in beside
        if is_on_map(world, at)
        and wet[at[1], at[0]]
        and costs.links(world, here.book, who, quay, at)
        and not armies_at(world, at)
    ]
    return min(open_water, default=None)


def mover_of(here: Situation, armies: tuple[Army, ...]) -> Mover | None:
    """How a group moves; None: not together."""
    return groups.mover(here.view, here.book.moving, armies)
