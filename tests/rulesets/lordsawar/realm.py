"""Small realms for tests: a meadow with cities and armies, and phases played there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Dice, Scripted
from engine.core.record import Command, Event
from engine.rulesets.lordsawar.cities import defence
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.land import LandCode, land_of
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.pieces import book_types, slot_of
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.strength import defence_level
from engine.rulesets.lordsawar.tables import units_by_key
from engine.strategic.decision import Decision
from engine.strategic.dispatch import decide
from engine.strategic.pieces import NOBODY, Army, City, Hero, Side, Slot, Transit, usual_order
from engine.strategic.settings import RuleSettings
from engine.strategic.world import PEACE, WAR

MEADOW: Final = ("." * 12,) * 10


def slot(key: str) -> Slot:
    """Return a slot with the default numbers of a type."""
    return slot_of(book_types()[units_by_key()[key].id])


def army(
    number: int, x: int, y: int, key: str = "light_infantry", *, owner: int = 0, **more: Any
) -> Army:
    """Return an army with the default numbers of its type and all its points."""
    row = units_by_key()[key]
    usual: dict[str, Any] = {
        "strength": row.strength,
        "max_move": row.moves,
        "points": row.moves,
        "upkeep": row.upkeep,
        "hero": Hero(f"hero {number}") if row.hero else None,
    }
    return Army(id=number, owner=owner, type=row.id, x=x, y=y, **(usual | more))


def city(
    number: int, x: int, y: int, owner: int = 0, *keys: str, making: str = "", **more: Any
) -> City:
    """Return a city with these slots, producing ``making`` for ``left`` more rounds."""
    slots = tuple(slot(key) for key in keys)
    active = keys.index(making) if making else -1
    usual: dict[str, Any] = {
        "name": f"City {number}",
        "income": 20,
        "making": active,
        "left": slots[active].turns if making else 0,
        "defence": defence_level(
            len(slots), neutral=owner == NOBODY, razed=more.get("razed", False)
        ),
    }
    return City(id=number, x=x, y=y, owner=owner, slots=slots, **(usual | more))


def away(number: int, home: int, target: int, due: int, key: str = "archers") -> Transit:
    """Return an army of the first side in transit."""
    return Transit(number, army(number, 0, 0, key, home=home), target, due)


def realm(
    cities: Iterable[City] = (),
    armies: Iterable[Army] = (),
    *,
    rows: Sequence[str] = MEADOW,
    gold: Sequence[int] = (100, 100),
    transits: Iterable[Transit] = (),
    options: Options | None = None,
    **more: Any,
) -> State:
    """Return a position with one side per purse in ``gold``, at war, in the first side's turn."""
    cities, armies, transits = tuple(cities), tuple(armies), tuple(transits)
    terrain = land_of(Map("realm", "Realm", "", rows=tuple(rows))).terrain.edit()
    for town in cities:
        for x, y in town.tiles:
            terrain[y, x] = LandCode.CITY
    count = len(gold)
    order = usual_order(book_types().values())
    wars = tuple(
        tuple(PEACE if one == two else WAR for two in range(count)) for one in range(count)
    )
    usual: dict[str, Any] = {
        "order": tuple(range(count)),
        "next_id": 1 + max((*(a.id for a in armies), *(t.id for t in transits)), default=0),
        "sides": Roster(
            Side(id=number, name=f"side {number}", gold=purse, order=order, stances=wars[number])
            for number, purse in enumerate(gold)
        ),
    }
    return State(
        terrain=Plane(terrain),
        roads=Plane(np.zeros_like(terrain)),
        art=Plane(terrain),
        discovered=Plane(np.full_like(terrain, 255)),
        types=book_types(),
        treaties=wars,
        armies=Roster(armies),
        cities=Roster(cities),
        transits=Roster(transits),
        options=options or Options(),
        **(usual | more),
    )


def desk(state: State, *throws: int) -> tuple[Decision, RuleSettings]:
    """Return a decision with scripted throws, and the settings, as arguments for rule functions."""
    decision: BaseDecision[Any, Any] = BaseDecision(state, evolve, Scripted(throws))
    return decision, settings_of(state.options)


def ordered(
    state: State, side: int, order: Command, dice: Dice | None = None
) -> tuple[State, tuple[Event, ...]]:
    """Return the position after an order, and its events."""
    decision: BaseDecision[Any, Any] = BaseDecision(state, evolve, dice or Scripted(()))
    decide(decision, settings_of(state.options), side, order)
    assert isinstance(decision.state, State)
    return decision.state, decision.events


def levels_hold(state: State) -> bool:
    """Return whether all cities have the defence level of their owner and slots."""
    return all(
        town.defence
        == defence_level(len(town.slots), neutral=town.owner == NOBODY, razed=town.razed)
        for town in state.cities.values()
    ) and defence(3) == defence_level(3, neutral=False)
