"""Computer players by level (section 18)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from math import exp, log
from typing import Any, Final

from engine.core.dice import Dice
from engine.core.ruleset import Offers
from engine.kit.grid import Place
from engine.kit.identity_cache import keyed_identity_cache
from engine.kit.tables import load
from engine.rulesets.lordsawar.battle_records import (
    HIT_POINT,
    BattleTerms,
    Combatant,
    CombatOptions,
    TileClass,
)
from engine.rulesets.lordsawar.commands import AnyCommand, Propose, UseItem
from engine.rulesets.lordsawar.diplomacy import opinions, proposals
from engine.rulesets.lordsawar.heroes import survives
from engine.rulesets.lordsawar.hit_points import die_sides
from engine.rulesets.lordsawar.kinds import UnitFlag
from engine.rulesets.lordsawar.levels import usual_choice
from engine.rulesets.lordsawar.lineup import (
    battle_tile,
    combat_options,
    combatant,
    type_flags,
)
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.pieces import type_upkeep
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.state import State, View
from engine.rulesets.lordsawar.strength import (
    SCOUT,
    attackers_strength,
    defenders_strength,
    may_fortify,
)
from engine.rulesets.lordsawar.tables import PACKAGE
from engine.strategic.battle_records import Battleground
from engine.strategic.bot.commander import Commander
from engine.strategic.bot.force import (
    NO_FORCE,
    Estimates,
    Force,
    SearchProspect,
    win_chance,
)
from engine.strategic.bot.level import LevelTable
from engine.strategic.bot.realm import prime_rival
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import AskSage, PickUp
from engine.strategic.item_records import lying, weapons
from engine.strategic.pieces import NOBODY, STACK, Army, BattleClass, City, Item, Slot
from engine.strategic.settings import RuleSettings
from engine.strategic.world import (
    PEACE,
    WAR,
    World,
    armies_at,
    armies_of,
    cities_of,
    items_of,
    site_at,
    treaty,
)

TEMPERS: Final = load(PACKAGE, "levels", LevelTable).levels
"""Levels of computer players by name. See: LW-18."""


# -- estimates -------------------------------------------------------------------------------------

_STEEP: Final = 7.0
_FIRST: Final = 1.2
"""Slope of the chance over the logarithm of the force ratio, and the advantage of striking first.

They are fitted to exact battles of random lines. They are rough because flags that cancel bonuses
are left out.
"""

_GROUNDS: Final[Mapping[BattleClass, TileClass]] = {
    "city": "city",
    "open": "open",
    "woods": "forest",
    "hills": "hills",
}


@keyed_identity_cache
def _combatant_of(view: State, number: int) -> Combatant:
    """Return an army of a view, by its number, as a combatant."""
    return combatant(view, view.armies[number])


def _force(
    options: CombatOptions,
    world: World,
    settings: RuleSettings,
    group: Sequence[Army],
    field: Battleground,
    defends: bool,  # noqa: FBT001 - a policy of the layer
) -> Force:
    """Estimate the force of armies.

    Each army loses hit points in the ratio of the two sides' strikes. So the sum of hit points
    times the odds of a strike decides a battle, except for the last hit of each army.
    See: LW-4.1, LW-5.
    """
    del settings
    if not group:
        return NO_FORCE
    on = _GROUNDS[field.ground]
    state: Any = world
    line = tuple(
        _combatant_of(state, army.id)
        if state.armies.get(army.id) is army
        else combatant(state, army)
        for army in group
    )
    terms = BattleTerms(on, on, field.defence)
    strength = defenders_strength if defends else attackers_strength
    final = strength(line, (SCOUT,), terms, options).final
    sides = die_sides(intense=options.intense_combat)
    struck = zip(line, final, strict=True)
    power = sum(army.hp * own / (sides - own) for army, own in struck)
    return Force(power / (2 * HIT_POINT), len(group))


def _chance(attackers: Force, defenders: Force) -> float:
    """Estimate the chance that the attackers win a battle without dice. See: LW-7."""
    if not defenders.power:
        return 1.0
    if not attackers.power:
        return 0.0
    ahead = _STEEP * log(attackers.power / defenders.power) + _FIRST
    return 1 / (1 + exp(-max(-50.0, min(50.0, ahead))))


_SUPPORT: Final = 1
"""Bonus that an army has in most battles, from heroes, packs or walls."""

_CONCENTRATION: Final = 1.15
"""Exponent of strength: only eight armies fight together, and strong ones live longer."""

_KEPT: Final = 8
"""Rounds of upkeep that count as part of an army's price."""

