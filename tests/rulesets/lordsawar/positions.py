"""Positions for tests: a land with two cities, armies in it, and orders given there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.core.dice import Dice, Scripted
from engine.core.record import replace
from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.commands import AnyCommand
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scene import CityPlaced, Map, Now, SidePlaced, SitePlaced
from engine.rulesets.lordsawar.state import Condition, State
from engine.rulesets.lordsawar.tables import units_by_key
from engine.strategic.pieces import Army, Hero, HitPoints, Item

LAND = (
    "..........",
    "cc......cc",
    "cc......cc",
    "..hhffss..",
    "..hhffss..",
    "..mm~~p=..",
    "..mm~~~~..",
    "..........",
)


def army(number: int, key: str, owner: int, at: tuple[int, int], **more: Any) -> Army:
    """Return an unhurt army of a type, with 40 points."""
    row = units_by_key()[key]
    hero = Hero(f"Hero {number}") if row.hero else None
    strength = more.pop("strength", row.strength)
    return Army(number, owner, row.id, *at, strength, row.moves, 40, row.upkeep, hero=hero, **more)


def hurt(one: Army, left: float, most: int = 2) -> Army:
    """Return an army with ``left`` hit points of ``most``."""
    units = HIT_POINT * most
    return replace(one, hp=HitPoints(units, units - round(HIT_POINT * left)))


def position(
    armies: Iterable[Army],
    conditions: Iterable[Condition] = (),
    *,
    items: Iterable[Item] = (),
    sites: Iterable[SitePlaced] = (),
    options: Mapping[str, int | str] | None = None,
    order: tuple[int, ...] = (0, 1),
) -> State:
    """Return a position at war in which the first of ``order`` moves; cities at 0,1 and 8,1."""
    scene = Map(
        "field",
        "Field",
        "",
        rows=LAND,
        sides=(SidePlaced(gold=100), SidePlaced(gold=100)),
        cities=tuple(
            CityPlaced(x, 1, slots=("scouts", "light_infantry", "archers"), owner=side)
            for side, x in enumerate((0, 8))
        ),
        sites=tuple(sites),
        items=tuple(items),
        now=Now(
            order=order,
            treaties=((0, 2), (2, 0)),
            turn=2,
            armies=tuple(armies),
            conditions=tuple(conditions),
            next_id=1000,
        ),
    )
    found = RULES.begin(scene, options or {}, Scripted([]))
    return RULES.evolve(RULES.empty(), found[0])


def ordered(
    state: State, command: AnyCommand, *, seat: int = 0, dice: Dice | None = None
) -> tuple[State, tuple[Any, ...]]:
    """Return the state after an order, and its events. Without ``dice`` no roll is allowed."""
    events = RULES.decide(state, seat, command, dice or Scripted([]))
    for event in events:
        state = RULES.evolve(state, event)
    return state, events


def units(hit_points: float) -> int:
    """Return hit points as units."""
    return round(HIT_POINT * hit_points)
