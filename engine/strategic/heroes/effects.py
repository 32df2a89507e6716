"""What heroes have of the things they carry."""

from __future__ import annotations

from engine.strategic.heroes.goods import bag
from engine.strategic.pieces import NOBODY, Item, ItemKind
from engine.strategic.world import World


def _sum(world: World, army: int, kind: ItemKind) -> int:
    return sum(item.value for item in bag(world, army) if item.kind == kind)


def _count(world: World, army: int, kind: ItemKind) -> int:
    return sum(item.kind == kind for item in bag(world, army))


def weapons(world: World, army: int) -> int:
    """What a hero's weapons add to its own strength and to its leadership. Rules: W2-10.3."""
    return _sum(world, army, "weapon")


def command(world: World, army: int) -> int:
    """What a hero's command items add to its side's bonus. Rules: W2-10.3."""
    return _sum(world, army, "command")


def standards(world: World, army: int) -> int:
    """How many standards a hero carries, its own side's or others'. Rules: W2-8.3, W2-10.3."""
    return _count(world, army, "standard")


def speed(world: World, army: int) -> int:
    """How many items of speed a hero carries; one is as good as more. Rules: W2-6.3, W2-10.3."""
    return _count(world, army, "speed")


def flies(world: World, army: int) -> bool:
    """Whether a hero has something to fly with. Rules: W2-6.1, W2-10.3."""
    return _count(world, army, "flight") > 0


def purses(world: World, side: int) -> int:
    """What the purses of a side's heroes bring for each of its cities. Rules: W2-9.6, W2-10.3."""
    return sum(
        item.value
        for item in world.items.values()
        if item.kind == "purse" and item.where == "carried" and _owner(world, item) == side
    )


def _owner(world: World, item: Item) -> int:
    bearer = world.armies.get(item.holder)
    return NOBODY if bearer is None else bearer.owner