_SWIFT: Final = 0.02
_FLIES: Final = 0.15
"""Worth of a movement point, and of flight, as shares of an army's worth in battle."""

_FLAGS: Final[Mapping[UnitFlag, float]] = {
    UnitFlag.ADD1STRINOPEN: 0.3,
    UnitFlag.ADD2STRINOPEN: 0.6,
    UnitFlag.ADD1STRINFOREST: 0.1,
    UnitFlag.ADD2STRINFOREST: 0.2,
    UnitFlag.ADD1STRINHILLS: 0.1,
    UnitFlag.ADD2STRINHILLS: 0.2,
    UnitFlag.ADD1STRINCITY: 0.7,
    UnitFlag.ADD2STRINCITY: 1.4,
    UnitFlag.ADD1STACKINHILLS: 0.2,
    UnitFlag.SUBALLCITYBONUS: 1.0,
    UnitFlag.SUB1ENEMYSTACK: 1.0,
    UnitFlag.SUB2ENEMYSTACK: 2.0,
    UnitFlag.ADD1STACK: 1.5,
    UnitFlag.ADD2STACK: 3.0,
    UnitFlag.SUBALLNONHEROBONUS: 0.5,
    UnitFlag.SUBALLHEROBONUS: 0.5,
    UnitFlag.FORTIFY: 0.5,
}
"""Average worth of the flags in strength; most battles are for cities."""


@cache
def _worth_of_flags(has: int) -> float:
    """Sum the strength that the flags in the bits ``has`` are worth."""
    return sum(value for flag, value in _FLAGS.items() if has & flag)


def _merit(world: World, slot: Slot, share: float) -> float:
    """Return the merit of making a unit: its worth in battle per cost.

    The cost is its turns, plus its price and upkeep converted to turns of a city that can spend
    ``share`` gold in each. See: LW-9, LW-13.2.
    """
    kind = world.types[slot.type]
    strength = min(_MOST, slot.strength + _SUPPORT + _worth_of_flags(type_flags(kind)))
    worth: float = (strength / (_SIDES - strength)) ** _CONCENTRATION
    worth *= 1 + _SWIFT * slot.move + _FLIES * ("fly" in kind.traits)
    return worth / (slot.turns + (slot.cost + _KEPT * type_upkeep(slot)) / share)


_SIDES: Final = 20
_MOST: Final = 14


_FOUND: Final = 50.0
_HERO: Final = 60.0
"""Average value of what a search finds, and the value of a hero."""

_DOUBT: Final = 2
"""Strength that heroes add to armies of unknown type, which may be heroes themselves."""

_KEEPER: Final = 7
"""Average strength of the keepers of sites."""


def _search(world: World, hero: Army, armies: int) -> SearchProspect:
    """Estimate the gain and the danger of a search; the keeper is unknown. See: LW-14."""
    strength = hero.strength + weapons(world, hero.id)
    lives = (survives(strength, _KEEPER, armies) + survives(strength, _KEEPER + 1, armies)) / 200
    peril = max(0.0, 0.99 - lives)
    return SearchProspect(_FOUND * (1 - peril) - _HERO * peril, peril)


def _fortifies(world: World, at: Place) -> bool:
    """Return whether a defending stack becomes fortified on this tile. See: LW-3.2."""
    view: Any = world
    return may_fortify(battle_tile(view, at))


