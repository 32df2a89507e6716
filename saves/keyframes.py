"""Remembered states beside a save: a cache that can be thrown away at any moment."""

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


class Kept(Record, frozen=True):
    """A state after an entry; ``chain`` is that of the entry's frame, so it fits one log only."""

    seq: int
    chain: bytes
    state: bytes


class Shelf(Record, frozen=True):
    """All that is kept, and for which layout of the state and version of the program.

    In the file 16 bytes of hash stand before it: a state with a flipped bit must not be shown.
    """

    layout: bytes
    engine: str
    kept: tuple[Kept, ...]


def path_of(save: Path) -> Path:
    """The side file of a save."""
    return save.with_suffix(".keys")


def load(save: Path, state_type: Any, chains: tuple[bytes, ...]) -> dict[int, Any]:
    """The states that fit this program and this log, by entry; whatever does not fit is ignored."""
    try:
        side = path_of(save)
        if side.stat().st_size > LARGEST:
            return {}
        data = side.read_bytes()
        if _hash(data[_HASH:]) != data[:_HASH]:
            return {}
        shelf: Shelf = decoder(Shelf).decode(data[_HASH:])
        if shelf.layout != layout(state_type) or shelf.engine != engine_version():
            return {}
        return {
            kept.seq: decoder(state_type).decode(kept.state)
            for kept in shelf.kept
            if 0 <= kept.seq < len(chains) and chains[kept.seq] == kept.chain
        }
    except (OSError, ValueError, RecursionError, msgspec.DecodeError):
        return {}


def store(
    save: Path, state_type: Any, chains: tuple[bytes, ...], states: Mapping[int, Any]
) -> None:
    """Keep states for next time; if that fails, nothing is lost."""
    kept = tuple(
        Kept(seq, chains[seq], encode(state))
        for seq, state in sorted(states.items())
        if 0 <= seq < len(chains)
    )
    side = path_of(save)
    fresh = side.with_suffix(".keys-new")
    with contextlib.suppress(OSError):
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "wb") as file:
            data = encode(Shelf(layout(state_type), engine_version(), kept))
            file.write(_hash(data) + data)
        fresh.replace(side)


def _hash(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_HASH).digest()
