"""Codec between scenario and state: converts the records of both, without dice."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.record import replace
from engine.kit.records import alike
from engine.rulesets.warlords2.cities import defence
from engine.rulesets.warlords2.land import RULE, LandPlanes, chosen_art, sign_rows
from engine.rulesets.warlords2.options import Options, as_mapping
from engine.rulesets.warlords2.scene import CityPlaced, Made, Map, Now, SidePlaced, SitePlaced
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import native_table, slot_of, usual_order
from engine.rulesets.warlords2.tables import unit_types as book_types
from engine.strategic.land_rows import hex_rows, numbers_of, road_rows
from engine.strategic.pieces import NOBODY, City, Side, Site, Slot, UnitType

SIDE_NAMES = (
    "Sallow",
    "Orrin",
    "Ketterby",
    "Brume",
    "Vantage",
    "Morrow",
    "Ashlar",
    "Thole",
)
"""Default names of sides."""


def types_of(scene: Map) -> Roster[UnitType]:
    """Return the unit types of a scenario: its own, else those of the book. See: W2-7."""
    return Roster(scene.units) if scene.units else book_types()


def described_state(scene: Map, land: LandPlanes, options: Options) -> State:
    """Return the state that a scenario describes; omitted values are not drawn here."""
    types = types_of(scene)
    state = alike(
        State,
        scene,
        terrain=land.terrain,
        roads=land.roads,
        art=land.art or land.terrain,
        discovered=Plane(np.full(land.terrain.cells.shape, 255, dtype=np.uint8)),
        types=types,
        sides=Roster(_side(scene, number, types) for number in range(len(scene.sides))),
        cities=Roster(_city(scene, number, types) for number in range(len(scene.cities))),
        sites=Roster(
            alike(Site, site, id=number, name=site.name or f"Site {number + 1}")
            for number, site in enumerate(scene.sites)
        ),
        items=Roster(scene.items),
        options=options,
        table=land.table,
    )
    if land.art is None:
        art = chosen_art(land.terrain, land.table, state.cities.values())
        state = replace(state, art=art)
    return state if scene.now is None else _in_midgame(state, scene.now)


def _in_midgame(state: State, now: Now) -> State:
    size = (state.width, state.height)
    seen = numbers_of(now.discovered, "now.discovered", size, RULE) if now.discovered else None
    moment = {name: getattr(now, name) for name in Now.__struct_fields__}
    return replace(
        state,
        **moment
        | {
            "sides": Roster(
                side if side.stances else replace(side, stances=now.treaties[side.id])
                for side in state.sides.values()
            ),
            "discovered": seen or state.discovered,
            "armies": Roster(now.armies),
            "transits": Roster(now.transits),
            "towers": Roster(now.towers),
        },
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
    return alike(
        City,
        row,
        id=number,
        name=row.name or f"City {number + 1}",
        owner=row.owner if scene.now else capitals.get((row.x, row.y), row.owner),
        slots=slots,
        defence=0 if row.razed else defence(len(slots)),
        original=NOBODY if row.original is None else row.original,
    )


def _slot(slot: str | Made, keys: Mapping[str, UnitType]) -> Slot:
    if isinstance(slot, str):
        return slot_of(keys[slot])
    told = {name: getattr(slot, name) for name in ("strength", "turns", "move", "cost")}
    changed = {name: value for name, value in told.items() if value is not None}
    return replace(slot_of(keys[slot.unit]), **changed)


def position(state: State) -> Map:
    """Return any state as a scenario that begins there. See: W2-17."""
    everything = bool((state.discovered.cells == 255).all())
    usual = Options()
    return alike(
        Map,
        state,
        rows=sign_rows(state.terrain),
        roads=road_rows(state.roads),
        sides=tuple(alike(SidePlaced, side) for side in state.sides.values()),
        cities=tuple(_city_placed(city, state.types) for city in state.cities.values()),
        sites=tuple(alike(SitePlaced, site) for site in state.sites.values()),
        items=state.items.rows(),
        units=() if state.types == book_types() else state.types.rows(),
        options={
            name: value
            for name, value in as_mapping(state.options).items()
            if value != getattr(usual, name)
        },
        art=hex_rows(state.art),
        table="" if state.table == native_table() else state.table.hex(),
        now=alike(
            Now,
            state,
            armies=state.armies.rows(),
            transits=state.transits.rows(),
            towers=state.towers.rows(),
            discovered=() if everything else hex_rows(state.discovered),
        ),
    )


def _city_placed(city: City, types: Roster[UnitType]) -> CityPlaced:
    slots = tuple(_made(slot, types) for slot in city.slots)
    original = None if city.original == NOBODY else city.original
    return alike(CityPlaced, city, slots=slots, original=original)


def _made(slot: Slot, types: Roster[UnitType]) -> str | Made:
    kind = types[slot.type]
    return kind.key if slot == slot_of(kind) else alike(Made, slot, unit=kind.key)
