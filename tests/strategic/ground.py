"""Tiny positions built from rows of text.

Each sign is a tile: ``.`` plains, ``f`` forest, ``h`` hills, ``m`` mountains, ``s`` marsh, ``d``
desert, ``t`` tundra, ``x`` ground of a site, ``c`` city, ``~`` ocean, ``w`` shore, ``=`` bridge,
``r`` river, a blank is void and ``#`` is plains with a road. Cities put their own tiles.

    world([".f.", "..."], armies=[army(1, 0, 0), army(2, 2, 1, owner=1)])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Dice, Scripted, Throw
from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import Terrain, signs, unit_types
from engine.strategic.decision import Decision
from engine.strategic.evolve import evolve
from engine.strategic.pieces import (
    NOBODY,
    Army,
    City,
    Hero,
    Item,
    Side,
    Site,
    SiteKind,
    Slot,
    Tower,
    usual_order,
)
from engine.strategic.world import PEACE, WAR

GIANTS: Final = 0
HEAVY: Final = 1
LIGHT: Final = 2
DWARVES: Final = 3
NAVY: Final = 5
ARCHERS: Final = 6
PEGASI: Final = 8
CATAPULTS: Final = 10
SCOUTS: Final = 11
LIGHT_CAVALRY: Final = 13
MOB: Final = 14
BATS: Final = 15
ELEPHANTS: Final = 18
ARCHONS: Final = 19
DRAGONS: Final = 25
DEVILS: Final = 27
HERO: Final = 28

TYPES: Final = unit_types()
"""The types of the rule book (section 7)."""


def army(number: int, x: int, y: int, kind: int = LIGHT, *, owner: int = 0, **more: Any) -> Army:
    """Return an army with all points and the default numbers of its type; ``more`` sets fields."""
    row = TYPES[kind]
    usual: dict[str, Any] = {
        "strength": row.strength,
        "max_move": row.move,
        "points": row.move,
        "upkeep": row.cost // 2,
    }
    if kind == HERO:
        usual["hero"] = Hero(name=f"hero {number}")
    return Army(id=number, owner=owner, type=kind, x=x, y=y, **(usual | more))


def slot(kind: int) -> Slot:
    """Return a slot with the default numbers of a type."""
    row = TYPES[kind]
    return Slot(type=kind, strength=row.strength, turns=row.turns, move=row.move, cost=row.cost)


def city(number: int, x: int, y: int, owner: int = NOBODY, **more: Any) -> City:
    """Return a city with its top left tile at (x, y) that makes light infantry."""
    usual: dict[str, Any] = {"income": 20, "slots": (slot(LIGHT),), "name": f"City {number}"}
    return City(id=number, x=x, y=y, owner=owner, **(usual | more))


def site(number: int, x: int, y: int, kind: SiteKind = "gold", **more: Any) -> Site:
    return Site(id=number, x=x, y=y, kind=kind, name=f"Site {number}", **more)


def side(number: int, **more: Any) -> Side:
    """Return a human side with 100 gold."""
    order = usual_order(TYPES.values())
    usual: dict[str, Any] = {"gold": 100, "order": order, "name": f"Side {number}"}
    return Side(id=number, **(usual | more))


def tower(x: int, y: int, width: int, owner: int = 0) -> Tower:
    """Return a field tower on a map of this width."""
    return Tower(id=y * width + x, x=x, y=y, owner=owner)


def world(
    rows: Sequence[str],
    *,
    armies: Iterable[Army] = (),
    cities: Iterable[City] = (),
    sites: Iterable[Site] = (),
    items: Iterable[Item] = (),
    roads: Iterable[Place] = (),
    sides: int | Iterable[Side] = 2,
    peace: bool = False,
    options: Options | None = None,
    hidden: bool = False,
    **more: Any,
) -> State:
    """Return a position in turn 1 of side 0, with all sides at war or all at peace.

    With ``hidden`` nothing is discovered and fog is on; if not, everything is discovered. ``more``
    sets fields of the state.
    """
    armies, cities = tuple(armies), tuple(cities)
    ground = np.array([[_code(sign) for sign in row] for row in rows], dtype=np.uint8)
    roaded = np.array([[sign == "#" for sign in row] for row in rows], dtype=np.uint8)
    for x, y in roads:
        roaded[y, x] = 1
    for town in cities:
        for x, y in town.tiles:
            ground[y, x] = Terrain.SITE if town.razed else Terrain.CITY
    seats = tuple(side(k) for k in range(sides)) if isinstance(sides, int) else tuple(sides)
    agreed = PEACE if peace else WAR
    stances = tuple(agreed for _ in seats)
    chosen = options or Options(hidden_map="on" if hidden else "off")
    settings: dict[str, Any] = {
        "next_id": 1 + max((one.id for one in armies), default=0),
        "order": tuple(seat.id for seat in seats),
        "treaties": tuple(
            tuple(PEACE if one is other else agreed for other in seats) for one in seats
        ),
        "discovered": Plane(np.full(ground.shape, 0 if hidden else 255, dtype=np.uint8)),
        "types": TYPES,
    }
    return State(
        terrain=Plane(ground),
        roads=Plane(roaded),
        art=Plane(np.zeros_like(ground)),
        sides=Roster(replace(seat, stances=seat.stances or stances) for seat in seats),
        armies=Roster(armies),
        cities=Roster(cities),
        sites=Roster(sites),
        items=Roster(items),
        options=chosen,
        **(settings | more),
    )


def _code(sign: str) -> int:
    return Terrain.PLAINS if sign == "#" else signs()[sign]


def desk(state: State, dice: Iterable[int | Throw] | Dice = ()) -> Decision:
    """Return a decision on a position with scripted or given dice."""
    thrown = Scripted(dice) if isinstance(dice, Iterable) else dice
    return BaseDecision(state, evolve, thrown)
