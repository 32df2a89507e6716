"""Armies that can win nothing yet: to cities in need, to where armies gather.

Rules: W2-14.3, W2-14.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from engine.kit.grid import Place
from engine.strategic.bot import ways
from engine.strategic.bot.bands import Band, band
from engine.strategic.bot.force import chance, worth
from engine.strategic.bot.perils import is_rash
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import AnyCommand
from engine.strategic.pieces import STACK, Army, City
from engine.strategic.world import armies_at

_HOPE: Final = 0.35
"""The chance of foes from which on a city wants help."""


class Gathering:
    """Sends bands to cities and keeps count of the room there."""

    def __init__(self, here: Situation) -> None:
        """For a situation."""
        self.here = here
        self._crowd = Counter({stack[0].at: len(stack) for stack in here.stacks})

    def help(self, free: list[Band]) -> Iterator[AnyCommand]:
        """Bands go to cities that are likely to fall next turn; they are free no more."""
        needy = _needy(self.here)
        for one in tuple(free):
            for city in needy:
                inside = one.at in city.tiles
                if inside or self.here.atlas(one.who).cost(one.at, city.tiles) <= one.points:
                    free.remove(one)
                    yield from self.into(one, city)
                    break

    def into(self, one: Band, city: City) -> Iterator[AnyCommand]:
        """A band goes into a city, to the tile with the most that has room."""
        if one.at in city.tiles:
            return
        room = [at for at in city.tiles if self._crowd[at] < STACK]
        if not room:
            return
        count = len(one.armies)
        best = max(room, key=lambda at: (min(STACK, self._crowd[at] + count), self._crowd[at], at))
        fit = one.armies[: STACK - self._crowd[best]]
        going = one if len(fit) == count else band(self.here, fit)
        command = None if going is None else ways.order(self.here, going, (best,))
        if command is not None and not is_rash(self.here, command):
            self._crowd[best] += len(fit)
            yield command

    def regroup(self, city: City, free: list[Band]) -> Iterator[AnyCommand]:
        """The best of a city come together on one tile, where a hero is if there is one."""
        inside = [one for one in free if one.at in city.tiles]
        if len(inside) < 2:
            return
        main = max(inside, key=lambda one: (_lead(one), len(one.armies), one.ids)).at
        able = sorted(
            (army for one in inside for army in one.armies),
            key=lambda army: (army.hero is None, -worth(army), army.at != main, army.id),
        )
        bound = self._crowd[main] - sum(army.at == main for army in able)
        best = able[: STACK - bound]
        leaving = [army for army in able[STACK - bound :] if army.at == main]
        coming = [army for army in best if army.at != main]
        other = next(
            (at for at in city.tiles if at != main and self._crowd[at] + len(leaving) <= STACK),
            None,
        )
        if not coming or (leaving and other is None):
            return
        if leaving and other is not None:
            yield from self._shift(leaving, other)
        for at in city.tiles:
            yield from self._shift([army for army in coming if army.at == at], main)

    def _shift(self, armies: list[Army], to: Place) -> Iterator[AnyCommand]:
        """Armies of a tile go to another one of the same city."""
        going = band(self.here, armies) if armies else None
        command = None if going is None else ways.order(self.here, going, (to,))
        if going is not None and command is not None:
            self._crowd[going.at] -= len(armies)
            self._crowd[to] += len(armies)
            yield command


def _lead(one: Band) -> int:
    return max((army.strength for army in one.armies if army.hero is not None), default=0)


def _needy(here: Situation) -> list[City]:
    """Cities that are likely to fall next turn."""
    found = []
    for city in here.cities:
        coming = here.danger(city, 1)
        if not coming.size:
            continue
        present = [army for at in city.tiles for army in armies_at(here.view, at)]
        if chance(coming, here.defenders(present, city)) > _HOPE:
            found.append(city)
    return found
