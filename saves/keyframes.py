"""Keyframes of a save: states in a file beside it, a cache that can be removed at any time."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from engine.core.codec import decoder, encode, layout
from engine.core.record import Record
from saves.stamp import engine_version

LARGEST = 1 << 28
_HASH = 16


class Keyframe(Record, frozen=True):
    """State after an entry; ``chain``, that of the entry's frame, ties it to one log."""

    seq: int
    chain: bytes
    state: bytes


class KeyframeFile(Record, frozen=True):
    """Content of the file: keyframes of one state layout and program version.

    In the file a hash of 16 bytes precedes it, so that damaged states are not used.
    """

    layout: bytes
    engine: str
    kept: tuple[Keyframe, ...]


def path_of(save: Path) -> Path:
    """Keyframe file of a save."""
    return save.with_suffix(".keys")


def load(save: Path, state_type: Any, chains: tuple[bytes, ...]) -> dict[int, Any]:
    """States that fit this program and this log, by entry; all others are ignored."""
    try:
        side = path_of(save)
        if side.stat().st_size > LARGEST:
            return {}
        data = side.read_bytes()
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


def store(
    save: Path, state_type: Any, chains: tuple[bytes, ...], states: Mapping[int, Any]
) -> None:
    """Store states, by entry; a failure is ignored."""
    kept = tuple(
        Keyframe(seq, chains[seq], encode(state))
        for seq, state in sorted(states.items())
        if 0 <= seq < len(chains)
    )
    side = path_of(save)
    fresh = side.with_suffix(".keys-new")
    with contextlib.suppress(OSError):
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "wb") as file:
            data = encode(KeyframeFile(layout(state_type), engine_version(), kept))
            file.write(_hash(data) + data)
        fresh.replace(side)


def _hash(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_HASH).digest()
