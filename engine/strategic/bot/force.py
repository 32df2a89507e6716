"""Rough strength of armies, cheap enough for every goal of every group, and likely garrisons.

In a battle to the death each hit goes to one side or the other. So the value of an army in it is
close to proportional to the odds of its die (strength against the rest of the die). Before an
attack is ordered, ``engine.strategic.fighting.odds`` gives the exact chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, TypeVar

from engine.core.dice import Scripted
from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic import item_records as items
from engine.strategic.battle import defenders_at, line_up
from engine.strategic.battle_records import Battleground
from engine.strategic.cities import posted
from engine.strategic.pieces import CLASSES, NOBODY, Army, City, Slot
from engine.strategic.settings import CityRules, RuleSettings
from engine.strategic.sight import has_fog, visible
from engine.strategic.world import World, armies_at

# -- force -----------------------------------------------------------------------------------------

_STEEP: Final = 1.5
"""Exponent with which the odds of one army against one grow with their ratio of power."""

_SAFE: Final = 15


class Force(NamedTuple):
    """Combined power of armies, and their number."""

    power: float
    size: int


NO_FORCE: Final = Force(0.0, 0)


def combined(forces: Iterable[Force]) -> Force:
    """Return the sum of forces that fight one after the other."""
    listed = tuple(forces)
    return Force(sum(one.power for one in listed), sum(one.size for one in listed))


def win_chance(attackers: Force, defenders: Force) -> float:
    """Return the approximate chance that the attackers win."""
    if not defenders.size:
        return 1.0
    if not attackers.size:
        return 0.0
    mean = 2 * attackers.size * defenders.size / (attackers.size + defenders.size)
    odds: float = (defenders.power / attackers.power) ** (_STEEP * mean**0.5)
    return 1 / (1 + odds)


def army_value(army: Army) -> float:
    """Return the value of an army, on the same scale as the values of goals."""
    value = _value_of_strength(army.strength)
    return value + 18 if army.hero is not None else value


@cache
def _value_of_strength(strength: int) -> float:
    return 3 + 25 * _odds(strength + 1, 20)


def force_of(
    world: World,
    settings: RuleSettings,
    group: Sequence[Army],
    field: Battleground,
    *,
    defends: bool,
) -> Force:
    """Return the force of one side's armies in a battle, as if its foes reduced no bonus.

    ``defends`` is True if terrain and walls help them.
    """
    if not group:
        return NO_FORCE
    ground = CLASSES.index(field.ground)
    walls = field.defence if defends and field.ground == "city" else 0
    if group[0].owner == NOBODY:
        walls //= 2
    lead, more = 0, 0
    pack = max(0, *(world.types[army.type].pack[ground] for army in group))
    for army in group:
        if army.hero is not None:
            great = min(len(settings.fighting.leadership) - 1, _weight(world, army))
            lead = max(lead, settings.fighting.leadership[great])
            more += items.command(world, army.id) + items.standards(world, army.id)
    support = min(settings.fighting.cap, pack + lead + more + walls)
    power = 0.0
    for army in group:
        own = world.types[army.type].own[ground]
        strength = _weight(world, army) + own + support
        if army.aboard and field.at_sea:
            strength = settings.fighting.aboard
        power += _odds(strength, settings.fighting.dice)
    return Force(power, len(group))


def _weight(world: World, army: Army) -> int:
    if army.hero is None:
        return army.strength
    return army.strength + items.weapons(world, army.id)


def _odds(strength: int, sides: int) -> float:
    fights = max(1, min(_SAFE, strength))
    return fights / (sides - fights)


class SearchProspect(NamedTuple):
    """Value of searching a site, including the hero's death, and the chance of that death."""

    value: float
    peril: float


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates of forces and battles by the computer players of a rule book.

    ``force`` estimates the armies of one side on a battleground; its last argument is True for
    defenders. ``chance`` is the approximate chance of attackers against defenders. ``certain`` is
    True if battles are without chance: a forecast is then the battle itself, and waves wear a
    garrison down hit point by hit point. ``merit`` values a slot's armies for their time and for
    the gold that the city may spend in a turn; None: by the numbers of its type. ``search`` gives
    the value and risk of searching a site by a hero with a number of armies, itself included; None:
    a small fixed risk. ``doubt`` is the strength that heroes add to armies of unknown type.
    ``fortifies`` is True for tiles where defending makes armies stronger; None: nowhere.
    """

    force: Callable[[World, RuleSettings, Sequence[Army], Battleground, bool], Force]
    chance: Callable[[Force, Force], float]
    certain: bool = False
    merit: Callable[[World, Slot, float], float] | None = None
    search: Callable[[World, Army, int], SearchProspect] | None = None
    doubt: int = 0
    fortifies: Callable[[World, Place], bool] | None = None


DICE: Final = Estimates(
    lambda world, settings, group, field, defends: force_of(
        world, settings, group, field, defends=defends
    ),
    win_chance,
)
"""Estimates for hits decided by dice and armies that are unhurt before a battle."""


# -- battles without chance ------------------------------------------------------------------------


class CertainBattle(NamedTuple):
    """Result of a battle without chance: winner, values of the dead, and the world after it."""

    won: bool
    killed: float
    lost: float
    world: World


def fought_out(
    world: World, settings: RuleSettings, group: Sequence[Army], at: Place
) -> CertainBattle:
    """Return the result of a fight for a tile by the rule book's procedure, which has no dice."""
    rules = settings.fighting
    if not defenders_at(world, at, group[0].owner):
        return CertainBattle(won=True, killed=0.0, lost=0.0, world=world)
    lineup = line_up(world, settings, group, at)
    duels = rules.fight(Scripted(), rules, lineup)
    dead = [world.armies[duel.defender if duel.won else duel.attacker] for duel in duels]
    left = world.armies.drop(*(army.id for army in dead))
    if rules.wounds is not None:
        whole = {
            one.army: one.hp for one in (*lineup.attackers.fighters, *lineup.defenders.fighters)
        }
        rows = ((left[army], whole[army], lost) for army, lost in rules.wounds(lineup, duels))
        left = left.put(*(replace(a, hp=replace(hp, lost=lost)) for a, hp, lost in rows if hp))
    own = group[0].owner
    return CertainBattle(
        won=duels[-1].won,
        killed=sum(army_value(army) for army in dead if army.owner != own),
        lost=sum(army_value(army) for army in dead if army.owner == own),
        world=replace(world, armies=left),
    )


