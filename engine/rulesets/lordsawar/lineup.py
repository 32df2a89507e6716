"""Line up armies for battles (sections 2 and 3): ground, combatants, and the layer's records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, cast

from engine.core.containers import Roster
from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.lordsawar.battle_records import (
    HIT_POINT,
    ArmyStrength,
    BattleHit,
    BattleStrengths,
    BattleTerms,
    BattleTile,
    Combatant,
    CombatOptions,
    SideStrength,
    StrengthSource,
)
from engine.rulesets.lordsawar.kinds import Building, Terrain, UnitFlag
from engine.rulesets.lordsawar.land import PORTS, LandCode
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.state import State, View
from engine.rulesets.lordsawar.strength import (
    battle_strengths,
    battle_terms,
    line_up,
    shown_strengths,
    tile_class,
)
from engine.rulesets.lordsawar.tables import (
    ArmysetItem,
    armyset,
    command_items,
    personal_strength,
    power_names,
    units_by_key,
)
from engine.strategic.battle import defenders_at
from engine.strategic.battle_records import Battleground, BattleLine, Lineup, Support
from engine.strategic.events.battle import Duel, Fighter, Part, PartSource
from engine.strategic.pieces import (
    NOBODY,
    NONE,
    Army,
    BattleClass,
    HitPoints,
    Item,
    UnitType,
)
from engine.strategic.settings import FightingRules
from engine.strategic.world import World, city_at, hit_points, items_of, site_at

_TERRAIN: Final[Mapping[LandCode, Terrain]] = {
    LandCode.FOREST: Terrain.FOREST,
    LandCode.HILLS: Terrain.HILLS,
    LandCode.MOUNTAIN: Terrain.MOUNTAIN,
    LandCode.SWAMP: Terrain.SWAMP,
    LandCode.SHORE: Terrain.WATER,
    LandCode.SEA: Terrain.WATER,
    LandCode.BRIDGE: Terrain.WATER,
    LandCode.PORT: Terrain.WATER,
    LandCode.SEA_PORT: Terrain.WATER,
}

_CLASSES: Final[Mapping[str, BattleClass]] = {
    "city": "city",
    "open": "open",
    "forest": "woods",
    "hills": "hills",
    "other": "open",
}

_BUILDINGS: Final = {LandCode.BRIDGE: Building.BRIDGE} | dict.fromkeys(PORTS, Building.PORT)

_USUAL_HP: Final = HitPoints(HIT_POINT * armyset().units[0].max_hp)
"""Hit points of an army whose type the viewer does not know. See: LW-1."""

_ABILITIES: Final[Mapping[str, str]] = {
    "siege": "SUBALLCITYBONUS",
    "anti-hero": "SUBALLHEROBONUS",
    "anti-pack": "SUBALLNONHEROBONUS",
    "guide": "CONFER_MOVE_BONUS",
}
"""Names of the abilities that are traits of the layer; all others are their own trait."""

_SOURCES: Final[Mapping[StrengthSource, PartSource]] = {
    "stack": "pack",
    "items": "command",
    "command": "leader",
    "site": "defence",
    "fortify": "works",
}


def combat_options(options: Options) -> CombatOptions:
    """Return the options of a game that change its battles. Rules: LW-0."""
    return CombatOptions(
        combat_rule=options.combat_rule,
        intense_combat=options.intense_combat == "on",
        ship_strength=options.ship_strength,
        open_ground=options.open_ground,
    )


# -- the ground ------------------------------------------------------------------------------------


def battle_tile(world: World, at: Place) -> BattleTile:
    """Return a tile as battles see it, with sites that are not found yet. See: LW-3.2, LW-3.4."""
    ground = LandCode(world.terrain[at[1], at[0]])
    terrain = _TERRAIN.get(ground, Terrain.GRASS)
    if ground is LandCode.CITY:
        city = city_at(world, at)
        return BattleTile(terrain, Building.CITY, 0 if city is None else city.defence)
    site = site_at(world, at)
    if site is not None:
        return BattleTile(terrain, Building.TEMPLE if site.kind == "temple" else Building.RUIN)
    return BattleTile(terrain, _BUILDINGS.get(ground, Building.NONE))


def battleground(world: World, at: Place) -> Battleground:
    """Return the class of ground and the defence of a tile. See: LW-3.2, LW-3.4."""
    tile = battle_tile(world, at)
    found = battle_terms(tile, tile)
    return Battleground(_CLASSES[found.defenders_on], found.site_bonus)


# -- the line-up -----------------------------------------------------------------------------------


def combatant(world: State | View, army: Army) -> Combatant:
    """Return an army as a combatant. See: LW-1, LW-3.1, LW-3.3."""
    condition = world.condition(army.id)
    kind = world.types.get(army.type)
    flags = condition.flags
    if flags < 0:
        flags = 0 if kind is None else type_flags(kind)
    hp = hit_points(world, army) or _USUAL_HP
    powers = carried_powers(world, army) if army.hero is not None else ()
    return Combatant(
        id=army.id,
        type=army.type,
        strength=army.strength,
        hp=hp.most - hp.lost,
        max_hp=hp.most // HIT_POINT,
        bonus=flags,
        hero=army.hero is not None,
        aboard=army.aboard,
        in_tower=condition.tower,
        personal=personal_strength(powers),
        commanding=command_items(powers),
    )


@cache
def type_flags(kind: UnitType) -> int:
    """Return the abilities of a type as bits: the book's, else by its traits. See: LW-9."""
    row = units_by_key().get(kind.key)
    if row is not None:
        return row.flags
    names = (_ABILITIES.get(trait, trait.upper()) for trait in kind.traits)
    return sum(UnitFlag[name] for name in names if name in UnitFlag.__members__)


