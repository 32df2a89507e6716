"""Battles (sections 2 to 7) as settings of the strategic layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from engine.core.dice import Dice
from engine.kit.grid import Place
from engine.rulesets.lordsawar import battle
from engine.rulesets.lordsawar.battle_records import (
    HIT_POINT,
    BattleHit,
    BattleStrengths,
    BattleTerms,
    BattleTile,
    Combatant,
    CombatOptions,
    SideStrength,
    StrengthSource,
)
from engine.rulesets.lordsawar.kinds import Building, Terrain
from engine.rulesets.lordsawar.land import Ground
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.strength import battle_strengths, battle_terms, line_up
from engine.rulesets.lordsawar.tables import armyset, unit_types
from engine.strategic.battle import defenders_at
from engine.strategic.battle_records import (
    Battleground,
    BattleLine,
    BattleOdds,
    Lineup,
    Support,
)
from engine.strategic.events.battle import Duel, Fighter, Part, PartSource
from engine.strategic.pieces import NOBODY, NONE, Army, BattleClass
from engine.strategic.settings import Experience, FightingRules, Medals, Spoils
from engine.strategic.world import World, city_at, items_of, site_at

_TERRAIN: Final[Mapping[Ground, Terrain]] = {
    Ground.FOREST: Terrain.FOREST,
    Ground.HILLS: Terrain.HILLS,
    Ground.MOUNTAIN: Terrain.MOUNTAIN,
    Ground.SWAMP: Terrain.SWAMP,
    Ground.SHORE: Terrain.WATER,
    Ground.SEA: Terrain.WATER,
    Ground.BRIDGE: Terrain.WATER,
    Ground.PORT: Terrain.WATER,
}

_CLASSES: Final[Mapping[str, BattleClass]] = {
    "city": "city",
    "open": "open",
    "forest": "woods",
    "hills": "hills",
    "other": "open",
}

_SOURCES: Final[Mapping[StrengthSource, PartSource]] = {
    "stack": "pack",
    "items": "command",
    "command": "leader",
    "site": "defence",
    "fortify": "works",
}


def combat_options(options: Options) -> CombatOptions:
    """The options of a game that change its battles. Rules: LW-0."""
    return CombatOptions(
        combat_rule=options.combat_rule,
        intense_combat=options.intense_combat == "on",
        ship_strength=options.ship_strength,
        open_ground=options.open_ground,
    )


# -- the line-up -----------------------------------------------------------------------------------


def battle_tile(world: World, at: Place) -> BattleTile:
    """A tile as battles see it. Rules: LW-3.2, LW-3.4."""
    ground = Ground(world.terrain[at[1], at[0]])
    terrain = _TERRAIN.get(ground, Terrain.GRASS)
    city = city_at(world, at)
    if ground is Ground.CITY:
        return BattleTile(terrain, Building.CITY, 0 if city is None else city.defence)
    site = site_at(world, at)
    if site is not None and not site.hidden:
        temple = site.kind == "temple"
        return BattleTile(terrain, Building.TEMPLE if temple else Building.RUIN)
    return BattleTile(terrain, _BUILDINGS.get(ground, Building.NONE))


_BUILDINGS: Final = {Ground.BRIDGE: Building.BRIDGE, Ground.PORT: Building.PORT}


def combatant(world: World, army: Army) -> Combatant:
    """An army as battles see it. Rules: LW-3.1, LW-3.3."""
    row = unit_types()[army.type]
    items = items_of(world, army.id) if army.hero is not None else ()
    return Combatant(
        id=army.id,
        type=army.type,
        strength=army.strength,
        hp=HIT_POINT * row.max_hp,
        max_hp=row.max_hp,
        bonus=row.flags,
        hero=army.hero is not None,
        aboard=army.aboard,
        personal=sum(item.adds("weapon") for item in items),
        commanding=sum(item.adds("command") + item.adds("standard") for item in items),
    )


def fight_order(world: World, owner: int) -> tuple[int, ...]:
    """Unit types of a side from the one that fights first. Rules: LW-2.2."""
    places = world.neutral_order if owner == NOBODY else world.sides[owner].order
    listed = [kind for kind in range(len(places)) if places[kind]]
    return tuple(sorted(listed, key=lambda kind: places[kind]))


def strengths(
    world: World, options: CombatOptions, group: Sequence[Army], at: Place
) -> BattleStrengths:
    """Strengths of both sides of an attack on a tile. Rules: LW-2.1, LW-3.7."""
    side = group[0].owner
    foes = defenders_at(world, at, side)
    first = line_up((combatant(world, army) for army in group), fight_order(world, side))
    second = line_up((combatant(world, army) for army in foes), fight_order(world, foes[0].owner))
    return battle_strengths(first, second, terms(world, options, group[0].at, at), options)


def terms(world: World, options: CombatOptions, start: Place, at: Place) -> BattleTerms:
    """Ground of an attack from a tile on another. Rules: LW-2.1."""
    return battle_terms(battle_tile(world, start), battle_tile(world, at), options)


def lined_up(
    options: CombatOptions, world: World, rules: FightingRules, group: Sequence[Army], at: Place
) -> Lineup:
    """Line-up of an attack for the strategic layer. Rules: LW-3.7."""
    del rules
    found = strengths(world, options, group, at)
    return Lineup(
        field=battleground(world, at),
        attackers=_line(found.attackers),
        defenders=_line(found.defenders),
        shielded=(False,) * len(group),
    )


def _line(side: SideStrength) -> BattleLine:
    fighters = tuple(
        Fighter(army.id, army.type, final)
        for army, final in zip(side.line, side.final, strict=True)
    )
    parts = tuple(
        Part(_SOURCES[part.source], part.value, part.army, part.cancelled_by != NONE)
        for part in side.parts
    )
    return BattleLine(fighters, Support(side.bonus, parts), ((),) * len(fighters))


def battleground(world: World, at: Place) -> Battleground:
    """Class of ground and defence of a tile. Rules: LW-3.2, LW-3.4."""
    tile = battle_tile(world, at)
    found = battle_terms(tile, tile)
    return Battleground(_CLASSES[found.defenders_on], found.site_bonus)


# -- the battle ------------------------------------------------------------------------------------


def fought(
    options: CombatOptions, dice: Dice, rules: FightingRules, lineup: Lineup
) -> tuple[Duel, ...]:
    """Duels of a battle; a hit of the attacker is a positive number of units. Rules: LW-5."""
    del rules
    return tuple(_duels(battle.battle(dice, _read(lineup), options).hits))


def _duels(hits: Sequence[BattleHit]) -> Iterator[Duel]:
    damage: list[int] = []
    for hit in hits:
        damage.append(hit.damage if hit.by_attacker else -hit.damage)
        if hit.hp == 0:
            pair = (hit.hitter, hit.target) if hit.by_attacker else (hit.target, hit.hitter)
            yield Duel(*pair, tuple(damage), won=hit.by_attacker)
            damage = []


def _read(lineup: Lineup) -> BattleStrengths:
    """Strengths of a line-up."""
    return BattleStrengths(_side(lineup.attackers), _side(lineup.defenders))


def _side(line: BattleLine) -> SideStrength:
    types = unit_types()
    fighters = tuple(
        Combatant(
            id=one.army,
            type=one.type,
            strength=one.strength,
            hp=HIT_POINT * types[one.type].max_hp,
            max_hp=types[one.type].max_hp,
        )
        for one in line.fighters
    )
    return SideStrength(fighters, (), 0, 0, NONE, (), line.strengths)


def odds(options: CombatOptions, rules: FightingRules, lineup: Lineup) -> BattleOdds:
    """Odds of a line-up: certain without dice. Rules: LW-7."""
    del rules
    end = battle.forecast(_read(lineup), options)
    own, other = len(lineup.attackers.fighters), len(lineup.defenders.fighters)
    alive = [float(hp > 0) for hp in end.attackers_hp] or [end.chance] * own
    facing = [float(hp > 0) for hp in end.defenders_hp] or [1 - end.chance] * other
    return BattleOdds(
        chance=end.chance,
        attackers_left=_counted(alive),
        defenders_left=_counted(facing),
        attackers_live=tuple(alive),
        defenders_live=tuple(facing),
    )


def _counted(alive: Sequence[float]) -> tuple[float, ...]:
    """Chances that so many live, where each is certain."""
    left = round(sum(alive))
    return tuple(float(count == left) for count in range(len(alive) + 1))


def fighting_rules(options: Options) -> FightingRules:
    """Settings of battles under the options of a game. Rules: LW-2.1, LW-3.7, LW-5, LW-7."""
    combat, numbers = combat_options(options), armyset().combat
    return FightingRules(
        line_up=partial(lined_up, combat),
        fight=partial(fought, combat),
        odds=partial(odds, combat),
        after_battle=(),
        battleground=battleground,
        leadership=(0,) * (numbers.most_strength + 1),
        cap=numbers.most_bonus,
        most=numbers.most_strength + numbers.most_bonus,
        aboard=numbers.ship_strength,
        dice=numbers.sides_intense if combat.intense_combat else numbers.sides,
        rounds=0,
        novice_shield=False,
        experience=Experience(won=0, won_city=0, held=0, most=0),
        medals=Medals(chance=0, less=0, least=0, most=0, strength=9, early=0, worthy=0),
        spoils=Spoils(
            may_raze=options.razing_cities != "never",
            penalties={},
            ruin=Ground.CITY,
            ruin_art=dict.fromkeys(range(8), (Ground.CITY,) * 4),
        ),
    )
