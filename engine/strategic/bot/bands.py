"""Who stays to guard a city, and who may go: the groups that a plan is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.kit.grid import Place
from engine.strategic import costs as groups
from engine.strategic.bot.force import chance, worth
from engine.strategic.bot.situation import Situation
from engine.strategic.bot.temper import Temper
from engine.strategic.costs import Mover
from engine.strategic.pieces import Army, City
from engine.strategic.world import armies_at

_LONELY: Final = 40
"""Points from foes' cities from which on a city may stand empty."""

_LOST: Final = 0.9
"""The chance of foes at which a city is given up."""


class Band(NamedTuple):
    """Armies on a tile that can go together, and their numbers.

    ``pace`` is what they can go in a later turn.
    """

    ids: tuple[int, ...]
    armies: tuple[Army, ...]
    at: Place
    who: Mover
    points: int
    pace: int

    def turns(self, cost: int) -> int:
        """In how many turns from now they get somewhere; 0: this turn."""
        return 0 if cost <= self.points else -(-(cost - self.points) // self.pace)


def band(here: Situation, armies: Iterable[Army]) -> Band | None:
    """Armies of a tile as a band; None: they cannot go together."""
    group = tuple(sorted(armies, key=lambda army: army.id))
    who = groups.mover(here.view, here.book.moving, group)
    if who is None:
        return None
    pace = max(1, min(army.max_move for army in group))
    ids = tuple(army.id for army in group)
    return Band(ids, group, group[0].at, who, groups.points(group), pace)


def bands(here: Situation, staying: frozenset[int]) -> list[Band]:
    """Everybody who may go and has points to."""
    found = []
    for stack in here.stacks:
        free = [army for army in stack if army.points > 0 and army.id not in staying]
        while free:
            made = band(here, free) or band(here, _alike(here, free))
            if made is None:
                break
            found.append(made)
            free = [army for army in free if army not in made.armies]
    return found


def _alike(here: Situation, free: list[Army]) -> list[Army]:
    """The part of some armies that can go with the first of them."""
    first = [free[0]]
    for army in free[1:]:
        if groups.mover(here.view, here.book.moving, (*first, army)) is not None:
            first.append(army)
    return first


def garrisons(here: Situation, temper: Temper) -> frozenset[int]:
    """The armies that stay in cities. Rules: W2-14.3."""
    return frozenset(army.id for city in here.cities for army in _garrison(here, temper, city))


def _garrison(here: Situation, temper: Temper, city: City) -> list[Army]:
    """Who stays in a city: as many as hold it against those who can come next turn."""
    inside = [army for at in city.tiles for army in armies_at(here.view, at)]
    present = [army for army in inside if army.hero is None] if temper.joins else inside
    present = present or inside
    present.sort(key=lambda army: (worth(army), army.id))
    least = max(temper.guard, int(_is_exposed(here, city)))
    coming = here.danger(city, 1)
    if not coming.size:
        return present[:least]
    risk = 1.0
    for count in range(1, len(present) + 1):
        risk = chance(coming, here.defenders(present[:count], city))
        if risk <= temper.hold + here.impatience / 2 and count >= least:
            return present[:count]
    return present if risk <= _LOST else present[:1]


def _is_exposed(here: Situation, city: City) -> bool:
    """Whether foes could come to a city soon."""
    return here.borders[city.id] <= _LONELY or bool(here.threats(city))
