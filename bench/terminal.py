"""A program under a pseudo-terminal that answers in the manner of a modern terminal."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyte

ROOT = Path(__file__).parent.parent

PATIENCE = 30.0
"""Seconds after which a program that does not show the expected text has failed."""

ANSWERS = {
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",
    b"\x1b[?2048$p": b"\x1b[?2048;0$y",
    b"\x1b[c": b"\x1b[?62;22c",
    b"\x1b[>c": b"\x1b[>1;10;0c",
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[?u": b"\x1b[?0u",
    b"\x1b]10;?": b"\x1b]10;rgb:d8d8/dede/e9e9\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
"""Queries to a terminal, and its answers."""

_PRIVATE = re.compile(rb"\x1b\[[<=>][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\[\?[0-9;]*u")
"""Matches sequences that pyte would treat as text."""

_UNFINISHED = re.compile(rb"\x1b(?:\[[<=>?]?[0-9;]*\$?)?\Z")


class Answer(NamedTuple):
    """Output that followed a key."""

    seconds: float
    """From the key to the last byte of its output."""
    frames: tuple[bytes, ...]
    """Bytes in the pieces in which they were read."""

    @property
    def size(self) -> int:
        """Number of bytes of output."""
        return sum(map(len, self.frames))


_NOT_PASSED_ON = ("COLORTERM", "PYTHONDONTWRITEBYTECODE")
"""Variables removed so that programs start as for players, with modules compiled earlier."""


class Terminal:
    """A program, its input and its output."""

    def __init__(
        self, words: Sequence[str], size: tuple[int, int], env: Mapping[str, str] | None = None
    ) -> None:
        """Start a program. ``size``: columns and rows; ``env``: added to the environment."""
        self.columns, self.rows = size
        self._said = b""
        """Bytes that were read but not yet passed to the screen."""
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self.master, slave = pty.openpty()
        self._tell_size()
        own = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(env or {})}
        plain = {name: value for name, value in os.environ.items() if name not in _NOT_PASSED_ON}
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            list(words),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env={**plain, **own},
            start_new_session=True,
        )
        os.close(slave)

    # -- output ----------------------------------------------------------------------------------

    def read(self, wait: float) -> bytes:
        """Return the bytes that come within ``wait`` seconds; queries are answered."""
        if not select.select([self.master], [], [], wait)[0]:
            return b""
        try:
            said = os.read(self.master, 1 << 16)
        except OSError:
            return b""
        if b"\x1b" in said:
            for question, answer in ANSWERS.items():
                if question in said:
                    os.write(self.master, answer)
        self._said += said
        return said

    def until(self, wanted: str, most: float = PATIENCE) -> None:
        """Read until a text is on the screen.

        Raises:
            TimeoutError: it did not appear; the message is the screen.
        """
        end = time.perf_counter() + most
        while wanted not in self.text:
            if time.perf_counter() > end:
                raise TimeoutError(f"{wanted!r} is not shown:\n{self.text}")
            self.read(0.05)

    def rest(self, quiet: float = 0.15) -> Answer:
        """Read until nothing has come for ``quiet`` seconds; return what came."""
        begun = last = time.perf_counter()
        frames = []
        while said := self.read(quiet):
            frames.append(said)
            last = time.perf_counter()
        return Answer(last - begun, tuple(frames))

    # -- screen ----------------------------------------------------------------------------------

    @property
    def screen(self) -> pyte.Screen:
        """Current screen."""
        said = _PRIVATE.sub(b"", self._said)
        cut = _UNFINISHED.search(said)
        self._said = said[cut.start() :] if cut else b""
        self._stream.feed(said[: cut.start()] if cut else said)
        return self._screen

    @property
    def text(self) -> str:
        """Rows of the screen."""
        return "\n".join(row.rstrip() for row in self.screen.display)

    def busy(self) -> float:
        """Return the seconds of processor time of the program on Linux; elsewhere 0."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    # -- input -----------------------------------------------------------------------------------

    def press(self, keys: bytes, quiet: float = 0.04, *, first: float = 0.5) -> Answer:
        """Press keys and return the output up to a pause of ``quiet`` seconds."""
        begun = last = time.perf_counter()
        os.write(self.master, keys)
        frames: list[bytes] = []
        while said := self.read(quiet if frames else first):
            last = time.perf_counter()
            frames.append(said)
        return Answer(last - begun, tuple(frames))

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self.screen.resize(rows, columns)
        self.columns, self.rows = columns, rows
        self._tell_size()

    def _tell_size(self) -> None:
        size = struct.pack("HHHH", self.rows, self.columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)

    def end(self) -> None:
        """Hang up, as when a window is closed."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGHUP)
        end = time.perf_counter() + 3
        while self.process.poll() is None and time.perf_counter() < end:
            self.read(0.02)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