@cache
def _estimates_under(options: Options) -> Estimates:
    combat = combat_options(options)
    certain = combat.combat_rule == "deterministic"
    chance = _chance if certain else win_chance
    return Estimates(
        partial(_force, combat),
        chance,
        certain=certain,
        merit=_merit,
        search=_search,
        doubt=_DOUBT,
        fortifies=_fortifies,
    )


def _estimates(view: Any) -> Estimates:
    return _estimates_under(view.options)


def _settings(view: Any) -> RuleSettings:
    return settings_in(view)


# -- treaties --------------------------------------------------------------------------------------

_HATED: Final = 2
_LIKED: Final = 13
"""Opinions below which war is proposed, and above which peace is. See: LW-18."""

_MIGHT: Final = 35
_MANY: Final = 4
"""Percentage of cities above which a rival is hateful, if more than ``_MANY`` sides are alive.

See: LW-18.
"""


_BEGINNING: Final = 5
"""Rounds in which lack of other targets is no reason to go to war."""


def _treaties(here: Situation) -> Iterator[AnyCommand]:
    """Yield the proposals of a turn.

    A side without other targets goes to war, so that games end. See: LW-18, LW-16.
    """
    view: Any = here.view
    rivals = [side for side in view.sides.values() if side.alive and side.id != here.side]
    if not here.settings.turns.diplomacy or not rivals:
        return
    idle = here.lost and view.turn > _BEGINNING
    for rival in rivals:
        now = treaty(view, here.side, rival.id)
        hated = here.impatience >= 1 or _is_hateful(here, rival.id, len(rivals) + 1)
        if hated or (idle and rival.id == prime_rival(here, rivals)):
            wanted = WAR
        elif opinions(view)[here.side][rival.id] > _LIKED:
            wanted = PEACE
        else:
            continue
        if wanted not in (now, proposals(view)[here.side][rival.id]):
            yield Propose(rival.id, wanted)


def _is_hateful(here: Situation, rival: int, living: int) -> bool:
    """Return whether the side dislikes a rival, or the rival has too many cities."""
    view: Any = here.view
    if opinions(view)[here.side][rival] < _HATED:
        return True
    standing = sum(not city.razed for city in view.cities.values())
    return living > _MANY and len(cities_of(view, rival)) * 100 > _MIGHT * standing


class LordsCommander(Commander):
    """Computer player that also uses the commands that only this game has. Rules: LW-18."""

    def plan(self, view: Any, offers: Offers[Any], dice: Dice) -> Sequence[Any]:
        """Return the commands to give now; never empty while the side owes an answer."""
        question = view.question
        if question is None:
            return tuple(of_heroes(view)) or super().plan(view, offers, dice)
        match question.kind:
            case "level":
                return (usual_choice(view.armies[question.army]),)
            case "sage":
                return (AskSage("gold"),)
            case _:
                return super().plan(view, offers, dice)

    def stances(self, here: Situation) -> Iterator[Any]:
        """Yield the proposals to other sides. See: LW-18."""
        return _treaties(here)

    def rest(self, view: Any, offers: Offers[Any]) -> Sequence[Any]:
        """Return the end of the turn; if a question is open, the answer that costs nothing."""
        if view.question is not None and view.question.kind == "level":
            return (usual_choice(view.armies[view.question.army]),)
        return super().rest(view, offers)


LEVELS: Final[Mapping[str, Any]] = {
    name: LordsCommander(temper, _settings, _estimates) for name, temper in TEMPERS.items()
}


# -- heroes: quests, ruins, temples, items ---------------------------------------------------------


def of_heroes(view: View) -> Iterator[AnyCommand]:
    """Yield pick-ups on heroes' tiles, then one helpful use of an item. See: LW-11, LW-18."""
    heroes = [army for army in armies_of(view, view.viewer) if army.hero is not None]
    finders = {hero.at: hero for hero in heroes}
    for at, hero in finders.items():
        for item in lying(view, at):
            if item.where == "ground" or item.side != hero.owner:
                yield PickUp(hero.id, item.id)
    uses = (use for hero in heroes for use in _uses(view, hero))
    first = next(uses, None)
    if first is not None:
        yield first


