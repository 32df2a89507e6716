"""Files beside a save: keyframes and marks. Only this program's own files are replaced."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from engine.core.archive import SaveFault
from engine.core.codec import decoder, encode, encode_json, json_decoder, layout
from engine.core.record import Record
from saves.stamp import engine_version

SUFFIX: Final = ".bnr"

KEYS: Final = ".keys"
MARKS: Final = ".marks"
LOCK: Final = ".lock"
"""Suffix of empty files that earlier versions left."""

_RESERVED: Final = re.compile(r"(?P<suffix>\.keys|\.marks|\.lock|\.torn-\d+)(-new)?$")
"""Reserved endings of names: those of files beside saves, finished or in progress."""


def beside(save: Path, suffix: str) -> Path:
    """Return the path of the file with a suffix beside a save.

    No two saves have the same, see ``check_name``.
    """
    return save.with_name(save.name.removesuffix(SUFFIX) + suffix)


def check_name(save: Path) -> None:
    """Check that neither a new save nor the files beside it replace others.

    Raises:
        SaveFault: the name is reserved, or another save has the same files beside it.
    """
    if found := _RESERVED.search(save.name):
        raise SaveFault(f"{save}: {found['suffix']} is for files beside saves; choose another name")
    bare = save.name.removesuffix(SUFFIX)
    twin = save.with_name(bare if bare != save.name else bare + SUFFIX)
    if bare and os.path.isfile(twin):  # noqa: PTH113 - False for a name that is too long
        text = f"{twin.name} is there, which would share the files beside it; choose another name"
        raise SaveFault(f"{save}: {text}")


def move(source: Path, target: Path) -> None:
    """Move the files beside a save to those of its new name.

    Raises:
        OSError: a file cannot be moved.
    """
    for suffix, is_own in _KEPT.items():
        side, fresh = beside(source, suffix), beside(target, suffix)
        if side.exists() and is_own(side) and is_free(fresh, is_own):
            side.rename(fresh)
    remove(source)


def remove(save: Path) -> None:
    """Remove the files beside a save that this program wrote, except torn ends put aside."""
    for suffix, is_own in (*_KEPT.items(), (LOCK, _is_empty)):
        side = beside(save, suffix)
        if side.is_file() and is_own(side):
            side.unlink(missing_ok=True)


def is_free(side: Path, is_own: Callable[[Path], bool]) -> bool:
    """Return whether writing a file there would lose nothing but a file that ``is_own``."""
    return not os.path.lexists(side) or (side.is_file() and is_own(side))


def _replace(side: Path, data: bytes, is_own: Callable[[Path], bool]) -> None:
    """Write a private file beside a save, unless a file of another program has its name.

    Raises:
        OSError: it cannot be written.
    """
    if not is_free(side, is_own):
        return
    handle, name = tempfile.mkstemp(dir=side.parent, prefix=f".{side.name}-")
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        fresh.replace(side)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _is_empty(side: Path) -> bool:
    return side.stat().st_size == 0


# -- keyframes: states in a cache that can be removed at any time ----------------------------------


_KEYS_MAGIC: Final = b"BNRKEYS1"
"""First bytes of a keyframe file; files of versions before 0.7 begin with the hash."""
_LARGEST_KEYS: Final = 1 << 28
"""Maximum bytes of a keyframe file; a larger one is not read."""
_HASH: Final = 16
"""Bytes of the hash that precedes the content of a keyframe file."""


class Keyframe(Record, frozen=True):
    """State after an entry; ``chain``, that of the entry's frame, binds it to one log."""

    seq: int
    chain: bytes
    state: bytes


class KeyframeFile(Record, frozen=True):
    """Content of the file: keyframes of one state layout and program version.

    In the file a hash precedes it, so that damaged states are not used.
    """

    layout: bytes
    engine: str
    kept: tuple[Keyframe, ...]


