"""The line to a terminal over an SSH channel: bytes out, bytes in, its size, how full it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, Protocol

import asyncssh

READ_AT_ONCE: Final = 1024
"""Bytes that are taken from a channel at a time, so that a flood leaves room for the others."""

WIDEST: Final = 500
HIGHEST: Final = 200
"""Columns and rows that a terminal is believed to have at most."""

_USUAL: Final = (80, 24)


class Wire(Protocol):
    """What a screen program needs of the line to its terminal."""

    on_size: Callable[[], None] | None
    """Called when the terminal has another size."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether something can be written."""
        ...

    @property
    def unsent(self) -> int:
        """Bytes that were written and have not left this machine."""
        ...

    def write(self, data: bytes) -> None:
        """Write, or drop it if the line is gone."""
        ...

    async def read(self) -> bytes:
        """What comes next; empty when the line is gone."""
        ...

    def unread(self, data: bytes) -> None:
        """Let ``data`` come next."""
        ...

    def close(self, code: int = 0) -> None:
        """Close the line after what is written was sent."""
        ...

    def abort(self) -> None:
        """Cut the line; what is not sent is dropped."""
        ...


def clamped(width: int, height: int) -> tuple[int, int]:
    """A size that can be believed: what clients say may be nothing at all, or enormous."""
    if width <= 0 or height <= 0:
        width, height = width or _USUAL[0], height or _USUAL[1]
    return min(max(width, 1), WIDEST), min(max(height, 1), HIGHEST)


class Session(asyncssh.SSHServerProcess[bytes]):
    """A session of a client. Other sizes are told by a call, and never come out of a read."""

    on_size: Callable[[], None] | None = None
    on_open: Callable[[int], None] | None = None
    """Told 1 when the session is open, and -1 when it is gone."""

    def connection_made(self, chan: Any) -> None:
        """The session is open."""
        super().connection_made(chan)
        if self.on_open is not None:
            self.on_open(1)

    def connection_lost(self, exc: Exception | None) -> None:
        """The session is gone."""
        super().connection_lost(exc)
        self.on_size = None
        if self.on_open is not None:
            self.on_open(-1)

    def terminal_size_changed(
        self,
        width: int,  # noqa: ARG002 - the channel keeps it
        height: int,  # noqa: ARG002 - the same
        pixwidth: int,  # noqa: ARG002 - the same
        pixheight: int,  # noqa: ARG002 - the same
    ) -> None:
        """Tell of another size; however many come, only the last is kept."""
        if self.on_size is not None:
            self.on_size()

    def break_received(self, msec: int) -> bool:  # noqa: ARG002 - as asyncssh calls it
        """Breaks mean nothing here."""
        return False

    def signal_received(self, signal: str) -> None:
        """Signals mean nothing here."""


class ChannelWire:
    """The line of a session that has a terminal."""

    def __init__(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        """Take the session over; nobody else may read from it any more."""
        self._process = process
        self._connection: Any = process.channel.get_connection()
        """Kept here, since a channel that is gone knows it no more."""
        self._first = b""

    @property
    def on_size(self) -> Callable[[], None] | None:
        """Called when the terminal has another size."""
        return getattr(self._process, "on_size", None)

    @on_size.setter
    def on_size(self, told: Callable[[], None] | None) -> None:
        if isinstance(self._process, Session):
            self._process.on_size = told

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        width, height = self._process.term_size[:2]
        return clamped(width, height)

    @property
    def is_open(self) -> bool:
        """Whether something can be written."""
        return not self._process.channel.is_closing()

    @property
    def unsent(self) -> int:
        """Bytes that were written and have not left this machine."""
        return self._process.channel.get_write_buffer_size() + pressing(self._connection)

    def write(self, data: bytes) -> None:
        """Write, or drop it if the line is gone."""
        if self.is_open:
            self._process.stdout.write(data)

    async def read(self) -> bytes:
        """What comes next; empty when the line is gone."""
        if self._first:
            data, self._first = self._first, b""
            return data
        while True:
            try:
                return await self._process.stdin.read(READ_AT_ONCE)
            except (asyncssh.BreakReceived, asyncssh.SignalReceived, asyncssh.TerminalSizeChanged):
                continue
            except (asyncssh.Error, OSError):
                return b""

    def unread(self, data: bytes) -> None:
        """Let ``data`` come next."""
        self._first = data + self._first

    def let_go(self) -> None:
        """Give the session back with what was read ahead of it."""
        if self._first:
            self._process.data_received(self._first, None)
            self._first = b""

    def close(self, code: int = 0) -> None:
        """Close the line after what is written was sent."""
        if self.is_open:
            self._process.exit(code)

    def abort(self) -> None:
        """Cut the line; what is not sent is dropped.

        All of the connection, since who reads nothing never answers that a channel is closed.
        """
        self._connection.abort()


def pressing(connection: Any) -> int:
    """Bytes that wait in a connection, of all its channels.

    A client that wants to may grant an endless window, so that no channel holds anything back and
    all of it waits in the connection; and one that never ends an exchange of keys lets it wait
    there too. asyncssh has no public way to ask for either.
    """
    transport = getattr(connection, "_transport", None)
    waiting = (
        transport.get_write_buffer_size() if isinstance(transport, asyncio.WriteTransport) else 0
    )
    deferred = getattr(connection, "_deferred_packets", ())
    return waiting + sum(len(part) for _, parts in deferred for part in parts)
