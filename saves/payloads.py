"""What stands in the frames besides entries."""

from __future__ import annotations

from typing import Any, Final

import msgpack
import msgspec

from engine.core.archive import Header, Player, SaveFault
from engine.core.codec import convert, decoder
from engine.core.log import AnyEntry
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset, entry_type

FORMAT: Final = 1
"""The number of this form of files."""

DEEPEST = 200_000
"""Most elements of an array or map in an old entry."""


class HeaderPayload(Record, frozen=True):
    """The first frame. Fields that are not known here are left alone."""

    format: int
    engine: str
    ruleset: str
    schema: int
    seed: bytes
    players: tuple[Player, ...]
    rules_hash: str = ""
    created: str = ""
    title: str = ""


class EnginePayload(Record, frozen=True):
    """Another version writes from here on."""

    engine: str
    schema: int
    rules_hash: str = ""


class HeadPayload(Record, frozen=True):
    """The game goes on from this entry."""

    to: int


class AgainPayload(Record, frozen=True):
    """The game goes on from this entry, followed by copies of later ones in this order.

    It is one frame, so that no crash can part an undo from what it must not undo.
    """

    to: int
    entries: tuple[int, ...]


class CommentPayload(Record, frozen=True):
    """A remark at an entry."""

    seq: int
    text: str


class NoticePayload(Record, frozen=True):
    """What happened at the table; the kind of the frame says what."""

    seq: int = 0
    name: str = ""
    text: str = ""
    seat: int = -1
    bot: str = ""
    left: int = 0
    when: float = 0.0


def read_payload(kind: type[Record], payload: bytes, where: str) -> Any:
    """A payload as a record.

    Raises:
        SaveFault: it is no such record.
    """
    try:
        return decoder(kind).decode(payload)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as problem:
        raise SaveFault(f"{where}: {problem}") from None


def header_of(payload: HeaderPayload) -> Header:
    """The part of a header that is not the file's own business."""
    return Header(
        ruleset=payload.ruleset,
        schema=payload.schema,
        seed=payload.seed,
        players=payload.players,
        rules_hash=payload.rules_hash,
        created=payload.created,
        title=payload.title,
    )


# -- entries of old schemas ---------------------------------------------------------------


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
