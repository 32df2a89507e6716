"""Commands of the toy game."""

from __future__ import annotations

from typing import TypeAlias

from engine.core.record import Command


class GiveOrder(Command, frozen=True, tag="order"):
    """Order a band to march along a path. See: T-ORDER-1, T-ORDER-2."""

    band: int
    path: tuple[tuple[int, int], ...]


class DropOrders(Command, frozen=True, tag="drop"):
    """Take the orders of some bands back. See: T-ORDER-3."""

    bands: tuple[int, ...]


class SetRanks(Command, frozen=True, tag="rank"):
    """Name the bands that fall first in a fight, in order. See: T-RANK-1."""

    bands: tuple[int, ...]


class RaiseCry(Command, frozen=True, tag="cry"):
    """Say a text to all clans. See: T-CRY-1."""

    text: str


class SealOrders(Command, frozen=True, tag="seal"):
    """Stake lanterns and give no further orders in this round. See: T-SEAL-1."""

    stake: int = 0


class Retreat(Command, frozen=True, tag="retreat"):
    """Move the bands that lost a fight to a hex. See: T-RETREAT-1."""

    at: tuple[int, int]


class Resign(Command, frozen=True, tag="resign"):
    """Resign; all bands of the clan fall. See: T-OUT-2."""


AnyCommand: TypeAlias = SealOrders | GiveOrder | DropOrders | SetRanks | RaiseCry | Retreat | Resign
