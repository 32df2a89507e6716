"""Frames: the units in which a save is written, read and cut.

A frame is the MessagePack array ``[kind, seq, crc32, chain, payload]``. ``crc32`` guards one frame;
``chain`` is a running hash that guards the order of all frames so far. ``docs/save-format.md`` is
the full description.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

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


class Fault(NamedTuple):
    """End of the readable part of a file, as an offset, with the reason.

    ``torn`` is True if the file ends within a possible frame.
    """

    at: int
    reason: str
    torn: bool = False


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
    """Yield the frames of a file from its beginning; a fault, if there is one, comes last."""
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
                yield Fault(at, "the last frame is not complete", torn=True)
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

    Distinguishes damage in the middle of a file, with good frames after it, from a torn end.
    """
    at, tried = data.find(FIRST_BYTE, start), 0
    while at >= 0:
        if data.startswith(_KINDS, at + 2):
            tried += 1
            if tried > _MOST_TRIES or _frame_at(data, at):
                return True
        at = data.find(FIRST_BYTE, at + 1)
    return False


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
