"""Words for sentences: seats, territories, units and orders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from engine.rulesets.gd6 import canvas
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6.commands import UNITS, AnyOrder, InventoryItem, Unit
from engine.rulesets.gd6.state import NOBODY, Loss, Phase, UnitCounts, View
from engine.rulesets.gd6.territories import letter, name, unit_counts
from engine.tabletop import english, narration
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

PHASES: Final[Mapping[Phase, str]] = {
    "natural": "Natural Phase",
    "construction": "Construction Phase",
    "inventory": "Inventory Phase",
    "movement": "Movement Phase",
    "final": "Final Phase",
}

ITEMS: Final[Mapping[InventoryItem, str]] = {
    "crop": "crop supply",
    "dynamite": "dynamite",
    "toxic": "toxic waste",
}

_PLURALS: Final[Mapping[Unit, str]] = {
    "army": "armies",
    "cavalry": "cavalry",
    "heavy": "heavies",
    "spy": "spies",
}

capital, joined, many, sentence = english.capital, english.joined, english.many, english.sentence
mood = narration.mood


# -- seats and territories -------------------------------------------------------------------------


def called(view: View, seat: int) -> str:
    """Return name and letter of a seat, such as ``blue (B)``; only the letter without a name."""
    if seat == NOBODY:
        return "nobody"
    own = view.players[seat].name if seat in view.players else ""
    return letter(seat) if own in ("", letter(seat)) else f"{own} ({letter(seat)})"


def land(view: View, at: int) -> str:
    """Return number and name of a territory, or ``territory 14`` without a name."""
    if not 1 <= at <= len(view.world.lands):
        return f"territory {at}"
    return name(view, at) if view.world.land(at).name else f"territory {at}"


def spot(view: View, at: int) -> tuple[int, int] | None:
    """Return the cell of a territory's label at full size; None if there is no such territory."""
    return canvas.spot(view.world, at) if 1 <= at <= len(view.world.lands) else None


# -- numbers ---------------------------------------------------------------------------------------


def units(count: int, unit: Unit) -> str:
    """Return number and type of units, such as ``1 army`` and ``3 spies``."""
    return many(count, unit, _PLURALS[unit])


def several(counts: UnitCounts) -> str:
    """List units of all types, such as ``3 armies and 1 spy``; ``nothing`` without units."""
    found = [units(count, unit) for count, unit in zip(counts, UNITS, strict=True) if count]
    return joined(found) or "nothing"


def fallen(losses: Iterable[Loss], seat: int | None = None) -> UnitCounts:
    """Add up losses by type, for all seats or for one."""
    return unit_counts((loss.unit, loss.lost) for loss in losses if seat in (None, loss.seat))


# -- lines -----------------------------------------------------------------------------------------


def said(
    view: View, text: str, seat: int, rule: str, at: int = 0, *, tone: Tone = Tone.NORMAL
) -> Line:
    """Return a line about a seat, and about a territory unless ``at`` is 0."""
    return Line(sentence(text), tone, seat, rule, spot(view, at))


# -- orders ----------------------------------------------------------------------------------------


def spelt(view: View, order: AnyOrder) -> str:  # noqa: C901, PLR0911 - one case per order
    """Describe an order in words."""
    match order:
        case do.Move():
            return _spelt_move(view, order)
        case do.Spawn():
            return f"raise {units(order.count, 'army')} at {land(view, order.at)}"
        case do.Build():
            return f"build a {order.construct} at {land(view, order.at)}"
        case do.PlaceHq():
            return f"settle at {land(view, order.at)}"
        case do.Promote():
            made = units(order.count, order.unit)
            return f"make {many(order.count, 'army', 'armies')} into {made} at " + land(
                view, order.at
            )
        case do.LayMines():
            return f"lay {many(order.count, 'mine')} at {land(view, order.at)}"
        case do.UseCrop():
            lots = [f"{units(count, 'army')} at {land(view, at)}" for at, count in order.lots]
            return f"use a crop supply for {joined(lots) or 'nothing'}"
        case do.UseDynamite():
            return f"use dynamite from {land(view, order.source)} on {land(view, order.target)}"
        case do.UseToxic():
            return f"use toxic waste from {land(view, order.source)} on {land(view, order.target)}"
        case do.Buy():
            return f"buy {article(order.item)}"
        case _:
            assert_never(order)


def _spelt_move(view: View, order: do.Move) -> str:
    sent = f"send {units(order.count, order.unit)}"
    if not order.path:
        return f"{sent} nowhere"
    way = [land(view, at) for at in order.path]
    over = f" over {joined(way[1:-1])}" if len(way) > 2 else ""
    goal = f" to {way[-1]}" if len(way) > 1 else ""
    return f"{sent} from {way[0]}{over}{goal}"


def article(item: InventoryItem) -> str:
    """Return an item with its article: ``a crop supply``, ``dynamite``."""
    return "a crop supply" if item == "crop" else ITEMS[item]


ORDER_RULES: Final[Mapping[type[AnyOrder], str]] = {
    do.Move: "GD-MOVE-1",
    do.Spawn: "GD-SPAWN-1",
    do.Build: "GD-BUILD-1",
    do.PlaceHq: "GD-HQ-1",
    do.Promote: "GD-PROMOTE-1",
    do.LayMines: "GD-MINE-1",
    do.UseCrop: "GD-CROP-1",
    do.UseDynamite: "GD-DYNAMITE-1",
    do.UseToxic: "GD-TOXIC-1",
    do.Buy: "GD-BUY-1",
}
"""Principal rule of each kind of order."""


def in_short(order: AnyOrder) -> str:  # noqa: C901, PLR0911 - one case per order
    """Describe an order in at most 18 characters, unless its numbers are long."""
    match order:
        case do.Move():
            sign = "" if order.unit == "army" else order.unit[0]
            return f"{'>'.join(map(str, order.path))}: {order.count}{sign}"
        case do.Spawn():
            return f"raise {order.count}"
        case do.Build():
            return f"build {order.construct}"
        case do.PlaceHq():
            return "settle"
        case do.Promote():
            return f"make {units(order.count, order.unit)}"
        case do.LayMines():
            return f"lay {many(order.count, 'mine')}"
        case do.UseCrop():
            return f"crops {' '.join(f'{at}+{count}' for at, count in order.lots)}"
        case do.UseDynamite():
            return f"blast {order.source}>{order.target}"
        case do.UseToxic():
            return f"poison {order.source}>{order.target}"
        case do.Buy():
            return f"buy {ITEMS[order.item]}"
        case _:
            assert_never(order)