def carried_powers(world: World, army: Army) -> tuple[str, ...]:
    """Return the powers of all items that a hero carries. See: LW-11."""
    return tuple(power for item in items_of(world, army.id) for power in item_powers(item))


def item_powers(item: Item) -> tuple[str, ...]:
    """Return the powers of an item; all standards have the same. See: LW-10, LW-11."""
    if item.kind == "standard":
        return armyset().offers.standard
    row = _items().get(item.value) if item.kind == "item" else None
    if row is not None:
        return row.bonus
    return power_names(item.powers) if item.powers else ()


def counts_in_battle(item: Item) -> bool:
    """Return whether an item makes its hero or its stack stronger. See: LW-3.1, LW-3.3, LW-11."""
    powers = item_powers(item)
    return bool(personal_strength(powers) or command_items(powers))


@cache
def _items() -> Roster[ArmysetItem]:
    return Roster(armyset().items)


def fight_order(world: World, owner: int) -> tuple[int, ...]:
    """Return the unit types of a side in fight order, first fighter first.

    It is the default order if the side has none. Rules: LW-2.2.
    """
    places = world.neutral_order if owner == NOBODY else world.sides[owner].order
    if not places:
        return tuple(sorted(world.types, key=lambda kind: world.types[kind].order))
    listed = [kind for kind in range(len(places)) if places[kind]]
    return tuple(sorted(listed, key=lambda kind: places[kind]))


def lined(world: State | View, armies: Iterable[Army], owner: int) -> tuple[Combatant, ...]:
    """Return the armies of an owner in its fight order. See: LW-2.2."""
    return line_up((combatant(world, army) for army in armies), fight_order(world, owner))


def strengths(
    world: State | View, options: CombatOptions, group: Sequence[Army], at: Place
) -> BattleStrengths:
    """Return the strengths of both sides of an attack on a tile. See: LW-2.1, LW-3.7."""
    side = group[0].owner
    foes = defenders_at(world, at, side)
    ground = terms(world, options, group[0].at, at)
    if any(is_fortified(world, army) for army in foes):
        ground = replace(ground, fortified=True)
    first, second = lined(world, group, side), lined(world, foes, foes[0].owner)
    return battle_strengths(first, second, ground, options)


def is_fortified(world: State | View, army: Army) -> bool:
    """Return whether the stack of an army is fortified. See: LW-3.2."""
    return world.condition(army.id).fortified


def stack_strengths(
    world: State | View, options: CombatOptions, stack: Sequence[Army]
) -> SideStrength:
    """Return the strengths of a stack as a view shows them: against a lone scout. See: LW-7."""
    on = tile_class(battle_tile(world, stack[0].at), options)
    return shown_strengths(lined(world, stack, stack[0].owner), on, options)


