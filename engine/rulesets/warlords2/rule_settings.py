"""The rule book under the options of one game, as settings of the strategic layer.

Values, tables and policies of moving, fighting and turns. Cities and heroes have separate modules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.core.containers import Roster
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_cache
from engine.rulesets.warlords2.cities import city_rules
from engine.rulesets.warlords2.heroes import hero_rules
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import MOST_POINTS, SIDES
from engine.rulesets.warlords2.tables import (
    WATER,
    Terrain,
    afloat,
    flying,
    on_foot,
    opened,
    razed_art,
    terrain_rows,
)
from engine.strategic import (
    aftermath,
    battle,
    cities,
    costs,
    diplomacy,
    duels,
    heroes,
    quests,
    sight,
    turns,
    victory,
)
from engine.strategic.battle_records import Battleground
from engine.strategic.decision import Decision
from engine.strategic.pieces import Army, City
from engine.strategic.refusal import Topic
from engine.strategic.settings import (
    Experience,
    Fate,
    FightingRules,
    GameVerdict,
    Medals,
    MovingRules,
    RuleSettings,
    Spoils,
    TurnRules,
)
from engine.strategic.world import HOSTILE, PEACE, World, armies_of, city_at, site_at, tower_at

TOPICS: Final[Mapping[Topic, str]] = {
    "map": "W2-1.1",
    "tile": "W2-3.1",
    "price": "W2-4.1",
    "step": "W2-5.2",
    "road": "W2-4.4",
    "port": "W2-6.6",
    "zone": "W2-4.5b",
    "way": "W2-5.3",
    "stack": "W2-1.8",
    "group": "W2-6.1",
    "refill": "W2-6.3",
    "march": "W2-6.4",
    "attack": "W2-8.1",
    "goal": "W2-6.5",
    "aboard": "W2-6.6",
    "tower": "W2-6.7",
    "unit": "W2-7",
    "lines": "W2-8.1",
    "class": "W2-8.2",
    "strength": "W2-8.3",
    "order": "W2-8.4",
    "dice": "W2-8.5",
    "aftermath": "W2-8.6",
    "city": "W2-9.1",
    "capture": "W2-9.2",
    "produce": "W2-9.3",
    "buy": "W2-9.4",
    "vector": "W2-9.5",
    "economy": "W2-9.6",
    "neutral": "W2-9.7",
    "offer": "W2-10.1",
    "level": "W2-10.2",
    "item": "W2-10.3",
    "site": "W2-10.4",
    "search": "W2-10.5",
    "quest": "W2-10.6",
    "fog": "W2-11",
    "treaty": "W2-12.1",
    "stance": "W2-12.2",
    "betrayal": "W2-12.3",
    "round": "W2-13.1",
    "turn": "W2-13.2",
    "victory": "W2-13.3",
    "resign": "W2-17",
    "command": "W2-17",
}
"""Rules that refusals and descriptions of events refer to, by topic."""


@cache
def settings_of(options: Options) -> RuleSettings:
    """Return the rule settings of Warlords II under options (section 0.1); cached by options."""
    return RuleSettings(
        moving=moving_rules(options),
        fighting=fighting_rules(options),
        cities=city_rules(options),
        heroes=hero_rules(options),
        turns=turn_rules(options),
        rules=TOPICS,
    )


# -- moving and seeing (sections 4 to 6 and 11) ----------------------------------------------------


_CAP: Final = 2


def moving_rules(options: Options) -> MovingRules:
    """Return the settings of moving and seeing under the options of a game.

    Rules: W2-4.5c, W2-5.5. See: W2-0.1, W2-3.1, W2-4.1, W2-4.4, W2-5.2, W2-6.4, W2-6.6, W2-11.
    """
    foot, classic_roads = on_foot(options.cost_table), options.road_rule == "cost1"
    capped = tuple(min(price, _CAP) or _CAP for price in foot)
    return MovingRules(
        foot=foot,
        air=flying() if options.flying_step == "one" else (0, *capped[1:]),
        afloat=afloat(options.cost_table),
        boats=frozenset(code for code, row in enumerate(terrain_rows()) if row.boat),
        water=WATER,
        bridges=frozenset({Terrain.BRIDGE}),
        roadside=frozenset({Terrain.CITY, Terrain.BRIDGE}),
        seaside=WATER | {Terrain.BRIDGE},
        wise=(("woods", Terrain.FOREST), ("hills", Terrain.HILLS)),
        all_wise=options.group_ability == "all",
        cap=_CAP,
        road_price=1 if classic_roads else None,
        road_aloft=classic_roads,
        opened=opened(options.cost_table) if classic_roads else frozenset(),
        quayside=frozenset({Terrain.SHORE} if options.cost_table == "classic" else ()),
        zone_toll=options.zoc_penalty,
        riders=options.hero_rides_flyers == "on",
        attack=1 if options.attack_step == "one" else _CAP,
        attack_as_terrain=options.attack_step != "one",
        foe_price=1,
        attack_in_full=False,
        boarding=_CAP,
        near=6,
        far_human=options.radius_human_far,
        far_computer=50,
        longest=198,
        fog=options.hidden_map == "on",
        sight=1,
        far_sight=2,
    )


def cost_bytes(found: costs.CostMap) -> npt.NDArray[np.uint8]:
    """Return a cost map in the original's bytes: three bits of price, four flags from 0x08 on.

    Rules: W2-4.3.
    """
    flags = (found & ~np.uint16(costs.PRICE)) >> 5
    return (found & 0x07 | flags).astype(np.uint8)


# -- battles and their spoils (sections 8, 9.2 and 12.3) -------------------------------------------


LEADERSHIP: Final = (0, 0, 0, 0, 1, 1, 1, 2, 2, 3)
"""Bonus of a hero for its side, by the hero's strength. See: W2-8.3."""