def _uses(view: View, hero: Army) -> Iterator[UseItem]:
    """Yield the uses of a hero's items that help now."""
    for item in items_of(view, hero.id):
        if item.powers and item.powers.charges > 0 and item.powers.acts:
            yield from _use(view, hero, item, item.powers.acts[0])


def _use(view: View, hero: Army, item: Item, act: str) -> Iterator[UseItem]:
    """Yield the use of one item if it is worth a charge now."""
    if act in _AGAINST:
        victim = _AGAINST[act](view, hero)
        if victim is not None:
            yield UseItem(hero.id, item.id, side=victim)
    elif act in _ON_CITIES:
        cities = _ON_CITIES[act](view, hero)
        if cities:
            best = max(cities, key=lambda city: (city.income, -city.id))
            yield UseItem(hero.id, item.id, city=best.id)
    elif act in _HERE and _HERE[act](view, hero):
        yield UseItem(hero.id, item.id)


def _rivals(view: View, hero: Army) -> list[int]:
    """Return the sides that the hero's side is at war with."""
    others = (side.id for side in view.sides.values() if side.alive and side.id != NOBODY)
    return [side for side in others if side != hero.owner and treaty(view, hero.owner, side) == WAR]


def _richest(view: View, hero: Army) -> int | None:
    """Return the rival with the most known cities, or None without rivals."""
    rivals = _rivals(view, hero)
    return max(rivals, key=lambda side: (len(cities_of(view, side)), -side), default=None)


def _at_sea(view: View, hero: Army) -> int | None:
    """Return the rival with the most visible armies aboard, or None."""
    afloat = [army.owner for army in view.armies.values() if army.aboard]
    rivals = [side for side in _rivals(view, hero) if side in afloat]
    return max(rivals, key=lambda side: (afloat.count(side), -side), default=None)


def _defenders(view: View, city: City) -> int:
    return sum(len(armies_at(view, at)) for at in city.tiles)


def _neutral(view: View, hero: Army) -> list[City]:
    """Return the neutral cities that are not razed."""
    del hero
    return [city for city in view.cities.values() if city.owner == NOBODY and not city.razed]


def _bare(view: View, hero: Army) -> list[City]:
    """Return the side's cities with fewer than ``_FEW`` defenders."""
    return [city for city in cities_of(view, hero.owner) if _defenders(view, city) < _FEW]


def _crowded(view: View, hero: Army) -> list[City]:
    """Return the rivals' cities with so many defenders that a disease kills some."""
    cities = (city for side in _rivals(view, hero) for city in cities_of(view, side))
    return [city for city in cities if _defenders(view, city) >= _GARRISON]


def _at_temple(view: View, hero: Army) -> bool:
    """Return whether the hero is at a temple with room for another army."""
    site = site_at(view, hero.at)
    return site is not None and site.kind == "temple" and len(armies_at(view, hero.at)) < STACK


def _at_keeper(view: View, hero: Army) -> bool:
    """Return whether the hero is at a ruin with a known keeper and room for another army."""
    site = site_at(view, hero.at)
    kept = site is not None and site.guardian > 0 and not site.searched
    return kept and len(armies_at(view, hero.at)) < STACK


def _lies_something(view: View, hero: Army) -> bool:
    """Return whether any item is visible on the ground."""
    del hero
    return any(item.where == "ground" for item in view.items.values())


_FEW: Final = 2
_GARRISON: Final = 4

_AGAINST: Final[Mapping[str, Callable[[View, Army], int | None]]] = {
    "STEAL_GOLD": _richest,
    "SINK_SHIPS": _at_sea,
}

_ON_CITIES: Final[Mapping[str, Callable[[View, Army], list[City]]]] = {
    "PERSUADE_NEUTRALS": _neutral,
    "RAISE_DEFENDERS": _bare,
    "DISEASE_CITY": _crowded,
}

_HERE: Final[Mapping[str, Callable[[View, Army], bool]]] = {
    "SUMMON_MONSTER": _at_temple,
    "CAPTURE_KEEPER": _at_keeper,
    "PICK_UP_BAGS": _lies_something,
}
