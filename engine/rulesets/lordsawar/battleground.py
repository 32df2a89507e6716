"""Ground of a battle: options, classes of tiles, cities and other sites, fortified stacks."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.core.record import Record
from engine.rulesets.lordsawar.tables import Building, Terrain, armyset

TileClass: TypeAlias = Literal["city", "open", "forest", "hills", "other"]
"""Classes of ground that flags name. Rules: LW-3.2."""

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


class CombatOptions(Record, frozen=True):
    """Options of a game that change its battles. Rules: LW-0."""

    combat_rule: Literal["deterministic", "dice"] = "deterministic"
    intense_combat: bool = False
    ship_strength: Literal["fixed4", "capped4"] = "fixed4"
    open_ground: Literal["grass", "wide"] = "grass"


DEFAULT_OPTIONS: Final = CombatOptions()
"""Options as the rule book has them when nothing is chosen. Rules: LW-0."""


class BattleTile(Record, frozen=True):
    """A tile as a battle sees it; ``level`` is the defence level of a city, 0: razed."""

    terrain: Terrain
    building: Building = Building.NONE
    level: int = 0


class BattleTerms(Record, frozen=True):
    """Ground of a battle. ``fortified``: one of the defending stacks is. Rules: LW-2.1, LW-3.4."""

    attackers_on: TileClass
    defenders_on: TileClass
    site_bonus: int = 0
    fortified: bool = False


def tile_class(tile: BattleTile, options: CombatOptions = DEFAULT_OPTIONS) -> TileClass:
    """Class of ground of a tile; cities, ruins and temples come before terrain.

    Rules: LW-3.2, LW-0.
    """
    if tile.building in _CITY_CLASS:
        return "city"
    if options.open_ground == "wide" and tile.terrain in _WIDE:
        return "open"
    return _CLASSES.get(tile.terrain, "other")


def defence_level(filled_slots: int, *, neutral: bool, razed: bool = False) -> int:
    """Defence level of a city. Rules: LW-3.4."""
    if razed:
        return 0
    return 1 + (filled_slots > 2) + (not neutral)


def site_bonus(tile: BattleTile) -> int:
    """Bonus of a city, ruin or temple for its defenders. Rules: LW-3.4."""
    if tile.building in _SITES:
        return armyset().combat.site_bonus
    return max(0, tile.level - 1) if tile.building is Building.CITY else 0


def is_city_attack(target: BattleTile) -> bool:
    """True for a standing city: a razed one is fought for as in the field. Rules: LW-2.1."""
    return target.building is Building.CITY and target.level > 0


def battle_terms(
    start: BattleTile,
    target: BattleTile,
    options: CombatOptions = DEFAULT_OPTIONS,
    *,
    fortified: bool = False,
) -> BattleTerms:
    """Ground of an attack from a tile on another; for a city both sides fight in it.

    Rules: LW-2.1, LW-3.2, LW-3.4.
    """
    defenders_on = tile_class(target, options)
    attackers_on = defenders_on if is_city_attack(target) else tile_class(start, options)
    return BattleTerms(attackers_on, defenders_on, site_bonus(target), fortified)


def may_fortify(tile: BattleTile) -> bool:
    """True where a stack that defends becomes fortified. Rules: LW-3.2."""
    on_water = tile.terrain is Terrain.WATER and tile.building is Building.NONE
    return tile.building not in _NO_FORTIFYING and not on_water
