"""Assaults: armies from several tiles meet beside a city and attack it as one stack.

Armies that attack as one stack share the support of their best, and the wounds that they deal last
for the whole battle. So they win where the same armies one after the other would not. Each of them
needs a route whose price includes zones of control, and a point left to attack with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.kit.grid import Place
from engine.strategic import costs, diplomacy, routes
from engine.strategic.battle import defenders_at, forecast
from engine.strategic.bot.aims import city_value, least_chance
from engine.strategic.bot.force import army_value
from engine.strategic.bot.marching import Aim, Band, band_of, turn_path
from engine.strategic.bot.realm import quest_value
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import AnyCommand, Walk
from engine.strategic.costs import Mode
from engine.strategic.movement import stretch
from engine.strategic.pieces import NOBODY, STACK, Army, City
from engine.strategic.world import armies_at

# -- musters ---------------------------------------------------------------------------------------

_HOSTS: Final = 2
"""Number of bands whose routes are tried for a meeting place."""


class AssaultColumn(NamedTuple):
    """Armies of one tile and their path to the meeting place; empty if they are already there."""

    armies: tuple[Army, ...]
    path: tuple[Place, ...]


class Muster(NamedTuple):
    """Armies that meet beside a city to attack one of its tiles."""

    at: Place
    arrivals: tuple[AssaultColumn, ...]

    @property
    def armies(self) -> tuple[Army, ...]:
        """All armies, sorted by id."""
        found = (army for arrival in self.arrivals for army in arrival.armies)
        return tuple(sorted(found, key=lambda army: army.id))

    def orders(self) -> Iterator[AnyCommand]:
        """Yield the walks to the meeting place, then the attack."""
        for arrival in self.arrivals:
            if arrival.path:
                yield Walk(tuple(army.id for army in arrival.armies), arrival.path)
        yield Walk(tuple(army.id for army in self.armies), (self.at,))


def musters(here: Situation, city: City, near: Sequence[Band]) -> Iterator[Muster]:
    """Yield the stacks that bands can form to attack a city now, strongest first, no army twice."""
    left = list(near)
    while left:
        made = strongest_muster(here, city, left)
        if made is None:
            return
        yield made
        gone = {army.id for army in made.armies}
        left = [band for band in left if not gone & set(band.ids)]


def strongest_muster(here: Situation, city: City, near: Sequence[Band]) -> Muster | None:
    """Return the strongest stack that bands can form to attack a city this turn, if any."""
    hosts = sorted(near, key=lambda band: (-_weight(band.armies), band.ids))[:_HOSTS]
    found = [made for host in hosts if (made := muster_on_way(here, city, host, near)) is not None]
    return max(found, key=lambda made: _weight(made.armies), default=None)


def muster_on_way(here: Situation, city: City, host: Band, others: Iterable[Band]) -> Muster | None:
    """Return the stack that forms on a band's route to a city; None if it cannot attack now."""
    if host.who.mode is Mode.WATER:
        return None
    course = turn_path(here, host, city.tiles)
    if course.barred is not None or not course.path or course.path[-1] not in city.tiles:
        return None
    stage = course.path[-2] if len(course.path) > 1 else host.at
    staying = {army.id for army in armies_at(here.after, stage)}
    arrival = _arrival(here, host, stage)
    first = None if arrival is None else _fitting(here, arrival, (), STACK - len(staying))
    if first is None:
        return None
    arrivals, gone = [first], {army.id for army in first.armies}
    for band in sorted(others, key=lambda band: (not band.heroes, -_weight(band.armies), band.ids)):
        room = STACK - len(gone | staying)
        if not gone & set(band.ids) and (room > 0 or band.at == stage):
            arrival = _arrival(here, band, stage)
            fitting = None if arrival is None else _fitting(here, arrival, arrivals, room)
            if fitting is not None:
                arrivals.append(fitting)
                gone |= {army.id for army in fitting.armies}
    return Muster(course.path[-1], tuple(arrivals))


def _weight(armies: Iterable[Army]) -> float:
    return sum(map(army_value, armies))


def _arrival(here: Situation, band: Band, stage: Place) -> AssaultColumn | None:
    """Return the armies of a band that reach a tile with a point to spare, or None."""
    if band.who.mode is Mode.WATER:
        return None
    if band.at == stage:
        return AssaultColumn(band.armies, ())
    human = here.me.human
    route = routes.plan(here.after, here.settings, here.side, band.armies, stage, human=human)
    if route is None or route.attack or route.coast:
        return None
    able = tuple(army for army in band.armies if army.points > route.cost)
    return AssaultColumn(able, route.path) if able else None


def _fitting(
    here: Situation, arrival: AssaultColumn, arrivals: Sequence[AssaultColumn], room: int
) -> AssaultColumn | None:
    """Return the best armies of a column that fit on the tile and with the others, or None."""
    present = tuple(army for one in arrivals for army in one.armies)
    free = STACK - len(present)
    best = sorted(arrival.armies, key=lambda army: (-army_value(army), army.id))
    best = best[: min(max(0, room), free) if arrival.path else free]
    if not best or costs.mover(here.after, here.settings.moving, (*present, *best)) is None:
        return None
    fitting = arrival._replace(armies=tuple(sorted(best, key=lambda army: army.id)))
    return fitting if _arrives(here, fitting) else None


