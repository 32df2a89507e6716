"""Sides without a route out on foot: flyers to make or buy, or the end of their war.

Everything is decided from the view. The cost is negligible while a city can be reached on foot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from engine.kit.grid import Place
from engine.strategic import costs
from engine.strategic.bot.atlas import FAR
from engine.strategic.bot.exploring import Exploration
from engine.strategic.bot.force import army_value
from engine.strategic.bot.marching import garrisons
from engine.strategic.bot.realm import keep, merit, slot_of
from engine.strategic.bot.situation import Situation
from engine.strategic.cities import posted
from engine.strategic.commands import (
    AnyCommand,
    BuySlot,
    Disband,
    Produce,
    StopProduction,
)
from engine.strategic.costs import Mode
from engine.strategic.pieces import NOBODY, NONE, Army, City, Slot, UnitType
from engine.strategic.world import World, cities_of

_PATIENCE: Final = 15
"""Turns of income for which a side saves for a better type."""

_RESERVE: Final = 3
"""Divisor of the income that useless walkers must leave for flyers."""

_BETTER: Final = 1.2
"""Ratio of merits above which a city buys another type."""

_HALF: Final = 0.5


class Way(NamedTuple):
    """A city's slot, or a type that it can buy, whose armies can reach a goal."""

    city: City
    place: int
    slot: Slot
    merit: float
    price: int = 0


