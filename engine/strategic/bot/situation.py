"""Situation of a side: everything a plan reads from the view, computed at most once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from engine.core.record import replace
from engine.kit.grid import Place, distance
from engine.strategic import cities, costs, diplomacy
from engine.strategic.battle import defenders_at
from engine.strategic.battle_records import Battleground
from engine.strategic.bot.atlas import FAR, Atlas, PlaceIndex, Steps, atlas
from engine.strategic.bot.force import (
    DICE,
    Estimates,
    Force,
    army_value,
    combined,
    fought_out,
    with_likely_garrisons,
)
from engine.strategic.bot.level import Level
from engine.strategic.commands import Walk
from engine.strategic.costs import BRIDGES, ROADS, Mode, Mover
from engine.strategic.movement import stretch, strikes
from engine.strategic.pieces import NOBODY, UNKNOWN_TYPE, Army, BattleClass, City, Site
from engine.strategic.settings import RuleSettings
from engine.strategic.sight import has_fog, reckoned
from engine.strategic.world import World, armies_of, cities_of, city_at, stacks
from engine.strategic.world import flies as can_fly

# -- situation -------------------------------------------------------------------------------------

_NEAR: Final = 3
"""Turns within which foes count as a threat to a city."""

_ON_FOOT: Final = 2
"""Assumed points per tile for foes on foot."""

_YEARS: Final = 80
"""Number of turns over which patience runs out, and then again over which fear does."""

_FEARLESS: Final = 0.97
"""Maximum desperation, so that no side waits forever."""

_PENNILESS: Final = 0.3

_SAVINGS: Final = 8
"""Number of turns over which savings are spent."""

_SIGHT: Final = 40
"""Maximum distance in tiles at which foes are looked for."""


class AttackOutlook(NamedTuple):
    """Chance of an attack, and the value of the armies that it will cost."""

    hope: float
    lost: float


class CityThreat(NamedTuple):
    """An enemy stack, and the turns that it needs to reach a city."""

    stack: tuple[Army, ...]
    turns: int


class _EnemyStacks(NamedTuple):
    """Enemy stacks: their tiles, assumed points per turn, and which of them fly.

    ``strides`` are the maximum tiles that they go in a turn. Within ``sight`` tiles of a city they
    are considered as threats.
    """

    spots: PlaceIndex
    paces: list[int]
    flies: list[bool]
    strides: Steps
    sight: Steps


def _spots(cities: Iterable[City]) -> PlaceIndex:
    return PlaceIndex((city.x, city.y) for city in cities)


class Situation:
    """A side's view and everything that its plan derives from it."""

    def __init__(
        self,
        view: World,
        settings: RuleSettings,
        side: int,
        level: Level,
        estimates: Estimates = DICE,
    ) -> None:
        """Prepare a plan; ``view`` contains only what ``side`` may know."""
        self._seen = view.armies
        view = reckoned(view, settings)
        self.view = with_likely_garrisons(view, settings, side)
        """The view with likely garrisons in cities out of sight."""
        self.after = view
        """The view with all armies at the destinations of their orders so far."""
        self.settings = settings
        self.side = side
        self.me = view.sides[side]
        self.level = level
        self.estimates = estimates
        self.win_chance = estimates.chance
        """Approximate chance of attackers against defenders."""
        self.cities = cities_of(view, side)
        self.armies = armies_of(view, side)
        self._held: dict[Place, Force] = {}
        self._fields: dict[Place, Battleground] = {}
        self._forces: dict[tuple[tuple[int, ...], BattleClass, bool], Force] = {}
        self._threats: dict[int, tuple[CityThreat, ...]] = {}
        self._dangers: dict[tuple[int, int], Force] = {}
        self._battles: dict[tuple[tuple[int, ...], Place], AttackOutlook] = {}
        self._atlases: dict[tuple[bool, int], Atlas] = {}

    @cached_property
    def stacks(self) -> tuple[tuple[Army, ...], ...]:
        """Own armies, tile by tile, by the lowest army id."""
        found = [s for s in stacks(self.view.armies).values() if s[0].owner == self.side]
        return tuple(sorted(found, key=lambda stack: stack[0].id))

    @cached_property
    def prey(self) -> tuple[City, ...]:
        """Cities that the side may attack."""
        return tuple(
            city
            for city in self.view.cities.values()
            if city.owner != self.side
            and not city.razed
            and diplomacy.may_attack(self.view, self.settings, self.side, (city.x, city.y))
        )

    @cached_property
    def foes(self) -> tuple[tuple[Army, ...], ...]:
        """Stacks of other sides that the side may attack."""
        return tuple(
            stack
            for at, stack in stacks(self.view.armies).items()
            if stack[0].owner not in (self.side, NOBODY)
            and diplomacy.may_attack(self.view, self.settings, self.side, at)
        )

    @cached_property
    def prey_spots(self) -> PlaceIndex:
        """Index of the tiles of ``prey``."""
        return _spots(self.prey)

    @cached_property
    def outdoor_foes(self) -> tuple[tuple[Army, ...], ...]:
        """Stacks of ``foes`` outside cities."""
        return tuple(stack for stack in self.foes if self.city_of(stack[0].at) is None)

    @cached_property
    def outdoor_spots(self) -> PlaceIndex:
        """Index of the tiles of ``outdoor_foes``."""
        return PlaceIndex(stack[0].at for stack in self.outdoor_foes)

    def note(self, order: Walk) -> Place | None:
        """Move armies in ``after`` to the destination of an order.

        Return the tile of the visible foe that they attack this turn, or None. The outcome of the
        fight stays open.
        """
        group = tuple(self.after.armies[army] for army in order.armies)
        who = costs.mover(self.after, self.settings.moving, group)
        if who is None:
            return None
        found = stretch(self.after, self.settings, who, group, order.path)
        barred = found.barred is not None
        struck = barred and strikes(self.after, self.settings, who, group, order.path)
        if found.path:
            x, y = found.path[-1]
            moved = (replace(army, x=x, y=y, points=found.left) for army in group)
            self.after = replace(self.after, armies=self.after.armies.put(*moved))
        return order.path[-1] if struck else None

    def atlas(self, who: Mover) -> Atlas:
        """Return the distance fields over the map for a mover, cached for this plan."""
        key = who.mode is Mode.AIR, who.flags
        if key not in self._atlases:
            self._atlases[key] = atlas(self.view, self.settings, who)
        return self._atlases[key]

    @cached_property
    def on_foot(self) -> Atlas:
        """Distances for armies without special abilities."""
        return self.atlas(Mover(self.side, Mode.GROUND, ROADS | BRIDGES))

    def held(self, at: Place) -> Force:
        """Return the force that defends a tile or the city on it, lowered by desperation."""
        if at not in self._held:
            foes = defenders_at(self.view, at, self.side)
            known = self._force(foes, self._field(at), defends=True)
            self._held[at] = Force(known.power * (1 - self.desperation), known.size)
        return self._held[at]

    def _field(self, at: Place) -> Battleground:
        """Return the battleground of a tile, cached."""
        if at not in self._fields:
            self._fields[at] = self.settings.fighting.battleground(self.view, at)
        return self._fields[at]

    def attackers(self, armies: tuple[Army, ...], at: Place) -> Force:
        """Return the force of armies that attack a tile."""
        field = self._field(at)
        key = tuple([army.id for army in armies]), field.ground, field.at_sea
        if key not in self._forces:
            self._forces[key] = self._force(armies, field, defends=False)
        return self._forces[key]

    def defenders(self, armies: Sequence[Army], city: City) -> Force:
        """Return the force of own armies that defend a city."""
        return self._force(armies, self._field((city.x, city.y)), defends=True)

    def _force(self, armies: Sequence[Army], field: Battleground, *, defends: bool) -> Force:
        return self.estimates.force(self.view, self.settings, armies, field, defends)

    def outlook(
        self, armies: tuple[Army, ...], at: Place, foes: Force, turns: int = 0
    ) -> AttackOutlook:
        """Return the chance and the cost of an attack on ``foes`` in ``turns`` turns.

        It is exact for an attack now, if battles are without chance and the level simulates them.
        """
        if self.level.reckons and self.estimates.certain and not turns and not self.desperation:
            key = tuple([army.id for army in armies]), at
            if key not in self._battles:
                self._battles[key] = self._fought(armies, at)
            return self._battles[key]
        able = self.attackers(armies, at)
        hope = self.win_chance(able, foes)
        share = min(1.0, foes.power / able.power)
        return AttackOutlook(hope, sum(map(army_value, armies)) * (1 - hope * (1 - share)))

    def _fought(self, armies: tuple[Army, ...], at: Place) -> AttackOutlook:
        found = fought_out(self.doubted(armies), self.settings, armies, at)
        return AttackOutlook(float(found.won), found.lost)

    def doubted(self, armies: Iterable[Army]) -> World:
        """Return the view in which armies are to fight: heroes expect strong strangers."""
        led = any(army.hero is not None for army in armies)
        return self._wary if led and self.estimates.doubt else self.view

    @cached_property
    def _wary(self) -> World:
        """The view with strangers strengthened by ``doubt``."""
        doubt, armies = self.estimates.doubt, self.view.armies
        strong = (
            replace(a, strength=a.strength + doubt) for a in armies.values() if self._is_strange(a)
        )
        return replace(self.view, armies=armies.put(*strong))

    def _is_strange(self, army: Army) -> bool:
        """Return whether an army of another side is of unknown type."""
        if army.owner in (self.side, NOBODY):
            return False
        seen = self._seen.get(army.id)
        return seen is None or seen.type == UNKNOWN_TYPE.id

    def threats(self, city: City) -> tuple[CityThreat, ...]:
        """Return foes that can reach an own city within ``_NEAR`` turns, nearest first."""
        if city.id not in self._threats:
            found = self._foresee(city)
            found.sort(key=lambda threat: (threat.turns, threat.stack[0].id))
            self._threats[city.id] = tuple(found)
        return self._threats[city.id]

    def _foresee(self, city: City) -> list[CityThreat]:
        """Return the threats to a city in the order of ``foes``."""
        if not self.foes:
            return []
        at, enemies, found = (city.x, city.y), self._enemy_stacks, []
        near = enemies.spots.within(at, enemies.sight)
        field = self.on_foot.to(city.tiles) if near else None
        for number in near:
            stack = self.foes[number]
            x, y = stack[0].at
            if field is None or enemies.flies[number]:
                cost = distance(at, (x, y), 8)
            else:
                cost = field.item(y, x)
            turns = -(-cost // enemies.paces[number])
            if cost < FAR and turns <= _NEAR:
                found.append(CityThreat(stack, max(1, turns)))
        return found

    @cached_property
    def _enemy_stacks(self) -> _EnemyStacks:
        spots = PlaceIndex(stack[0].at for stack in self.foes)
        paces = [max(1, min(army.max_move for army in stack) + 2) for stack in self.foes]
        pace = np.array(paces, dtype=np.int32)
        flies = [all(can_fly(self.view, army) for army in stack) for stack in self.foes]
        strides = np.where(flies, pace, pace // _ON_FOOT).astype(np.int32)
        return _EnemyStacks(spots, paces, flies, strides, np.minimum(_SIGHT, pace * _NEAR))

    def foes_near(self, at: Place) -> tuple[tuple[Army, ...], ...]:
        """Return foes that may reach a tile next turn with full points."""
        enemies = self._enemy_stacks
        return tuple(self.foes[number] for number in enemies.spots.within(at, enemies.strides))

    def danger(self, city: City, turns: int) -> Force:
        """Return the sum of the enemy forces that could attack a city within ``turns`` turns."""
        if (city.id, turns) not in self._dangers:
            near = (threat.stack for threat in self.threats(city) if threat.turns <= turns)
            able = combined(self.attackers(stack, (city.x, city.y)) for stack in near)
            self._dangers[city.id, turns] = able
        return self._dangers[city.id, turns]

    def city_of(self, at: Place) -> City | None:
        """Return the city on a tile, or None."""
        return city_at(self.view, at)

    @cached_property
    def frightening(self) -> frozenset[int]:
        """First army ids of the enemy stacks that can reach an own city next turn."""
        threats = (threat for city in self.cities for threat in self.threats(city))
        return frozenset(threat.stack[0].id for threat in threats if threat.turns <= 1)

    @cached_property
    def mastery(self) -> float:
        """Ratio of the value of own armies to that of all foes."""
        own = sum(map(army_value, self.armies))
        theirs = sum(army_value(army) for stack in self.foes for army in stack)
        return own / max(1.0, theirs)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Sites that are not searched yet, without temples."""
        listed = self.view.sites.values()
        return tuple(site for site in listed if not site.searched and site.kind != "temple")

    @cached_property
    def temples(self) -> tuple[Site, ...]:
        """Temples, where armies are blessed."""
        return tuple(site for site in self.view.sites.values() if site.kind == "temple")

    @cached_property
    def lying(self) -> tuple[Place, ...]:
        """Tiles with an item to pick up."""
        return tuple(
            (item.x, item.y) for item in self.view.items.values() if item.where == "ground"
        )

    @cached_property
    def fronts(self) -> dict[int, int]:
        """Points on foot from each own city to the nearest prey, by city id."""
        return {city.id: self._nearest(city, self.prey, self.prey_spots) for city in self.cities}

    @cached_property
    def borders(self) -> dict[int, int]:
        """Points on foot from each own city to the nearest prey of another side, by city id."""
        owned = tuple(city for city in self.prey if city.owner != NOBODY)
        spots = _spots(owned)
        return {city.id: self._nearest(city, owned, spots) for city in self.cities}

    def _nearest(self, city: City, prey: Sequence[City], spots: PlaceIndex) -> int:
        """Return the walking distance to the nearest city; only the three closest are compared."""
        at = city.x, city.y
        near = (prey[number] for number in spots.nearest(at, 3))
        return min((self.on_foot.cost(at, other.tiles) for other in near), default=FAR)

    @cached_property
    def income(self) -> int:
        """Gold income per turn."""
        return cities.income(self.view, self.side)

    @cached_property
    def money(self) -> int:
        """Gold income per turn minus upkeep."""
        return self.income - cities.upkeep(self.view, self.settings, self.side)

    @cached_property
    def share(self) -> float:
        """Gold that each own city may spend in a turn, including a part of the savings."""
        return max(1.0, self.money + self.me.gold / _SAVINGS) / max(1, len(self.cities))

    @cached_property
    def is_poor(self) -> bool:
        """True if the side cannot pay for another army."""
        return self.me.gold < 40 and self.money < 0

    @cached_property
    def impatience(self) -> float:
        """Willingness to take risks, from 0 to 1.

        It grows in long games and while the side cannot pay for another army, so that games end.
        """
        late = max(0, self.view.turn - self.level.fury) / _YEARS
        return min(1.0, late + _PENNILESS * self.is_poor)

    @cached_property
    def desperation(self) -> float:
        """Willingness to attack at any odds, from 0 to nearly 1.

        It begins once impatience is complete: without it, sides that wait without money for armies
        would wait forever.
        """
        late = self.view.turn - self.level.fury - _YEARS
        return min(_FEARLESS, max(0, late) / _YEARS)

    @property
    def is_fearless(self) -> bool:
        """True if desperation is at its maximum."""
        return self.desperation >= _FEARLESS

    @cached_property
    def has_front(self) -> bool:
        """True if a route on foot leads from an own city to one that may be attacked."""
        return any(self._nearest(city, self.prey, self.prey_spots) < FAR for city in self.cities)

    @property
    def lost(self) -> bool:
        """True if the side knows no city that it could reach on foot and attack."""
        return not self.has_front

    @cached_property
    def fog(self) -> bool:
        """True if parts of the map are hidden."""
        return has_fog(self.view, self.settings)

    @cached_property
    def known_share(self) -> float:
        """Share of the map that the side has discovered."""
        known = self.view.discovered.cells >> self.side & 1
        return int(known.sum()) / known.size
