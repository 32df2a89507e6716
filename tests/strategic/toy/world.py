"""The world of the toy book: five terrains, two units, and its own commands, events and questions.

Positions are written as rows of signs; ``rule_book`` has the rules.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Final, Literal, TypeAlias, TypeVar

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.record import Command, replace
from engine.strategic import events as strategic
from engine.strategic.events.base import OwnSideEvent, StrategicEvent
from engine.strategic.evolve import evolve as evolve_world
from engine.strategic.pieces import NOBODY, Army, City, Side, Slot, UnitType
from engine.strategic.world import WAR, Pending, World

W = TypeVar("W", bound=World)

GRASS, BOG, SEA, QUAY, PIER = 0, 1, 2, 3, 4
GUARD, RIDER = 0, 1

TYPES: Final = Roster(
    (
        UnitType(GUARD, "guard", "Guard", 3, 1, 4, 10, 5, 0),
        UnitType(RIDER, "rider", "Rider", 5, 2, 8, 24, 9, 1),
    )
)


# -- records ---------------------------------------------------------------------------------------


class ToyWorld(World, frozen=True, kw_only=True, weakref=True):
    """A position.

    ``blown`` lists the sides that have blown the horn, ``toast`` is the side asked for a toast, and
    ``risen`` lists the armies whose owner must choose a lesson, in order.
    """

    blown: tuple[int, ...] = ()
    toast: int = NOBODY
    risen: tuple[int, ...] = ()

    @property
    def pending(self) -> Pending | None:
        """The question of the layer, or else the toast, or else the lesson of an army."""
        if self.question is not None:
            return super().pending
        if self.toast != NOBODY:
            return Pending("toast", self.toast)
        return Pending("lesson", self.armies[self.risen[0]].owner) if self.risen else None


class BlowHorn(Command, frozen=True, tag="blow-horn"):
    """Blow the horn, once per game."""


class AskToast(Command, frozen=True, tag="ask-toast"):
    """Ask a side for a toast, which it answers with the horn."""

    side: int


class ToastAsked(StrategicEvent, frozen=True, tag="toast-asked"):
    """A side was asked to blow its horn."""

    side: int


class HornBlown(OwnSideEvent, frozen=True, tag="horn-blown"):
    """The horn gave a side gold."""

    irreversible: ClassVar[bool] = True

    gold: int


class Teach(Command, frozen=True, tag="teach"):
    """Choose the lesson of the first risen army."""

    lesson: Literal["strength", "pace"]


class ArmiesRose(StrategicEvent, frozen=True, tag="rose"):
    """Armies gained enough experience for a lesson."""

    armies: tuple[int, ...]


class ArmyTaught(StrategicEvent, frozen=True, tag="taught"):
    """An army received its lesson."""

    army: Army


class ToyRefusal(StrEnum):
    """Refusal codes of the book."""

    OUT_OF_BREATH = "OUT_OF_BREATH"


ToyEvent: TypeAlias = HornBlown | ToastAsked | ArmiesRose | ArmyTaught | strategic.AnyEvent


def evolve(world: W, event: ToyEvent) -> W:
    """Return the world after an event."""
    match event:
        case HornBlown():
            assert isinstance(world, ToyWorld)
            side = replace(world.sides[event.side], gold=event.gold)
            blown = (*world.blown, event.side)
            return replace(world, sides=world.sides.put(side), blown=blown, toast=NOBODY)
        case ToastAsked():
            return replace(world, toast=event.side)
        case ArmiesRose():
            return replace(world, risen=event.armies)
        case ArmyTaught():
            assert isinstance(world, ToyWorld)
            armies = world.armies.put(event.army)
            return replace(world, armies=armies, risen=world.risen[1:])
        case _:
            return evolve_world(world, event)


# -- positions -------------------------------------------------------------------------------------


def army(number: int, x: int, y: int, kind: int = GUARD, *, owner: int = 0) -> Army:
    """Return an army with the numbers of its type and all its points."""
    row = TYPES[kind]
    return Army(number, owner, kind, x, y, row.strength, row.move, row.move, 1)


def land(rows: tuple[str, ...], *armies: Army, towns: tuple[City, ...] = ()) -> ToyWorld:
    """Return a position in turn 1 with two sides at war.

    Signs: ``.`` grass, ``b`` bog, ``~`` sea, ``q`` quay, ``p`` pier.
    """
    ground = np.array([[".b~qp".index(sign) for sign in row] for row in rows], dtype=np.uint8)
    bare = Plane(np.zeros_like(ground))
    return ToyWorld(
        terrain=Plane(ground),
        roads=bare,
        art=bare,
        discovered=Plane(np.full(ground.shape, 255, dtype=np.uint8)),
        types=TYPES,
        sides=Roster(Side(k, f"Side {k}", 20, (0, 1), stances=(WAR, WAR)) for k in (0, 1)),
        cities=Roster(towns),
        armies=Roster(armies),
        treaties=((0, WAR), (WAR, 0)),
        order=(0, 1),
        next_id=1 + max((one.id for one in armies), default=0),
    )


def town(number: int, x: int, y: int, owner: int) -> City:
    """Return a city that makes guards."""
    row = TYPES[GUARD]
    slot = Slot(GUARD, row.strength, row.turns, row.move, row.cost)
    return City(number, x, y, f"Town {number}", owner, 5, (slot,))
