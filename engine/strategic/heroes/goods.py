"""Items as records: where they are, and which are good."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.containers import Roster
from engine.core.record import replace
from engine.kit.grid import Place
from engine.kit.memo import recent
from engine.strategic.pieces import NONE, Item
from engine.strategic.world import World


@recent
def _bags(items: Roster[Item]) -> Mapping[int, tuple[Item, ...]]:
    """What each army carries, in id order."""
    bags: dict[int, list[Item]] = {}
    for item in items.values():
        if item.where == "carried":
            bags.setdefault(item.holder, []).append(item)
    return {holder: tuple(bag) for holder, bag in bags.items()}


def bag(world: World, army: int) -> tuple[Item, ...]:
    """What an army carries, in id order."""
    return _bags(world.items).get(army, ())


def lying(world: World, at: Place) -> tuple[Item, ...]:
    """What lies, or is planted, on a tile, in id order."""
    return tuple(
        item
        for item in world.items.values()
        if item.where in ("ground", "planted") and (item.x, item.y) == at
    )


def inside(world: World, site: int) -> tuple[Item, ...]:
    """What is inside a site, in id order."""
    return tuple(i for i in world.items.values() if i.where == "site" and i.holder == site)


def is_good(item: Item) -> bool:
    """Whether an item belongs in a rich site. Rules: W2-10.4."""
    if item.kind == "command":
        return item.value >= 2
    return item.kind in ("flight", "speed", "standard")


def carried(item: Item, army: int) -> Item:
    """An item as an army carries it."""
    return replace(item, where="carried", holder=army, x=NONE, y=NONE)


def laid(item: Item, at: Place) -> Item:
    """An item as it lies on a tile."""
    return replace(item, where="ground", holder=NONE, x=at[0], y=at[1])


def planted(item: Item, at: Place) -> Item:
    """A standard as it marks a tile."""
    return replace(item, where="planted", holder=NONE, x=at[0], y=at[1])


def lost(item: Item) -> Item:
    """An item that nobody will find again."""
    return replace(item, where="lost", holder=NONE, x=NONE, y=NONE)
