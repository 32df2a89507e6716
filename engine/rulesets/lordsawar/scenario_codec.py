"""Convert between scenario and state, without dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.record import UNSET, replace
from engine.kit.records import alike
from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.checks import CHECKS
from engine.rulesets.lordsawar.items import powered
from engine.rulesets.lordsawar.land import RULE, LandPlanes, sign_rows
from engine.rulesets.lordsawar.options import Options, as_mapping
from engine.rulesets.lordsawar.pieces import book_types, slot_of, usual_order
from engine.rulesets.lordsawar.scene import CityPlaced, Made, Map, Now, SidePlaced, SitePlaced
from engine.rulesets.lordsawar.state import FIRST_OPINION, NO_PROPOSAL, State
from engine.rulesets.lordsawar.strength import defence_level
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic.land_rows import hex_rows, numbers_of, road_rows
from engine.strategic.pieces import NOBODY, City, Guardian, Side, Site, Slot, UnitType

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


def described_state(scene: Map, land: LandPlanes, options: Options) -> State:
    """Return the state that a scenario describes; draw nothing that it leaves out."""
    types = types_of(scene)
    state = alike(
        State,
        scene,
        terrain=land.terrain,
        roads=land.roads,
        art=land.terrain,
        discovered=Plane(np.full(land.terrain.cells.shape, 255, dtype=np.uint8)),
        types=types,
        sides=Roster(_side(scene, number, types) for number in range(len(scene.sides))),
        cities=Roster(_city(scene, number, types) for number in range(len(scene.cities))),
        sites=Roster(_site(site, number) for number, site in enumerate(scene.sites)),
        items=Roster(map(powered, scene.items)),
        rewards=Roster(scene.rewards),
        no_buying=tuple(number for number, city in enumerate(scene.cities) if not city.buys),
        options=options,
    )
    return state if scene.now is None else _in_midgame(state, scene.now)


def _in_midgame(state: State, now: Now) -> State:
    size = (state.width, state.height)
    seen = numbers_of(now.discovered, "now.discovered", size, RULE) if now.discovered else None
    moment = {name: getattr(now, name) for name in Now.__struct_fields__}
    rosters = {name: Roster(moment[name]) for name in _rosters(state)}
    count = len(state.sides)
    usual = {
        "discovered": seen or state.discovered,
        "proposals": now.proposals or ((NO_PROPOSAL,) * count,) * count,
        "opinions": now.opinions or ((FIRST_OPINION,) * count,) * count,
        "sides": Roster(
            side if side.stances else replace(side, stances=now.treaties[side.id])
            for side in state.sides.values()
        ),
        "guardians": state.guardians or keepers(state.types),
        "rewards": Roster(now.rewards),
        "quests": Roster(now.quests),
    }
    return replace(state, **moment | rosters | usual)


def _rosters(state: State) -> tuple[str, ...]:
    """Return the fields of ``Now`` that are rosters in a state."""
    return tuple(n for n in Now.__struct_fields__ if isinstance(getattr(state, n), Roster))


def keepers(types: Roster[UnitType]) -> tuple[Guardian, ...]:
    """Return the keepers of sites: number n is the type with the id n - 1. See: LW-14."""
    return tuple(
        Guardian(types[kind].name, types[kind].strength) if kind in types else Guardian("", 1)
        for kind in range(max(types, default=-1) + 1)
    )


def _side(scene: Map, number: int, types: Roster[UnitType]) -> Side:
    row = scene.sides[number]
    return alike(
        Side,
        row,
        id=number,
        name=row.name or SIDE_NAMES[number],
        gold=row.gold or 0,
        order=row.order or usual_order(types.values()),
    )


def _city(scene: Map, number: int, types: Roster[UnitType]) -> City:
    row = scene.cities[number]
    keys = {kind.key: kind for kind in types.values()}
    slots = tuple(_slot(slot, keys) for slot in row.slots)
    capitals = {side.capital: seat for seat, side in enumerate(scene.sides)}
    owner = row.owner if scene.now else capitals.get((row.x, row.y), row.owner)
    return alike(
        City,
        row,
        id=number,
        name=row.name or f"City {number + 1}",
        owner=owner,
        slots=slots,
        defence=defence_level(len(slots), neutral=owner == NOBODY, razed=row.razed),
        original=NOBODY if row.original is None else row.original,
    )


def _site(site: SitePlaced, number: int) -> Site:
    told = replace(site, kind="ruin") if site.kind == "unknown" else site
    return alike(Site, told, id=number, name=site.name or f"Ruin {number + 1}")


def _slot(slot: str | Made, keys: Mapping[str, UnitType]) -> Slot:
    if isinstance(slot, str):
        return slot_of(keys[slot])
    told = {name: getattr(slot, name) for name in ("strength", "turns", "move", "cost", "upkeep")}
    changed = {name: value for name, value in told.items() if value is not None}
    return replace(slot_of(keys[slot.unit]), **changed)


def position(state: State) -> Map:
    """Return any state as a scenario that begins there. Rules: LW-22."""
    everything = bool((state.discovered.cells == 255).all())
    usual = Options()
    return alike(
        Map,
        state,
        rows=sign_rows(state.terrain),
        roads=road_rows(state.roads),
        sides=tuple(alike(SidePlaced, side) for side in state.sides.values()),
        cities=tuple(_city_placed(state, city) for city in state.cities.values()),
        sites=tuple(alike(SitePlaced, site) for site in state.sites.values()),
        items=state.items.rows(),
        rewards=state.rewards.rows(),
        guardians=() if state.guardians == keepers(state.types) else state.guardians,
        units=() if state.types == book_types() else state.types.rows(),
        options={
            name: value
            for name, value in as_mapping(state.options).items()
            if value != getattr(usual, name)
        },
        now=alike(
            Now,
            state,
            **{name: getattr(state, name).rows() for name in _rosters(state)},
            discovered=() if everything else hex_rows(state.discovered),
        ),
    )


def _city_placed(state: State, city: City) -> CityPlaced:
    slots = tuple(_made(slot, state.types) for slot in city.slots)
    original = None if city.original == NOBODY else city.original
    buys = city.id not in state.no_buying
    return alike(CityPlaced, city, slots=slots, original=original, buys=buys)


def _made(slot: Slot, types: Roster[UnitType]) -> str | Made:
    kind = types[slot.type]
    upkeep = None if slot.upkeep is UNSET else slot.upkeep
    return kind.key if slot == slot_of(kind) else alike(Made, slot, unit=kind.key, upkeep=upkeep)