MOST_IN_BATTLE: Final = 15
"""Maximum strength in battle, a constant of the original. See: W2-8.3."""

SHIP_STRENGTH: Final = 4
"""Strength of an embarked army at sea. See: W2-6.6, W2-8.3."""

PENALTIES: Final[Mapping[Fate, tuple[int, int, int]]] = {
    "pillage": (1, 5, 0),
    "sack": (1, 10, 5),
    "raze": (1, 15, 10),
}
"""Dice (number, sides, plus) that the fate of a city adds to the rating. See: W2-12.3."""

_DICE: Final = 20
_INTENSE: Final = 24
_ROUNDS: Final = 10_000

_TOWER: Final = 1
_RUINS: Final = 2

_HERO_APART: Final = WATER | {Terrain.MOUNTAINS}


def fighting_rules(options: Options) -> FightingRules:
    """Return the settings of fighting under the options. See: W2-8.1, W2-9.2, W2-12.3, W2-0.1."""
    return FightingRules(
        line_up=battle.standard_line_up,
        fight=duels.fight,
        odds=duels.odds_of_duels,
        after_battle=(aftermath.learn, aftermath.award_medal),
        battleground=battleground,
        leadership=LEADERSHIP,
        cap=options.bonus_cap,
        most=MOST_IN_BATTLE,
        aboard=SHIP_STRENGTH,
        dice=_INTENSE if options.intense_combat == "on" else _DICE,
        rounds=_ROUNDS,
        novice_shield=options.novice_hero_shield == "on",
        experience=Experience(won=1, won_city=2, held=1, most=60),
        medals=Medals(chance=40, less=5, least=12, most=4, strength=9, early=20, worthy=3),
        spoils=Spoils(
            may_raze=options.raze_allowed == "on",
            penalties=PENALTIES,
            ruin=Terrain.SITE,
            ruin_art={side: razed_art(side) for side in range(SIDES[1])},
        ),
    )


def battleground(world: World, at: Place) -> Battleground:
    """Return ground, defence and exceptions of a battle. Rules: W2-8.2. See: W2-8.3, W2-8.4."""
    code = world.terrain[at[1], at[0]]
    value = _defence(world, at)
    return Battleground(
        ground=terrain_rows()[code].fight if value is None else "city",
        defence=value or 0,
        at_sea=code in WATER,
        mounts_last=code in _HERO_APART,
    )


def _defence(world: World, at: Place) -> int | None:
    """Return the defence of a city, ruins of any kind or a tower on a tile, or None.

    Rules: W2-8.3. See: W2-8.2.
    """
    city = city_at(world, at)
    if city is not None:
        return city.defence
    if site_at(world, at) is not None or at in _ruins(world.cities):
        return _RUINS
    return None if tower_at(world, at) is None else _TOWER


@identity_cache
def _ruins(cities: Roster[City]) -> frozenset[Place]:
    """Return the tiles of razed cities."""
    return frozenset(at for city in cities.values() if city.razed for at in city.tiles)


# -- rounds, turns and treaties (sections 6.3, 6.7, 12, 13 and 17) ---------------------------------


SWAPS: Final = 20
"""Number of swaps that make a random order. See: W2-13.1."""

CARRIED: Final = 2
"""Maximum number of unused points that an army keeps for its next turn. See: W2-6.3."""