def terms(world: World, options: CombatOptions, start: Place, at: Place) -> BattleTerms:
    """Return the ground of an attack from one tile on another. See: LW-2.1."""
    return battle_terms(battle_tile(world, start), battle_tile(world, at), options)


def lined_up(
    options: CombatOptions, world: World, rules: FightingRules, group: Sequence[Army], at: Place
) -> Lineup:
    """Return the line-up of an attack for the strategic layer. See: LW-3.7."""
    del rules
    found = strengths(cast("State", world), options, group, at)
    return Lineup(
        field=battleground(world, at),
        attackers=_line(found.attackers),
        defenders=_line(found.defenders),
        shielded=(False,) * len(group),
    )


def _line(side: SideStrength) -> BattleLine:
    fighters = tuple(
        Fighter(
            army.id,
            army.type,
            final,
            HitPoints(HIT_POINT * army.max_hp, HIT_POINT * army.max_hp - army.hp),
        )
        for army, final in zip(side.line, side.final, strict=True)
    )
    support = _support(side)
    why = (
        _why(army, told, support.total) for army, told in zip(side.line, side.armies, strict=True)
    )
    return BattleLine(fighters, support, tuple(why))


def _support(side: SideStrength) -> Support:
    """Return a side's bonus for all its armies, less the enemy's debuff. See: LW-3.5, LW-3.6."""
    parts = [
        Part(_SOURCES[part.source], part.value, part.army, part.cancelled_by != NONE)
        for part in side.parts
    ]
    over = side.bonus - sum(part.value for part in parts if not part.cancelled)
    if over:
        parts.append(Part("cap", over))
    if side.debuff:
        parts.append(Part("foe", -side.debuff, side.debuffer))
    return Support(side.bonus - side.debuff, tuple(parts))


def _why(army: Combatant, told: ArmyStrength, support: int) -> tuple[Part, ...]:
    """Return the parts of an army's strength in battle beyond its own strength and the support.

    See: LW-3.1, LW-3.2, LW-3.7.
    """
    if army.aboard:
        parts: tuple[Part, ...] = (Part("aboard", told.final - army.strength - support, army.id),)
    else:
        parts = (
            Part("weapons", told.personal, army.id),
            Part("own", told.terrain, army.id),
            Part("limit", told.cap + told.floor),
        )
    return tuple(part for part in parts if part.value)


# -- from a line-up --------------------------------------------------------------------------------


def strengths_of(lineup: Lineup) -> BattleStrengths:
    """Convert a line-up to both sides with the strengths that a battle needs."""
    return BattleStrengths(_side(lineup.attackers), _side(lineup.defenders))


def _side(line: BattleLine) -> SideStrength:
    fighters = tuple(
        Combatant(
            id=one.army,
            type=one.type,
            strength=one.strength,
            hp=units_left(one),
            max_hp=(one.hp or _USUAL_HP).most // HIT_POINT,
        )
        for one in line.fighters
    )
    strengths = tuple(one.strength for one in line.fighters)
    return SideStrength(fighters, (), 0, 0, NONE, (), strengths)


def units_left(one: Fighter) -> int:
    """Return the hit points of a fighter before the battle, in units."""
    hp = one.hp or _USUAL_HP
    return hp.most - hp.lost


def most_units(one: Fighter) -> int:
    """Return the maximum hit points of a fighter, in units."""
    return (one.hp or _USUAL_HP).most


def hits_of(
    attackers: Iterable[Fighter], defenders: Iterable[Fighter], duels: Iterable[Duel]
) -> tuple[BattleHit, ...]:
    """Return the hits of a battle, computed from its lines and duels. See: LW-5."""
    left = {one.army: units_left(one) for one in (*attackers, *defenders)}
    found: list[BattleHit] = []
    for duel in duels:
        for damage in duel.dice:
            ours = damage > 0
            hitter, target = duel.attacker, duel.defender
            if not ours:
                hitter, target = target, hitter
            left[target] = max(0, left[target] - abs(damage))
            found.append(BattleHit(len(found), ours, hitter, target, abs(damage), left[target]))
    return tuple(found)
