"""Bands of armies that march together: garrisons, aims, walk orders, and risk for heroes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.strategic import costs, movement
from engine.strategic.bot.atlas import AtlasStep
from engine.strategic.bot.force import army_value
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import Walk
from engine.strategic.costs import Mode, Mover, is_held
from engine.strategic.pieces import Army, City
from engine.strategic.routes import plan
from engine.strategic.world import armies_at, flies

# -- bands -----------------------------------------------------------------------------------------

_LONELY: Final = 40
"""Distance to the nearest foreign city beyond which a city may be left empty."""

_LOST: Final = 0.9
"""Enemy chance above which a city is abandoned."""


class Band(NamedTuple):
    """Armies on one tile that can move together, and their ids.

    ``points`` are those of this turn, ``pace`` those of a later turn.
    """

    ids: tuple[int, ...]
    armies: tuple[Army, ...]
    at: Place
    who: Mover
    points: int
    pace: int

    @property
    def heroes(self) -> tuple[Army, ...]:
        """The heroes among the armies."""
        return tuple(army for army in self.armies if army.hero is not None)

    def turns(self, cost: int) -> int:
        """Return the further turns needed to spend ``cost`` points; 0 if this turn's are enough."""
        return 0 if cost <= self.points else -(-(cost - self.points) // self.pace)


def band_of(here: Situation, armies: Iterable[Army]) -> Band | None:
    """Return a band of armies on one tile; None if they cannot move together."""
    group = tuple(sorted(armies, key=lambda army: army.id))
    who = costs.mover(here.view, here.settings.moving, group)
    if who is None:
        return None
    pace = max(1, min(army.max_move for army in group))
    ids = tuple(army.id for army in group)
    return Band(ids, group, group[0].at, who, costs.points(group), pace)


def free_bands(here: Situation, staying: frozenset[int]) -> list[Band]:
    """Return the bands of all armies with points that do not stay as garrison.

    If armies on foot cannot reach a city, flyers separate from them.
    """
    found = list[Band]()
    for stack in here.stacks:
        able = [army for army in stack if army.points > 0 and army.id not in staying]
        for free in _parted(here, able) if here.lost else (able,):
            found += _bands(here, free)
    return found


def _parted(here: Situation, able: list[Army]) -> tuple[list[Army], ...]:
    """Split the armies of a stack into flyers and others; keep them together if all can fly."""
    made = band_of(here, able) if able else None
    if made is not None and made.who.mode is Mode.AIR:
        return (able,)
    winged = [army for army in able if flies(here.view, army)]
    return winged, [army for army in able if army not in winged]


def _bands(here: Situation, free: list[Army]) -> Iterator[Band]:
    """Yield bands of a stack's free armies that can move together."""
    while free:
        made = band_of(here, free) or band_of(here, _alike(here, free))
        if made is None:
            break
        yield made
        free = [army for army in free if army not in made.armies]


def _alike(here: Situation, free: list[Army]) -> list[Army]:
    """Return the armies that can move together with the first one, itself included."""
    first = [free[0]]
    for army in free[1:]:
        if costs.mover(here.view, here.settings.moving, (*first, army)) is not None:
            first.append(army)
    return first


def garrisons(here: Situation) -> frozenset[int]:
    """Return the ids of the armies that stay in cities."""
    return frozenset(army.id for city in here.cities for army in _garrison(here, city))


def _garrison(here: Situation, city: City) -> list[Army]:
    """Return the fewest and cheapest armies that hold a city against all who can come next turn."""
    inside = [army for at in city.tiles for army in armies_at(here.view, at)]
    present = [army for army in inside if army.hero is None] if here.level.joins else inside
    present = present or inside
    present.sort(key=lambda army: (army_value(army), army.id))
    is_exposed = here.borders[city.id] <= _LONELY or bool(here.threats(city))
    least = max(here.level.guard, int(is_exposed))
    coming = here.danger(city, 1)
    if not coming.size:
        return present[:least]
    risk = 1.0
    hold = here.level.hold + here.impatience / 2 + here.level.bold * max(0.0, here.mastery - 1)
    for count in range(1, len(present) + 1):
        risk = here.win_chance(coming, here.defenders(present[:count], city))
        if risk <= hold and count >= least:
            return present[:count]
    return present if risk <= _LOST else present[:1]


# -- walk orders -----------------------------------------------------------------------------------


TURNS_ADDED: Final = 1.5
"""Turns added to the length of a route: a goal two turns away counts a little less than half."""


class Aim(NamedTuple):
    """A goal for armies, with its score and chance of success.

    One of the tiles in ``goal`` must be reached; ``at`` is the tile to fight for. ``foe`` is True
    if the enemy is in the open.
    """

    score: float
    armies: tuple[Army, ...]
    goal: tuple[Place, ...]
    at: Place
    chance: float = 1.0
    fight: bool = False
    foe: bool = False


Claims = Mapping[Place, float]
"""Chance that other bands take a tile, by tile."""


class TurnPath(NamedTuple):
    """Path of this turn; ``barred`` is a tile on it that others hold and that is not the goal."""

    path: tuple[Place, ...]
    barred: Place | None = None


def turn_path(here: Situation, band: Band, goal: tuple[Place, ...]) -> TurnPath:
    """Return the path that a band's points allow this turn on its route to one of some tiles."""
    atlas, at, left = here.atlas(band.who), band.at, band.points
    field = atlas.toward(goal, at)
    path: list[Place] = []
    while left > 0 and at not in goal:
        step = atlas.ahead(at, field)
        if step is None:
            break
        if is_held(here.view, here.side, step.at):
            if step.at not in goal:
                return TurnPath(tuple(path), step.at)
            path.append(step.at)
            break
        price = step.price
        if _ends_march(here, band, at, step):
            path.append(step.at)
            break
        if price > left:
            break
        left, at = left - price, step.at
        path.append(at)
    return TurnPath(tuple(path))


def _ends_march(here: Situation, band: Band, at: Place, step: AtlasStep) -> bool:
    """Return whether a step leads aboard or ashore."""
    rules = here.settings.moving
    if not (rules.keeps or rules.quayside):
        return step.coast
    if costs.embarks(here.view, rules, band.who, at, step.at):
        return True
    return costs.is_coast_step(here.view, rules, band.who, step.at)


def walk_toward(here: Situation, band: Band, goal: tuple[Place, ...]) -> Walk | None:
    """Return a walk toward one of some tiles; None if the band cannot go now."""
    found = turn_path(here, band, goal)
    if found.barred is not None:
        return walk_around(here, band, goal[0])
    return checked_walk(here, band, found.path)


def walk_up_to(here: Situation, band: Band, goal: tuple[Place, ...]) -> Walk | None:
    """Return a walk toward one of some tiles that stops before an attack, or None."""
    walk = walk_toward(here, band, goal)
    if walk is None or not would_attack(here, band, walk):
        return walk
    return checked_walk(here, band, walk.path[:-1])


def walk_around(here: Situation, band: Band, at: Place) -> Walk | None:
    """Return a walk to a tile around everyone in the way; None without a route or a step now."""
    human = here.me.human
    route = plan(here.view, here.settings, here.side, band.armies, at, human=human)
    if route is None:
        return None
    paid = tuple(accumulate(route.costs))
    path = tuple(tile for tile, spent in zip(route.path, paid, strict=True) if spent <= band.points)
    return checked_walk(here, band, path)


def would_attack(here: Situation, band: Band, walk: Walk) -> bool:
    """Return whether a walk ends this turn with an attack on a visible army."""
    return movement.strikes(here.after, here.settings, band.who, band.armies, walk.path)


def checked_walk(here: Situation, band: Band, path: tuple[Place, ...]) -> Walk | None:
    """Return the walk along a path; None if it would be refused or moves no army.

    It is checked by the rules of marching in the view after all orders so far. It breaks no treaty.
    """
    walk = Walk(band.ids, path)
    try:
        movement.judged(here.after, here.settings, here.side, walk)
    except Refused:
        return None
    gets_on = movement.gets_on(here.after, here.settings, band.who, band.armies, path, betray=False)
    return walk if gets_on else None


# -- risk for heroes -------------------------------------------------------------------------------

_ESCORT: Final = 3
"""Group size from which a hero need not be careful, if chance decides battles."""

_DARED: Final = 0.15
"""Accepted enemy chance against a hero with escort."""


def exposes_hero(here: Situation, walk: object) -> bool:
    """Return whether a walk leads a hero with a small escort to where foes are likely to attack."""
    if not isinstance(walk, Walk):
        return False
    armies = tuple(here.view.armies[army] for army in walk.armies)
    return is_perilous_for_hero(here, armies, walk.path[-1])


def is_perilous_for_hero(here: Situation, armies: Sequence[Army], at: Place) -> bool:
    """Return whether a hero with a small escort would be in danger on a tile next turn."""
    if all(army.hero is None for army in armies):
        return False
    if len(armies) >= _ESCORT and not here.estimates.certain:
        return False
    city = here.city_of(at)
    if city is not None and city.owner == here.side:
        return False
    own = here.attackers(tuple(armies), at)
    near = here.foes_near(at)
    return any(here.win_chance(here.attackers(stack, at), own) > _DARED for stack in near)
