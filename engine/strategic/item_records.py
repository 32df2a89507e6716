"""Records of items and sites: places and effects of items, and the sites that a side knows."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.decision import Decision
from engine.strategic.events.heroes import ItemsMoved, MoveReason, SiteKnown
from engine.strategic.pieces import NOBODY, NONE, Guardian, Item, ItemKind, Site, side_bit
from engine.strategic.world import World, items_of, site_at

# -- Items -----------------------------------------------------------------------------------------


def lying(world: World, at: Place) -> tuple[Item, ...]:
    """Return the items lying or planted on a tile, in id order."""
    return tuple(
        item
        for item in world.items.values()
        if item.where in ("ground", "planted") and (item.x, item.y) == at
    )


def inside(world: World, site: int) -> tuple[Item, ...]:
    """Return the items inside a site, in id order."""
    return tuple(i for i in world.items.values() if i.where == "site" and i.holder == site)


def is_good(item: Item) -> bool:
    """Return whether an item belongs in a rich site."""
    if item.kind == "command":
        return item.value >= 2
    return item.kind in ("flight", "speed", "standard")


def carried(item: Item, army: int) -> Item:
    """Return an item as carried by an army."""
    return replace(item, where="carried", holder=army, x=NONE, y=NONE)


def laid(item: Item, at: Place) -> Item:
    """Return an item as lying on a tile."""
    return replace(item, where="ground", holder=NONE, x=at[0], y=at[1])


def planted(item: Item, at: Place) -> Item:
    """Return a standard as planted on a tile."""
    return replace(item, where="planted", holder=NONE, x=at[0], y=at[1])


def lost(item: Item) -> Item:
    """Return an item as lost for good."""
    return replace(item, where="lost", holder=NONE, x=NONE, y=NONE)


# -- Effects of carried items ----------------------------------------------------------------------


def _sum(world: World, army: int, kind: ItemKind) -> int:
    return sum(item.adds(kind) for item in items_of(world, army))


def weapons(world: World, army: int) -> int:
    """Return the sum of a hero's weapons, for its own strength and its leadership."""
    return _sum(world, army, "weapon")


def command(world: World, army: int) -> int:
    """Return the sum of a hero's command items, for its side's bonus."""
    return _sum(world, army, "command")


def standards(world: World, army: int) -> int:
    """Return the number of standards that a hero carries, of any side."""
    return _sum(world, army, "standard")


def speed(world: World, army: int) -> int:
    """Return the number of speed items that a hero carries."""
    return _sum(world, army, "speed")


def purses(world: World, side: int) -> int:
    """Return the income per city from the purses of a side's heroes."""
    return sum(
        item.adds("purse")
        for item in world.items.values()
        if item.where == "carried" and _owner(world, item) == side
    )


def _owner(world: World, item: Item) -> int:
    bearer = world.armies.get(item.holder)
    return NOBODY if bearer is None else bearer.owner


def move_items(decision: Decision, items: Iterable[Item], reason: MoveReason) -> None:
    """Emit the new places of items, given as they are afterwards."""
    decision.emit(ItemsMoved(tuple(items), reason))


# -- Sites -----------------------------------------------------------------------------------------


def is_shown(site: Site, side: int) -> bool:
    """Return whether a side knows that a site exists."""
    return not site.hidden or is_told(site, side)


def is_told(site: Site, side: int) -> bool:
    """Return whether the contents of a site were revealed to a side."""
    return bool(site.known_to >> side & 1)


def shown_at(world: World, side: int, at: Place) -> Site | None:
    """Return the site on a tile if the side knows that it exists, otherwise None."""
    site = site_at(world, at)
    return site if site is not None and is_shown(site, side) else None


def guardian_of(world: World, number: int) -> Guardian | None:
    """Return the guardian with a number, or None; 0 means no guardian."""
    return world.guardians[number - 1] if 0 < number <= len(world.guardians) else None


def secrets(world: World, side: int) -> tuple[Site, ...]:
    """Return the unsearched sites, in id order, whose contents are unknown to a side.

    Temples are left out.
    """
    return tuple(
        site
        for site in world.sites.values()
        if site.kind != "temple" and not site.searched and not is_told(site, side)
    )


def reveal(decision: Decision, side: int, sites: Iterable[Site]) -> None:
    """Reveal the contents of sites to a side; emit nothing if it knows them all."""
    told = tuple(
        replace(site, known_to=site.known_to | side_bit(side))
        for site in sites
        if not is_told(site, side)
    )
    if told:
        decision.emit(SiteKnown(side, told))
