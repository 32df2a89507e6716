"""Entries of old schemas, lifted to the present one."""

from __future__ import annotations

from typing import Any

import msgpack
import msgspec

from engine.core.archive import SaveFault
from engine.core.codec import convert, decoder
from engine.core.log import AnyEntry
from engine.core.ruleset import AnyRuleset, entry_type

DEEPEST = 200_000
"""Most elements of an array or map in an old entry."""


class LaterVersion(SaveFault):
    """A save that only a later version of the program can read. Nothing is wrong with it."""


def read_entry(rules: AnyRuleset, payload: bytes, schema: int, where: str) -> AnyEntry:
    """The entry of a payload that was written with a schema.

    Raises:
        SaveFault: it is broken, or the schema is newer than this program.
    """
    try:
        if schema == rules.schema:
            entry = decoder(entry_type(rules)).decode(payload)
        else:
            entry = convert(lift(rules, unpack(payload), schema), entry_type(rules))
    except SaveFault as fault:
        raise type(fault)(f"{where}: {fault}") from None
    except (ValueError, RecursionError, msgspec.DecodeError, msgpack.UnpackException) as problem:
        raise SaveFault(f"{where}: {problem}") from None
    except Exception as problem:
        raise SaveFault(f"{where}: cannot be lifted from schema {schema}: {problem!r}") from problem
    return entry  # type: ignore[no-any-return]  # the decoder of a dynamic type


def unpack(payload: bytes) -> Any:
    """A payload as plain data."""
    return msgpack.unpackb(payload, max_array_len=DEEPEST, max_map_len=DEEPEST)


def lift(rules: AnyRuleset, raw: Any, schema: int) -> Any:
    """A raw entry of an old schema as one of the present schema.

    Raises:
        SaveFault: there is no way from that schema to this.
    """
    if schema > rules.schema:
        raise LaterVersion(
            f"written with schema {schema} of {rules.name}, this program knows {rules.schema}"
        )
    for number in range(schema, rules.schema):
        if number not in rules.upcasts:
            raise SaveFault(f"{rules.name} cannot read its schema {number} any more")
        raw = rules.upcasts[number](raw)
    return raw
