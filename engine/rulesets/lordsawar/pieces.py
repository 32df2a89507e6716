"""Convert the unit types and slots of the army set into pieces of the strategic layer."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Final

from engine.core.containers import Roster
from engine.core.record import UNSET
from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.tables import ArmysetUnit, armyset, unit_types, units_by_key
from engine.strategic.costs import SWIMS
from engine.strategic.pieces import Slot, Trait, UnitType

GUIDE: Final = "guide"
"""Trait of types that share their move bonus with their whole stack. See: LW-12.3."""

_BONUSES: Final[Mapping[str, Trait]] = {
    "forest": "woods",
    "hills": "hills",
    "mountain": "mountains",
    "swamp": "marsh",
    "water": SWIMS,
}
"""Traits for the move bonuses of types that do not fly. See: LW-9, LW-12.3."""

_TRAITS: Final[Mapping[str, Trait]] = {
    "SUBALLCITYBONUS": "siege",
    "SUBALLHEROBONUS": "anti-hero",
    "SUBALLNONHEROBONUS": "anti-pack",
    "CONFER_MOVE_BONUS": GUIDE,
}


@cache
def book_types() -> Roster[UnitType]:
    """Return the unit types of the default army set. Rules: LW-9.1."""
    return Roster(unit_type(row, rank) for rank, row in enumerate(armyset().units, 1))


def unit_type(row: ArmysetUnit, rank: int) -> UnitType:
    """Convert a row of the army set; ``rank`` is the place in fight order.

    Rules: LW-9.3. See: LW-2.2.
    """
    traits: list[str] = [_TRAITS[flag] for flag in row.bonus if flag in _TRAITS]
    if row.hero:
        traits.append("hero")
    if row.flies:
        traits.append("fly")
    else:
        traits += [word for bonus, word in _BONUSES.items() if bonus in row.move_bonus]
    return UnitType(
        id=row.id,
        key=row.key,
        name=row.name,
        strength=row.strength,
        turns=row.turns,
        cost=row.cost,
        move=row.moves,
        price=row.price,
        order=rank,
        special=int(row.awardable),
        traits=tuple(traits),
        sight=row.sight,
        hp=HIT_POINT * row.max_hp,
    )


@cache
def type_value(kind: UnitType) -> Fraction:
    """Return the experience value of a type.

    It is the type's own value, else the army set's. A type that the army set does not know counts
    as a hero if it is one, else as the first type that is equally awardable.
    Rules: LW-9.2. See: LW-19.4, LW-6.2.
    """
    if kind.value is not UNSET:
        return Fraction(kind.value)
    row = units_by_key().get(kind.key)
    if row is not None:
        return Fraction(row.value)
    alike = (one for one in armyset().units if one.awardable == bool(kind.special))
    hero = "hero" in kind.traits
    return Fraction(units_by_key()["hero"].value if hero else next(alike).value)


def slot_of(kind: UnitType) -> Slot:
    """Return a slot that makes a type with its default numbers. See: LW-9."""
    return Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost, kind.upkeep)


def type_upkeep(kind: UnitType | Slot) -> int:
    """Return the upkeep of a type or slot: its own, the book's, or its cost. See: LW-9."""
    if kind.upkeep is not UNSET:
        return kind.upkeep
    row = unit_types().get(kind.type if isinstance(kind, Slot) else kind.id)
    return kind.cost if row is None else row.upkeep
