"""The types of unit (section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from engine.core.containers import Roster
from engine.core.record import Record
from engine.kit.tables import load
from engine.rulesets.warlords2.tables import PACKAGE
from engine.strategic.pieces import Slot, UnitType

HERO: Final = 28
NAVY: Final = 5
SCOUTS: Final = 11
"""Ids of the types that rules speak of. Rules: W2-7, W2-9.1, W2-9.7."""


class _Units(Record, frozen=True):
    units: tuple[UnitType, ...]


@cache
def rows() -> tuple[UnitType, ...]:
    """The 29 types, in the order of the book's table, which breaks ties. Rules: W2-7."""
    return load(PACKAGE, "units", _Units).units


@cache
def types() -> Roster[UnitType]:
    """The types by id. Rules: W2-7."""
    return Roster(rows())


@cache
def by_key() -> Mapping[str, UnitType]:
    """The types by the word that scenario files use."""
    return {row.key: row for row in rows()}


@cache
def _places() -> Mapping[int, int]:
    return {row.id: place for place, row in enumerate(rows())}


def place(kind: int) -> tuple[int, int]:
    """A key to break ties among types by: the row of the book, then the id. Rules: W2-9.1."""
    return _places().get(kind, len(rows())), kind


def slot_of(kind: UnitType) -> Slot:
    """A type as a city makes it, with its usual numbers. Rules: W2-9.4."""
    return Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)


def usual_order(kinds: Iterable[UnitType]) -> tuple[int, ...]:
    """The place in the line of battle of each type, by type id; 0 where there is no type.

    Rules: W2-8.4.
    """
    listed = {kind.id: kind.order for kind in kinds}
    return tuple(listed.get(kind, 0) for kind in range(max(listed, default=-1) + 1))
