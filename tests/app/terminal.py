"""Run the program in a pseudo-terminal: send keys, read the screen and the exit code."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import Popen
from time import monotonic

import pyte

from tests.app.cli import ROOT, with_screen
from tests.patience import PATIENCE

ENTERS_SCREEN, LEAVES_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
SHOWS_CURSOR, HIDES_CURSOR = b"\x1b[?25h", b"\x1b[?25l"
COLUMNS, ROWS = 80, 24
PRIVATE = re.compile(rb"\x1b\[[<=>][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p")
"""Sequences that pyte would show as text."""

UNFINISHED = re.compile(rb"\x1b(\[[<=>?0-9;$]*)?$")
"""The beginning of an escape sequence that is still incomplete."""


class Terminal:
    """A program in a pseudo-terminal of 80x24."""

    def __init__(
        self,
        folder: Path,
        *words: str,
        module: str = "app",
        afresh: bool = False,
        surroundings: Mapping[str, str] | None = None,
    ) -> None:
        """Start a module.

        Args:
            folder: of the player.
            words: of the command line.
            module: to run.
            afresh: start a new Python as a child of this process, for tests of the start itself or
                of signals to children; if False, the server of programs forks.
            surroundings: environment variables that differ from the usual ones.
        """
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        own = {name: str(folder) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
        env = {**os.environ, **own, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        env |= surroundings or {}
        self.before = termios.tcgetattr(slave)
        self.program = (
            Popen(
                [sys.executable, "-m", module, *words],
                stdin=slave,
                stdout=slave,
                stderr=slave,
                cwd=ROOT,
                env=env,
                start_new_session=True,
            )
            if afresh
            else with_screen(*words, streams=[slave] * 3, env=env, module=module, own_session=True)
        )
        self.slave = slave
        self.said = b""
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._unread = b""

    def shows(self) -> str:
        """Return the text on the screen."""
        left = UNFINISHED.search(self._unread)
        end = len(self._unread) if left is None else left.start()
        read, self._unread = self._unread[:end], self._unread[end:]
        self._stream.feed(PRIVATE.sub(b"", read))
        return "\n".join(self._screen.display)

    def forget(self, until: bytes = b"") -> None:
        """Clear the screen and what was said; keep what came after the last ``until``."""
        self.said = self._unread = self.said.rpartition(until)[2] if until else b""
        self._screen.reset()

    def wait_for(self, text: str) -> None:
        """Read until a text is on the screen."""
        self.wait_until(lambda shown: text in shown)

    def wait_until(self, is_so: Callable[[str], bool]) -> str:
        """Read until the screen satisfies ``is_so``; return it."""
        end = monotonic() + PATIENCE
        while not is_so(shown := self.shows()):
            assert monotonic() < end, shown
            while self.read(0.1):
                pass
        return shown

    def send(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.master, keys)

    def end(self) -> int:
        """Read until the program ends; return its exit code."""
        end = monotonic() + PATIENCE
        while (code := self.program.poll()) is None:
            assert monotonic() < end, self.said[-2000:]
            self.read(0.05)
        while self.read(0.05):
            pass
        return int(code)

    def read(self, wait: float) -> bool:
        """Read output that arrives within ``wait`` seconds; return whether any did."""
        ready, _, _ = select.select([self.master], [], [], wait)
        if ready:
            data = os.read(self.master, 65_536)
            self.said += data
            self._unread += data
        return bool(ready)

    def close(self) -> None:
        """Kill the program if it still runs; close both ends of the terminal."""
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        os.close(self.master)
        os.close(self.slave)
