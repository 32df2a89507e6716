"""Musters: bands from several tiles meet beside a city and attack it together, a hero among them.

Armies that attack as one stack share the support of the best of them, and the wounds that they deal
last for the whole battle: so they win where the same armies one after the other would not. Who
comes has a way with a price that includes zones of control, and a point left to attack with.

Rules: W2-14.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.kit.grid import Place
from engine.strategic import costs as groups
from engine.strategic import routes
from engine.strategic.bot import ways
from engine.strategic.bot.bands import Band
from engine.strategic.bot.force import worth
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import AnyCommand, Walk
from engine.strategic.costs import Mode
from engine.strategic.pieces import STACK, Army, City
from engine.strategic.world import armies_at

_HOSTS: Final = 2
"""Bands whose way is tried as the one to meet on."""


class Comer(NamedTuple):
    """Armies of one tile and their way to where a muster meets; no way: they are there."""

    armies: tuple[Army, ...]
    path: tuple[Place, ...]


class Muster(NamedTuple):
    """Armies that meet beside a city to attack one of its tiles."""

    at: Place
    comers: tuple[Comer, ...]

    @property
    def armies(self) -> tuple[Army, ...]:
        """All of them by number."""
        found = (army for comer in self.comers for army in comer.armies)
        return tuple(sorted(found, key=lambda army: army.id))

    def orders(self) -> Iterator[AnyCommand]:
        """The ways to the meeting place, and the attack."""
        for comer in self.comers:
            if comer.path:
                yield Walk(tuple(army.id for army in comer.armies), comer.path)
        yield Walk(tuple(army.id for army in self.armies), (self.at,))


def musters(here: Situation, city: City, near: Sequence[Band]) -> Iterator[Muster]:
    """The stacks that some bands can form to attack a city this turn, the strongest first."""
    left = list(near)
    while left:
        made = muster(here, city, left)
        if made is None:
            return
        yield made
        gone = {army.id for army in made.armies}
        left = [band for band in left if not gone & set(band.ids)]


def muster(here: Situation, city: City, near: Sequence[Band]) -> Muster | None:
    """The strongest stack that some bands can form to attack a city this turn; None: none can."""
    hosts = sorted(near, key=lambda band: (-_weight(band.armies), band.ids))[:_HOSTS]
    found = [made for host in hosts if (made := joined(here, city, host, near)) is not None]
    return max(found, key=lambda made: _weight(made.armies), default=None)


def joined(here: Situation, city: City, host: Band, others: Iterable[Band]) -> Muster | None:
    """The stack that forms on the way of a band to a city; None: it cannot attack from there."""
    if host.who.mode is Mode.WATER:
        return None
    course = ways.course(here, host, city.tiles)
    if course.barred is not None or not course.path or course.path[-1] not in city.tiles:
        return None
    stage = course.path[-2] if len(course.path) > 1 else host.at
    staying = {army.id for army in armies_at(here.after, stage)}
    comer = _comer(here, host, stage)
    first = None if comer is None else _fitting(here, comer, (), STACK - len(staying))
    if first is None:
        return None
    comers, gone = [first], {army.id for army in first.armies}
    for band in sorted(others, key=lambda band: (_is_plain(band), -_weight(band.armies), band.ids)):
        room = STACK - len(gone | staying)
        if not gone & set(band.ids) and (room > 0 or band.at == stage):
            comer = _comer(here, band, stage)
            fitting = None if comer is None else _fitting(here, comer, comers, room)
            if fitting is not None:
                comers.append(fitting)
                gone |= {army.id for army in fitting.armies}
    return Muster(course.path[-1], tuple(comers))


def _is_plain(band: Band) -> bool:
    return all(army.hero is None for army in band.armies)


def _weight(armies: Iterable[Army]) -> float:
    return sum(map(worth, armies))


def _comer(here: Situation, band: Band, stage: Place) -> Comer | None:
    """The armies of a band that get to a tile with a point to spare; None: there are none."""
    if band.who.mode is Mode.WATER:
        return None
    if band.at == stage:
        return Comer(band.armies, ())
    human = here.me.human
    route = routes.plan(here.after, here.book, here.side, band.armies, stage, human=human)
    if route is None or route.attack or route.coast:
        return None
    able = tuple(army for army in band.armies if army.points > route.cost)
    return Comer(able, route.path) if able else None


def _fitting(here: Situation, comer: Comer, comers: Sequence[Comer], room: int) -> Comer | None:
    """As many of those who come as find room and can go with the others, the best of them."""
    present = tuple(army for one in comers for army in one.armies)
    free = STACK - len(present)
    best = sorted(comer.armies, key=lambda army: (-worth(army), army.id))
    best = best[: min(max(0, room), free) if comer.path else free]
    if not best or groups.mover(here.after, here.book.moving, (*present, *best)) is None:
        return None
    return comer._replace(armies=tuple(sorted(best, key=lambda army: army.id)))
