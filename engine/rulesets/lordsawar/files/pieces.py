"""Read the items, armies, stacks and rewards of a scenario (19.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.rulesets.lordsawar.files.fields import LARGEST, Fields
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
from engine.rulesets.lordsawar.files.sets import HIGHEST
from engine.rulesets.lordsawar.files.tree import Element
from engine.rulesets.lordsawar.files.words import (
    ARMY_BITS,
    BUILDINGS,
    GENDERS,
    ITEM_BITS,
    MOVE_BITS,
    PARTS,
    REWARD_KINDS,
    UNITS,
    OriginalBuilding,
    OriginalGender,
)

RULE: Final = "LW-19.3"

MOST_ARMIES: Final = 8
"""Maximum armies of a player on a tile. See: LW-1."""

USUAL_HP: Final = 2 * UNITS
"""Hit points of a new army. See: LW-1."""

NO_OWNER: Final = 8
"""Owner number that means no player, unless a player has it. See: LW-19.3."""


class References(NamedTuple):
    """Targets of references in the file: army sets, unit types, players, and the map's size."""

    sets: Mapping[int, ArmySet]
    types: Mapping[tuple[int, int], OriginalUnitType]
    """Unit types by the numbers of their set and type."""
    owners: frozenset[int]
    neutral: int
    width: int
    height: int

    def place(self, fields: Fields, size: int = 1) -> tuple[int, int]:
        """Return the tile of an object that covers ``size`` x ``size`` tiles.

        Raises:
            ScenarioFault: the object is off the map.
        """
        x, y = fields.place("d_x", "d_y")
        if not (0 <= x <= self.width - size and 0 <= y <= self.height - size):
            extent = f"{self.width} x {self.height}"
            raise fields.element.fault(f"({x}, {y}) is off the map of {extent}", RULE)
        return x, y

    def owner(self, fields: Fields, tag: str) -> int | None:
        """Return the number of a player, or None for no player, which is written -1 or 8.

        Raises:
            ScenarioFault: there is no such player.
        """
        number = fields.whole(tag, -LARGEST, 0xFFFFFFFF, -1)
        if number in self.owners:
            return number
        if number < 0 or number in {NO_OWNER, 0xFFFFFFFF}:
            return None
        raise fields.fault(tag, f"there is no player {number}", RULE)

    def unit_type(self, fields: Fields, type_tag: str, set_tag: str) -> OriginalUnitType:
        """Return the unit type that two elements refer to.

        Raises:
            ScenarioFault: there is no such army set or type.
        """
        number = army_set(fields, set_tag, self.sets)
        kind = fields.whole(type_tag, 0, HIGHEST)
        found = self.types.get((number, kind))
        if found is None:
            raise fields.fault(type_tag, f"army set {number} has no unit type {kind}", RULE)
        return found


def army_set(fields: Fields, tag: str, sets: Mapping[int, ArmySet]) -> int:
    """Return the number of an army set.

    Raises:
        ScenarioFault: there is no such set.
    """
    number = fields.whole(tag, 0, HIGHEST)
    if number not in sets:
        known = ", ".join(str(each) for each in sorted(sets)) or "none"
        text = f"there is no army set {number}, in the file or beside it; there are: {known}"
        raise fields.fault(tag, text, RULE)
    return number


# -- items -----------------------------------------------------------------------------------------


def item_kind(element: Element) -> OriginalItemKind:
    """Read a kind of item. See: LW-19.3.

    Raises:
        ScenarioFault: one of its values is not possible.
    """
    fields = Fields(element)
    return OriginalItemKind(
        name=fields.text("d_name"),
        bonus=fields.flags("d_bonus", ITEM_BITS),
        uses_left=fields.whole_or_none("d_uses_left", 0, HIGHEST),
        steal_gold_percent=_percent(fields, "d_steal_gold_percent"),
        moves_to_add=fields.whole_or_none("d_mp_to_add", 0, 10_000),
        type_to_kill=fields.whole_or_none("d_army_type_to_kill", 0, HIGHEST),
        type_to_summon=fields.whole_or_none("d_army_type_to_summon", 0, HIGHEST),
        type_to_raise=fields.whole_or_none("d_army_type_to_raise", 0, HIGHEST),
        summon_on=fields.word("d_building_type_to_summon_on", BUILDINGS, OriginalBuilding.NONE),
        percent_to_kill=_percent(fields, "d_percent_armies_to_kill"),
        number_to_raise=fields.whole_or_none("d_num_armies_to_raise", 0, 1000),
    )