def _arrives(here: Situation, column: AssaultColumn) -> bool:
    """Return whether a column reaches the end of its path this turn, with a point left to attack.

    Armies that leave a band may move in another mode than the band that the path was made for.
    """
    if not column.path:
        return True
    who = costs.mover(here.after, here.settings.moving, column.armies)
    if who is None:
        return False
    found = stretch(here.after, here.settings, who, column.armies, column.path)
    return found.path == column.path and found.left > 0


# -- joint attacks ---------------------------------------------------------------------------------

_TRIED: Final = 8
"""Maximum number of attacks in a plan that others are asked to join."""

_LED: Final = 40
"""Value of a won assault for a hero who leads it."""

_MISSED: Final = 0.5
"""Weight of the aim that a hero gives up to join."""

_SAFE: Final = 0.7
"""Minimum chance of the whole stack with which a hero joins it."""

_SURE: Final = 0.95
"""Chance from which no other band is asked to join."""

_STRONG: Final = 4
"""Number of defenders from which all idle bands are asked to join."""

BestAims = Mapping[tuple[int, ...], Aim | None]
"""Best aim of each band, by its army ids."""


def joint_attack(here: Situation, free: Sequence[Band], best: BestAims) -> tuple[AnyCommand, ...]:
    """Return the orders for an attack that other bands join; empty if each band acts alone."""
    tried = 0
    found = ((best[one.ids], one) for one in free)
    wanted = [(aim, one) for aim, one in found if aim is not None]
    for aim, one in sorted(wanted, key=lambda pair: (-pair[0].score, pair[1].ids)):
        city = here.city_of(aim.at)
        if city is None or city.owner == NOBODY or not _is_now(here, one, city):
            continue
        if not diplomacy.may_attack(here.view, here.settings, here.side, aim.at):
            continue
        made = _reinforced(here, (aim, one, city), free, best)
        if made is not None:
            return tuple(made.orders())
        tried += 1
        if tried == _TRIED:
            break
    return ()


def _is_now(here: Situation, one: Band, city: City) -> bool:
    return one.turns(here.atlas(one.who).cost(one.at, city.tiles)) == 0


def _reinforced(
    here: Situation,
    attack: tuple[Aim, Band, City],
    free: Sequence[Band],
    best: BestAims,
) -> Muster | None:
    """Return the stack for an attack with all who improve it; None if it would not gain by them."""
    aim, one, city = attack
    host = one if aim.armies == one.armies else band_of(here, aim.armies)
    if host is None or len(host.armies) >= STACK:
        return None
    hope = _hope(here, host.armies, city)
    arrivals = _leaders(here, free, host, city)
    if hope < _SURE or here.held((city.x, city.y)).size >= _STRONG:
        arrivals += _idle(here, (aim, one, city), free, best)
    made = muster_on_way(here, city, host, arrivals) if arrivals else None
    if made is None or len(made.armies) == len(host.armies):
        return None
    better = _hope(here, made.armies, city)
    gain = (better - hope) * (city_value(here, city) + sum(map(army_value, host.armies)))
    for army in made.armies:
        if army.hero is not None and army not in host.armies:
            gain += better * (_LED + max(0.0, quest_value(here, (army,), aim.at)))
            gain -= (1 - better) * army_value(army)
            gain -= _MISSED * _missed(army, free, best)
            if better < _SAFE:
                return None
    return made if gain > 0 and better >= least_chance(here, made.armies) else None


def _hope(here: Situation, armies: tuple[Army, ...], city: City) -> float:
    """Return the exact chance against the seen garrison, or a lower rough one if more may hide."""
    corner = city.x, city.y
    exact, held = forecast(here.view, here.settings, armies, corner).chance, here.held(corner)
    if len(defenders_at(here.view, corner, here.side)) >= held.size:
        return exact
    return min(exact, here.win_chance(here.attackers(armies, corner), held))


def _leaders(here: Situation, free: Sequence[Band], host: Band, city: City) -> list[Band]:
    """Return the best hero in reach as a list of at most one band; empty if the host has a hero."""
    if host.heroes:
        return []
    heroes = (army for other in free for army in other.heroes)
    alone = [made for army in heroes if (made := band_of(here, (army,))) is not None]
    near = [one for one in alone if _is_now(here, one, city)]
    return sorted(near, key=lambda one: (-one.armies[0].strength, one.ids))[:1]


def _idle(
    here: Situation, attack: tuple[Aim, Band, City], free: Sequence[Band], best: BestAims
) -> list[Band]:
    """Return bands in reach with no better aim than to join an attack, without their heroes."""
    aim, one, city = attack
    found = []
    for other in free:
        wish = best.get(other.ids)
        left = tuple(army for army in other.armies if army.hero is None)
        if other.ids == one.ids:
            left = tuple(army for army in left if army not in aim.armies)
        if left and (wish is None or wish.at == aim.at) and _is_now(here, other, city):
            made = band_of(here, left)
            found += [] if made is None else [made]
    return found


def _missed(hero: Army, free: Sequence[Band], best: BestAims) -> float:
    """Return the score of the best aim that a hero gives up by joining."""
    wishes = (best.get(one.ids) for one in free if hero in one.armies)
    scores = (wish.score for wish in wishes if wish is not None and hero in wish.armies)
    return max(scores, default=0.0)
