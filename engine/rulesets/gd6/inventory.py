"""Inventory Phase: crop supplies, dynamite, toxic waste, and buying items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import InventoryItem
from engine.rulesets.gd6.construction import per_territories
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.refusal import (
    LinesBySeat,
    O,
    OrderLine,
    Reasons,
    Refusal,
    RefusalReason,
    of_kind,
    pay,
    refuse_all,
    sift,
)
from engine.rulesets.gd6.state import Player, StateOrView
from engine.rulesets.gd6.territories import (
    Decision,
    count_of,
    front,
    name,
    neutralise_if_empty,
    owned,
)


def stock(player: Player, item: InventoryItem) -> int:
    """Return how many items of a kind a seat has."""
    return {"crop": player.crop, "dynamite": player.dynamite, "toxic": player.toxic}[item]


def item_price(item: InventoryItem) -> int:
    """Return the price of an item in IP. See: GD-BUY-1."""
    table = numbers()
    return {
        "crop": table.crop_supply_price.value,
        "dynamite": table.dynamite_price.value,
        "toxic": table.toxic_waste_price.value,
    }[item]


def crop_size(territories: int) -> int:
    """Return the maximum armies from one crop supply, by the seat's land. Rules: GD-CROP-2."""
    return max(numbers().crop_minimum.value, per_territories(territories))


def crop_limit(seen: StateOrView, seat: int) -> int:
    """Return the maximum armies from one crop supply of a seat. See: GD-CROP-2."""
    return crop_size(len(owned(seen, seat)))


def _usable(
    seen: StateOrView, seat: int, item: InventoryItem, lines: Sequence[OrderLine[O]]
) -> Reasons:
    """Return reasons that apply to every item. Rules: GD-ITEM-1, GD-ITEM-2."""
    found: Reasons = [[] for _ in lines]
    there = stock(seen.players[seat], item)
    if len(lines) > there:
        text = f"{len(lines)} orders use {item}, and there are {there}."
        refuse_all(found, RefusalReason(Refusal.INSUFFICIENT_ITEMS, text, "GD-ITEM-1"))
    if not owned(seen, seat):
        text = "Items can be used by a seat that owns land."
        refuse_all(found, RefusalReason(Refusal.NOT_ON_MAP, text, "GD-ITEM-2"))
    return found


def crop_reasons(seen: StateOrView, seat: int, lines: Sequence[OrderLine[do.UseCrop]]) -> Reasons:
    """Return each line's reasons against its crop supply; empty for an accepted line.

    Rules: GD-CROP-1. See: GD-CROP-2, GD-ITEM-1, GD-ITEM-2.
    """
    found, most = _usable(seen, seat, "crop", lines), crop_limit(seen, seat)
    for line, why in zip(lines, found, strict=True):
        lots = line.order.lots
        if bad := [count for _, count in lots if count < 1]:
            text = f"{bad[0]} armies cannot be supplied."
            why.append(RefusalReason(Refusal.SPAWN_BAD_COUNT, text, "GD-CROP-1"))
        if foreign := [at for at, _ in lots if seen.territories[at].owner != seat]:
            text = f"{name(seen, foreign[0])} is not yours."
            why.append(RefusalReason(Refusal.TARGET_NOT_OWNED, text, "GD-CROP-1"))
        wanted = sum(max(0, count) for _, count in lots)
        if wanted > most:
            text = f"Armies from one crop supply: {wanted}; allowed: {most}."
            why.append(RefusalReason(Refusal.SPAWN_TOO_MANY, text, "GD-CROP-2"))
    return found


A = TypeVar("A", do.UseDynamite, do.UseToxic)


def charge_reasons(seen: StateOrView, seat: int, lines: Sequence[OrderLine[A]]) -> Reasons:
    """Return each line's reasons against dynamite or toxic waste.

    Only toxic waste may target its source.

    Rules: GD-ITEM-3. See: GD-DYNAMITE-1, GD-TOXIC-1, GD-ITEM-1, GD-ITEM-2.
    """
    toxic = any(isinstance(line.order, do.UseToxic) for line in lines)
    found = _usable(seen, seat, "toxic" if toxic else "dynamite", lines)
    for line, why in zip(lines, found, strict=True):
        source, target = line.order.source, line.order.target
        if seen.territories[source].owner != seat:
            text = f"{name(seen, source)} is not yours."
            why.append(RefusalReason(Refusal.ORIGIN_NOT_OWNED, text, "GD-ITEM-3"))
        if target not in seen.world.beside(source) and not (toxic and target == source):
            text = f"{name(seen, target)} is not next to {name(seen, source)}."
            why.append(RefusalReason(Refusal.TARGET_NOT_ADJACENT, text, "GD-ITEM-3"))
    return found


