"""Convert unit types, fight orders and items of a scenario of the original (19.3, 19.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple, cast

from engine.core.containers import Roster
from engine.core.record import UNSET, replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.lordsawar.files.records import (
    ArmySet,
    OriginalAllies,
    OriginalItem,
    OriginalItemKind,
    OriginalPlayer,
    OriginalScenario,
    OriginalUnitType,
)
from engine.rulesets.lordsawar.files.words import PARTS, OriginalBuilding, OriginalGender
from engine.rulesets.lordsawar.items import powers_of
from engine.rulesets.lordsawar.kinds import ItemFlag, MoveBonus, UnitFlagName
from engine.rulesets.lordsawar.lineup import type_flags
from engine.rulesets.lordsawar.pieces import book_types, type_upkeep, type_value, unit_type
from engine.rulesets.lordsawar.state import NAME_LENGTH, NamedHero
from engine.rulesets.lordsawar.tables import ArmysetItem, ArmysetUnit, armyset, unit_types
from engine.strategic.pieces import NOBODY, NONE, Item, UnitType
from engine.strategic.scenario_checks import LONG_NAME

MOST_TYPES: Final = 200
_MAX_HP: Final = 2
_OWN_ITEMS: Final = 1000
"""Values of items from this number on belong to items that the book does not have."""

_LIKE_THE_LAYER: Final = {
    "SUBALLCITYBONUS",
    "SUBALLHEROBONUS",
    "SUBALLNONHEROBONUS",
    "CONFER_MOVE_BONUS",
}
"""Flags with a trait in the strategic layer."""

_OF_TYPES: Final = {
    "BANISH_WORMS": "type_to_kill",
    "SUMMON_MONSTER": "type_to_summon",
    "RAISE_DEFENDERS": "type_to_raise",
}
"""Powers of items that concern a unit type, with the field for its number."""

TypeNumber = tuple[int, int]
"""Number of an army set, and of a unit type in it."""


def clean(words: str) -> str:
    """Return a text on one line, with blanks in place of unprintable characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())


