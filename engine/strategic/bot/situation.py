"""Situation of a side: everything a plan reads from the view, computed at most once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.bot.atlas import FAR, Atlas, PlaceIndex, Steps, atlas
from engine.strategic.bot.force import Force, army_value, combined, force_of, with_likely_garrisons
from engine.strategic.cities import economy
from engine.strategic.commands import Walk
from engine.strategic.fighting.lineup import defenders_at
from engine.strategic.fighting.rules import Battleground
from engine.strategic.moving import groups
from engine.strategic.moving.advancing import stretch, strikes
from engine.strategic.moving.groups import BRIDGES, ROADS, Mode, Mover
from engine.strategic.moving.sight import has_fog
from engine.strategic.pieces import NOBODY, Army, BattleClass, City, Site
from engine.strategic.turns import diplomacy
from engine.strategic.world import World, armies_of, cities_of, city_at, stacks

# -- levels ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Level:
    """What a computer player dares and thinks of."""

    nerve: float
    """The least chance of winning that it attacks with. Rules: W2-14."""

    surety: float
    """The chance that is enough: armies that are not needed for it go elsewhere."""

    hold: float
    """The chance that foes may have of taking a city before more armies stay in it."""

    guard: int
    """Armies that stay in every city, whatever threatens it."""

    searches: bool
    """Whether heroes search sites."""

    splits: bool
    """Whether armies of one stack go to different goals."""

    joins: bool
    """Whether several stacks attack the same goal in one turn."""

    vectors: bool
    """Whether cities far from the front send what they make to it."""

    buys: bool
    """Whether it buys better types of units."""

    thrift: bool
    """Whether it makes what is best for its time, and not what comes first."""

    wander: int
    """The sides of the die that is added to what a goal is worth; 0: none is."""

    fury: int
    """The turn from which on it becomes impatient, so that games end."""


# -- situation -------------------------------------------------------------------------------------


_NEAR: Final = 3
"""Turns in which foes may come whom a city is afraid of."""

_YEARS: Final = 80
"""Turns in which patience runs out, and after them those in which fear of foes does."""

_FEARLESS: Final = 0.97
"""How little foes are thought of in the end: no side waits for ever."""

_PENNILESS: Final = 0.3

_SIGHT: Final = 40
"""tuple[Place, ...] within which foes are looked for."""


def apart(here: Place, there: Place) -> int:
    """Steps between two tiles on open ground."""
    return max(abs(here[0] - there[0]), abs(here[1] - there[1]))


class Threat(NamedTuple):
    """A stack of foes and in how many of its turns it can be at a city."""

    stack: tuple[Army, ...]
    turns: int


class _Riders(NamedTuple):
    """Stacks of foes: where they are, how far they get in a turn, which are in the air."""

    spots: PlaceIndex
    pace: Steps
    flies: npt.NDArray[np.bool_]


def _pace(stack: Sequence[Army]) -> int:
    """How far a stack of foes may get in a turn."""
    return max(1, min(army.max_move for army in stack) + 2)


def _spots(cities: Iterable[City]) -> PlaceIndex:
    return PlaceIndex((city.x, city.y) for city in cities)


class Situation:
    """A view with what a computer player reads out of it."""

    def __init__(self, view: World, book: Book, side: int, level: Level) -> None:
        """``view`` is what ``side`` may know; its ``patience`` ends with that turn."""
        self.view = with_likely_garrisons(view, book, side)
        """The view with likely garrisons in cities that are out of sight."""
        self.after = view
        """The view when those who have their orders are where these bring them."""
        self.book = book
        self.side = side
        self.me = view.sides[side]
        self.level = level
        self.cities = cities_of(view, side)
        self.armies = armies_of(view, side)
        self._held: dict[Place, Force] = {}
        self._fields: dict[Place, Battleground] = {}
        self._forces: dict[tuple[tuple[int, ...], BattleClass, bool], Force] = {}
        self._threats: dict[int, tuple[Threat, ...]] = {}
        self._dangers: dict[tuple[int, int], Force] = {}
        self._atlases: dict[tuple[bool, int], Atlas] = {}

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
        """Stacks of sides that may be attacked in the field."""
        return tuple(
            stack
            for at, stack in stacks(self.view.armies).items()
            if stack[0].owner not in (self.side, NOBODY)
            and diplomacy.may_attack(self.view, self.book, self.side, at)
        )

    @cached_property
    def prey_spots(self) -> PlaceIndex:
        """Where the cities are that may be attacked."""
        return _spots(self.prey)

    @cached_property
    def outdoor_foes(self) -> tuple[tuple[Army, ...], ...]:
        """The stacks of ``foes`` that are in no city."""
        return tuple(stack for stack in self.foes if self.city_of(stack[0].at) is None)

    @cached_property
    def outdoor_spots(self) -> PlaceIndex:
        """Where those stacks are."""
        return PlaceIndex(stack[0].at for stack in self.outdoor_foes)

    def note(self, order: Walk) -> Place | None:
        """Armies are given an order: whoever plans next counts with them where it brings them.

        Returns:
            The tile that they attack this turn, as far as is seen. How the fight ends is open.
        """
        group = tuple(self.after.armies[army] for army in order.armies)
        who = groups.mover(self.after, self.book.moving, group)
        if who is None:
            return None
        found = stretch(self.after, self.book, who, group, order.path)
        barred = found.barred is not None
        struck = barred and strikes(self.after, self.book, who, group, order.path)
        if found.path:
            x, y = found.path[-1]
            moved = (replace(army, x=x, y=y, points=found.left) for army in group)
            self.after = replace(self.after, armies=self.after.armies.put(*moved))
        return order.path[-1] if struck else None

    def atlas(self, who: Mover) -> Atlas:
        """Distances for a mover."""
        key = who.mode is Mode.AIR, who.flags
        if key not in self._atlases:
            self._atlases[key] = atlas(self.view, self.book, who)
        return self._atlases[key]

    @cached_property
    def on_foot(self) -> Atlas:
        """Distances for armies that are good at nothing special."""
        return self.atlas(Mover(self.side, Mode.GROUND, ROADS | BRIDGES))

    def held(self, at: Place) -> Force:
        """What defends a tile against this side, or the city that it belongs to.

        The desperate think less of it.
        """
        if at not in self._held:
            foes = defenders_at(self.view, at, self.side)
            known = force_of(self.view, self.book, foes, self._field(at), defends=True)
            self._held[at] = known._replace(power=known.power * (1 - self.desperation))
        return self._held[at]

    def _field(self, at: Place) -> Battleground:
        """What a tile does to a battle."""
        if at not in self._fields:
            self._fields[at] = self.book.fighting.battleground(self.view, at)
        return self._fields[at]

    def attackers(self, armies: tuple[Army, ...], at: Place) -> Force:
        """What armies are worth that attack a tile."""
        field = self._field(at)
        key = tuple([army.id for army in armies]), field.ground, field.at_sea
        if key not in self._forces:
            self._forces[key] = force_of(self.view, self.book, armies, field, defends=False)
        return self._forces[key]

    def defenders(self, armies: Sequence[Army], city: City) -> Force:
        """What armies of one's own are worth in a city."""
        field = self._field((city.x, city.y))
        return force_of(self.view, self.book, armies, field, defends=True)

    def threats(self, city: City) -> tuple[Threat, ...]:
        """Foes who can be at a city of one's own soon, the nearest first."""
        if city.id not in self._threats:
            found = self._foresee(city)
            found.sort(key=lambda threat: (threat.turns, threat.stack[0].id))
            self._threats[city.id] = tuple(found)
        return self._threats[city.id]

    def _foresee(self, city: City) -> list[Threat]:
        """The same in the order of ``foes``, all of whom are measured at once."""
        if not self.foes:
            return []
        at, riders = (city.x, city.y), self._riders
        steps = riders.spots.apart(at)
        cost = np.where(riders.flies, steps, riders.spots.values(self.on_foot.to(city.tiles)))
        turns = -(-cost // riders.pace)
        near = (steps <= np.minimum(_SIGHT, riders.pace * _NEAR)) & (cost < FAR) & (turns <= _NEAR)
        return [
            Threat(self.foes[number], max(1, int(turns[number])))
            for number in np.flatnonzero(near).tolist()
        ]

    @cached_property
    def _riders(self) -> _Riders:
        return _Riders(
            PlaceIndex(stack[0].at for stack in self.foes),
            np.array([_pace(stack) for stack in self.foes], dtype=np.int32),
            np.array([all(groups.flies(self.view, a) for a in stack) for stack in self.foes]),
        )

    def danger(self, city: City, turns: int) -> Force:
        """What could attack a city within some turns."""
        if (city.id, turns) not in self._dangers:
            near = (threat.stack for threat in self.threats(city) if threat.turns <= turns)
            able = combined(self.attackers(stack, (city.x, city.y)) for stack in near)
            self._dangers[city.id, turns] = able
        return self._dangers[city.id, turns]

    def city_of(self, at: Place) -> City | None:
        """The city that a tile belongs to."""
        return city_at(self.view, at)

    def frightens(self, stack: tuple[Army, ...]) -> bool:
        """Whether a stack of foes can be at a city of one's own next turn."""
        return stack[0].id in self._frightening

    @cached_property
    def _frightening(self) -> frozenset[int]:
        """The first army of each such stack."""
        threats = (threat for city in self.cities for threat in self.threats(city))
        return frozenset(threat.stack[0].id for threat in threats if threat.turns <= 1)

    @cached_property
    def mastery(self) -> float:
        """How many times as strong one's own armies are as those of all foes."""
        own = sum(map(army_value, self.armies))
        theirs = sum(army_value(army) for stack in self.foes for army in stack)
        return own / max(1.0, theirs)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """What is left to be searched."""
        listed = self.view.sites.values()
        return tuple(site for site in listed if not site.searched and site.kind != "temple")

    @cached_property
    def temples(self) -> tuple[Site, ...]:
        """Where armies are blessed."""
        return tuple(site for site in self.view.sites.values() if site.kind == "temple")

    @cached_property
    def lying(self) -> tuple[Place, ...]:
        """Where there is something to pick up."""
        return tuple(
            (item.x, item.y) for item in self.view.items.values() if item.where == "ground"
        )

    @cached_property
    def fronts(self) -> dict[int, int]:
        """What getting from each city of one's own to the nearest prey costs a walker."""
        return {city.id: self._nearest(city, self.prey, self.prey_spots) for city in self.cities}

    @cached_property
    def borders(self) -> dict[int, int]:
        """The same to the nearest city of another side that may be attacked."""
        owned = tuple(city for city in self.prey if city.owner != NOBODY)
        spots = _spots(owned)
        return {city.id: self._nearest(city, owned, spots) for city in self.cities}

    def _nearest(self, city: City, prey: Sequence[City], spots: PlaceIndex) -> int:
        """What getting to one of some cities costs; only the three nearest are looked at."""
        at = city.x, city.y
        near = (prey[number] for number in spots.nearest(at, 3))
        return min((self.on_foot.cost(at, other.tiles) for other in near), default=FAR)

    @cached_property
    def income(self) -> int:
        """Gold that comes in each turn."""
        return economy.income(self.view, self.side)

    @cached_property
    def money(self) -> int:
        """Gold that comes in each turn, less what goes."""
        return self.income - economy.upkeep(self.view, self.book, self.side)

    @cached_property
    def is_poor(self) -> bool:
        """Whether nothing more can be paid for. Rules: W2-14."""
        return self.me.gold < 40 and self.money < 0

    @cached_property
    def impatience(self) -> float:
        """From 0 to 1: how much a side dares for lack of anything else that it could wait for.

        More as the years go by, and where no army more can be paid for, so that games end.
        """
        late = max(0, self.view.turn - self.level.fury) / _YEARS
        return min(1.0, late + _PENNILESS * self.is_poor)

    @cached_property
    def desperation(self) -> float:
        """From 0 to nearly 1: how far a side attacks at any odds, for nothing else has ended a war.

        It begins where impatience has done what it can: sides that all wait, without money for more
        armies, would wait for ever.
        """
        late = self.view.turn - self.level.fury - _YEARS
        return min(_FEARLESS, max(0, late) / _YEARS)

    @cached_property
    def fog(self) -> bool:
        """Whether things are hidden."""
        return has_fog(self.view, self.book)
