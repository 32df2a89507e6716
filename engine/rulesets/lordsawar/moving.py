"""Moving and seeing (sections 12 and 17) as settings of the strategic layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, cast

import numpy as np

from engine.core.containers import Roster
from engine.core.record import UnsetType, replace
from engine.kit.identity_cache import identity_cache
from engine.rulesets.lordsawar import conditions
from engine.rulesets.lordsawar.commands import Park
from engine.rulesets.lordsawar.events import ConditionsSet
from engine.rulesets.lordsawar.land import DOCKS, PORTS, QUAYS, WATER, LandCode, book_costs
from engine.rulesets.lordsawar.lineup import counts_in_battle
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.pieces import GUIDE
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic import sight
from engine.strategic.decision import Decision
from engine.strategic.pieces import NOBODY, Army, Trait, UnitType
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.seen import Secrecy
from engine.strategic.settings import MovingRules, RuleSettings
from engine.strategic.world import World, items_of, own_group, stacks

_FAR: Final = 200
"""Distance in tiles around a group up to which goals are offered; it covers any map."""

_LONGEST: Final = 400

_SIGHT: Final = 1
"""Sight in tiles of types without their own. See: LW-9."""

_LATE: Final = 40
"""Round from which the armies assumed for unknown types get no stronger."""

_CITY_SIGHT: Final = 3
"""Distance in tiles from a taken city's first tile up to which land is uncovered. See: LW-17."""

_WISE: Final[Mapping[Trait, LandCode]] = {
    "woods": LandCode.FOREST,
    "hills": LandCode.HILLS,
    "marsh": LandCode.SWAMP,
    "mountains": LandCode.MOUNTAIN,
}
"""Terrains that a move bonus makes cheap; the bonus for mountains also opens them.

See: LW-12.2 to LW-12.4.
"""

_TRAIT_OF: Final[Mapping[int, Trait]] = {ground: trait for trait, ground in _WISE.items()}


# -- costs -----------------------------------------------------------------------------------------


def prices(ground_costs: tuple[int, ...] = ()) -> dict[LandCode, int]:
    """Return the cost of entering each terrain without any bonus.

    ``ground_costs`` are those of a tile set, in the order of ``book_costs``; empty means the
    book's. Open sea costs at most the book's price. Rules: LW-12.2. See: LW-19.4.
    """
    costs = armyset().movement
    grass, water, forest, hills, mountain, swamp = ground_costs or book_costs()
    return {
        LandCode.UNKNOWN: 0,
        LandCode.GRASS: grass,
        LandCode.SHORE: water,
        LandCode.SEA: min(water, costs.open_sea),
        LandCode.FOREST: forest,
        LandCode.HILLS: hills,
        LandCode.MOUNTAIN: mountain,
        LandCode.SWAMP: swamp,
        LandCode.CITY: costs.city,
        LandCode.BRIDGE: costs.bridge,
        LandCode.PORT: water,
        LandCode.SEA_PORT: min(water, costs.open_sea),
    }


def paid_by(world: World, army: Army, ground: int, price: int) -> int:
    """Return the points that a member of a stack pays for a step, given the stack's price.

    If the member's own move bonus contains the terrain, it pays at most two. Rules: LW-12.2.
    """
    trait = _TRAIT_OF.get(ground)
    if trait is None or not _has(world, army, trait):
        return price
    return min(price, armyset().movement.eased)


def _has(world: World, army: Army, trait: Trait) -> bool:
    """Return whether an army's own move bonus contains a terrain; fliers have all.

    Rules: LW-9.3.
    """
    return trait in _eased(world.types[army.type].traits)


@cache
def _eased(traits: tuple[Trait, ...]) -> frozenset[Trait]:
    """Return the terrains that a type's traits make cheap, as traits."""
    return frozenset(_WISE) if "fly" in traits else frozenset(_WISE).intersection(traits)


# -- stacks ----------------------------------------------------------------------------------------


def lifts(world: World, armies: Sequence[Army]) -> bool:
    """Return whether a stack flies: by nature, as riding heroes, or by an item. Rules: LW-12.3."""
    walkers = [army for army in armies if "fly" not in world.types[army.type].traits]
    fliers = len(armies) - len(walkers)
    if len(walkers) <= fliers and all(army.hero is not None for army in walkers):
        return True
    heroes = (army for army in armies if army.hero is not None)
    return any(item.adds("flight") for hero in heroes for item in items_of(world, hero.id))


def combined_bonus(world: World, armies: Sequence[Army]) -> frozenset[Trait]:
    """Return the terrains that are cheap for a stack that does not fly, as traits.

    These are the terrains that all its armies share, and all those of an army that confers its
    bonus on the stack. Rules: LW-12.3.
    """
    listed = [world.types[army.type].traits for army in armies]
    shared = frozenset(_WISE).intersection(*map(_eased, listed))
    return shared.union(*(_eased(traits) for traits in listed if GUIDE in traits))


# -- rest ------------------------------------------------------------------------------------------


