"""Seats as scenarios write them, and as the state keeps them."""

from __future__ import annotations

from typing import cast

from engine.core import notation
from engine.core.ruleset import ScenarioFault
from engine.rulesets.gd6.orders import AnyOrder
from engine.rulesets.gd6.state import Player, Seating


def player_of(row: Seating) -> Player:
    """A seat of a scenario. Rules: GD-SCEN-1.

    Raises:
        ScenarioFault: a line of its lists is no order.
    """
    return Player(
        id=row.id,
        name=row.name,
        colour=row.colour,
        ip=row.ip,
        crop=row.crop,
        dynamite=row.dynamite,
        toxic=row.toxic,
        hq_built=row.hq_built,
        status=row.status,
        sealed=row.sealed,
        conceding=row.conceding,
        orders=_orders(row.orders, f"players[{row.id}].orders"),
        last=_orders(row.last, f"players[{row.id}].last"),
        opened=row.opened,
    )


def _orders(lines: tuple[str, ...], place: str) -> tuple[AnyOrder, ...]:
    return tuple(_order(line, f"{place}[{number}]") for number, line in enumerate(lines))


def _order(line: str, place: str) -> AnyOrder:
    try:
        return read_order(line)
    except notation.BadNotation as problem:
        raise ScenarioFault(place, problem.text, "GD-LIST-2") from None


def read_order(line: str) -> AnyOrder:
    """A line of a list. Rules: GD-LIST-2.

    Raises:
        BadNotation: it is no order.
    """
    return cast("AnyOrder", notation.read(line, AnyOrder))


def seating_of(player: Player) -> Seating:
    """A seat as scenarios write it. Rules: GD-SCEN-1."""
    return Seating(
        id=player.id,
        name=player.name,
        colour=player.colour,
        ip=player.ip,
        crop=player.crop,
        dynamite=player.dynamite,
        toxic=player.toxic,
        hq_built=player.hq_built,
        status=player.status,
        sealed=player.sealed,
        conceding=player.conceding,
        orders=tuple(map(notation.write, player.orders)),
        last=tuple(map(notation.write, player.last)),
        opened=player.opened,
    )
