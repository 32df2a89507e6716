"""Orders and the other commands of a seat.

An order is a line of a seat's list, and the command that adds this line. The other commands edit,
seal and unseal the list, or give up.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never, cast, get_args

from engine.core import notation
from engine.core.record import Command

Unit: TypeAlias = Literal["army", "cavalry", "heavy", "spy"]
"""A type of unit; the table of numbers has its properties."""

Construct: TypeAlias = Literal["watchtower", "bivouac", "library"]
"""A kind of building other than headquarters."""

InventoryItem: TypeAlias = Literal["crop", "dynamite", "toxic"]
"""A kind of item: crop supply, dynamite, toxic waste."""

UNITS: tuple[Unit, ...] = get_args(Unit)
CONSTRUCTS: tuple[Construct, ...] = get_args(Construct)
ITEMS: tuple[InventoryItem, ...] = get_args(InventoryItem)


class ListOrder(Command, frozen=True):
    """A line of a list. Territories are numbers from 1."""


class PlaceHq(ListOrder, frozen=True, tag="hq"):
    """Settle here. Rules: GD-HQ-1."""

    at: int


class Promote(ListOrder, frozen=True, tag="promote"):
    """Make armies into other units. Rules: GD-PROMOTE-1."""

    at: int
    unit: Unit
    count: int


class Spawn(ListOrder, frozen=True, tag="spawn"):
    """Raise armies here. Rules: GD-SPAWN-1."""

    at: int
    count: int


class Build(ListOrder, frozen=True, tag="build"):
    """Put up a construct. Rules: GD-BUILD-1."""

    at: int
    construct: Construct


class LayMines(ListOrder, frozen=True, tag="mine"):
    """Lay mines. Rules: GD-MINE-1."""

    at: int
    count: int


class UseCrop(ListOrder, frozen=True, tag="crop"):
    """Use a crop supply; ``lots`` are pairs of territory and armies. Rules: GD-CROP-1."""

    lots: tuple[tuple[int, int], ...]


class UseDynamite(ListOrder, frozen=True, tag="dynamite"):
    """Use dynamite from a territory on one beside it. Rules: GD-DYNAMITE-1."""

    source: int
    target: int


class UseToxic(ListOrder, frozen=True, tag="toxic"):
    """Use toxic waste from a territory on itself or one beside it. Rules: GD-TOXIC-1."""

    source: int
    target: int


class Buy(ListOrder, frozen=True, tag="buy"):
    """Buy an item for later turns. Rules: GD-BUY-1."""

    item: InventoryItem


class Move(ListOrder, frozen=True, tag="move"):
    """Send units along a path, which begins where they stand. Rules: GD-MOVE-1."""

    path: tuple[int, ...]
    count: int
    unit: Unit = "army"


AnyOrder: TypeAlias = (
    Move | Spawn | Build | PlaceHq | Promote | LayMines | UseCrop | UseDynamite | UseToxic | Buy
)


def read_order(line: str) -> AnyOrder:
    """Order from a line of notation. Rules: GD-LIST-2.

    Raises:
        BadNotation: the line is not an order.
    """
    return cast("AnyOrder", notation.read(line, AnyOrder))


def territories_of(order: AnyOrder) -> tuple[int, ...]:
    """Territories that an order names; a path, or the source and the target, in order."""
    match order:
        case Move():
            return order.path
        case UseCrop():
            return tuple(at for at, _ in order.lots)
        case UseDynamite() | UseToxic():
            return order.source, order.target
        case PlaceHq() | Promote() | Spawn() | Build() | LayMines():
            return (order.at,)
        case Buy():
            return ()
        case _:
            assert_never(order)


def place_of(order: AnyOrder) -> int:
    """Territory that an order starts from or acts on; 0 if there is none."""
    return next(iter(territories_of(order)), 0)


def touches(order: AnyOrder, at: int) -> bool:
    """True if an order begins, ends or acts at a territory."""
    named = territories_of(order)
    return at in (named[:1] + named[-1:] if isinstance(order, Move) else named)


def is_advanced(order: AnyOrder) -> bool:
    """True if an order needs the advanced variant. Rules: GD-OPT-1."""
    plain_move = isinstance(order, Move) and order.unit == "army"
    return isinstance(order, Promote | LayMines | Move) and not plain_move


# -- commands for a list ---------------------------------------------------------------------------


class SealList(Command, frozen=True, tag="seal"):
    """Be done with the list; of the house: close the turn. Rules: GD-LIST-3, GD-LIST-5."""


class UnsealList(Command, frozen=True, tag="unseal"):
    """Take the list up again. Rules: GD-LIST-4."""


class DropOrders(Command, frozen=True, tag="drop"):
    """Strike lines of the list, named by their places from 0. Rules: GD-LIST-1."""

    places: tuple[int, ...]


class ShiftOrder(Command, frozen=True, tag="shift"):
    """Put the line at one place of the list to another. Rules: GD-LIST-1."""

    place: int
    to: int


class ChangeCount(Command, frozen=True, tag="change"):
    """Give the line at a place another number of units or mines. Rules: GD-LIST-1."""

    place: int
    count: int


class WriteList(Command, frozen=True, tag="list"):
    """Write the whole list anew; each line is an order in notation. Rules: GD-LIST-2."""

    lines: tuple[str, ...]


class Concede(Command, frozen=True, tag="concede"):
    """Give up when the next turn opens. Rules: GD-END-6."""


AnyCommand: TypeAlias = (
    SealList | AnyOrder | DropOrders | ShiftOrder | ChangeCount | WriteList | UnsealList | Concede
)
