"""Text over an SSH channel: without control characters, at the speed of the reader."""

from __future__ import annotations

import asyncio
import codecs
import re
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator
from typing import Any, Final, Generic, TypeVar

import asyncssh

from engine.core.printable import harmless
from tui.console.printing import plain_ascii

LONGEST_ROW: Final = 4_000
"""Maximum characters of a row; a longer one is cut."""

PATIENCE: Final = 60.0
"""Maximum seconds for a reader to drain the buffer."""

MOST_WAITING: Final = 2_000
"""Maximum items queued for a slow reader."""

AT_ONCE: Final = 200
"""Lines of a long text that are written at a time."""

T = TypeVar("T")

_CHUNK: Final = 16_384
_UNSEEN = re.compile(r"[^ -~]")


class Gone(Exception):
    """The client has disconnected."""


class TooSlow(Exception):
    """The client does not read its output."""


def visible_json(line: str, *, only_ascii: bool = False) -> str:
    """Return equivalent JSON without unprintable characters."""

    def escaped(found: re.Match[str]) -> str:
        sign = found.group()
        if sign.isprintable() and not only_ascii:
            return sign
        units = sign.encode("utf-16-be", "surrogatepass")
        return "".join(
            f"\\u{int.from_bytes(units[at : at + 2], 'big'):04x}" for at in range(0, len(units), 2)
        )

    return _UNSEEN.sub(escaped, line)


class LineWriter:
    """Writer of lines on one stream of a channel, which waits for its reader.

    Control characters are removed. Every method may raise ``Gone`` or ``TooSlow``.
    """

    def __init__(self, writer: asyncssh.SSHWriter[bytes], *, has_terminal: bool = False) -> None:
        """Write to a stream; with ``has_terminal`` lines end with CR LF."""
        self.only_ascii = False
        self._writer = writer
        self._end = "\r\n" if has_terminal else "\n"

    async def say(self, *lines: str) -> None:
        """Write lines of text."""
        await self.write("".join(self._row(line) + self._end for line in lines))

    async def say_json(self, *lines: str) -> None:
        """Write lines of JSON."""
        shown = (visible_json(line, only_ascii=self.only_ascii) for line in lines)
        await self.write("".join(line + self._end for line in shown))

    async def say_all(self, lines: Iterable[str], *, as_json: bool = False) -> None:
        """Write many lines, in parts; the lines are computed in another thread."""
        rest = iter(lines)
        say = self.say_json if as_json else self.say
        while some := await asyncio.to_thread(_taken, rest):
            await say(*some)

    async def write(self, text: str) -> None:
        """Write text as it is; the caller guarantees that it has no control characters."""
        if self._end != "\n":
            text = text.replace("\r\n", "\n").replace("\n", "\r\n")
        await self.write_bytes(text.encode("utf-8", "replace"))

    async def write_bytes(self, data: bytes) -> None:
        """Write bytes in chunks, so that the buffer stays small."""
        for at in range(0, len(data), _CHUNK):
            try:
                self._writer.write(data[at : at + _CHUNK])
                async with asyncio.timeout(PATIENCE):
                    await self._writer.drain()
            except TimeoutError:
                raise TooSlow from None
            except (OSError, asyncssh.Error):
                raise Gone from None

    def _row(self, line: str) -> str:
        cut = line if len(line) <= LONGEST_ROW else f"{line[: LONGEST_ROW - 3]}..."
        shown = harmless(cut)
        return plain_ascii(shown) if self.only_ascii else shown


def _taken(rest: Iterator[str]) -> list[str]:
    """Return the next lines of a long text; [] at the end."""
    return [line for line, _ in zip(rest, range(AT_ONCE), strict=False)]


class Backlog(Generic[T]):
    """Bounded queue for a reader: ``put`` never waits, ``get`` does.

    Items beyond the bound are lost; then ``get`` raises ``TooSlow``.
    """

    def __init__(self, most: int) -> None:
        """Make a queue for at most ``most`` items."""
        self._most = most
        self._waiting: deque[T] = deque()
        self._room = asyncio.Event()
        self._room.set()
        self._stir = asyncio.Event()
        self._full = asyncio.Event()
        self._closed = False

    def put(self, one: T) -> None:
        """Add an item."""
        if self._closed or self._full.is_set():
            return
        self._waiting.append(one)
        if len(self._waiting) > self._most:
            self._full.set()
            self._waiting.clear()
        elif 2 * len(self._waiting) > self._most:
            self._room.clear()
        self._stir.set()

    def close(self) -> None:
        """End the queue; queued items are still returned."""
        self._closed = True
        self._stir.set()

    async def room(self) -> None:
        """Wait until at least half of the queue is free."""
        await self._room.wait()

    async def overflow(self) -> None:
        """Wait until the bound is exceeded, then raise ``TooSlow``."""
        await self._full.wait()
        raise TooSlow

    async def get(self) -> tuple[T, ...]:
        """Wait until items are queued, and return them all; () once the queue has ended.

        Raises:
            TooSlow: the queue has overflowed.
        """
        while True:
            if self._full.is_set():
                raise TooSlow
            if self._waiting:
                found = tuple(self._waiting)
                self._waiting.clear()
                self._room.set()
                return found
            if self._closed:
                return ()
            self._stir.clear()
            await self._stir.wait()


async def lines_from(reader: asyncssh.SSHReader[bytes], longest: int) -> AsyncIterator[str | None]:
    """Yield lines from a channel; None in place of one longer than ``longest`` characters.

    Invalid UTF-8 is replaced, memory is bounded, the last line needs no line break.

    Raises:
        Gone: the connection is lost.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    held, too_long = "", False
    async for data in pieces(reader):
        held += decoder.decode(data)
        *whole, held = held.split("\n")
        for line in whole:
            yield None if too_long or len(line) > longest else line.rstrip("\r")
            too_long = False
        if len(held) > longest:
            held, too_long = "", True
    if held or too_long:
        yield None if too_long else held.rstrip("\r")


async def pieces(reader: asyncssh.SSHReader[bytes]) -> AsyncIterator[bytes]:
    """Yield chunks from a channel, as they arrive.

    Raises:
        Gone: the connection is lost, or the client sent a break or a signal.
    """
    while True:
        try:
            data = await reader.read(_CHUNK)
        except asyncssh.TerminalSizeChanged:
            continue
        except (asyncssh.BreakReceived, asyncssh.SignalReceived, OSError, asyncssh.Error):
            raise Gone from None
        if not data:
            return
        yield data


async def first_of(*works: Coroutine[Any, Any, None]) -> None:
    """Run several coroutines until the first is done, then cancel the others.

    Raises the exception of any of them.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for one in ended:
        if isinstance(one, Exception):
            raise one