def _percent(fields: Fields, tag: str) -> int | None:
    """Read a percentage, which the original writes as a decimal number; None if it is missing."""
    return fields.scaled(tag, 1, 100, 0) if fields.has(tag) else None


def item(element: Element, references: References) -> OriginalItem:
    """Read an item. See: LW-19.3.

    Raises:
        ScenarioFault: one of its values is not possible.
    """
    fields = Fields(element)
    return OriginalItem(
        id=fields.whole("d_id", 0, LARGEST, 0),
        kind_number=fields.whole_or_none("d_type", 0, 0xFFFFFFFF),
        kind=item_kind(element),
        plantable=fields.switch("d_plantable"),
        plantable_owner=references.owner(fields, "d_plantable_owner"),
        planted=fields.switch("d_planted"),
    )


# -- armies ----------------------------------------------------------------------------------------


def stack(element: Element, references: References) -> OriginalStack:
    """Read a stack; do not check that it is on the map. See: LW-19.3.

    Raises:
        ScenarioFault: it has more than eight armies, or one of its values is not possible.
    """
    fields = Fields(element)
    armies = tuple(element.every("army", "hero"))
    if len(armies) > MOST_ARMIES:
        raise element.fault(f"{len(armies)} armies in a stack, not {MOST_ARMIES} at most", RULE)
    x, y = fields.place("d_x", "d_y")
    return OriginalStack(
        id=fields.whole("d_id", 0, LARGEST, 0),
        x=x,
        y=y,
        owner=references.owner(fields, "d_owner"),
        defending=fields.switch("d_defending"),
        parked=fields.switch("d_parked"),
        armies=tuple(_army(each, references) for each in armies),
    )


def _army(element: Element, references: References) -> OriginalArmy:
    """Read an army; missing values come from its type."""
    fields = Fields(element)
    kind = references.unit_type(fields, "d_type", "d_armyset")
    medals = fields.wholes("d_medals", 0, 1) or (0, 0, 0)
    if len(medals) != 3:
        raise fields.fault("d_medals", f"{len(medals)} numbers, not 3", RULE)
    max_moves = fields.whole("d_max_moves", 0, 10_000, kind.max_moves)
    return OriginalArmy(
        id=fields.whole("d_id", 0, LARGEST),
        unit_type=kind.id,
        army_set=fields.whole("d_armyset", 0, HIGHEST),
        hp=fields.scaled("d_hp", UNITS, 10_000, USUAL_HP),
        ship=fields.switch("d_ship"),
        moves=fields.whole("d_moves", 0, HIGHEST, max_moves),
        xp=fields.scaled("d_xp", PARTS, HIGHEST, 0),
        level=fields.whole("d_level", 0, HIGHEST, 0),
        medals=tuple(bool(each) for each in medals),
        battles=fields.whole("d_battlesnumber", 0, HIGHEST, 0),
        visited_temples=fields.wholes("d_visited_temples", 0, LARGEST),
        strength=fields.whole("d_strength", 0, 100, kind.strength),
        max_moves=max_moves,
        sight=fields.whole("d_sight", 0, 1000, kind.sight),
        upkeep=fields.whole("d_upkeep", 0, HIGHEST, kind.upkeep),
        move_bonus=fields.flags("d_move_bonus", MOVE_BITS, kind.move_bonus),
        army_bonus=fields.flags("d_army_bonus", ARMY_BITS, kind.army_bonus),
        value=fields.scaled("d_expvalue", PARTS, HIGHEST, kind.value),
        moves_multiplier=fields.whole("d_max_moves_multiplier", 1, 1024, 1),
        hero=_hero(element, references) if element.tag == "hero" else None,
    )


def _hero(element: Element, references: References) -> OriginalHero:
    fields = Fields(element)
    backpack = element.first("backpack")
    items = backpack.every("item") if backpack else ()
    return OriginalHero(
        name=fields.text("d_name"),
        gender=fields.word("d_gender", GENDERS, OriginalGender.NONE),
        backpack=tuple(item(each, references) for each in items),
    )


# -- rewards ---------------------------------------------------------------------------------------


def reward(element: Element, references: References) -> OriginalReward:
    """Read a reward. See: LW-19.3.

    Raises:
        ScenarioFault: its kind is unknown, or one of its values is not possible.
    """
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
