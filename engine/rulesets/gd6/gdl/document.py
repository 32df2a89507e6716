"""What a text in the order language says."""

from __future__ import annotations

from typing import TypeAlias

from engine.core.record import Record
from engine.rulesets.gd6.orders import AnyOrder

Point: TypeAlias = tuple[int, int]


class Sketch(Record, frozen=True):
    """What a text says of a territory besides its borders. Rules: GD-GDL-1."""

    id: int
    name: str = ""
    polygon: tuple[Point, ...] = ()


class Member(Record, frozen=True):
    """A player of a text; the first has seat 0. Rules: GD-GDL-1."""

    name: str
    colour: str


class Written(Record, frozen=True):
    """An order and the line it stands in, counted from 1."""

    order: AnyOrder
    line: int = 0


class Block(Record, frozen=True):
    """A turn, or a settling round of one: (seat, its orders by priority), seats in order.

    Rules: GD-GDL-2. Seats without orders are left out.
    """

    lists: tuple[tuple[int, tuple[Written, ...]], ...] = ()


class Document(Record, frozen=True):
    """A whole text. Rules: GD-GDL-1, GD-GDL-2.

    ``sketches`` has every territory from 1; ``borders`` are pairs in order, each once.
    """

    sketches: tuple[Sketch, ...] = ()
    borders: tuple[tuple[int, int], ...] = ()
    members: tuple[Member, ...] = ()
    blocks: tuple[Block, ...] = ()
