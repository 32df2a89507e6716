"""Payloads of frames: records other than entries, and entries of current and old schemas."""

from __future__ import annotations

from typing import Any, Final

import msgpack
import msgspec

from engine.core.archive import SaveFault, SeatPlayer
from engine.core.codec import convert, decoder
from engine.core.log import AnyEntry
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset, entry_type

FORMAT: Final = 1
"""Version of the file format."""

DEEPEST: Final = 200_000
"""Maximum elements of an array or map in an old entry."""


class HeaderPayload(Record, frozen=True):
    """Header, the first frame. Unknown fields are ignored."""

    format: int
    engine: str
    ruleset: str
    schema: int
    seed: bytes
    players: tuple[SeatPlayer, ...]
    rules_hash: str = ""
    created: str = ""
    title: str = ""


class EnginePayload(Record, frozen=True):
    """Change of the program version or the rules that write from here on."""

    engine: str
    schema: int
    rules_hash: str = ""


class HeadPayload(Record, frozen=True):
    """Change of head: the game continues from this entry."""

    to: int


class AgainPayload(Record, frozen=True):
    """Change of head to an entry, followed by copies of later entries in this order.

    One frame, so that no crash separates an undo from the entries that it must keep.
    """

    to: int
    entries: tuple[int, ...]


class CommentPayload(Record, frozen=True):
    """Comment on an entry."""

    seq: int
    text: str


class NoticePayload(Record, frozen=True):
    """Notice of the table; its kind is the frame's kind."""

    seq: int = 0
    name: str = ""
    text: str = ""
    seat: int = -1
    bot: str = ""
    left: int = 0
    when: float = 0.0


def read_payload(kind: type[Record], payload: bytes, where: str) -> Any:
    """Return the record in a payload.

    Raises:
        SaveFault: the payload is no such record.
    """
    try:
        return decoder(kind).decode(payload)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as problem:
        raise SaveFault(f"{where}: {problem}") from None


# -- entries of old schemas ---------------------------------------------------------------


class LaterVersion(SaveFault):
    """Sound save that only a later version of the program can read."""


def read_entry(rules: AnyRuleset, payload: bytes, schema: int, where: str) -> AnyEntry:
    """Return the entry in a payload that was written with ``schema``.

    Raises:
        LaterVersion: the schema is newer than this program.
        SaveFault: the payload is broken, or cannot be lifted.
    """
    try:
        if schema == rules.schema:
            entry = decoder(entry_type(rules)).decode(payload)
        else:
            raw = msgpack.unpackb(payload, max_array_len=DEEPEST, max_map_len=DEEPEST)
            entry = convert(_lift(rules, raw, schema), entry_type(rules))
    except SaveFault as fault:
        raise type(fault)(f"{where}: {fault}") from None
    except (ValueError, RecursionError, msgspec.DecodeError, msgpack.UnpackException) as problem:
        raise SaveFault(f"{where}: {problem}") from None
    except Exception as problem:
        raise SaveFault(f"{where}: cannot be lifted from schema {schema}: {problem!r}") from problem
    return entry  # type: ignore[no-any-return]  # the decoder of a dynamic type


def _lift(rules: AnyRuleset, raw: Any, schema: int) -> Any:
    """Lift a raw entry of an old schema to the current one.

    Raises:
        LaterVersion: the schema is newer than this program.
        SaveFault: a step between the schemas is missing.
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
