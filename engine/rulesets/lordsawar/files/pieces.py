"""Read the items, armies, stacks and rewards of a scenario, up to the first fault (19.3).

The readers raise ``ScenarioFault`` with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.rulesets.lordsawar.files.fields import HIGHEST, LARGEST, Fields, row
from engine.rulesets.lordsawar.files.records import (
    ArmySet,
    OriginalAllies,
    OriginalArmy,
    OriginalGold,
    OriginalHero,
    OriginalItem,
    OriginalItemKind,
    OriginalItemReward,
    OriginalMapReward,
    OriginalReward,
    OriginalRuinReward,
    OriginalStack,
    OriginalUnitType,
)
from engine.rulesets.lordsawar.files.tree import Element
from engine.rulesets.lordsawar.files.words import REWARD_KINDS

RULE: Final = "LW-19.3"

MOST_ARMIES: Final = 8
"""Maximum armies of a player on a tile. See: LW-1."""

NO_OWNER: Final = 8
"""Owner number that means no player, unless a player has it. See: LW-19.3."""


class References(NamedTuple):
    """Targets of references in the file: army sets, unit types, players, and the map's size.

    The methods raise ``ScenarioFault`` if the target does not exist.
    """

    sets: Mapping[int, ArmySet]
    types: Mapping[tuple[int, int], OriginalUnitType]
    """Unit types by the numbers of their set and type."""
    owners: frozenset[int]
    neutral: int
    width: int
    height: int

    def place(self, fields: Fields, size: int = 1) -> tuple[int, int]:
        """Return the tile of an object that covers ``size`` x ``size`` tiles of the map."""
        x, y = fields.place("d_x", "d_y")
        if not (0 <= x <= self.width - size and 0 <= y <= self.height - size):
            extent = f"{self.width} x {self.height}"
            raise fields.element.fault(f"({x}, {y}) is off the map of {extent}", RULE)
        return x, y

    def owner(self, fields: Fields, tag: str) -> int | None:
        """Return the number of a player, or None for no player, which is written -1 or 8."""
        number = fields.whole(tag, -LARGEST, 0xFFFFFFFF, -1)
        if number in self.owners:
            return number
        if number < 0 or number in {NO_OWNER, 0xFFFFFFFF}:
            return None
        raise fields.fault(tag, f"there is no player {number}", RULE)

    def unit_type(self, fields: Fields, type_tag: str, set_tag: str) -> OriginalUnitType:
        """Return the unit type whose number and set the data with these tags give."""
        number = army_set(fields, set_tag, self.sets)
        kind = fields.whole(type_tag, 0, HIGHEST)
        found = self.types.get((number, kind))
        if found is None:
            raise fields.fault(type_tag, f"army set {number} has no unit type {kind}", RULE)
        return found


def army_set(fields: Fields, tag: str, sets: Mapping[int, ArmySet]) -> int:
    """Return the number of the army set that an element refers to."""
    number = fields.whole(tag, 0, HIGHEST)
    if number not in sets:
        known = ", ".join(str(each) for each in sorted(sets)) or "none"
        text = f"there is no army set {number}, in the file or beside it; there are: {known}"
        raise fields.fault(tag, text, RULE)
    return number


# -- items -----------------------------------------------------------------------------------------


def item_kind(element: Element) -> OriginalItemKind:
    """Read a kind of item. See: LW-19.3."""
    return row(OriginalItemKind, Fields(element))


def item(element: Element, references: References) -> OriginalItem:
    """Read an item. See: LW-19.3."""
    fields = Fields(element)
    owner = references.owner(fields, "d_plantable_owner")
    return row(OriginalItem, fields, kind=item_kind(element), plantable_owner=owner)


# -- armies ----------------------------------------------------------------------------------------


def stack(element: Element, references: References) -> OriginalStack:
    """Read a stack; do not check that it is on the map. See: LW-19.3."""
    fields = Fields(element)
    armies = tuple(element.every("army", "hero"))
    if len(armies) > MOST_ARMIES:
        raise element.fault(f"{len(armies)} armies in a stack, not {MOST_ARMIES} at most", RULE)
    x, y = fields.place("d_x", "d_y")
    owner = references.owner(fields, "d_owner")
    found = tuple(_army(each, references) for each in armies)
    return row(OriginalStack, fields, x=x, y=y, owner=owner, armies=found)


def _army(element: Element, references: References) -> OriginalArmy:
    """Read an army; missing values come from its type."""
    fields = Fields(element)
    kind = references.unit_type(fields, "d_type", "d_armyset")
    medals = fields.wholes("d_medals", 0, 1) or (0, 0, 0)
    if len(medals) != 3:
        raise fields.fault("d_medals", f"{len(medals)} numbers, not 3", RULE)
    max_moves = fields.whole("d_max_moves", 0, 10_000, kind.max_moves)
    return row(
        OriginalArmy,
        fields,
        kind,
        id=fields.whole("d_id", 0, LARGEST),
        unit_type=kind.id,
        moves=fields.whole("d_moves", 0, HIGHEST, max_moves),
        medals=tuple(bool(each) for each in medals),
        max_moves=max_moves,
        hero=_hero(element, references) if element.tag == "hero" else None,
    )


def _hero(element: Element, references: References) -> OriginalHero:
    backpack = element.first("backpack")
    items = backpack.every("item") if backpack else ()
    held = tuple(item(each, references) for each in items)
    return row(OriginalHero, Fields(element), backpack=held)


# -- rewards ---------------------------------------------------------------------------------------


def reward(element: Element, references: References) -> OriginalReward:
    """Read a reward. See: LW-19.3."""
    fields = Fields(element)
    fields.raw("d_type")
    name = fields.text("d_name")
    match fields.word("d_type", REWARD_KINDS, ""):
        case "GOLD":
            return OriginalGold(name, fields.whole("d_gold", 0, LARGEST))
        case "ALLIES":
            kind = references.unit_type(fields, "d_ally_type", "d_ally_armyset")
            number = fields.whole("d_num_allies", 1, MOST_ARMIES)
            army_set_number = fields.whole("d_ally_armyset", 0, HIGHEST)
            return OriginalAllies(name, number, kind.id, army_set_number)
        case "ITEM":
            inner = element.first("item")
            if inner is None:
                raise element.fault("the item is missing", RULE)
            return OriginalItemReward(name, item(inner, references))
        case "RUIN":
            return OriginalRuinReward(name, *references.place(fields))
        case "MAP":
            return _map_reward(name, Fields(element.first("location") or element), references)
        case _:
            raise fields.fault("d_type", "this is no kind of reward", RULE)


def _map_reward(name: str, fields: Fields, references: References) -> OriginalMapReward:
    x, y = references.place(fields)
    width = fields.whole("d_width", 1, LARGEST)
    height = fields.whole("d_height", 1, LARGEST)
    return OriginalMapReward(
        name, x, y, min(width, references.width - x), min(height, references.height - y)
    )
