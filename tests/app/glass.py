"""Terminals of a host's clients: ``ssh`` in a pseudo-terminal, and a session of asyncssh."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import tty
from collections.abc import Callable, Sequence

import asyncssh
import pyte

from tests.patience import PATIENCE

ANSWERS = b"\x1b[1;2R\x1bP1$r0;48;2;1;2;3m\x1b\\\x1b[?62;4c"
"""Replies of a capable terminal to the questions about its features."""

_LAST_QUESTION = b"\x1b[c"
_STRANGE_TO_PYTE = re.compile(rb"\x1bP[^\x1b]*\x1b\\|\x1b\[>[\d;]*[a-z]|\x1b\[\?2026\$p")


class Glass:
    """A terminal's screen, and every byte that it received."""

    def __init__(self, size: tuple[int, int] = (80, 24)) -> None:
        self.raw = b""
        self.is_over = False
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._news = asyncio.Event()
        self._left = b""

    def send(self, data: bytes) -> None:
        """Type bytes."""
        raise NotImplementedError

    def press(self, keys: str) -> None:
        """Type keys."""
        self.send(keys.encode())

    def show(self, data: bytes) -> None:
        """Receive bytes: answer questions about the terminal, draw the rest."""
        asked = self.raw[-3:] + data
        self.raw += data
        if _LAST_QUESTION in asked:
            self.send(ANSWERS)
        self._stream.feed(_STRANGE_TO_PYTE.sub(b"", data))
        self._news.set()

    def ended(self) -> None:
        """Note that the connection has ended."""
        self.is_over = True
        self._news.set()

    @property
    def text(self) -> str:
        """Text on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def cursor(self) -> tuple[int, int] | None:
        """Position (column, row) of the terminal's cursor; None if it is hidden."""
        if self._screen.cursor.hidden:
            return None
        return self._screen.cursor.x, self._screen.cursor.y

    def back(self, x: int, y: int) -> str:
        """Return the background colour of a cell."""
        return str(self._screen.buffer[y][x].bg)

    async def until(self, *wanted: str | Callable[[str], bool]) -> str:
        """Wait until the screen matches all of ``wanted``; return its text."""

        def is_so() -> bool:
            text = self.text
            return all(one in text if isinstance(one, str) else one(text) for one in wanted)

        try:
            async with asyncio.timeout(PATIENCE):
                while not is_so():
                    await self.news()
        except TimeoutError:
            message = f"waited for {wanted}; {self.raw[-300:]!r}\n{self.text}"
            raise AssertionError(message) from None
        return self.text

    async def news(self) -> None:
        """Wait for the next bytes, or for the end."""
        self._news.clear()
        await self._news.wait()

    async def over(self) -> None:
        """Wait until the connection has ended."""
        async with asyncio.timeout(PATIENCE):
            while not self.is_over:
                await self.news()


class RealTerminal(Glass):
    """The ``ssh`` of OpenSSH in a pseudo-terminal."""

    def __init__(self, command: Sequence[str], size: tuple[int, int], term: str) -> None:
        super().__init__(size)
        self._end, other = pty.openpty()
        tty.setraw(other)
        self._set_size(*size)
        self.process = subprocess.Popen(
            command,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            env={**os.environ, "TERM": term},
        )
        os.close(other)
        os.set_blocking(self._end, False)
        asyncio.get_running_loop().add_reader(self._end, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._end, 65536)
        except BlockingIOError:
            return
        except OSError:  # the program has closed its side
            data = b""
        if data:
            self.show(data)
        else:
            asyncio.get_running_loop().remove_reader(self._end)
            self.ended()

    def send(self, data: bytes) -> None:
        """Type bytes."""
        os.write(self._end, data)

    def resize(self, columns: int, rows: int) -> None:
        """Resize the terminal."""
        self._screen.resize(rows, columns)
        self._set_size(columns, rows)
        self.process.send_signal(signal.SIGWINCH)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def close(self) -> None:
        """Kill the program if it still runs; close the terminal."""
        asyncio.get_running_loop().remove_reader(self._end)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self._end)


class AsyncTerminal(Glass):
    """A terminal at a session of asyncssh."""

    def __init__(self, process: asyncssh.SSHClientProcess[bytes], size: tuple[int, int]) -> None:
        super().__init__(size)
        self.process = process
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while data := await self.process.stdout.read(65536):
                self.show(data)
        except (asyncssh.Error, OSError):
            pass
        self.ended()

    def send(self, data: bytes) -> None:
        """Type bytes, unless the channel is closing."""
        if not self.process.channel.is_closing():
            self.process.stdin.write(data)

    def resize(self, columns: int, rows: int) -> None:
        """Announce another size to the host; resize this screen only if the size is possible."""
        if 0 < columns <= 500 and 0 < rows <= 200:
            self._screen.resize(rows, columns)
        self.process.change_terminal_size(columns, rows)
