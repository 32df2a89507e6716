"""JSON Schema of the records that a ruleset reads and writes."""

from __future__ import annotations

import inspect
import types
import typing
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

from engine.core.containers import Plane, Roster
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset

_PLANE = {
    "type": "object",
    "properties": {
        "dtype": {"type": "string"},
        "rows": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    },
    "required": ["dtype", "rows"],
}


def published(rules: AnyRuleset) -> dict[str, Any]:
    """Return a JSON Schema of commands, events, views and scenarios, in one document."""
    kinds = {
        "command": rules.command_type,
        "event": _open(rules.event_type),
        "view": _open(rules.view_type),
        "scenario": _open(rules.scenario_type),
    }
    parts, defs = msgspec.json.schema_components(
        kinds.values(), schema_hook=_schema_hook, ref_template="#/$defs/{name}"
    )
    for described in defs.values():
        if "description" in described:  # indented or not, as the version of Python likes it
            described["description"] = inspect.cleandoc(described["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{rules.title}, schema {rules.schema}",
        "properties": dict(zip(kinds, parts, strict=True)),
        "$defs": defs,
    }


def _schema_hook(kind: Any) -> dict[str, Any]:
    if kind is Plane:
        return _PLANE
    raise NotImplementedError(f"{kind} has no schema")


def _open(kind: Any) -> Any:
    """Return the type with every roster as a sequence, which is its written form."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Roster:
        return _sequence(_open(args[0]))
    if origin in (typing.Union, types.UnionType):
        return reduce(or_, (_open(arg) for arg in args))
    if origin is tuple:
        return tuple.__class_getitem__(tuple(arg if arg is ... else _open(arg) for arg in args))
    if isinstance(kind, type) and issubclass(kind, Record):
        return _open_record(kind)
    return kind


def _sequence(row: Any) -> Any:
    return tuple[row, ...]


@cache
def _open_record(kind: type[Record]) -> Any:
    hints = typing.get_type_hints(kind)
    fields = {name: _open(hints[name]) for name in kind.__struct_fields__}
    if all(fields[name] == hints[name] for name in fields):
        return kind
    required = list(fields.items())
    config = kind.__struct_config__
    return msgspec.defstruct(
        kind.__name__, required, module=kind.__module__, tag=config.tag, tag_field=config.tag_field
    )