# -- garrisons out of sight ------------------------------------------------------------------------

SomeWorld = TypeVar("SomeWorld", bound=World)

_TIER: Final = 2
"""Assumed roll for the tier of a neutral garrison, about the middle of its range."""

_GROWTH: Final = ((5, 1), (12, 2))
"""Likely armies in a side's city up to a turn, each as (turn, armies)."""

_LATER: Final = 3
"""Likely armies after those turns: the mean over whole games without fog."""


def with_likely_garrisons(view: SomeWorld, settings: RuleSettings, side: int) -> SomeWorld:
    """Return the view with a likely garrison in each foreign city that the side does not see."""
    if not has_fog(view, settings):
        return view
    seen = visible(view, settings, side)
    hidden = [
        city
        for city in view.cities.values()
        if city.owner != side and not city.razed and not all(seen[y, x] for x, y in city.tiles)
    ]
    if not hidden:
        return view
    first = 1 + max((0, *view.armies))
    guards = (army for city in hidden for army in _guards(view, settings.cities, city))
    return replace(
        view,
        armies=view.armies.put(
            *(replace(army, id=first + number) for number, army in enumerate(guards))
        ),
    )


def _guards(view: World, rules: CityRules, city: City) -> Iterator[Army]:
    """Yield the unseen armies of a likely garrison, on the city's first tile."""
    known = sum(len(armies_at(view, at)) for at in city.tiles)
    slot = _slot(view, rules, city)
    for _ in range(_count(view, city) - known):
        yield posted(rules, city, slot, 0, (city.x, city.y))


def _count(view: World, city: City) -> int:
    """Return the likely number of armies in a city."""
    if city.owner == NOBODY:
        return 1
    return next((count for turn, count in _GROWTH if view.turn <= turn), _LATER)


def _slot(view: World, rules: CityRules, city: City) -> Slot:
    """Return the likely slot of a city's unseen armies."""
    keeps_scouts = city.owner == NOBODY and rules.tier_plus is None
    if keeps_scouts or not city.slots:
        kind = view.types[rules.keeper]
        return Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)
    if city.owner == NOBODY:
        tier = min(rules.most_tier, _TIER + (rules.tier_plus or 0))
        return city.slots[min(tier, len(city.slots) - 1)]
    land = [slot for slot in city.slots if "boat" not in view.types[slot.type].traits]
    return max(land or city.slots, key=lambda slot: slot.strength)
