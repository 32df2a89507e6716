"""Stock the sites of a new game: items, relics, kinds, guardians and allies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TypeVar

from engine.core.containers import Roster
from engine.core.dice import Dice
from engine.core.record import replace
from engine.kit.grid import square
from engine.strategic.decision import pick
from engine.strategic.item_records import is_good
from engine.strategic.pieces import NOBODY, NONE, Guardian, Item, Site, SiteKind, UnitType
from engine.strategic.world import World

T = TypeVar("T")
W = TypeVar("W", bound=World)


@dataclass(frozen=True, eq=False)
class FillRules:
    """Rules that stock the sites of a new game."""

    items: int
    """Number of items in play, standards included."""

    standards: tuple[str, ...]
    """Names of the standards, by seat."""

    pool: tuple[Item, ...]
    """Items from which the others are drawn."""

    guardians: tuple[Guardian, ...]
    """Guardians of a world that brings none of its own."""

    rich: tuple[int, int]
    """Share of rich sites, as numerator and denominator."""

    hide_rich: bool
    """True if rich sites are hidden."""

    relics: Callable[[int, Dice], int]
    """Number of sites with an item, from the number of all sites and the dice."""

    far: int
    """Minimum distance in tiles from every capital that makes a site far."""

    kinds_rich: tuple[SiteKind, ...]
    """Kinds of rich sites without a relic; a kind listed twice is twice as likely."""

    kinds_far: tuple[SiteKind, ...]
    kinds_near: tuple[SiteKind, ...]
    may_join: Callable[[UnitType], bool]
    """True for unit types that can join a hero at a site."""

    ally_rank: Callable[[UnitType], tuple[int, ...]]
    """Sort key of allies; the best type has the lowest key."""

    ally_rich: slice
    """Part of the ranked allies that rich sites draw from."""

    ally_far: slice
    ally_near: slice


def fill(world: W, rules: FillRules, dice: Dice) -> W:
    """Return the world with items, guardians and every site filled.

    Keep the items, guardians and site kinds that the scenario defines; only give an item to a
    relic site that has none. The rules fix the order of the dice: items, rich sites, relics, site
    kinds, then guardians and allies.
    """
    if not world.items:
        world = replace(world, items=Roster(stocked(dice, rules, frozenset(world.sides))))
    world = replace(world, guardians=world.guardians or rules.guardians)
    unmanned = tuple(site.id for site in world.sites.values() if _lacks_somebody(site))
    world = _enriched(world, rules, dice)
    world = _supplied(world, rules, dice)
    named = (replace(site, kind=_kind(dice, rules, world, site)) for site in _empty(world))
    world = replace(world, sites=world.sites.put(*named))
    manned = (_manned(dice, rules, world, world.sites[site]) for site in unmanned)
    return replace(world, sites=world.sites.put(*manned))


def _empty(world: World) -> list[Site]:
    """Return the sites whose kind the scenario leaves open, in id order."""
    return [site for site in world.sites.values() if site.kind == "unknown"]


def _lacks_somebody(site: Site) -> bool:
    return site.kind == "unknown" or (site.kind == "allies" and site.ally == NONE)


def drawn(dice: Dice, things: Sequence[T], count: int) -> list[T]:
    """Draw ``count`` things at random, or all of them if there are fewer, in the order drawn."""
    left = list(things)
    return [left.pop(pick(dice, range(len(left)))) for _ in range(min(count, len(left)))]


def stocked(dice: Dice, rules: FillRules, seats: frozenset[int]) -> tuple[Item, ...]:
    """Return the unused items of a new game: one standard per seat (id = seat), then the pool.

    The standard of an empty seat is neutral and can be found like any other item.
    """
    flags = [
        Item(seat, "standard", 1, name, side=seat if seat in seats else NOBODY)
        for seat, name in enumerate(rules.standards)
    ]
    return completed(dice, rules, tuple(flags))


def completed(dice: Dice, rules: FillRules, told: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the items of the scenario, ``told``, and drawn ones from the pool up to the total.

    All standards count toward the total, even if the scenario leaves some of them out.
    """
    room = rules.items - max(len(told), len(rules.standards))
    first = max((item.id for item in told), default=-1) + 1
    chosen = enumerate(drawn(dice, rules.pool, max(0, room)), first)
    return (*told, *(replace(item, id=number) for number, item in chosen))


def _enriched(world: W, rules: FillRules, dice: Dice) -> W:
    """Make a share of all sites rich, chosen among those whose kind is open."""
    count = len(world.sites) * rules.rich[0] // rules.rich[1]
    rich = (
        replace(site, rich=True, hidden=rules.hide_rich)
        for site in drawn(dice, _empty(world), count)
    )
    return replace(world, sites=world.sites.put(*rich))


def _supplied(world: W, rules: FillRules, dice: Dice) -> W:
    """Put items into sites and so turn them into relic sites."""
    count = rules.relics(len(world.sites), dice)
    holders = {item.holder for item in world.items.values() if item.where == "site"}
    told = [site for site in world.sites.values() if site.kind == "relic"]
    lacking = [site for site in told if site.id not in holders]
    world = _laid_in(world, dice, lacking, len(lacking))
    return _laid_in(world, dice, _empty(world), count - len(told))


def _laid_in(world: W, dice: Dice, sites: Sequence[Site], count: int) -> W:
    """Put one unused item into each of ``count`` sites: good items into rich sites.

    If no site of the right sort is left, use the other sort.
    """
    free = list(sites)
    unused = [i for i in world.items.values() if i.where == "unused" and i.side == NOBODY]
    items: list[Item] = []
    relics: list[Site] = []
    for item in drawn(dice, unused, min(count, len(free))):
        fitting = [site for site in free if site.rich == is_good(item)]
        site = pick(dice, fitting or free)
        free.remove(site)
        items.append(replace(item, where="site", holder=site.id))
        relics.append(replace(site, kind="relic"))
    return replace(world, items=world.items.put(*items), sites=world.sites.put(*relics))


def is_far(world: World, rules: FillRules, site: Site) -> bool:
    """Return whether a site is far from every capital."""
    capitals = (side.capital for side in world.sides.values() if side.capital is not None)
    return all(isqrt(square((site.x - x, site.y - y))) >= rules.far for x, y in capitals)


def _kind(dice: Dice, rules: FillRules, world: World, site: Site) -> SiteKind:
    """Pick the kind of a site without a relic."""
    if site.rich:
        return pick(dice, rules.kinds_rich)
    return pick(dice, rules.kinds_far if is_far(world, rules, site) else rules.kinds_near)


def ranked(rules: FillRules, world: World) -> tuple[UnitType, ...]:
    """Return the unit types that can join a hero, best first."""
    creatures = (kind for kind in world.types.values() if rules.may_join(kind))
    return tuple(sorted(creatures, key=rules.ally_rank))


def _manned(dice: Dice, rules: FillRules, world: World, site: Site) -> Site:
    """Give a relic or gold site its guardian, and an ally site its unit type."""
    if site.kind in ("relic", "gold"):
        return replace(site, guardian=dice.roll(len(world.guardians)) if world.guardians else 0)
    if site.kind != "allies":
        return site
    best = ranked(rules, world)
    part = rules.ally_far if is_far(world, rules, site) else rules.ally_near
    chosen = best[rules.ally_rich if site.rich else part] or best
    return replace(site, ally=pick(dice, chosen).id if chosen else NONE)
