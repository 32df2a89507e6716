"""Battles and their spoils by the rule book (sections 8, 9.2 and 12.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.containers import Roster
from engine.kit.grid import Place
from engine.kit.memo import recent
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.tables import SEATS, razed_art
from engine.rulesets.warlords2.terrain import WATER, Terrain, rows
from engine.strategic import aftermath, battle, duels
from engine.strategic.battle_records import Battleground
from engine.strategic.pieces import City
from engine.strategic.settings import Experience, Fate, FightingRules, Medals, Spoils
from engine.strategic.world import World, city_at, site_at, tower_at

LEADERSHIP: Final = (0, 0, 0, 0, 1, 1, 1, 2, 2, 3)
"""What a hero of each strength adds for its side. Rules: W2-8.3."""

MOST: Final = 15
"""The most strength in battle, a constant of the original. Rules: W2-8.3."""

SHIP: Final = 4
"""The strength of an embarked army at sea. Rules: W2-6.6, W2-8.3."""

PENALTIES: Final[Mapping[Fate, tuple[int, int, int]]] = {
    "pillage": (1, 5, 0),
    "sack": (1, 10, 5),
    "raze": (1, 15, 10),
}
"""Dice that what is done to a city adds to the rating. Rules: W2-12.3."""

_DICE: Final = 20
_INTENSE: Final = 24
_ROUNDS: Final = 10_000

_TOWER: Final = 1
_RUINS: Final = 2

_HERO_APART: Final = WATER | {Terrain.MOUNTAINS}


def fighting_rules(options: Options) -> FightingRules:
    """The chapter on fighting under some options. Rules: W2-8.1, W2-9.2, W2-12.3, W2-0.1."""
    return FightingRules(
        line_up=battle.standard_line_up,
        after_battle=(aftermath.learn, aftermath.award_medal),
        fight=duels.fight,
        odds=duels.odds_of_duels,
        battleground=battleground,
        leadership=LEADERSHIP,
        cap=options.bonus_cap,
        most=MOST,
        aboard=SHIP,
        dice=_INTENSE if options.intense_combat == "on" else _DICE,
        rounds=_ROUNDS,
        novice_shield=options.novice_hero_shield == "on",
        experience=Experience(won=1, won_city=2, held=1, most=60),
        medals=Medals(chance=40, less=5, least=12, most=4, strength=9, early=20, worthy=3),
        spoils=Spoils(
            may_raze=options.raze_allowed == "on",
            penalties=PENALTIES,
            ruin=Terrain.SITE,
            ruin_art={side: razed_art(side) for side in range(SEATS)},
        ),
    )


def battleground(world: World, at: Place) -> Battleground:
    """What a tile does to a battle. Rules: W2-8.2, W2-8.3, W2-8.4."""
    code = world.terrain[at[1], at[0]]
    value = _defence(world, at)
    return Battleground(
        ground=rows()[code].fight if value is None else "city",
        defence=value or 0,
        at_sea=code in WATER,
        mounts_last=code in _HERO_APART,
    )


def _defence(world: World, at: Place) -> int | None:
    """What a city, ruins of any kind or a tower are worth; None where nothing is.

    Rules: W2-8.2, W2-8.3.
    """
    city = city_at(world, at)
    if city is not None:
        return city.defence
    if site_at(world, at) is not None or at in _ruins(world.cities):
        return _RUINS
    return None if tower_at(world, at) is None else _TOWER


@recent
def _ruins(cities: Roster[City]) -> frozenset[Place]:
    """The tiles of razed cities."""
    return frozenset(at for city in cities.values() if city.razed for at in city.tiles)
