"""What stands in the frames besides entries."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from engine.core.archive import Header, Player, SaveFault
from engine.core.codec import decoder
from engine.core.record import Record

FORMAT: Final = 1
"""The number of this form of files."""


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
