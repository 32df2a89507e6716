"""Codec between scenario and state: records of one as records of the other, without dice."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.record import replace
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
    """Unit types of a scenario: its own, else those of the book. Rules: W2-7."""
    return Roster(scene.units) if scene.units else book_types()


def described_state(scene: Map, land: LandPlanes, options: Options) -> State:
    """The state that a scenario describes; what it leaves out is not drawn here."""
    types = types_of(scene)
    state = State(
        name=scene.name,
        title=scene.title,
        about=scene.about,
        terrain=land.terrain,
        roads=land.roads,
        art=land.art or land.terrain,
        discovered=Plane(np.full(land.terrain.cells.shape, 255, dtype=np.uint8)),
        ports=scene.ports,
        signs=scene.signs,
        types=types,
        guardians=scene.guardians,
        neutral_order=scene.neutral_order,
        sides=Roster(_side(scene, number, types) for number in range(len(scene.sides))),
        cities=Roster(_city(scene, number, types) for number in range(len(scene.cities))),
        sites=Roster(_site(number, site) for number, site in enumerate(scene.sites)),
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
    sides = (_agreed(side, now.treaties[side.id]) for side in state.sides.values())
    return replace(
        state,
        sides=Roster(sides),
        discovered=seen or state.discovered,
        armies=Roster(now.armies),
        transits=Roster(now.transits),
        towers=Roster(now.towers),
        treaties=now.treaties,
        turn=now.turn,
        order=now.order,
        at=now.at,
        stage=now.stage,
        question=now.question,
        trail=now.trail,
        trail_of=now.trail_of,
        lifted=now.lifted,
        next_id=now.next_id,
        key=now.key,
        secret=now.secret,
        origin=now.origin,
        winners=now.winners,
        reason=now.reason,
    )


def _agreed(side: Side, treaties: tuple[int, ...]) -> Side:
    """A side in mid-game; its stances default to its treaties."""
    return side if side.stances else replace(side, stances=treaties)


def _side(scene: Map, number: int, types: Roster[UnitType]) -> Side:
    row = scene.sides[number]
    return Side(
        id=number,
        name=row.name or SIDE_NAMES[number],
        gold=row.gold or 0,
        order=row.order or usual_order(types.values()),
        capital=row.capital,
        alive=row.alive,
        human=row.human,
        level=row.level,
        enhanced=row.enhanced,
        flag=row.flag,
        rating=row.rating,
        stances=row.stances,
        quest=row.quest,
        deeds=row.deeds,
    )


def _city(scene: Map, number: int, types: Roster[UnitType]) -> City:
    row = scene.cities[number]
    keys = {kind.key: kind for kind in types.values()}
    slots = tuple(_slot(slot, keys) for slot in row.slots)
    capitals = {side.capital: seat for seat, side in enumerate(scene.sides)}
    owner = row.owner if scene.now is not None else capitals.get((row.x, row.y), row.owner)
    return City(
        id=number,
        x=row.x,
        y=row.y,
        name=row.name or f"City {number + 1}",
        owner=owner,
        income=row.income,
        slots=slots,
        defence=0 if row.razed else defence(len(slots)),
        making=row.making,
        left=row.left,
        vector=row.vector,
        original=NOBODY if row.original is None else row.original,
        attacked_by=row.attacked_by,
        tier=row.tier,
        razed=row.razed,
        about=row.about,
    )


def _slot(slot: str | Made, keys: Mapping[str, UnitType]) -> Slot:
    if isinstance(slot, str):
        return slot_of(keys[slot])
    usual = slot_of(keys[slot.unit])
    return Slot(
        type=usual.type,
        strength=usual.strength if slot.strength is None else slot.strength,
        turns=usual.turns if slot.turns is None else slot.turns,
        move=usual.move if slot.move is None else slot.move,
        cost=usual.cost if slot.cost is None else slot.cost,
    )


def _site(number: int, row: SitePlaced) -> Site:
    return Site(
        id=number,
        x=row.x,
        y=row.y,
        name=row.name or f"Site {number + 1}",
        kind=row.kind,
        about=row.about,
        rich=row.rich,
        searched=row.searched,
        guardian=row.guardian,
        ally=row.ally,
        known_to=row.known_to,
        hidden=row.hidden,
    )


def position(state: State) -> Map:
    """Any state as a scenario that begins there. Rules: W2-17."""
    everything = bool((state.discovered.cells == 255).all())
    return Map(
        name=state.name,
        title=state.title,
        about=state.about,
        rows=sign_rows(state.terrain),
        roads=road_rows(state.roads),
        sides=tuple(_side_placed(side) for side in state.sides.values()),
        cities=tuple(_city_placed(city, state.types) for city in state.cities.values()),
        sites=tuple(_site_placed(site) for site in state.sites.values()),
        ports=state.ports,
        signs=state.signs,
        items=state.items.rows(),
        guardians=state.guardians,
        units=() if state.types == book_types() else state.types.rows(),
        neutral_order=state.neutral_order,
        options={
            name: value
            for name, value in as_mapping(state.options).items()
            if value != getattr(Options(), name)
        },
        art=hex_rows(state.art),
        table="" if state.table == native_table() else state.table.hex(),
        now=Now(
            order=state.order,
            treaties=state.treaties,
            turn=state.turn,
            at=state.at,
            stage=state.stage,
            armies=state.armies.rows(),
            transits=state.transits.rows(),
            towers=state.towers.rows(),
            discovered=() if everything else hex_rows(state.discovered),
            question=state.question,
            trail=state.trail,
            trail_of=state.trail_of,
            lifted=state.lifted,
            next_id=state.next_id,
            key=state.key,
            secret=state.secret,
            origin=state.origin,
            winners=state.winners,
            reason=state.reason,
        ),
    )


def _side_placed(side: Side) -> SidePlaced:
    return SidePlaced(
        name=side.name,
        capital=side.capital,
        gold=side.gold,
        human=side.human,
        level=side.level,
        enhanced=side.enhanced,
        order=side.order,
        alive=side.alive,
        flag=side.flag,
        rating=side.rating,
        stances=side.stances,
        quest=side.quest,
        deeds=side.deeds,
    )


def _city_placed(city: City, types: Roster[UnitType]) -> CityPlaced:
    return CityPlaced(
        x=city.x,
        y=city.y,
        name=city.name,
        income=city.income,
        slots=tuple(_made(slot, types) for slot in city.slots),
        owner=city.owner,
        about=city.about,
        original=None if city.original == NOBODY else city.original,
        making=city.making,
        left=city.left,
        vector=city.vector,
        attacked_by=city.attacked_by,
        tier=city.tier,
        razed=city.razed,
    )


def _made(slot: Slot, types: Roster[UnitType]) -> str | Made:
    kind = types[slot.type]
    if slot == slot_of(kind):
        return kind.key
    return Made(kind.key, slot.strength, slot.turns, slot.move, slot.cost)


def _site_placed(site: Site) -> SitePlaced:
    return SitePlaced(
        x=site.x,
        y=site.y,
        name=site.name,
        kind=site.kind,
        about=site.about,
        rich=site.rich,
        searched=site.searched,
        guardian=site.guardian,
        ally=site.ally,
        known_to=site.known_to,
        hidden=site.hidden,
    )
