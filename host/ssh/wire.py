"""Connection to a terminal over an SSH channel: bytes out and in, size, unsent bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, Protocol

import asyncssh

from tui.terminal.input_units import UnitReader, typed_text

READ_AT_ONCE: Final = 1024
"""Maximum bytes of one read, so that a flood does not starve others."""

WIDEST: Final = 500
HIGHEST: Final = 200
"""Maximum columns and rows of a terminal."""

_USUAL: Final = (80, 24)


class Wire(Protocol):
    """Connection of a screen program to its terminal."""

    on_size: Callable[[], None] | None
    """Called after the terminal has changed its size."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the terminal."""
        ...

    @property
    def is_open(self) -> bool:
        """True while it can be written to."""
        ...

    @property
    def unsent(self) -> int:
        """Bytes written that have not left this machine."""
        ...

    def write(self, data: bytes) -> None:
        """Write bytes; drop them if the connection is lost."""
        ...

    async def read(self) -> bytes:
        """Return the next input; empty when the connection is lost."""
        ...

    def unread(self, data: bytes) -> None:
        """Push ``data`` back, to be read next."""
        ...

    def close(self, code: int = 0) -> None:
        """Close after everything written was sent."""
        ...

    def abort(self) -> None:
        """Close at once; unsent bytes are dropped."""
        ...


async def read_typed(wire: Wire, reader: UnitReader) -> str:
    """Return the next typed characters; empty when the connection is lost.

    Replies of the terminal and keys that type nothing are skipped.
    """
    while True:
        try:
            async with asyncio.timeout(reader.wait):
                data = await wire.read()
        except TimeoutError:
            typed = typed_text(reader.tick())
        else:
            typed = typed_text(reader.feed(data))
            if not data:
                return ""
        if typed:
            return typed


def clamped(width: int, height: int) -> tuple[int, int]:
    """Return a plausible size: clients may report zero or enormous numbers."""
    if width <= 0 or height <= 0:
        width, height = width or _USUAL[0], height or _USUAL[1]
    return min(max(width, 1), WIDEST), min(max(height, 1), HIGHEST)


class SshSession(asyncssh.SSHServerProcess[bytes]):
    """Session of a client. Changes of size are reported by a call, not by an exception."""

    on_size: Callable[[], None] | None = None
    on_open: Callable[[int], None] | None = None
    """Called with 1 when the session is open, and with -1 when it is closed."""
    on_input: Callable[[], None] | None = None
    """Called when the client has sent something."""

    def connection_made(self, chan: Any) -> None:
        """Count the open session."""
        super().connection_made(chan)
        if self.on_open is not None:
            self.on_open(1)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the closed session."""
        super().connection_lost(exc)
        self.on_size = None
        if self.on_open is not None:
            self.on_open(-1)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """Report that input came, and keep it for the reader."""
        if self.on_input is not None:
            self.on_input()
        super().data_received(data, datatype)

    def terminal_size_changed(
        self,
        width: int,  # noqa: ARG002 - the channel keeps it
        height: int,  # noqa: ARG002 - the same
        pixwidth: int,  # noqa: ARG002 - the same
        pixheight: int,  # noqa: ARG002 - the same
    ) -> None:
        """Report another size; only the latest is kept."""
        if self.on_size is not None:
            self.on_size()

    def break_received(self, msec: int) -> bool:  # noqa: ARG002 - as asyncssh calls it
        """Return False: breaks are ignored."""
        return False

    def signal_received(self, signal: str) -> None:
        """Ignore signals."""


class ChannelWire:
    """Wire of a session that has a terminal."""

    def __init__(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        """Take over a session; no other code may read from it."""
        self._process = process
        self._connection: Any = process.channel.get_connection()
        """Stored here, since a closed channel no longer knows it."""
        self._first = b""

    @property
    def on_size(self) -> Callable[[], None] | None:
        """Called after the terminal has changed its size, or None."""
        return getattr(self._process, "on_size", None)

    @on_size.setter
    def on_size(self, told: Callable[[], None] | None) -> None:
        if isinstance(self._process, SshSession):
            self._process.on_size = told

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the terminal."""
        width, height = self._process.term_size[:2]
        return clamped(width, height)

    @property
    def is_open(self) -> bool:
        """True while it can be written to."""
        return not self._process.channel.is_closing()

    @property
    def unsent(self) -> int:
        """Bytes written that have not left this machine."""
        return self._process.channel.get_write_buffer_size() + pressing(self._connection)

    def write(self, data: bytes) -> None:
        """Write bytes; drop them if the connection is lost."""
        if self.is_open:
            self._process.stdout.write(data)

    async def read(self) -> bytes:
        """Return the next input; empty when the connection is lost."""
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
        """Push ``data`` back, to be read next."""
        self._first = data + self._first

    def let_go(self) -> None:
        """Give the session back, with the bytes that were read ahead."""
        if self._first:
            self._process.data_received(self._first, None)
            self._first = b""

    def close(self, code: int = 0) -> None:
        """Close after everything written was sent."""
        if self.is_open:
            self._process.exit(code)

    def abort(self) -> None:
        """Close at once; unsent bytes are dropped.

        This closes the whole connection: a client that reads nothing never confirms a closed
        channel.
        """
        self._connection.abort()


def pressing(connection: Any) -> int:
    """Return the unsent bytes of a connection, of all its channels.

    A client may grant an unlimited window, so that everything waits in the connection rather than
    in its channels; one that never finishes a key exchange lets it wait there as well. asyncssh has
    no public way to ask for either.
    """
    transport = getattr(connection, "_transport", None)
    waiting = (
        transport.get_write_buffer_size() if isinstance(transport, asyncio.WriteTransport) else 0
    )
    deferred = getattr(connection, "_deferred_packets", ())
    return waiting + sum(len(part) for _, parts in deferred for part in parts)