SEA_POINTS: Final = 20
"""Points of an embarked army. See: W2-6.3, W2-6.6."""

MARGIN: Final = 8
"""Computers surrender to a side with 1/8 of all cities more than the next best. See: W2-13.3."""

MORE: Final = 4
"""After a refusal, computers offer again when the lead has grown by 1/4. See: W2-13.3.

The sources say only that the war continues. Without a limit, the same question would come in every
round; a war takes a few rounds to grow a lead by a quarter.
"""

BETRAYAL: Final[Mapping[int, tuple[int, int]]] = {PEACE: (100, 100), HOSTILE: (15, 10)}
"""Die and constant that treachery adds to the rating, by treaty. See: W2-12.3."""

TOWER_GROUND: Final = frozenset(
    {Terrain.PLAINS, Terrain.FOREST, Terrain.HILLS, Terrain.MARSH, Terrain.BRIDGE}
)
"""Terrains of towers, in addition to roads and mounds. See: W2-6.7."""


def turn_rules(options: Options) -> TurnRules:
    """Return the settings of turns under the options.

    Rules: W2-13.2. See: W2-12.1, W2-13.1, W2-0.1.
    """
    return TurnRules(
        opening=(
            diplomacy.apply,
            turns.refill_points,
            turns.build_towers,
            cities.keep_accounts,
            heroes.level_up,
            heroes.offer,
        ),
        rest=(produce, quests.check, look),
        closing=(),
        round_end=(victory.eliminate, victory.check),
        between=(cities.refill_neutrals,),
        order=shuffled if options.random_turns == "on" else by_number,
        verdict=verdict,
        yields=yields,
        refill=rested,
        builds_on=builds_on,
        may_burn=options.raze_allowed == "on",
        diplomacy=options.diplomacy == "on",
        betrayal=BETRAYAL,
        titles=diplomacy.TITLES,
    )


def produce(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Run production and arrivals, from the second turn on. Rules: W2-9.3. See: W2-13.2."""
    if decision.state.turn > 1:
        cities.pass_turn(decision, settings, side)
        cities.receive_transits(decision, settings, side)


def look(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Uncover the tiles around a side's armies, and lift the fog if due. Rules: W2-11.1."""
    armies = armies_of(decision.state, side)
    if armies:
        sight.look_around(decision, settings, side, armies)
    sight.lift(decision, settings)


def by_number(decision: Decision) -> tuple[int, ...]:
    """Return the order of a round by number of the side. Rules: W2-13.1."""
    return tuple(decision.state.sides)


def shuffled(decision: Decision) -> tuple[int, ...]:
    """Return a random order, made by swapping positions, empty ones included. Rules: W2-13.1."""
    places = list(range(SIDES[1]))
    for _ in range(SWAPS):
        one, other = decision.dice.roll(SIDES[1]) - 1, decision.dice.roll(SIDES[1]) - 1
        places[one], places[other] = places[other], places[one]
    return tuple(side for side in places if side in decision.state.sides)


def verdict(world: World) -> GameVerdict | None:
    """Return the winners and the reason if the game is over, else None. Rules: W2-13.3."""
    living = victory.living(world)
    if not living:
        return (), "all_out"
    last = world.sides[living[0]]
    if len(living) == 1 and (not last.human or victory.has_most(world, last.id)):
        return living, "conquest"
    humans = [side for side in world.sides.values() if side.human]
    if humans and not any(side.alive for side in humans):
        return living, "humans_out"
    return None


def yields(world: World) -> int | None:
    """Return the side that the computers surrender to now, or None. Rules: W2-13.3."""
    return victory.surrenders_to(world, MARGIN, MORE)


def rested(army: Army, bearers: int) -> int:
    """Return an army's movement points at its owner's turn start.

    ``bearers`` is the number of items of speed in its stack.

    Rules: W2-6.3.
    """
    usual = SEA_POINTS if army.aboard else army.max_move
    return min(MOST_POINTS, usual + min(CARRIED, army.points) + bearers * army.max_move)


def builds_on(world: World, at: Place) -> bool:
    """Return whether a defending army can build a tower on a tile. Rules: W2-6.7."""
    x, y = at
    code = world.terrain[y, x]
    return code in TOWER_GROUND or bool(world.roads[y, x]) or is_mound(world, at)


def is_mound(world: World, at: Place) -> bool:
    """Return whether a tile is a site tile without ruin, temple or razed city. See: W2-3.1."""
    if world.terrain[at[1], at[0]] != Terrain.SITE or site_at(world, at) is not None:
        return False
    return not any(city.razed and at in city.tiles for city in world.cities.values())
