"""Frames: the units in which a save is written, read and cut.

A frame is the MessagePack array ``[kind, seq, crc32, chain, payload]``. ``crc32`` guards one frame;
``chain`` is a running hash that guards the order of all frames so far. ``docs/save-format.md`` is
the full description.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgpack

HEADER: Final = "header"
ENTRY: Final = "entry"
HEAD: Final = "head"
AGAIN: Final = "again"
ENGINE: Final = "engine"
COMMENT: Final = "comment"
CLOCK: Final = "clock"
SEAT: Final = "seat"
TALK: Final = "talk"

START: Final = bytes(8)
"""Chain before the first frame."""

LARGEST: Final = 8 << 20
"""Maximum bytes of a payload."""

LARGEST_HEADER: Final = (1 << 20) - 64
"""Maximum bytes of the payload of a header, which is read from the first MiB of a file."""

FIRST_BYTE: Final = 0x95
"""First byte of every frame: a MessagePack array of five elements."""

_PART_TYPES: Final = (str, int, int, bytes, bytes)
"""Types of the parts of a frame."""

_NUMBERS: Final = bytes((*range(0x80), *range(0xCC, 0xD0)))
_CHAIN_BEGINS: Final = b"\xc4\x08"
_PART_BYTES: Final = (bytes(range(0xA1, 0xB0)), _NUMBERS, _NUMBERS, b"\xc4", b"\xc4\xc5\xc6")
"""Bytes with which each part of a frame may begin."""

_PAYLOAD_STARTS: Final = (2, 3, 5)
"""Offsets of a payload behind its type and length."""

_BLOCK: Final = 1 << 16
_LONGEST_FRAME: Final = LARGEST + 64
"""Maximum bytes of a frame: its payload and the fields before it."""
_KINDS: Final = tuple(
    kind.encode() for kind in (ENTRY, HEAD, AGAIN, ENGINE, COMMENT, CLOCK, SEAT, TALK)
)
_MOST_TRIES: Final = 64
"""Number of positions that resemble a frame above which a file counts as having frames."""


class Frame(NamedTuple):
    """Whole frame; ``end`` is the offset of its end, ``chain`` the running hash up to it."""

    kind: str
    seq: int
    payload: bytes
    chain: bytes
    end: int


class Ending(StrEnum):
    """Kind of fault that ends the readable part of a file."""

    CUT = "cut off"
    """A frame is shorter than its length says."""
    DAMAGED = "damaged"
    """Bytes were changed: a frame of full length has a wrong checksum, or no frame begins here."""
    UNCLEAR = "cut off or damaged"
    """The file ends within bytes that do not begin as a frame does."""


class Fault(NamedTuple):
    """End of the readable part of a file, as an offset, with the reason."""

    at: int
    reason: str
    ending: Ending = Ending.DAMAGED


def pack_frame(kind: str, seq: int, payload: bytes, chain: bytes) -> tuple[bytes, bytes]:
    """Return the bytes of the frame that follows ``chain``, and the chain after it.

    Raises:
        ValueError: the payload is too large.
    """
    largest = LARGEST_HEADER if kind == HEADER else LARGEST
    if len(payload) > largest:
        raise ValueError(f"a frame of {len(payload)} bytes is larger than {largest}")
    label = _label(kind, seq)
    crc = zlib.crc32(payload, zlib.crc32(label))
    after = _chain(chain, label, payload)
    packed = msgpack.packb([kind, seq, crc, after, payload])
    assert isinstance(packed, bytes)  # noqa: S101 - the library's stubs allow None
    return packed, after


def scan(data: bytes | memoryview) -> Iterator[Frame | Fault]:
    """Yield the frames of a file from its beginning; a fault, if any, comes last."""
    unpacker = _unpacker()
    chain, at, fed, size = START, 0, 0, len(data)
    while True:
        try:
            parts = unpacker.unpack()
        except msgpack.OutOfData:
            if fed < size and fed - at <= _LONGEST_FRAME:
                unpacker.feed(data[fed : fed + _BLOCK])
                fed += _BLOCK
                continue
            if fed < size:
                yield Fault(at, f"no frame: it is longer than {LARGEST} bytes")
                return
            if at < size:
                yield _unfinished(data, at)
            return
        except (ValueError, msgpack.UnpackException) as problem:
            yield Fault(at, f"no frame: {str(problem) or type(problem).__name__}")
            return
        end = unpacker.tell()
        found = _checked(parts, chain, end)
        if isinstance(found, str):
            yield Fault(at, found)
            return
        yield found
        chain, at = found.chain, end


def has_frames(data: bytes, start: int) -> bool:
    """Return whether a whole frame begins at or after ``start``; its chain is not checked.

    This distinguishes damage in the middle of a file, with good frames after it, from a torn end.
    """
    at, tried = data.find(FIRST_BYTE, start), 0
    while at >= 0:
        if data.startswith(_KINDS, at + 2):
            tried += 1
            if tried > _MOST_TRIES or _frame_at(data, at):
                return True
        at = data.find(FIRST_BYTE, at + 1)
    return False


def _unfinished(data: bytes | memoryview, at: int) -> Fault:
    """Return the fault of a last frame for which the file is too short.

    If only its length was changed, the rest of the file fits the checksum. If it does not, the
    frame is cut off, provided that all that is left of it can be the beginning of one.
    """
    rest = bytes(data[at:])
    unclear = Fault(at, "the file ends within what is no frame", Ending.UNCLEAR)
    if rest[0] != FIRST_BYTE:
        return unclear
    unpacker = _unpacker()
    unpacker.feed(rest[1:])
    parts: list[Any] = []
    end = 1
    with suppress(msgpack.OutOfData):
        while True:
            parts.append(unpacker.unpack())
            end = 1 + unpacker.tell()
    left = rest[end:]
    if not all(map(isinstance, parts, _PART_TYPES)) or not _may_begin(left, len(parts)):
        return unclear
    if len(parts) == len(_PART_TYPES) - 1:
        kind, seq, crc, chain = parts
        if len(chain) != len(START):
            return unclear
        before = zlib.crc32(_label(kind, seq))
        if any(zlib.crc32(left[start:], before) == crc for start in _PAYLOAD_STARTS):
            return Fault(at, "the length of a frame does not fit")
    return Fault(at, "it is shorter than its length says", Ending.CUT)


def _may_begin(left: bytes, number: int) -> bool:
    """Return whether part ``number`` of a frame may begin with these bytes, or with none."""
    if number == _PART_TYPES.index(bytes):
        return left[:2] == _CHAIN_BEGINS[: len(left)]
    return left[:1] in _PART_BYTES[number]


def _frame_at(data: bytes, at: int) -> bool:
    unpacker = _unpacker()
    try:
        unpacker.feed(data[at : at + _LONGEST_FRAME])
        parts = unpacker.unpack()
    except (ValueError, msgpack.UnpackException, msgpack.OutOfData):
        return False
    return not isinstance(_checked(parts, None, 0), str)


def _unpacker() -> msgpack.Unpacker:
    """Return an unpacker with the limits of a frame; it refuses larger data before allocation."""
    return msgpack.Unpacker(
        raw=False,
        strict_map_key=True,
        max_buffer_size=_LONGEST_FRAME + _BLOCK,
        max_str_len=16,
        max_bin_len=LARGEST,
        max_array_len=5,
        max_map_len=0,
        max_ext_len=0,
    )


def _checked(parts: object, chain: bytes | None, end: int) -> Frame | str:
    """Return the frame of five parts, or the fault; None for ``chain`` skips the chain check."""
    if not isinstance(parts, list) or len(parts) != 5:
        return "no frame begins here"
    kind, seq, crc, told, payload = parts
    if not (
        isinstance(kind, str)
        and isinstance(seq, int)
        and isinstance(crc, int)
        and isinstance(told, bytes)
        and isinstance(payload, bytes)
        and 0 <= seq < 1 << 63
    ):
        return "a frame's parts have the wrong types"
    label = _label(kind, seq)
    if zlib.crc32(payload, zlib.crc32(label)) != crc:
        return "the checksum of a frame does not fit"
    if chain is None:
        return Frame(kind, seq, payload, told, end)
    if _chain(chain, label, payload) != told:
        return "a frame does not belong behind the one before it"
    return Frame(kind, seq, payload, told, end)


def _label(kind: str, seq: int) -> bytes:
    return f"{kind} {seq} ".encode()


def _chain(before: bytes, label: bytes, payload: bytes) -> bytes:
    return hashlib.blake2b(before + label + payload, digest_size=8).digest()
