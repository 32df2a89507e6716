"""Campaigns: the next city to take in each region, and the camp where armies gather for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.kit.grid import Place, distance
from engine.strategic.bot.aims import city_value
from engine.strategic.bot.atlas import FAR
from engine.strategic.bot.force import Force, army_value, combined
from engine.strategic.bot.marching import Band, band_of, exposes_hero, walk_toward
from engine.strategic.bot.realm import quest_value
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import AnyCommand
from engine.strategic.pieces import STACK, Army, City
from engine.strategic.world import armies_at

# -- campaigns -------------------------------------------------------------------------------------

_NEAREST: Final = 6
"""Number of cities considered as goals, and as camps."""

_REGION: Final = 6
"""Maximum number of turns to the goal for armies of a campaign."""

_FADING: Final = 0.8
"""Factor on an army's force for each turn that it needs."""

_PACE: Final = 12
"""Points per turn of a typical army."""

_EASE: Final = 0.4

_VAIN: Final = 0.1
"""Added to the chance of all available armies, so that hopeless goals are still ranked."""


class Contingent(NamedTuple):
    """A band of a campaign, its force at the goal, and the turns that it needs to get there."""

    band: Band
    force: Force
    turns: int


class Campaign(NamedTuple):
    """Bands that are to take a city, their camp, and the camp's distance from the goal in turns."""

    goal: City
    camp: City | None
    away: int
    soldiers: tuple[Contingent, ...]

    def within(self, turns: int) -> Force:
        """Return the combined force that can be at the goal within ``turns``."""
        return combined(one.force for one in self.soldiers if one.turns <= turns)


def campaigns_of(here: Situation, free: list[Band]) -> list[Campaign]:
    """Return the campaigns of all bands, region by region, the best prospects first."""
    left, found = list(free), []
    while left:
        campaign = _best(here, left)
        if campaign is None:
            break
        found.append(campaign)
        gone = {one.band.ids for one in campaign.soldiers}
        left = [band for band in left if band.ids not in gone]
    return found


def _best(here: Situation, left: list[Band]) -> Campaign | None:
    """Return the campaign with the best prospects for the remaining bands, or None."""
    if not here.prey:
        return None
    near = here.prey_spots.nearest_to_any({band.at for band in left}, _NEAREST)
    found = [(_promise(here, here.prey[k], left), here.prey[k].id, here.prey[k]) for k in near]
    promise, _, goal = max(found)
    soldiers = _contingents(here, goal, left, _REGION) or _contingents(here, goal, left, 100)
    if promise <= 0 or not soldiers:
        return None
    return Campaign(goal, *_camp(here, goal, soldiers), soldiers)


def _promise(here: Situation, city: City, left: list[Band]) -> float:
    """Return the force available against a city's garrison, times the value of the city.

    The chance with all available armies is a factor, so that a hopeless siege is abandoned for
    another one.
    """
    soldiers, held = _contingents(here, city, left, 100), here.held((city.x, city.y))
    able = sum(one.force.power * _FADING**one.turns for one in soldiers)
    hope = here.win_chance(combined(one.force for one in soldiers), held)
    armies = [army for one in soldiers for army in one.band.armies]
    value = city_value(here, city) + quest_value(here, armies, (city.x, city.y))
    return value * (_VAIN + hope) * able / (held.power + _EASE)


def _contingents(
    here: Situation, city: City, left: list[Band], most: int
) -> tuple[Contingent, ...]:
    """Return the bands that can be at a city within ``most`` turns."""
    found = []
    for band in left:
        cost = here.atlas(band.who).cost(band.at, city.tiles)
        turns = band.turns(cost)
        if cost < FAR and turns <= most:
            found.append(Contingent(band, here.attackers(band.armies, (city.x, city.y)), turns))
    return tuple(found)


def _camp(here: Situation, goal: City, soldiers: tuple[Contingent, ...]) -> tuple[City | None, int]:
    """Return the own city nearest to a goal, and its distance in turns; None and 0 without a route.

    The route is one on foot if possible, else that of the first band.
    """
    homes = sorted(
        (distance((goal.x, goal.y), (city.x, city.y), 8), city.id, city) for city in here.cities
    )
    for atlas in (here.on_foot, here.atlas(soldiers[0].band.who)):
        ways = [
            (atlas.cost((city.x, city.y), goal.tiles), city.id, city)
            for _, _, city in homes[:_NEAREST]
        ]
        if ways and min(ways)[0] < FAR:
            cost, _, city = min(ways)
            return city, -(-cost // _PACE)
    return None, 0


# -- gathering -------------------------------------------------------------------------------------

_HOPE: Final = 0.35
"""Enemy chance of taking a city above which the city needs help."""


class Gathering:
    """Orders that send bands into cities, and a count of the armies on each tile."""

    def __init__(self, here: Situation) -> None:
        self.here = here
        self._crowd = Counter({stack[0].at: len(stack) for stack in here.stacks})

    def help(self, free: list[Band]) -> Iterator[AnyCommand]:
        """Yield orders that send bands to cities likely to fall; remove them from ``free``."""
        needy = _needy(self.here)
        for one in tuple(free):
            for city in needy:
                inside = one.at in city.tiles
                if inside or self.here.atlas(one.who).cost(one.at, city.tiles) <= one.points:
                    free.remove(one)
                    yield from self.into(one, city)
                    break

    def into(self, one: Band, city: City) -> Iterator[AnyCommand]:
        """Yield the order that sends a band into a city, to the fullest tile with room."""
        if one.at in city.tiles:
            return
        room = [at for at in city.tiles if self._crowd[at] < STACK]
        if not room:
            return
        count = len(one.armies)
        best = max(room, key=lambda at: (min(STACK, self._crowd[at] + count), self._crowd[at], at))
        fit = one.armies[: STACK - self._crowd[best]]
        going = one if len(fit) == count else band_of(self.here, fit)
        command = None if going is None else walk_toward(self.here, going, (best,))
        if command is not None and not exposes_hero(self.here, command):
            self._crowd[best] += len(fit)
            yield command

    def regroup(self, city: City, free: list[Band]) -> Iterator[AnyCommand]:
        """Yield orders that gather the best armies of a city on one tile, heroes first."""
        inside = [one for one in free if one.at in city.tiles]
        if len(inside) < 2:
            return
        main = max(inside, key=lambda one: (_lead(one), len(one.armies), one.ids)).at
        able = sorted(
            (army for one in inside for army in one.armies),
            key=lambda army: (army.hero is None, -army_value(army), army.at != main, army.id),
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
        """Yield the order that sends armies of one tile to another tile of the same city."""
        going = band_of(self.here, armies) if armies else None
        command = None if going is None else walk_toward(self.here, going, (to,))
        if going is not None and command is not None:
            self._crowd[going.at] -= len(armies)
            self._crowd[to] += len(armies)
            yield command


def _lead(one: Band) -> int:
    return max((hero.strength for hero in one.heroes), default=0)


def _needy(here: Situation) -> list[City]:
    """Return the cities that are likely to fall next turn."""
    found = []
    for city in here.cities:
        coming = here.danger(city, 1)
        if not coming.size:
            continue
        present = [army for at in city.tiles for army in armies_at(here.view, at)]
        if here.win_chance(coming, here.defenders(present, city)) > _HOPE:
            found.append(city)
    return found
