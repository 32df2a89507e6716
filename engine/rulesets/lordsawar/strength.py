"""Strength of armies in a battle: line-up, four layers, and the parts of every number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from engine.rulesets.lordsawar.battle_records import (
    DEFAULT_OPTIONS,
    NO_ARMY,
    ArmyStrength,
    BattleStrengths,
    BattleTerms,
    BattleTile,
    Combatant,
    CombatOptions,
    SideStrength,
    StrengthPart,
    TileClass,
)
from engine.rulesets.lordsawar.kinds import Building, Terrain, UnitFlag
from engine.rulesets.lordsawar.tables import armyset

_CLASSES: Final[dict[Terrain, TileClass]] = {
    Terrain.GRASS: "open",
    Terrain.FOREST: "forest",
    Terrain.HILLS: "hills",
    Terrain.MOUNTAIN: "hills",
}
_WIDE: Final = frozenset({Terrain.SWAMP, Terrain.WATER})
_CITY_CLASS: Final = frozenset({Building.CITY, Building.RUIN, Building.TEMPLE})
_SITES: Final = frozenset({Building.RUIN, Building.TEMPLE})
_NO_FORTIFYING: Final = _CITY_CLASS | {Building.PORT}

_FORTIFY: Final = int(UnitFlag.FORTIFY)
_PAIRS: Final[dict[TileClass, tuple[int, int]]] = {
    "open": (int(UnitFlag.ADD1STRINOPEN), int(UnitFlag.ADD2STRINOPEN)),
    "forest": (int(UnitFlag.ADD1STRINFOREST), int(UnitFlag.ADD2STRINFOREST)),
    "hills": (int(UnitFlag.ADD1STRINHILLS), int(UnitFlag.ADD2STRINHILLS)),
    "city": (int(UnitFlag.ADD1STRINCITY), int(UnitFlag.ADD2STRINCITY)),
}
_STACK: Final = (int(UnitFlag.ADD1STACK), int(UnitFlag.ADD2STACK))
_STACK_IN_HILLS: Final = int(UnitFlag.ADD1STACKINHILLS)
_DEBUFFS: Final = (int(UnitFlag.SUB1ENEMYSTACK), int(UnitFlag.SUB2ENEMYSTACK))
_NO_STACK: Final = int(UnitFlag.SUBALLNONHEROBONUS)
_NO_HERO: Final = int(UnitFlag.SUBALLHEROBONUS)
_NO_GROUND: Final = int(UnitFlag.SUBALLCITYBONUS)


# -- the line --------------------------------------------------------------------------------------


def line_up(armies: Iterable[Combatant], fight_order: Sequence[int]) -> tuple[Combatant, ...]:
    """Return the armies of a side in fight order; unlisted types come first. Rules: LW-2.2."""
    ranks = {kind: rank for rank, kind in enumerate(fight_order, 1)}
    return tuple(sorted(armies, key=lambda army: (ranks.get(army.type, 0), army.id)))


# -- the ground ------------------------------------------------------------------------------------


def tile_class(tile: BattleTile, options: CombatOptions = DEFAULT_OPTIONS) -> TileClass:
    """Return a tile's class of ground; buildings override terrain. Rules: LW-3.2. See: LW-0."""
    if tile.building in _CITY_CLASS:
        return "city"
    if options.open_ground == "wide" and tile.terrain in _WIDE:
        return "open"
    return _CLASSES.get(tile.terrain, "other")


def defence_level(filled_slots: int, *, neutral: bool, razed: bool = False) -> int:
    """Return the defence level of a city; 0 if it is razed. Rules: LW-3.4."""
    if razed:
        return 0
    return 1 + (filled_slots > 2) + (not neutral)


def site_bonus(tile: BattleTile) -> int:
    """Return the bonus of a city, ruin or temple for its defenders; 0 elsewhere. Rules: LW-3.4."""
    if tile.building in _SITES:
        return armyset().combat.site_bonus
    return max(0, tile.level - 1) if tile.building is Building.CITY else 0


def is_city_attack(target: BattleTile) -> bool:
    """Return whether the target is a city that is not razed. See: LW-2.1."""
    return target.building is Building.CITY and target.level > 0


def battle_terms(
    start: BattleTile,
    target: BattleTile,
    options: CombatOptions = DEFAULT_OPTIONS,
    *,
    fortified: bool = False,
) -> BattleTerms:
    """Return the ground of an attack from one tile on another; in a city both sides use its ground.

    Rules: LW-2.1. See: LW-3.2, LW-3.4.
    """
    defenders_on = tile_class(target, options)
    attackers_on = defenders_on if is_city_attack(target) else tile_class(start, options)
    return BattleTerms(attackers_on, defenders_on, site_bonus(target), fortified)


