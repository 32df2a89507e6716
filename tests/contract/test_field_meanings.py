"""Meanings of fields: each field that a ruleset names exists in a record of its state."""

from __future__ import annotations

import typing
from typing import Any

from engine.core.record import Record
from engine.core.ruleset import AnyRuleset


def fields_in(kind: Any, seen: set[Any]) -> set[str]:
    """Return the names of the fields of a record and of all records in it."""
    if kind in seen:
        return set()
    seen.add(kind)
    found = {name for part in typing.get_args(kind) for name in fields_in(part, seen)}
    if isinstance(kind, type) and issubclass(kind, Record):
        found |= set(kind.__struct_fields__)
        for hint in typing.get_type_hints(kind).values():
            found |= fields_in(hint, seen)
    return found


def test_meanings_are_of_fields_that_there_are(rules: AnyRuleset) -> None:
    known = fields_in(rules.state_type, set())
    assert known > set(rules.state_type.__struct_fields__), "the records inside are read too"
    assert set(rules.field_meanings) <= known


def test_every_game_says_whose_a_piece_is_or_where_it_stands(rules: AnyRuleset) -> None:
    assert {"place", "owner"} & set(rules.field_meanings.values())
    assert "turn" in rules.field_meanings.values()
