"""Orders and the other commands of a seat.

An order is a line of a seat's list, and also the command that adds this line. The other commands
edit, seal and unseal the list, or concede.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never, cast, get_args

from engine.core import notation
from engine.core.record import Command

Unit: TypeAlias = Literal["army", "cavalry", "heavy", "spy"]
"""A type of unit. Its properties are in the table of numbers."""

Construct: TypeAlias = Literal["watchtower", "bivouac", "library"]
"""A kind of building other than headquarters."""

InventoryItem: TypeAlias = Literal["crop", "dynamite", "toxic"]
"""A kind of item: crop supply, dynamite, toxic waste."""

UNITS: tuple[Unit, ...] = get_args(Unit)
CONSTRUCTS: tuple[Construct, ...] = get_args(Construct)
ITEMS: tuple[InventoryItem, ...] = get_args(InventoryItem)


class ListOrder(Command, frozen=True):
    """A line of a list. Territories are numbered from 1."""


class PlaceHq(ListOrder, frozen=True, tag="hq"):
    """Settle here: build the headquarters. See: GD-HQ-1."""

    at: int


class Promote(ListOrder, frozen=True, tag="promote"):
    """Promote armies to another type of unit. See: GD-PROMOTE-1."""

    at: int
    unit: Unit
    count: int


class Spawn(ListOrder, frozen=True, tag="spawn"):
    """Raise armies here. See: GD-SPAWN-1."""

    at: int
    count: int


class Build(ListOrder, frozen=True, tag="build"):
    """Build a construct. See: GD-BUILD-1."""

    at: int
    construct: Construct


class LayMines(ListOrder, frozen=True, tag="mine"):
    """Lay mines. See: GD-MINE-1."""

    at: int
    count: int


class UseCrop(ListOrder, frozen=True, tag="crop"):
    """Use a crop supply; ``lots`` are pairs of territory and number of armies. See: GD-CROP-1."""

    lots: tuple[tuple[int, int], ...]


class UseDynamite(ListOrder, frozen=True, tag="dynamite"):
    """Use dynamite from one territory on a neighbouring one. See: GD-DYNAMITE-1."""

    source: int
    target: int


class UseToxic(ListOrder, frozen=True, tag="toxic"):
    """Use toxic waste from a territory on itself or on a neighbouring one. See: GD-TOXIC-1."""

    source: int
    target: int


class Buy(ListOrder, frozen=True, tag="buy"):
    """Buy an item for later turns. See: GD-BUY-1."""

    item: InventoryItem


class Move(ListOrder, frozen=True, tag="move"):
    """Send units along a path, which begins at their territory. See: GD-MOVE-1."""

    path: tuple[int, ...]
    count: int
    unit: Unit = "army"


AnyOrder: TypeAlias = (
    Move | Spawn | Build | PlaceHq | Promote | LayMines | UseCrop | UseDynamite | UseToxic | Buy
)


def read_order(line: str) -> AnyOrder:
    """Parse an order from a line of notation. See: GD-LIST-2.

    Raises:
        BadNotation: the line is not an order.
    """
    return cast("AnyOrder", notation.read(line, AnyOrder))


def territories_of(order: AnyOrder) -> tuple[int, ...]:
    """Return the territories that an order names; a path, or source and target, in order."""
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
    """Return the territory that an order starts from or acts on, or 0 if it names none."""
    return next(iter(territories_of(order)), 0)


def touches(order: AnyOrder, at: int) -> bool:
    """Return whether an order acts at a territory; a move only at its first and last."""
    named = territories_of(order)
    return at in (named[:1] + named[-1:] if isinstance(order, Move) else named)


def is_advanced(order: AnyOrder) -> bool:
    """Return whether an order needs the advanced variant. See: GD-OPT-1."""
    plain_move = isinstance(order, Move) and order.unit == "army"
    return isinstance(order, Promote | LayMines | Move) and not plain_move


# -- commands for a list ---------------------------------------------------------------------------


class SealList(Command, frozen=True, tag="seal"):
    """Seal the list. The house closes the turn with it. See: GD-LIST-3, GD-LIST-5."""


class UnsealList(Command, frozen=True, tag="unseal"):
    """Unseal the list to edit it again. See: GD-LIST-4."""


class DropOrders(Command, frozen=True, tag="drop"):
    """Remove lines of the list, given by their positions from 0. See: GD-LIST-1."""

    places: tuple[int, ...]


class ShiftOrder(Command, frozen=True, tag="shift"):
    """Move a line of the list from ``place`` to ``to``, both counted from 0. See: GD-LIST-1."""

    place: int
    to: int


class ChangeCount(Command, frozen=True, tag="change"):
    """Change the number of units or mines of the line at ``place``. See: GD-LIST-1."""

    place: int
    count: int


class WriteList(Command, frozen=True, tag="list"):
    """Replace the whole list; each line is an order in notation. See: GD-LIST-2."""

    lines: tuple[str, ...]


class Concede(Command, frozen=True, tag="concede"):
    """Concede; the seat leaves the game when the next turn opens. See: GD-END-6."""


AnyCommand: TypeAlias = (
    SealList | AnyOrder | DropOrders | ShiftOrder | ChangeCount | WriteList | UnsealList | Concede
)