def may_fortify(tile: BattleTile) -> bool:
    """Return whether a stack that defends this tile becomes fortified. Rules: LW-3.2."""
    on_water = tile.terrain is Terrain.WATER and tile.building is Building.NONE
    return tile.building not in _NO_FORTIFYING and not on_water


def tower_army(
    armies: Iterable[Combatant], fight_order: Sequence[int], on: TileClass
) -> int | None:
    """Return the army of a fortified stack that is put in a tower, or None.

    It is the last in fight order that is aboard or gains nothing on this ground from its own flags.
    Rules: LW-3.2.
    """
    for army in reversed(line_up(armies, fight_order)):
        if army.aboard or not flag_gain(army.bonus, on):
            return army.id
    return None


# -- layers 1 and 2: each army alone ---------------------------------------------------------------


@cache
def flag_gain(bonus: int, on: TileClass) -> int:
    """Return an army's gain from its own flags on this ground, without a tower. Rules: LW-3.2."""
    one, two = _PAIRS.get(on, (0, 0))
    return bool(bonus & one) + 2 * bool(bonus & two)


def ship_base(army: Combatant, options: CombatOptions) -> int:
    """Return the strength of a ship; no bonus changes it. Rules: LW-3.1."""
    most = armyset().combat.ship_strength
    if options.ship_strength == "capped4":
        return min(most, army.strength + army.personal)
    return most


def _is_towered(army: Combatant) -> bool:
    return army.in_tower or bool(army.bonus & _FORTIFY)


# -- layer 3: the side as a whole ------------------------------------------------------------------


@cache
def _stack_gain(bonus: int, on: TileClass) -> int:
    one, two = _STACK
    in_hills = on == "hills" and bool(bonus & _STACK_IN_HILLS)
    return bool(bonus & one) + 2 * bool(bonus & two) + in_hills


def command(strength: int) -> int:
    """Return the gain of a side from the strength of its strongest hero, 3 at most. Rules: LW-3.3.

    >>> [command(strength) for strength in (3, 4, 7, 9, 12)]
    [0, 1, 2, 3, 3]
    """
    steps = armyset().combat.command_from
    return sum(strength >= step for step in steps)


def _first(line: Iterable[Combatant], flags: int, *, afloat: bool = True) -> int:
    """Return the id of the first army with one of these flags, or NO_ARMY."""
    for army in line:
        if army.bonus & flags and (afloat or not army.aboard):
            return army.id
    return NO_ARMY


def _non_hero_part(
    line: Sequence[Combatant], on: TileClass, enemy: Sequence[Combatant]
) -> StrengthPart:
    """Return the highest gain that one army's flags give to its side. Rules: LW-3.3, LW-3.6."""
    value, giver = 0, NO_ARMY
    for army in line:
        if not army.hero and not army.aboard and (own := _stack_gain(army.bonus, on)) > value:
            value, giver = own, army.id
    return StrengthPart("stack", value, giver, _first(enemy, _NO_STACK))


def _hero_parts(line: Sequence[Combatant], enemy: Sequence[Combatant]) -> tuple[StrengthPart, ...]:
    """Return the gains from heroes' items and the best hero's command. Rules: LW-3.3, LW-3.6."""
    heroes = [army for army in line if army.hero]
    if not heroes:
        return ()
    leader = max(heroes, key=lambda army: army.strength + army.personal)
    bearer = next((army.id for army in heroes if army.commanding), NO_ARMY)
    cancelled_by = _first(enemy, _NO_HERO)
    return (
        StrengthPart("items", sum(army.commanding for army in heroes), bearer, cancelled_by),
        StrengthPart(
            "command", command(leader.strength + leader.personal), leader.id, cancelled_by
        ),
    )


def _ground_part(
    line: Sequence[Combatant], terms: BattleTerms, enemy: Sequence[Combatant]
) -> StrengthPart:
    """Return the defenders' bonus from a city, site or fortification. Rules: LW-3.4, LW-3.6."""
    cancelled_by = _first(enemy, _NO_GROUND, afloat=False)
    if terms.defenders_on == "city":
        return StrengthPart("site", terms.site_bonus, NO_ARMY, cancelled_by)
    towered = next((army.id for army in line if _is_towered(army)), NO_ARMY)
    is_fortified = terms.fortified or towered != NO_ARMY
    value = armyset().combat.fortify_bonus if is_fortified else 0
    return StrengthPart("fortify", value, towered, cancelled_by)


def total_bonus(parts: Iterable[StrengthPart]) -> int:
    """Sum the parts that no enemy cancels, up to the book's maximum. Rules: LW-3.5. See: LW-3.6."""
    left = sum(part.value for part in parts if part.cancelled_by == NO_ARMY)
    return min(armyset().combat.most_bonus, left)


