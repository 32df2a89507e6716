"""What can be asked: every order (which adds it to the list), and what is done with the list."""

from __future__ import annotations

from typing import TypeAlias

from engine.core.record import Command
from engine.rulesets.gd6.orders import (
    Build,
    Buy,
    LayMines,
    Move,
    PlaceHq,
    Promote,
    Spawn,
    UseCrop,
    UseDynamite,
    UseToxic,
)


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
    SealList
    | Move
    | Spawn
    | Build
    | PlaceHq
    | Promote
    | LayMines
    | UseCrop
    | UseDynamite
    | UseToxic
    | Buy
    | DropOrders
    | ShiftOrder
    | ChangeCount
    | WriteList
    | UnsealList
    | Concede
)