def park(decision: Decision, settings: RuleSettings, side: int, command: Park) -> None:
    """Park armies: until they move, they are not offered as the next to move. See: LW-1.

    Raises:
        RefusedOn: no such group, or it is parked already.
    """
    del settings
    world = _state(decision)
    group = own_group(world, side, command.armies, "group")
    rows = [world.condition(army.id) for army in group]
    idle = tuple(replace(row, parked=True) for row in rows if not row.parked)
    if not idle:
        refuse(Refusal.NOTHING_TO_DO, "They are parked already.", "stack")
    decision.emit(ConditionsSet(idle, "parked"))


def end_of_rest(decision: Decision, group: tuple[Army, ...]) -> None:
    """End the parking and fortification of armies that moved. Rules: LW-12.5."""
    world = _state(decision)
    rows = [world.condition(army.id) for army in group]
    gone = tuple(
        replace(row, parked=False, fortified=False, tower=False)
        for row in rows
        if row.parked or row.fortified or row.tower
    )
    if gone:
        decision.emit(ConditionsSet(gone, "moved"))


def may_park(view: State, side: int, about: int | None) -> Iterator[Park]:
    """Yield commands that park stacks; nothing if asked about one piece. See: LW-1."""
    if about is not None or view.question is not None:
        return
    for stack in stacks(view.armies).values():
        idle = tuple(army.id for army in stack if not view.condition(army.id).parked)
        if idle and stack[0].owner == side:
            yield Park(idle)


def _state(decision: Decision) -> State:
    return cast("State", decision.state)


# -- sight -----------------------------------------------------------------------------------------


def sight_of(world: World, army: Army) -> int:
    """Return the sight of an army in tiles: its type's and a hero's gains.

    Rules: LW-17.7. See: LW-10.
    """
    usual = world.types[army.type].sight
    gained = world.condition(army.id).sight if isinstance(world, State) else 0
    return gained + (_SIGHT if isinstance(usual, UnsetType) else usual)


def average_army(world: World, army: Army) -> Army:
    """Return the army assumed in place of another side's army of unknown type.

    Its type is one that cities make: by strength a quarter up the list for neutral cities and early
    rounds, and halfway up from round 40 on. Rules: LW-17.10.
    """
    made = _made(world.types)
    late = 0 if army.owner == NOBODY else min(world.turn, _LATE)
    kind = made[len(made) * (_LATE + late) // (4 * _LATE)]
    return replace(
        army,
        type=kind.id,
        strength=kind.strength,
        max_move=kind.move,
        upkeep=kind.cost,
    )


@identity_cache
def _made(types: Roster[UnitType]) -> tuple[UnitType, ...]:
    """Return the types that cities make, by strength."""
    kinds = (kind for kind in types.values() if kind.price > 0)
    return tuple(sorted(kinds, key=lambda kind: (kind.strength, kind.id)))


def fill_gaps(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Uncover tiles between two known ones, left and right or above and below, at a turn's end.

    Beyond the edge of the map all counts as known. Rules: LW-17.8.
    """
    world = decision.state
    if not sight.has_fog(world, settings):
        return
    wide = np.pad(world.discovered.cells >> side & 1, 1, constant_values=1).astype(np.bool_)
    beside = wide[1:-1, :-2] & wide[1:-1, 2:]
    above = wide[:-2, 1:-1] & wide[2:, 1:-1]
    sight.discover(decision, settings, side, beside | above)


# -- settings --------------------------------------------------------------------------------------


def moving_rules(options: Options, ground_costs: tuple[int, ...]) -> MovingRules:
    """Return the settings of moving and seeing under the options and terrain costs of a game.

    See: LW-12.1 to LW-12.5, LW-17, LW-19.4.
    """
    costs, numbers = prices(ground_costs), armyset().movement
    closed = {*WATER, LandCode.MOUNTAIN}
    return MovingRules(
        foot=tuple(0 if ground in closed else costs[ground] for ground in LandCode),
        air=tuple(min(costs[ground], numbers.eased) for ground in LandCode),
        afloat=tuple(costs[ground] for ground in LandCode),
        boats=WATER | QUAYS,
        water=WATER,
        keeps=QUAYS,
        embarks=frozenset((LandCode.CITY, port) for port in PORTS),
        bridges=DOCKS,
        bridge_cap=False,
        crossing=numbers.ship_points,
        opened=frozenset({LandCode.MOUNTAIN}),
        shuts_in=True,
        roadside=frozenset({LandCode.CITY, LandCode.BRIDGE}),
        seaside=WATER | QUAYS,
        wise=tuple(_WISE.items()),
        wise_of=combined_bonus,
        all_wise=True,
        lifts=lifts,
        riders=True,
        member_price=paid_by,
        cap=numbers.eased,
        road_price=numbers.road,
        road_aloft=True,
        zone_toll=0,
        attack=1,
        attack_as_terrain=True,
        attack_in_full=True,
        fights_aboard=True,
        foe_price=None,
        boarding=None,
        near=None,
        far_human=_FAR,
        far_computer=_FAR,
        longest=_LONGEST,
        fog=options.hidden_map == "on",
        sight=_SIGHT,
        far_sight=_SIGHT,
        army_sight=sight_of,
        lasting_sight=True,
        city_sight=_CITY_SIGHT,
        lifts_fog=False,
        moved=end_of_rest,
        secrecy=Secrecy(
            armies=options.view_enemies == "off",
            slots=options.view_production == "off",
            orders=options.view_enemies == "off",
            worn=counts_in_battle,
        ),
        guess=average_army,
        wakes=conditions.wake,
    )