class Outfit(NamedTuple):
    """Types and items of a scenario; ``units`` is empty if the types are the book's."""

    origin: OriginalScenario
    numbers: Mapping[TypeNumber, int]
    types: Roster[UnitType]
    units: tuple[UnitType, ...]

    def type_of(self, army_set: int, kind: int) -> UnitType:
        """Return the unit type of this game for a type of the file, by set and number."""
        return self.types[self.numbers[army_set, kind]]

    def order(self, player: OriginalPlayer) -> tuple[int, ...]:
        """Return each type's place in a fight order; unlisted ones are last. See: LW-2.2."""
        if not player.fight_order:
            return ()
        listed = [self.numbers[player.army_set, kind] for kind in player.fight_order]
        rest = sorted(set(self.types) - set(listed), key=lambda kind: self.types[kind].order)
        places = {kind: place for place, kind in enumerate((*listed, *rest), 1)}
        return tuple(places.get(kind, 0) for kind in range(max(self.types) + 1))

    # -- items

    def items(self, held: Iterable[tuple[OriginalItem, Item]]) -> tuple[Item, ...]:
        """Return the game's items: one of each kind, and all held ones. See: LW-11, LW-19.3."""
        pool = {n: self._made(n, kind) for n, kind in enumerate(self.origin.items)}
        taken: set[int] = set()
        for thing, item in held:
            number = self._listed(thing, taken)
            if number is None or item.kind == "standard":
                number = max(pool, default=NONE) + 1
            taken.add(number)
            pool[number] = replace(item, id=number)
        return tuple(pool[number] for number in sorted(pool))

    def _listed(self, thing: OriginalItem, taken: Collection[int]) -> int | None:
        """Return the number of an item's kind in the list if it is not taken, else None.

        The name decides if the number is stale: in maps, items that were never numbered have 0.
        See: LW-19.3.
        """
        name, listed = clean(thing.kind.name), self.origin.items
        same = [n for n, kind in enumerate(listed) if clean(kind.name) == name and n not in taken]
        return thing.kind_number if thing.kind_number in same else next(iter(same), None)

    def heroes(self, owner: Callable[[int | None], int]) -> Iterator[NamedHero]:
        """Yield the named heroes that can be offered, with their items. See: LW-10, LW-19.3."""
        listed = self.origin.items
        for hero in self.origin.hero_templates:
            name, side = clean(hero.name)[:NAME_LENGTH].rstrip(), owner(hero.owner)
            if name and (hero.owner is None or side != NOBODY):
                known = (number for number in hero.starting_items if number < len(listed))
                items = tuple(self._made(number, listed[number]) for number in known)
                yield NamedHero(name, hero.gender is OriginalGender.FEMALE, side, items)

    def item(self, thing: OriginalItem, owner: Callable[[int | None], int]) -> Item:
        """Convert an item of the file; a plantable one becomes a side's standard."""
        if thing.plantable:
            name = clean(thing.kind.name)[:LONG_NAME]
            return Item(0, "standard", 1, name, side=owner(thing.plantable_owner))
        return self._made(thing.kind_number or 0, thing.kind)

    def _made(self, number: int, kind: OriginalItemKind) -> Item:
        """Return an unused item of a kind. See: LW-11."""
        unit = self.unit_of(kind)
        flags = [flag for flag in kind.bonus if unit != NONE or flag not in _OF_TYPES]
        row = ArmysetItem(
            id=number,
            name=clean(kind.name)[:LONG_NAME],
            source="19.3",
            bonus=cast("tuple[ItemFlag, ...]", tuple(flags)),
            charges=kind.uses_left or 0,
            unit=unit,
            amount=kind.moves_to_add or kind.number_to_raise or 0,
            percent=kind.steal_gold_percent or kind.percent_to_kill or 0,
            site="" if kind.summon_on is OriginalBuilding.NONE else kind.summon_on.lower(),
        )
        like = (one for one in armyset().items if (one.name, one.bonus) == (row.name, row.bonus))
        value = next((one.id for one in like), _OWN_ITEMS + number)
        return Item(number, "item", value, row.name, powers=powers_of(row))

    def unit_of(self, kind: OriginalItemKind) -> int:
        """Return the type that an item's powers concern, or NONE."""
        for flag, field in _OF_TYPES.items():
            told = getattr(kind, field) if flag in kind.bonus else None
            found = (own for (_, unit), own in self.numbers.items() if unit == told)
            own = NONE if told is None else next(found, NONE)
            if own != NONE:
                return own
        return NONE

    def remarks(self) -> Iterator[str]:
        """Yield one line for each item that could not be translated fully."""
        for kind in self.origin.items:
            about = [flag for flag in kind.bonus if flag in _OF_TYPES]
            told = {getattr(kind, _OF_TYPES[flag]) for flag in about}
            if about and (self.unit_of(kind) == NONE or len(told) > 1):
                yield f"item {clean(kind.name)[:30]!a}: a power has no unit type of its own"


def outfit_of(origin: OriginalScenario) -> Outfit:
    """Convert the types of a scenario and number them from 0. See: LW-19.4.

    Raises:
        ScenarioFault: there are too many types, or none of them is a hero.
    """
    used = _used(origin)
    sets = [each for each in origin.army_sets if each.id in used]
    keys = [(each.id, kind) for each in sets for kind in sorted(unit.id for unit in each.units)]
    if len(keys) > MOST_TYPES:
        raise ScenarioFault("armyset", f"{len(keys)} unit types, not {MOST_TYPES}", "LW-19.4")
    numbers = {key: number for number, key in enumerate(keys)}
    rows = [(each, unit, rank) for each in sets for rank, unit in enumerate(each.units, 1)]
    if not any(unit.hero for _, unit, _ in rows):
        raise ScenarioFault("armyset", "none of the unit types is a hero", "LW-19.4")
    made: list[UnitType] = []
    for each, unit, rank in rows:
        taken = {kind.key for kind in made}
        made.append(_unit_type(each, unit, numbers[each.id, unit.id], rank, taken))
    found = sorted(made, key=lambda kind: kind.id)
    usual = [kind.id in book_types() and _alike(kind, book_types()[kind.id]) for kind in found]
    valued = any(kind.value is not UNSET for kind in found)
    is_book = all(usual) and not valued and len(found) == len(book_types())
    types = book_types() if is_book else Roster(found)
    return Outfit(origin, numbers, types, () if is_book else tuple(found))


