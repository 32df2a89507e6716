"""What a computer player sees of the game, put together once for a plan."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.cities import economy
from engine.strategic.moving.sight import has_fog
from engine.strategic.pieces import NOBODY, Army, City
from engine.strategic.turns import diplomacy
from engine.strategic.world import World, armies_of, cities_of, stacks

NEAR: int = 14
"""Tiles from which armies threaten a city."""

Numbers = npt.NDArray[np.int64]


def apart(here: Place, there: Place) -> int:
    """Steps between two tiles on open ground."""
    return max(abs(here[0] - there[0]), abs(here[1] - there[1]))


class Situation:
    """A view with what a computer player reads out of it."""

    def __init__(self, view: World, book: Book, side: int) -> None:
        """``view`` is what ``side`` may know."""
        self.view = view
        self.book = book
        self.side = side
        self.me = view.sides[side]
        self.cities = cities_of(view, side)
        self.armies = armies_of(view, side)

    @cached_property
    def stacks(self) -> tuple[tuple[Army, ...], ...]:
        """One's own armies, tile by tile."""
        found = [s for s in stacks(self.view.armies).values() if s[0].owner == self.side]
        return tuple(sorted(found, key=lambda stack: stack[0].id))

    @cached_property
    def prey(self) -> tuple[City, ...]:
        """Cities that may be attacked."""
        return tuple(
            city
            for city in self.view.cities.values()
            if city.owner != self.side
            and not city.razed
            and diplomacy.may_attack(self.view, self.book, self.side, (city.x, city.y))
        )

    @cached_property
    def foes(self) -> tuple[tuple[Army, ...], ...]:
        """Stacks of sides one is at war with."""
        return tuple(
            stack
            for at, stack in stacks(self.view.armies).items()
            if stack[0].owner not in (self.side, NOBODY)
            and diplomacy.may_attack(self.view, self.book, self.side, at)
        )

    @cached_property
    def _foe_places(self) -> tuple[Numbers, Numbers]:
        places = np.array([stack[0].at for stack in self.foes], dtype=np.int64).reshape(-1, 2)
        force = [sum(army.strength for army in stack) for stack in self.foes]
        return places, np.array(force, dtype=np.int64)

    @cached_property
    def _prey_places(self) -> Numbers:
        return np.array([(c.x, c.y) for c in self.prey], dtype=np.int64).reshape(-1, 2)

    def threat(self, city: City) -> int:
        """The strength of hostile armies near a city; those at its gates count in full."""
        places, force = self._foe_places
        if not len(places):
            return 0
        steps = np.abs(places - (city.x, city.y)).max(axis=1)
        near = steps <= NEAR
        return int((force[near] * (NEAR + 1 - steps[near]) // (NEAR + 1)).sum())

    def front(self, city: City) -> int:
        """Steps to the nearest city that may be attacked; far where there is none."""
        return self.to_prey((city.x, city.y))

    def to_prey(self, at: Place) -> int:
        """Steps from a tile to the nearest city that may be attacked."""
        if not len(self._prey_places):
            return 1000
        return int(np.abs(self._prey_places - at).max(axis=1).min())

    @cached_property
    def money(self) -> int:
        """Gold that comes in each turn, less what goes."""
        return economy.income(self.view, self.side) - economy.upkeep(
            self.view, self.book, self.side
        )

    @cached_property
    def is_poor(self) -> bool:
        """Whether nothing more can be paid for. Rules: W2-14."""
        return self.me.gold < 40 and self.money < 0

    @cached_property
    def fog(self) -> bool:
        """Whether things are hidden."""
        return has_fog(self.view, self.book)

    @cached_property
    def rally(self) -> City | None:
        """The city of one's own nearest to the front, where armies gather."""
        if not self.cities:
            return None
        return min(self.cities, key=lambda city: (self.front(city), city.id))