# -- layer 4, and all together ---------------------------------------------------------------------


def debuff_by(enemy: Iterable[Combatant]) -> tuple[int, int]:
    """Return the loss by the first debuffer of the enemy line, and its id. Rules: LW-3.6."""
    one, two = _DEBUFFS
    for army in enemy:
        if loss := bool(army.bonus & one) + 2 * bool(army.bonus & two):
            return loss, army.id
    return 0, NO_ARMY


def battle_strengths(
    attackers: tuple[Combatant, ...],
    defenders: tuple[Combatant, ...],
    terms: BattleTerms,
    options: CombatOptions = DEFAULT_OPTIONS,
) -> BattleStrengths:
    """Return the strengths of both sides; the armies must be in fight order. Rules: LW-3.7."""
    return BattleStrengths(
        attackers_strength(attackers, defenders, terms, options),
        defenders_strength(defenders, attackers, terms, options),
    )


def attackers_strength(
    line: tuple[Combatant, ...],
    enemy: tuple[Combatant, ...],
    terms: BattleTerms,
    options: CombatOptions,
) -> SideStrength:
    """Return the strengths of the attackers only. See: LW-3.7."""
    ground = terms.attackers_on
    parts = (_non_hero_part(line, ground, enemy), *_hero_parts(line, enemy))
    return _side(line, parts, debuff_by(enemy), (ground, False), options)


def defenders_strength(
    line: tuple[Combatant, ...],
    enemy: tuple[Combatant, ...],
    terms: BattleTerms,
    options: CombatOptions,
) -> SideStrength:
    """Return the strengths of the defenders only. See: LW-3.7."""
    ground = terms.defenders_on
    parts = (
        _non_hero_part(line, ground, enemy),
        *_hero_parts(line, enemy),
        _ground_part(line, terms, enemy),
    )
    return _side(line, parts, debuff_by(enemy), (ground, True), options)


def _side(
    line: tuple[Combatant, ...],
    parts: tuple[StrengthPart, ...],
    debuff: tuple[int, int],
    ground: tuple[TileClass, bool],
    options: CombatOptions,
) -> SideStrength:
    bonus = total_bonus(parts)
    armies = tuple(_army(army, bonus, debuff[0], ground, options) for army in line)
    final = tuple(army.final for army in armies)
    told = tuple(part for part in parts if part.value)
    return SideStrength(line, told, bonus, *debuff, armies, final)


def _army(
    army: Combatant,
    bonus: int,
    loss: int,
    ground: tuple[TileClass, bool],
    options: CombatOptions,
) -> ArmyStrength:
    """Return the strength of one army, layer by layer.

    Rules: LW-3.1. See: LW-3.2, LW-3.5, LW-3.6.
    """
    if army.aboard:
        base = ship_base(army, options)
        return ArmyStrength(army.id, base, 0, 0, 0, 0, 0, 0, base)
    on, defends = ground
    terrain = flag_gain(army.bonus, "city" if defends and _is_towered(army) else on)
    own = army.strength + army.personal + terrain
    most = armyset().combat.most_strength
    cap = most - own if own > most else 0
    reached = own + cap + bonus - loss
    floor = 1 - reached if reached < 1 else 0
    return ArmyStrength(
        army.id,
        army.strength,
        army.personal,
        terrain,
        cap,
        bonus,
        -loss,
        floor,
        reached + floor,
    )


def reasons(side: SideStrength, place: int) -> tuple[StrengthPart, ...]:
    """Return the parts of one army's strength, in the order of the layers.

    The parts without a canceller add up to the strength. See: LW-3.7.
    """
    army, told = side.line[place], side.armies[place]
    if army.aboard:
        return (StrengthPart("ship", told.final),)
    left = sum(part.value for part in side.parts if part.cancelled_by == NO_ARMY)
    parts = (
        StrengthPart("base", told.base),
        StrengthPart("personal", told.personal),
        StrengthPart("terrain", told.terrain),
        StrengthPart("cap", told.cap),
        *side.parts,
        StrengthPart("bonus-cap", side.bonus - left),
        StrengthPart("debuff", told.debuff, side.debuffer),
        StrengthPart("floor", told.floor),
    )
    return tuple(part for part in parts if part.value)


SCOUT: Final = Combatant(NO_ARMY, 0, strength=1, hp=1, max_hp=1)
"""Opponent against which strengths are shown outside of battles. See: LW-7."""


def shown_strengths(
    line: tuple[Combatant, ...], on: TileClass, options: CombatOptions = DEFAULT_OPTIONS
) -> SideStrength:
    """Return the strengths of a stack outside of battle: against a lone scout. Rules: LW-7.5."""
    return battle_strengths(line, (SCOUT,), BattleTerms(on, on), options).attackers