class Isolation:
    """Goals that a side's walkers cannot reach, and the means to get there."""

    def __init__(self, here: Situation) -> None:
        self.here = here

    @cached_property
    def is_cut_off(self) -> bool:
        """True if no army on foot can reach a foreign city or unexplored land."""
        if not self.here.cities or self.here.has_front or not self.goals:
            return False
        walkers = (army for army in self.here.armies if not self._flies(army))
        at_home = (self._walks_from((city.x, city.y)) for city in self.here.cities)
        return not any(at_home) and not any(map(self._gets_there, walkers))

    @cached_property
    def goals(self) -> tuple[Place, ...]:
        """Tiles of foreign cities, regardless of treaties, and edges of the known land."""
        foreign = _standing(self.here.view, but=self.here.side)
        edges = Exploration(self.here).edges if self.here.fog else ()
        return (*(at for city in foreign for at in city.tiles), *edges)

    def _walks_from(self, at: Place) -> bool:
        return self.here.on_foot.cost(at, self.goals) < FAR

    def _flies(self, army: Army) -> bool:
        who = costs.mover(self.here.view, self.here.settings.moving, (army,))
        return who is not None and who.mode is Mode.AIR

    def _gets_there(self, army: Army) -> bool:
        return self._arrives(army, self.goals)

    def _arrives(self, army: Army, goals: tuple[Place, ...]) -> bool:
        """Return whether an army can reach one of some tiles. Boats cannot: they take no cities."""
        kind = self.here.view.types.get(army.type)
        if kind is None or "boat" in kind.traits or not goals:
            return False
        who = costs.mover(self.here.view, self.here.settings.moving, (army,))
        return who is not None and self.here.atlas(who).cost(army.at, goals) < FAR

    # -- possible production -------------------------------------------------------------------

    @cached_property
    def made(self) -> dict[int, Way]:
        """Best slot of each own city whose armies can reach a goal, by city id."""
        found = {}
        for city in self.here.cities:
            ways = [
                Way(city, place, slot, merit(self.here, slot))
                for place, slot in enumerate(city.slots)
                if self._serves(city, slot, self.goals)
            ]
            if ways:
                found[city.id] = max(ways, key=lambda way: (way.merit, -way.place))
        return found

    @cached_property
    def sold(self) -> tuple[Way, ...]:
        """Types that the city nearest to a goal can buy, and that the side can ever pay for."""
        if not any("fly" in kind.traits for kind in self.here.view.types.values()):
            return ()
        can_save = self.here.income > 0
        rich = self.here.settings.cities.most_gold if can_save else self.here.me.gold
        ways = [
            way
            for city in self.here.cities
            for way in self._offered(city, self.goals)
            if way.price <= rich
        ]
        near = {way.city.id: self._flight(way) for way in ways}
        least = min(near.values(), default=FAR)
        first = next((city for city, far in near.items() if far == least), NONE)
        return tuple(way for way in ways if way.city.id == first)

    def _flight(self, way: Way) -> int:
        army = self._recruit(way.city, way.slot)
        who = costs.mover(self.here.view, self.here.settings.moving, (army,))
        return FAR if who is None else self.here.atlas(who).cost(army.at, self.goals)

    def _offered(self, city: City, goals: tuple[Place, ...]) -> Iterator[Way]:
        """Yield types for sale in a city of any side whose armies can reach one of some tiles."""
        for kind in self.here.view.types.values():
            if self._is_sold(city, kind) and self._serves(city, slot := slot_of(kind), goals):
                yield Way(city, len(city.slots), slot, merit(self.here, slot), kind.price)

    def _is_sold(self, city: City, kind: UnitType) -> bool:
        barred = {"hero", "boat"} & set(kind.traits) or kind.price < 0
        return not barred and self.here.settings.cities.for_sale(self.here.view, city, kind)

    def _serves(self, city: City, slot: Slot, goals: tuple[Place, ...]) -> bool:
        return self._arrives(self._recruit(city, slot), goals)

    def _recruit(self, city: City, slot: Slot) -> Army:
        return posted(self.here.settings.cities, city, slot, 0, (city.x, city.y))

    # -- orders --------------------------------------------------------------------------------

    def orders(self) -> Iterator[AnyCommand]:
        """Yield orders for the cities of an isolated side: flyers only, and gold for their upkeep.

        Useless walkers are disbanded while their upkeep takes what flyers need.
        """
        ways = dict(self.made)
        bought = self._purchase()
        if bought is not None:
            yield BuySlot(bought.city.id, bought.place, bought.slot.type)
            ways[bought.city.id] = bought
        spare = self.here.money
        for city in self.here.cities:
            way = ways.get(city.id)
            if way is None:
                if city.making != NONE and not self.here.threats(city):
                    yield StopProduction(city.id)
            elif city.making != way.place and keep(self.here, way.slot) <= spare:
                spare -= keep(self.here, way.slot)
                yield Produce(city.id, way.place)
        if ways or self.sold:
            yield from self._dismissals()

    @property
    def saves(self) -> bool:
        """True if the side is isolated and saves its gold for a type instead of heroes."""
        return self.is_cut_off and self._wanted is not None

    @cached_property
    def _wanted(self) -> Way | None:
        """Type that is worth its price, now or some turns later; None if none is sold."""
        able = max((way.merit for way in self.made.values()), default=0.0)
        soon = self.here.me.gold + _PATIENCE * max(self.here.money, self.here.income // _RESERVE)
        wares = [w for w in self.sold if w.price <= soon and w.merit > _BETTER * able]
        wares = wares or ([] if self.made else list(self.sold))
        return max(wares, key=lambda way: (way.merit, -way.slot.type), default=None)

    def _purchase(self) -> Way | None:
        """Return the type to buy now; None if nothing is wanted or the side still saves for it."""
        best = self._wanted
        if best is None or best.price > self.here.me.gold:
            return None
        most = self.here.settings.cities.most_slots
        if best.place < most:
            return best
        slots = best.city.slots
        return best._replace(place=min(range(most), key=lambda k: (merit(self.here, slots[k]), k)))

    def _dismissals(self) -> Iterator[Disband]:
        """Yield orders to disband walkers that reach and guard nothing, until enough is saved."""
        missing = self.here.income // _RESERVE - self.here.money
        if missing <= 0:
            return
        going: dict[Place, list[int]] = {}
        for army in self._idle():
            going.setdefault(army.at, []).append(army.id)
            missing -= self.here.settings.cities.upkeep(army)
            if missing <= 0:
                break
        yield from (Disband(tuple(armies)) for armies in going.values())

    def _idle(self) -> list[Army]:
        """Return paid armies that reach no goal and guard no city, the least valuable first."""
        staying = garrisons(self.here)
        guarded = set[int]()
        idle = []
        for army in sorted(self.here.armies, key=lambda army: (-army_value(army), army.id)):
            city = self.here.city_of(army.at)
            if army.hero is not None or not self.here.settings.cities.upkeep(army):
                continue
            if army.id in staying or self._gets_there(army):
                continue
            if city is not None and city.id not in guarded:
                guarded.add(city.id)
                continue
            idle.append(army)
        return idle[::-1]

    # -- the end -------------------------------------------------------------------------------

    @cached_property
    def is_hopeless(self) -> bool:
        """True if the side can neither attack nor be attacked, and is the weakest of all computers.

        Nothing that it has, makes or can buy reaches a goal, and nothing that it knows of others
        reaches its cities. Computers never give up for this reason against a person.
        """
        living = [side for side in self.here.view.sides.values() if side.alive]
        if len(living) < 2 or any(side.human for side in living) or not self.is_cut_off:
            return False
        if self.made or self.sold or any(map(self._gets_there, self.here.armies)):
            return False
        return self._is_weakest(side.id for side in living) and not self._is_in_reach()

    def _is_in_reach(self) -> bool:
        """Return whether others have, make or can buy anything that reaches an own city."""
        view, side = self.here.view, self.here.side
        own = tuple(at for city in self.here.cities for at in city.tiles)
        theirs = [city for city in _standing(view, but=side) if city.owner != NOBODY]
        strangers = (army for army in view.armies.values() if army.owner not in (side, NOBODY))
        return (
            any(self._arrives(army, own) for army in strangers)
            or any(self._serves(city, slot, own) for city in theirs for slot in city.slots)
            or any(True for city in theirs for _ in self._offered(city, own))
        )

    def _is_weakest(self, living: Iterable[int]) -> bool:
        """Return whether no other side is weaker, by cities, then armies, then the order of sides.

        On a hidden map, a side that knows less than half of the land assumes that others are
        stronger.
        """
        here = self.here
        if here.fog and here.known_share <= _HALF:
            return True

        def weight(side: int) -> tuple[int, int, int]:
            armies = sum(army.owner == side for army in here.view.armies.values())
            return len(cities_of(here.view, side)), armies, -side

        return min(living, key=weight) == here.side


def _standing(view: World, but: int) -> list[City]:
    """Return the cities, except razed ones, that a side does not own."""
    return [city for city in view.cities.values() if city.owner != but and not city.razed]
