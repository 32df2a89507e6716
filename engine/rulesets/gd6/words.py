"""Words for sentences: seats, territories, units and orders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.rulesets.gd6 import canvas
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6.commands import UNITS, AnyOrder, InventoryItem, Unit
from engine.rulesets.gd6.state import NOBODY, Loss, Phase, UnitCounts, View
from engine.rulesets.gd6.territories import letter, name, unit_counts
from engine.tabletop import english, narration
from engine.tabletop.board import Line
from engine.tabletop.narration import EventWords, fill
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
    """Return the units of all types as text, ``3 armies and 1 spy``; ``nothing`` without units."""
    found = [units(count, unit) for count, unit in zip(counts, UNITS, strict=True) if count]
    return joined(found) or "nothing"


def fallen(losses: Iterable[Loss], seat: int | None = None) -> UnitCounts:
    """Return the units lost by type, of one seat or of all."""
    return unit_counts((loss.unit, loss.lost) for loss in losses if seat in (None, loss.seat))


# -- lines -----------------------------------------------------------------------------------------


def said(
    view: View, text: str, seat: int, rule: str, at: int = 0, *, tone: Tone = Tone.NORMAL
) -> Line:
    """Return a line about a seat, and about a territory unless ``at`` is 0."""
    return Line(sentence(text), tone, seat, rule, spot(view, at))


# -- orders ----------------------------------------------------------------------------------------


class _OrderPhrase(NamedTuple):
    """Texts of an order, in full and in short, with its fields in braces; its principal rule."""

    text: str
    short: str
    rule: str


_ORDERS: Final[Mapping[type[AnyOrder], _OrderPhrase]] = {
    do.Move: _OrderPhrase("send {sent}{way}", "{path}: {count}{sign}", "GD-MOVE-1"),
    do.Spawn: _OrderPhrase("raise {count:army/armies} at {at}", "raise {count}", "GD-SPAWN-1"),
    do.Build: _OrderPhrase("build a {construct} at {at}", "build {construct}", "GD-BUILD-1"),
    do.PlaceHq: _OrderPhrase("settle at {at}", "settle", "GD-HQ-1"),
    do.Promote: _OrderPhrase(
        "make {count:army/armies} into {sent} at {at}", "make {sent}", "GD-PROMOTE-1"
    ),
    do.LayMines: _OrderPhrase("lay {count:mine} at {at}", "lay {count:mine}", "GD-MINE-1"),
    do.UseCrop: _OrderPhrase("use a crop supply for {lots}", "crops {lots}", "GD-CROP-1"),
    do.UseDynamite: _OrderPhrase(
        "use dynamite from {source} on {target}", "blast {source}>{target}", "GD-DYNAMITE-1"
    ),
    do.UseToxic: _OrderPhrase(
        "use toxic waste from {source} on {target}", "poison {source}>{target}", "GD-TOXIC-1"
    ),
    do.Buy: _OrderPhrase("buy {item}", "buy {item}", "GD-BUY-1"),
}

ORDER_RULES: Final = {kind: phrase.rule for kind, phrase in _ORDERS.items()}
"""Principal rule of each kind of order."""


def spelt(view: View, order: AnyOrder) -> str:
    """Describe an order in words."""
    return fill(_ORDERS[type(order)].text, order, _FULL, view)


def in_short(order: AnyOrder) -> str:
    """Describe an order in at most 18 characters, unless its numbers are long."""
    return fill(_ORDERS[type(order)].short, order, _SHORT, None)


def article(item: InventoryItem) -> str:
    """Return an item with its article: ``a crop supply``, ``dynamite``."""
    return "a crop supply" if item == "crop" else ITEMS[item]


def _way(view: View, order: do.Move) -> str:
    """Describe the path of a move, with a space in front."""
    if not order.path:
        return " nowhere"
    way = [land(view, at) for at in order.path]
    over = f" over {joined(way[1:-1])}" if len(way) > 2 else ""
    goal = f" to {way[-1]}" if len(way) > 1 else ""
    return f" from {way[0]}{over}{goal}"


def _lots(view: View, lots: Sequence[tuple[int, int]]) -> str:
    return joined([f"{units(n, 'army')} at {land(view, at)}" for at, n in lots]) or "nothing"


_FULL: Final[EventWords[View]] = {
    "at": land,
    "source": land,
    "target": land,
    "lots": _lots,
    "way": _way,
    "item": lambda _, item: article(item),
    "sent": lambda _, order: units(order.count, order.unit),
}

_SHORT: Final[EventWords[None]] = {
    "path": lambda _, path: ">".join(map(str, path)),
    "lots": lambda _, lots: " ".join(f"{at}+{count}" for at, count in lots),
    "item": lambda _, item: ITEMS[item],
    "sent": lambda _, order: units(order.count, order.unit),
    "sign": lambda _, order: "" if order.unit == "army" else order.unit[0],
}
