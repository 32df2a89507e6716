"""A minimal terminal emulator, and a real terminal for a separate process."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
from pathlib import Path
from typing import Any, Final

from study.lab.status_lines import cells_of
from tests.patience import PATIENCE

ROOT: Final = Path(__file__).parents[2]

_PART: Final = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|\r|\n|[^\x1b\r\n]", re.DOTALL)


class Screen(io.StringIO):
    """Screen that interprets written text and escape sequences; styles are ignored."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        self.columns = columns
        self.rows: list[list[str]] = [[]]
        self.x = self.y = 0

    def write(self, text: str) -> int:
        for found in _PART.finditer(text):
            self._take(found)
        return len(text)

    def _take(self, found: re.Match[str]) -> None:
        number, what = found[1], found[2]
        count = int(number) if number and number.isdecimal() else 1
        match what or found[0]:
            case "\r":
                self.x = 0
            case "\n":
                self.x, self.y = 0, self.y + 1
            case "A" if what:
                self.y -= count
                assert self.y >= 0, "above the first line"
            case "B" if what:
                self.y += count
            case "C" if what:
                self.x += count
            case "K" if what:
                del self._row()[self.x :]
            case "J" if what:
                del self._row()[self.x :], self.rows[self.y + 1 :]
            case "m" | "h" | "l" if what:
                pass
            case sign:
                self._put(sign)

    def _put(self, sign: str) -> None:
        row = self._row()
        row += [" "] * (self.x - len(row))
        for cell, _ in cells_of(((sign, ""),), 2):
            row[self.x : self.x + 1] = [cell]
            self.x += 1
        assert self.x < self.columns, "the last column stays empty, or the line would wrap"

    def _row(self) -> list[str]:
        while len(self.rows) <= self.y:
            self.rows.append([])
        return self.rows[self.y]

    @property
    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.rows]


class OwnTerminal:
    """Program that runs alone in a pseudo-terminal."""

    def __init__(self, *command: str) -> None:
        self.end, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.theirs = theirs
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - no threads here
        )
        self.text = ""

    def __enter__(self) -> OwnTerminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.theirs)
        os.close(self.end)

    def until(self, text: str) -> None:
        """Read until ``text`` has been output; fail after ``PATIENCE`` seconds of silence."""
        while text not in self.text:
            assert select.select([self.end], [], [], PATIENCE)[0], self.text
            self.text += os.read(self.end, 4096).decode("utf-8", "replace")

    def press(self, keys: str) -> None:
        os.write(self.end, keys.encode())

    def wait(self) -> int:
        code = self.process.wait(PATIENCE)
        os.set_blocking(self.end, False)
        try:
            while data := os.read(self.end, 4096):
                self.text += data.decode("utf-8", "replace")
        except OSError:
            pass
        return code

    def send(self, number: signal.Signals) -> None:
        os.kill(self.process.pid, number)

    @property
    def modes(self) -> tuple[bool, bool, bool]:
        """Whether the terminal edits lines, echoes input, and acts on Ctrl-S."""
        found: list[Any] = termios.tcgetattr(self.theirs)
        local, put = found[3], found[0]
        return bool(local & termios.ICANON), bool(local & termios.ECHO), bool(put & termios.IXON)
