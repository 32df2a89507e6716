"""Compressed packets that would unfold into something enormous are refused."""

from __future__ import annotations

import zlib
from typing import Final

from asyncssh import compression

MOST: Final = 128 * 1024
"""Bytes that a packet may unfold into; honest ones are at most 32 KiB."""

_NAME: Final = b"zlib@openssh.com"


class Bounded(compression.Decompressor):
    """Unfolds what a client sends as long as it is of a sensible size."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj()

    def decompress(self, data: bytes) -> bytes | None:
        """The packet; None, which ends the connection, if it is no good."""
        try:
            found = self._stream.decompress(data, MOST)
        except zlib.error:
            return None
        return found if not self._stream.unconsumed_tail else None


def bound_inflating() -> None:
    """Let all connections of this process unfold in bounds; asyncssh itself knows none."""
    compression._cmp_decompressors[_NAME] = Bounded  # noqa: SLF001 - it can only be added to
