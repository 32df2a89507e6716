"""Who fights whom, in which order and how strong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.core.record import Record
from engine.kit.grid import Place
from engine.strategic.book import Book
from engine.strategic.events import Fighter
from engine.strategic.fighting.parts import Part
from engine.strategic.fighting.rules import Battleground, FightingRules
from engine.strategic.fighting.strength import (
    Soldier,
    Soldiers,
    Support,
    attackers_support,
    defenders_support,
    reasons,
    strength,
)
from engine.strategic.heroes import items
from engine.strategic.pieces import NOBODY, NONE, Army, UnitType
from engine.strategic.world import World, armies_at, city_at

Order = Callable[[UnitType], int]
"""The place in a side's line of battle of a type; low ones fight first."""

MOUNT: Final = 80
"""What a hero's mount gets on top of its place in the line."""


class Line(Record, frozen=True):
    """A side in fighting order; ``reasons`` are those of each fighter's own strength."""

    fighters: tuple[Fighter, ...]
    support: Support
    reasons: tuple[tuple[Part, ...], ...]

    @property
    def strengths(self) -> tuple[int, ...]:
        """Of each fighter, in order."""
        return tuple(fighter.strength for fighter in self.fighters)


class Lineup(Record, frozen=True):
    """Both sides as they meet; ``shielded`` tells of each attacker whether it cannot be hit."""

    field: Battleground
    attackers: Line
    defenders: Line
    shielded: tuple[bool, ...]


def defenders_at(world: World, at: Place, side: int) -> tuple[Army, ...]:
    """All armies that fight off an attack of a side on a tile, in id order.

    Those on all tiles of a city defend each of them. Rules: W2-8.1.
    """
    city = city_at(world, at)
    tiles = (at,) if city is None else city.tiles
    found = [army for tile in tiles for army in armies_at(world, tile) if army.owner != side]
    return tuple(sorted(found, key=lambda army: army.id))


def line_up(world: World, book: Book, group: Sequence[Army], at: Place) -> Lineup:
    """The line-up of a group's attack on a tile where foes stand. Rules: W2-8.1 to W2-8.4."""
    rules, side = book.fighting, group[0].owner
    foes = defenders_at(world, at, side)
    owner = foes[0].owner
    return meet(
        rules,
        soldiers(world, group),
        soldiers(world, foes),
        rules.battleground(world, at),
        orders=(order_of(world, side), order_of(world, owner)),
        neutral=owner == NOBODY,
        novice=owner == NOBODY and side in world.sides and world.sides[side].human,
    )


def meet(  # noqa: PLR0913 - a position gives all of these, a question without one names them
    rules: FightingRules,
    attackers: Soldiers,
    defenders: Soldiers,
    field: Battleground,
    *,
    orders: tuple[Order, Order],
    neutral: bool,
    novice: bool,
) -> Lineup:
    """The line-up of two sides on a field, both in their own order of battle.

    Args:
        rules: of the rule book.
        attackers: at least one.
        defenders: at least one.
        field: where they meet.
        orders: of the attackers and of the defenders.
        neutral: whether the defenders are nobody's.
        novice: whether attacking heroes are shielded if the rules shield any.

    Rules: W2-8.3, W2-8.4, W2-8.5.
    """
    first = in_order(attackers, orders[0], field)
    second = in_order(defenders, orders[1], field)
    helped = attackers_support(rules, attackers, defenders, field)
    covered = defenders_support(rules, defenders, attackers, field, neutral=neutral)
    shields = rules.novice_shield and novice
    return Lineup(
        field=field,
        attackers=_line(rules, first, helped, field),
        defenders=_line(rules, second, covered, field),
        shielded=tuple(shields and soldier.is_hero for soldier in first),
    )


def soldiers(world: World, armies: Sequence[Army]) -> Soldiers:
    """Armies with what counts of them in battle."""
    return tuple(_soldier(world, army) for army in armies)


def order_of(world: World, owner: int) -> Order:
    """An owner's line of battle; types it does not speak of have their usual place.

    Rules: W2-8.4.
    """
    order = world.neutral_order if owner == NOBODY else world.sides[owner].order
    return lambda kind: order[kind.id] if kind.id < len(order) else kind.order


def in_order(side: Soldiers, order: Order, field: Battleground) -> Soldiers:
    """A side from who fights first to who fights last, equals by id. Rules: W2-8.4.

    Where mounts fight last, the first flyer beside a hero is put behind.
    """
    listed = sorted(side, key=lambda soldier: (order(soldier.type), soldier.army.id))
    if not field.mounts_last or not any(soldier.is_hero for soldier in side):
        return tuple(listed)
    flyers = (soldier for soldier in listed if soldier.flies and not soldier.is_hero)
    mount = next((soldier.army.id for soldier in flyers), NONE)
    return tuple(sorted(listed, key=lambda one: order(one.type) + MOUNT * (one.army.id == mount)))


def _soldier(world: World, army: Army) -> Soldier:
    kind = world.types[army.type]
    if "hero" not in kind.traits:
        return Soldier(army, kind)
    return Soldier(
        army,
        kind,
        weapons=items.weapons(world, army.id),
        command=items.command(world, army.id),
        standards=items.standards(world, army.id),
    )


def _line(rules: FightingRules, side: Soldiers, support: Support, field: Battleground) -> Line:
    fighters, why = [], []
    for one in side:
        fights = strength(rules, one, support.total, field)
        fighters.append(Fighter(one.army.id, one.type.id, fights))
        why.append(reasons(one, fights, support.total, field))
    return Line(tuple(fighters), support, tuple(why))
