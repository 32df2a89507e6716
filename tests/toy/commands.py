"""Commands of the toy game."""

from __future__ import annotations

from typing import TypeAlias

from engine.core.record import Command


class GiveOrder(Command, frozen=True, tag="order"):
    """Tell a band where to march. See: T-ORDER-1, T-ORDER-2."""

    band: int
    path: tuple[tuple[int, int], ...]


class DropOrders(Command, frozen=True, tag="drop"):
    """Take orders back. See: T-ORDER-3."""

    bands: tuple[int, ...]


class SetRanks(Command, frozen=True, tag="rank"):
    """Say which bands stand in front. See: T-RANK-1."""

    bands: tuple[int, ...]


class RaiseCry(Command, frozen=True, tag="cry"):
    """Say something to all. See: T-CRY-1."""

    text: str


class SealOrders(Command, frozen=True, tag="seal"):
    """Be done with orders. See: T-SEAL-1."""

    stake: int = 0


class Retreat(Command, frozen=True, tag="retreat"):
    """Take the bands that lost a fight to a hex. See: T-RETREAT-1."""

    at: tuple[int, int]


class Resign(Command, frozen=True, tag="resign"):
    """Give up. See: T-OUT-2."""


AnyCommand: TypeAlias = SealOrders | GiveOrder | DropOrders | SetRanks | RaiseCry | Retreat | Resign