def _bytes_of(side: Path) -> bytes:
    """Return the bytes of a file beside a save. It must be regular: a pipe would never end.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    if not side.is_file():
        raise OSError(errno.EINVAL, "not a regular file")
    return side.read_bytes()


def keyframe_file(save: Path) -> Path:
    """Return the keyframe file of a save."""
    return beside(save, KEYS)


def load_keyframes(save: Path, state_type: Any, chains: tuple[bytes, ...]) -> dict[int, Any]:
    """Return the stored states that fit this program and log, by entry number.

    ``chains`` is the chain after each entry.
    """
    try:
        side = keyframe_file(save)
        if side.stat().st_size > _LARGEST_KEYS:
            return {}
        data = _bytes_of(side).removeprefix(_KEYS_MAGIC)
        if _hash(data[_HASH:]) != data[:_HASH]:
            return {}
        stored: KeyframeFile = decoder(KeyframeFile).decode(data[_HASH:])
        if stored.layout != layout(state_type) or stored.engine != engine_version():
            return {}
        return {
            kept.seq: decoder(state_type).decode(kept.state)
            for kept in stored.kept
            if 0 <= kept.seq < len(chains) and chains[kept.seq] == kept.chain
        }
    except (OSError, ValueError, RecursionError, msgspec.DecodeError):
        return {}


def store_keyframes(
    save: Path, state_type: Any, chains: tuple[bytes, ...], states: Mapping[int, Any]
) -> None:
    """Store states by entry number; a failure is ignored. ``chains`` is as for loading."""
    kept = tuple(
        Keyframe(seq, chains[seq], encode(state))
        for seq, state in sorted(states.items())
        if 0 <= seq < len(chains)
    )
    data = encode(KeyframeFile(layout(state_type), engine_version(), kept))
    with contextlib.suppress(OSError):
        _replace(keyframe_file(save), _KEYS_MAGIC + _hash(data) + data, _is_keys)


def _is_keys(side: Path) -> bool:
    """Return whether this is a keyframe file of any version, or an empty file."""
    if not side.is_file():
        return False
    with side.open("rb") as file:
        start = file.read(_HASH)
        if not start or start.startswith(_KEYS_MAGIC):
            return True
        if side.stat().st_size > _LARGEST_KEYS:
            return False
        return _hash(file.read()) == start


def _hash(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_HASH).digest()


# -- marks of the debugger: places by name ---------------------------------------------------------


_LARGEST_MARKS: Final = 1 << 20
"""Maximum bytes of a file of marks; a larger one is not read."""

_OLD_PLACE: Final = re.compile(r"[\w.^]{1,30}")


class MarkFile(Record, frozen=True):
    """Content of the file: named places by viewer. ``kind`` distinguishes it from other JSON."""

    kind: Literal["banneret marks"]
    marks: Mapping[str, Mapping[str, str]]


def mark_file(save: Path) -> Path:
    """Return the file of the marks of a save."""
    return beside(save, MARKS)


def load_marks(save: Path) -> dict[str, dict[str, str]]:
    """Return the named places by viewer and name; {} if the file is missing or unreadable."""
    try:
        return _marks_in(mark_file(save)) or {}
    except OSError:
        return {}


def store_marks(save: Path, marks: Mapping[str, Mapping[str, str]]) -> None:
    """Store the named places by viewer and name.

    Raises:
        OSError: they cannot be written, or another program's file has their name.
    """
    side = mark_file(save)
    if not is_free(side, _is_marks):
        raise OSError(errno.EEXIST, f"{side.name} was not written by this program")
    _replace(side, encode_json(MarkFile("banneret marks", marks)), _is_marks)


def _is_marks(side: Path) -> bool:
    return _is_empty(side) or _marks_in(side) is not None


def _marks_in(side: Path) -> dict[str, dict[str, str]] | None:
    """Return the marks in a file; None if it is no file of marks.

    Raises:
        OSError: it cannot be read.
    """
    if side.stat().st_size > _LARGEST_MARKS:
        return None
    data = _bytes_of(side)
    try:
        found: MarkFile = json_decoder(MarkFile).decode(data)
        return {whose: dict(named) for whose, named in found.marks.items()}
    except (ValueError, RecursionError, msgspec.DecodeError):
        return _old_marks(data)


def _old_marks(data: bytes) -> dict[str, dict[str, str]] | None:
    """Return marks in the format of versions before 0.7, or None if it is another format."""
    try:
        found = json_decoder(dict[str, dict[str, str]]).decode(data)
    except (ValueError, RecursionError, msgspec.DecodeError):
        return None
    places = [place for named in found.values() for place in named.values()]
    return found if places and all(map(_OLD_PLACE.fullmatch, places)) else None


_KEPT: Final[Mapping[str, Callable[[Path], bool]]] = {KEYS: _is_keys, MARKS: _is_marks}
"""Suffixes of the files beside a save, each with the check whether a file is its own."""