def _used(origin: OriginalScenario) -> set[int]:
    """Return the numbers of the army sets that the scenario uses."""
    stacks = [stack for player in origin.players for stack in player.stacks]
    stacks += [ruin.keeper.stack for ruin in origin.ruins if ruin.keeper and ruin.keeper.stack]
    slots = [slot for city in origin.cities for slot in city.slots if slot]
    slots += [row.unit for row in origin.vectored]
    rewards = (*origin.rewards, *(ruin.reward for ruin in origin.ruins))
    return {
        *(player.army_set for player in origin.players),
        *(army.army_set for stack in stacks for army in stack.armies),
        *(slot.army_set for slot in slots),
        *(reward.army_set for reward in rewards if isinstance(reward, OriginalAllies)),
    }


def _unit_type(
    army_set: ArmySet, unit: OriginalUnitType, number: int, rank: int, taken: set[str]
) -> UnitType:
    """Convert a type of an army set; the book's types keep their keys.

    Rules: LW-19.4. See: LW-9.
    """
    name = clean(unit.name)[:LONG_NAME] or f"Type {number + 1}"
    row = ArmysetUnit(
        id=number,
        key="",
        name=name,
        source="19.4",
        strength=unit.strength,
        max_hp=_MAX_HP,
        moves=unit.max_moves,
        sight=unit.sight,
        turns=0 if unit.hero else max(1, unit.production),
        cost=unit.production_cost,
        price=unit.new_production_cost,
        upkeep=unit.upkeep,
        value=unit.value // PARTS,
        move_bonus=cast("tuple[MoveBonus, ...]", tuple(word.lower() for word in unit.move_bonus)),
        bonus=cast("tuple[UnitFlagName, ...]", unit.army_bonus),
        awardable=unit.awardable,
        guards_ruins=unit.defends_ruins,
        hero=unit.hero,
    )
    plain = unit_type(row, rank)
    more = [flag.lower() for flag in row.bonus if flag not in _LIKE_THE_LAYER]
    kind = replace(plain, traits=(*plain.traits, *more), upkeep=unit.upkeep)
    worth = Fraction(unit.value, PARTS)
    if worth != type_value(kind):
        kind = replace(kind, value=str(worth))
    usual = book_types().get(number)
    if usual is not None and usual.key not in taken and _alike(kind, usual):
        return replace(kind, key=usual.key)
    word = re.sub(r"[^a-z0-9]+", "_", f"{army_set.name} {name}".lower()).strip("_") or "type"
    while word in taken or any(word == one.key for one in book_types().values()):
        word += f"_{number + 1}"
    return replace(kind, key=word)


def _alike(kind: UnitType, usual: UnitType) -> bool:
    """Return whether a type has the numbers and abilities of the book's.

    Ignore whether it confers movement, because releases differ in that. See: LW-9.
    """
    fields = ("strength", "turns", "cost", "move", "price", "special", "sight")
    same = all(getattr(kind, field) == getattr(usual, field) for field in fields)
    names = kind.name.lower() == usual.name.lower()
    ways = {"fly", "woods", "hills", "mountains", "marsh", "swim", "hero"}
    moves = ways & {*kind.traits} == ways & {*usual.traits}
    guide = 1 << 17
    flags = type_flags(kind) & ~guide == type_flags(usual) & ~guide
    paid = type_upkeep(kind) == unit_types()[usual.id].upkeep
    return same and names and moves and flags and paid
