"""Orders in words, in short and at length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from engine.rulesets.gd6.orders import (
    AnyOrder,
    Build,
    Buy,
    Item,
    LayMines,
    Move,
    PlaceHq,
    Promote,
    Spawn,
    UseCrop,
    UseDynamite,
    UseToxic,
)
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.words import ITEMS, joined, land, many, units


def spelt(view: View, order: AnyOrder) -> str:  # noqa: C901, PLR0911 - one case per order
    """An order in words."""
    match order:
        case Move():
            return _move(view, order)
        case Spawn():
            return f"raise {units(order.count, 'army')} at {land(view, order.at)}"
        case Build():
            return f"build a {order.construct} at {land(view, order.at)}"
        case PlaceHq():
            return f"settle at {land(view, order.at)}"
        case Promote():
            made = units(order.count, order.unit)
            return f"make {many(order.count, 'army', 'armies')} into {made} at " + land(
                view, order.at
            )
        case LayMines():
            return f"lay {many(order.count, 'mine')} at {land(view, order.at)}"
        case UseCrop():
            lots = [f"{units(count, 'army')} at {land(view, at)}" for at, count in order.lots]
            return f"use a crop supply for {joined(lots) or 'nothing'}"
        case UseDynamite():
            return f"use dynamite from {land(view, order.source)} on {land(view, order.target)}"
        case UseToxic():
            return f"use toxic waste from {land(view, order.source)} on {land(view, order.target)}"
        case Buy():
            return f"buy {article(order.item)}"
        case _:
            assert_never(order)


def _move(view: View, order: Move) -> str:
    sent = f"send {units(order.count, order.unit)}"
    if not order.path:
        return f"{sent} nowhere"
    way = [land(view, at) for at in order.path]
    over = f" over {joined(way[1:-1])}" if len(way) > 2 else ""
    goal = f" to {way[-1]}" if len(way) > 1 else ""
    return f"{sent} from {way[0]}{over}{goal}"


def article(item: Item) -> str:
    """One item: ``a crop supply``, ``dynamite``."""
    return "a crop supply" if item == "crop" else ITEMS[item]


def place_of(order: AnyOrder) -> int:
    """The territory an order is about: where it begins; 0 if it is about none."""
    match order:
        case Move():
            return order.path[0] if order.path else 0
        case Spawn() | Build() | PlaceHq() | Promote() | LayMines():
            return order.at
        case UseCrop():
            return order.lots[0][0] if order.lots else 0
        case UseDynamite() | UseToxic():
            return order.source
        case Buy():
            return 0
        case _:
            assert_never(order)


RULES: Final[Mapping[type[AnyOrder], str]] = {
    Move: "GD-MOVE-1",
    Spawn: "GD-SPAWN-1",
    Build: "GD-BUILD-1",
    PlaceHq: "GD-HQ-1",
    Promote: "GD-PROMOTE-1",
    LayMines: "GD-MINE-1",
    UseCrop: "GD-CROP-1",
    UseDynamite: "GD-DYNAMITE-1",
    UseToxic: "GD-TOXIC-1",
    Buy: "GD-BUY-1",
}
"""The rule that says most about a kind of order."""


def touches(order: AnyOrder, at: int) -> bool:
    """Whether an order begins, ends or does something at a territory."""
    match order:
        case Move():
            return at in (order.path[:1] + order.path[-1:])
        case Spawn() | Build() | PlaceHq() | Promote() | LayMines():
            return order.at == at
        case UseCrop():
            return any(place == at for place, _ in order.lots)
        case UseDynamite() | UseToxic():
            return at in (order.source, order.target)
        case _:
            return False


def in_short(order: AnyOrder) -> str:  # noqa: C901, PLR0911 - one case per order
    """An order in at most 18 characters, if its numbers are not too long."""
    match order:
        case Move():
            sign = "" if order.unit == "army" else order.unit[0]
            return f"{'>'.join(map(str, order.path))}: {order.count}{sign}"
        case Spawn():
            return f"raise {order.count}"
        case Build():
            return f"build {order.construct}"
        case PlaceHq():
            return "settle"
        case Promote():
            return f"make {units(order.count, order.unit)}"
        case LayMines():
            return f"lay {many(order.count, 'mine')}"
        case UseCrop():
            return f"crops {' '.join(f'{at}+{count}' for at, count in order.lots)}"
        case UseDynamite():
            return f"blast {order.source}>{order.target}"
        case UseToxic():
            return f"poison {order.source}>{order.target}"
        case Buy():
            return f"buy {ITEMS[order.item]}"
        case _:
            assert_never(order)
