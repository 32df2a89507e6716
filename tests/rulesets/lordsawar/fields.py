"""Tiny positions from rows of signs, as in scenarios, and orders played there.

    field((".f.", "w=."), army(1, 0, 0), army(2, 2, 1, "pegasi"))

Cities replace the signs of their tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Dice, Scripted
from engine.core.record import Command, Event, replace
from engine.kit.grid import Place
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.land import LandCode, land_of
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.pieces import book_types, slot_of
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import units_by_key
from engine.strategic.dispatch import decide
from engine.strategic.pieces import NOBODY, Army, City, Hero, Item, Side, usual_order
from engine.strategic.world import PEACE, WAR


def army(
    number: int, x: int, y: int, key: str = "light_infantry", *, owner: int = 0, **more: Any
) -> Army:
    """Return an army with the default numbers of its type and all points; ``more`` sets fields."""
    row = units_by_key()[key]
    usual: dict[str, Any] = {
        "strength": row.strength,
        "max_move": row.moves,
        "points": row.moves,
        "upkeep": row.upkeep,
        "hero": Hero(f"hero {number}") if row.hero else None,
    }
    return Army(id=number, owner=owner, type=row.id, x=x, y=y, **(usual | more))


def city(number: int, x: int, y: int, owner: int = NOBODY, **more: Any) -> City:
    """Return a city that makes light infantry."""
    slot = slot_of(book_types()[units_by_key()["light_infantry"].id])
    usual: dict[str, Any] = {"name": f"City {number}", "income": 20, "slots": (slot,)}
    return City(id=number, x=x, y=y, owner=owner, **(usual | more))


def bearing(number: int, army: int, kind: str, value: int = 0) -> Item:
    """Return an item that an army carries."""
    return Item(number, kind, value, f"item {number}", "carried", army)


def field(
    rows: Sequence[str],
    *armies: Army,
    roads: Sequence[Place] = (),
    cities: Sequence[City] = (),
    items: Sequence[Item] = (),
    sides: int = 2,
    options: Options | None = None,
    **more: Any,
) -> State:
    """Return a position in the turn of the first side, with all sides at war."""
    land = land_of(Map("field", "Field", "", rows=tuple(rows)))
    terrain, paved = land.terrain.edit(), np.zeros_like(land.roads.cells)
    for town in cities:
        for x, y in town.tiles:
            terrain[y, x] = LandCode.CITY
    for x, y in roads:
        paved[y, x] = 1
    order = usual_order(book_types().values())
    wars = tuple(PEACE if one == 0 else WAR for one in range(sides))
    stances = [(*wars[-one:], *wars[:-one]) if one else wars for one in range(sides)]
    usual: dict[str, Any] = {
        "discovered": Plane(np.full_like(terrain, 255)),
        "next_id": 1 + max((one.id for one in armies), default=0),
    }
    return State(
        terrain=Plane(terrain),
        roads=Plane(paved),
        art=Plane(terrain),
        types=book_types(),
        sides=Roster(
            Side(id=number, name=f"side {number}", gold=100, order=order, stances=stances[number])
            for number in range(sides)
        ),
        treaties=tuple(stances),
        order=tuple(range(sides)),
        armies=Roster(armies),
        cities=Roster(cities),
        items=Roster(items),
        options=options or Options(),
        **(usual | more),
    )


def played(
    state: State, *orders: tuple[int, Command], dice: Dice | None = None
) -> tuple[State, tuple[Event, ...]]:
    """Play orders of sides; return the position and all events."""
    events: list[Event] = []
    for side, order in orders:
        decision: BaseDecision[Any, Any] = BaseDecision(state, evolve, dice or Scripted(()))
        decide(decision, settings_in(state), side, order)
        assert isinstance(decision.state, State)
        state = decision.state
        events.extend(decision.events)
    return state, tuple(events)


def refreshed(state: State) -> State:
    """Return the position with all points of all armies."""
    rested = (replace(one, points=one.max_move) for one in state.armies.values())
    return replace(state, armies=state.armies.put(*rested))
