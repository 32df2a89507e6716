"""Convert between scenario and state, without dice."""

from __future__ import annotations

from typing import Final

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.checks import CHECKS
from engine.rulesets.lordsawar.items import powered
from engine.rulesets.lordsawar.land import RULE, LandPlanes, sign_rows
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.pieces import book_types, slot_of
from engine.rulesets.lordsawar.scene import CityPlaced, Made, Map, Now, SidePlaced, SitePlaced
from engine.rulesets.lordsawar.state import FIRST_OPINION, NO_PROPOSAL, State
from engine.rulesets.lordsawar.strength import defence_level
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic.pieces import Guardian, UnitType
from engine.strategic.scenario_codec import ScenarioCodec

SIDE_NAMES: Final = (
    "Aldermark",
    "Brackwater",
    "Corrin",
    "Dunmoor",
    "Estwald",
    "Fallow",
    "Greyholt",
    "Harrow",
)
"""Default names of sides."""


def types_of(scene: Map) -> Roster[UnitType]:
    """Return the unit types of a scenario, or else the book's; all have hit points.

    See: LW-1, LW-9.

    Raises:
        ScenarioFault: two types have the same id.
    """
    CHECKS.once("units", [kind.id for kind in scene.units], "type")
    if not scene.units:
        return book_types()
    usual = HIT_POINT * armyset().units[0].max_hp
    return Roster(kind if kind.hp else replace(kind, hp=usual) for kind in scene.units)


CODEC: Final = ScenarioCodec(
    state=State,
    scene=Map,
    now=Now,
    side=SidePlaced,
    city=CityPlaced,
    site=SitePlaced,
    slot=Made,
    names=SIDE_NAMES,
    site_name="Ruin",
    book_types=book_types,
    slot_of=slot_of,
    defence=defence_level,
    sign_rows=sign_rows,
    rule=RULE,
)
"""Codec with the records and defaults of this game."""


def described_state(scene: Map, land: LandPlanes, options: Options) -> State:
    """Return the state that a scenario describes; draw nothing that it leaves out."""
    state = CODEC.described(
        replace(scene, sites=tuple(map(_known_kind, scene.sites))),
        land.terrain,
        types_of(scene),
        options,
        roads=land.roads,
        art=land.terrain,
        items=Roster(map(powered, scene.items)),
        rewards=Roster(scene.rewards),
        no_buying=tuple(number for number, city in enumerate(scene.cities) if not city.buys),
    )
    now, count = scene.now, len(state.sides)
    if now is None:
        return state
    return CODEC.continued(
        state,
        now,
        proposals=now.proposals or ((NO_PROPOSAL,) * count,) * count,
        opinions=now.opinions or ((FIRST_OPINION,) * count,) * count,
        guardians=state.guardians or keepers(state.types),
    )


def _known_kind(site: SitePlaced) -> SitePlaced:
    return replace(site, kind="ruin") if site.kind == "unknown" else site


def keepers(types: Roster[UnitType]) -> tuple[Guardian, ...]:
    """Return the keepers of sites: number n is the type with the id n - 1. See: LW-14."""
    return tuple(
        Guardian(types[kind].name, types[kind].strength) if kind in types else Guardian("", 1)
        for kind in range(max(types, default=-1) + 1)
    )


def position(state: State) -> Map:
    """Return any state as a scenario that begins there. Rules: LW-22."""
    scene = CODEC.position(
        state,
        rewards=state.rewards.rows(),
        guardians=() if state.guardians == keepers(state.types) else state.guardians,
    )
    closed = state.no_buying
    cities = (replace(city, buys=n not in closed) for n, city in enumerate(scene.cities))
    return replace(scene, cities=tuple(cities))