def buy_reasons(seen: StateOrView, seat: int, lines: Sequence[OrderLine[do.Buy]]) -> Reasons:
    """Return each line's reasons against its purchase. Rules: GD-BUY-1."""
    found: Reasons = [[] for _ in lines]
    total, purse = sum(item_price(line.order.item) for line in lines), seen.players[seat].ip
    if total > purse:
        text = f"The purchases cost {total} IP, and {purse} are left."
        refuse_all(found, RefusalReason(Refusal.INSUFFICIENT_IP, text, "GD-BUY-1"))
    return found


def _spend(decision: Decision, seat: int, item: InventoryItem, count: int) -> None:
    """Remove used items. Rules: GD-ITEM-4."""
    if count:
        decision.emit(ev.ItemSpent(seat, item, stock(decision.state.players[seat], item) - count))


def use_crops(decision: Decision, lists: LinesBySeat) -> None:
    """Use the crop supplies of all lists at once. Rules: GD-CROP-1, GD-TURN-3."""
    state, used = decision.state, list[tuple[int, tuple[tuple[int, int], ...]]]()
    for seat, lines in lists.items():
        own = of_kind(lines, do.UseCrop)
        kept = list(sift(decision, seat, own, crop_reasons(state, seat, own)))
        _spend(decision, seat, "crop", len(kept))
        used += [(seat, tuple(sorted(line.order.lots))) for line in kept]
    for seat, lots in sorted(used, key=lambda one: one[1]):
        armies = (decision.state.territories[at].army for at, _ in lots)
        grown = tuple(
            (at, count, there + count) for (at, count), there in zip(lots, armies, strict=True)
        )
        decision.emit(ev.CropUsed(seat, grown))


def _charges(
    decision: Decision, lists: LinesBySeat, item: InventoryItem, kind: type[A]
) -> list[tuple[int, int, int]]:
    """Spend the items used on a target; return sorted (target, source, seat) tuples."""
    state, used = decision.state, list[tuple[int, int, int]]()
    for seat, lines in lists.items():
        own = of_kind(lines, kind)
        kept = list(sift(decision, seat, own, charge_reasons(state, seat, own)))
        _spend(decision, seat, item, len(kept))
        used += [(line.order.target, line.order.source, seat) for line in kept]
    return sorted(used)


def use_dynamite(decision: Decision, lists: LinesBySeat) -> None:
    """Use the dynamite of all lists at once.

    Rules: GD-TURN-3. See: GD-DYNAMITE-1, GD-DYNAMITE-2.
    """
    for target, source, seat in _charges(decision, lists, "dynamite", do.UseDynamite):
        blast(decision, seat, source, target)


def blast(decision: Decision, seat: int, source: int, target: int) -> None:
    """Kill the front unit of a territory and destroy its construct.

    Rules: GD-DYNAMITE-2, GD-DYNAMITE-1.
    """
    here = decision.state.territories[target]
    unit = front(here)
    left = count_of(here, unit) - 1 if unit is not None else 0
    decision.emit(ev.DynamiteUsed(seat, source, target, unit, left, here.construct))
    neutralise_if_empty(decision, target)


def use_toxic(decision: Decision, lists: LinesBySeat) -> None:
    """Use the toxic waste of all lists at once. Rules: GD-TOXIC-1, GD-TOXIC-2, GD-TURN-3."""
    for target, source, seat in _charges(decision, lists, "toxic", do.UseToxic):
        decision.emit(ev.ToxicUsed(seat, source, target))


def buy(decision: Decision, lists: LinesBySeat) -> None:
    """Buy the items of all lists, for use from the next turn on. Rules: GD-BUY-1, GD-ITEM-1."""
    state = decision.state
    for seat, lines in lists.items():
        own = of_kind(lines, do.Buy)
        kept = list(sift(decision, seat, own, buy_reasons(state, seat, own)))
        pay(decision, seat, sum(item_price(line.order.item) for line in kept))
        for item in sorted(line.order.item for line in kept):
            here = stock(decision.state.players[seat], item) + 1
            decision.emit(ev.ItemBought(seat, item, here))
