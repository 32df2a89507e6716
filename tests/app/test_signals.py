"""The program in a real terminal: how it ends when it is told to."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
from pathlib import Path
from subprocess import Popen
from time import monotonic

import pyte
import pytest

from saves.archive import Folder
from tests.app.cli import ROOT, banneret

PATIENCE = 30.0
"""Seconds after which a program that says nothing has failed."""

ENTERS_SCREEN, LEAVES_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
SHOWS_CURSOR, HIDES_CURSOR = b"\x1b[?25h", b"\x1b[?25l"
COLUMNS, ROWS = 80, 24
PRIVATE = re.compile(rb"\x1b\[[<=>][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p")
"""Sequences that the stand-in for a terminal would take for text."""


class Terminal:
    """A program in a pseudo-terminal of 80x24."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        own = {name: str(folder) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
        env = {**os.environ, **own, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        self.before = termios.tcgetattr(slave)
        self.program = Popen(
            [sys.executable, "-m", "app", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env=env,
            start_new_session=True,
        )
        self.slave = slave
        self.said = b""

    def shows(self) -> str:
        """The text on the screen."""
        screen = pyte.Screen(COLUMNS, ROWS)
        pyte.ByteStream(screen).feed(PRIVATE.sub(b"", self.said))
        return "\n".join(screen.display)

    def wait_for(self, text: str) -> None:
        """Read until a text is on the screen."""
        end = monotonic() + PATIENCE
        while text not in self.shows():
            assert monotonic() < end, self.shows()
            while self._read(0.1):
                pass

    def send(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.master, keys)

    def end(self) -> int:
        """Read to the end; the exit code."""
        end = monotonic() + PATIENCE
        while self.program.poll() is None:
            assert monotonic() < end, self.said[-2000:]
            self._read(0.05)
        while self._read(0.05):
            pass
        return self.program.returncode

    def _read(self, wait: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], wait)
        if ready:
            self.said += os.read(self.master, 65_536)
        return bool(ready)

    def close(self) -> None:
        """Let go of everything."""
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        os.close(self.master)
        os.close(self.slave)


def started(tmp_path: Path) -> Path:
    """A saved game against the computer in the folder the program looks into."""
    folder = tmp_path / "banneret" / "saves"
    folder.mkdir(parents=True)
    words = ("run", "--ruleset", "weltendaemmerung", "--scenario", "ford", "--quiet")
    ended = banneret(*words, "--save", str(folder / "game.bnr"), "-", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    return folder


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, None])
def test_the_program_ends_cleanly_with_everything_saved(
    tmp_path: Path, how: signal.Signals | None
) -> None:
    folder = started(tmp_path)
    terminal = Terminal(tmp_path, "play", "game")
    try:
        terminal.wait_for("Bewegungsphase")
        terminal.send(b" ")
        terminal.wait_for("put down")
        terminal.send(b"k")
        terminal.wait_for("9 points left")
        if how is None:
            terminal.send(b"\x03")
        else:
            terminal.program.send_signal(how)
        assert terminal.end() == 130
        assert b"Traceback" not in terminal.said
        assert terminal.said.count(LEAVES_SCREEN) == terminal.said.count(ENTERS_SCREEN) == 1
        assert terminal.said.rindex(SHOWS_CURSOR) > terminal.said.rindex(HIDES_CURSOR)
        assert termios.tcgetattr(terminal.slave) == terminal.before
    finally:
        terminal.close()
    opened = Folder(folder).open("game")
    assert len(opened.log) == 2
    assert opened.file is not None
    opened.file.close()


def test_quitting_by_key_ends_with_0(tmp_path: Path) -> None:
    started(tmp_path)
    terminal = Terminal(tmp_path)
    try:
        terminal.wait_for("Continue")
        terminal.send(b"q")
        assert terminal.end() == 0
        assert b"Traceback" not in terminal.said
    finally:
        terminal.close()


def test_stopped_and_continued_it_shows_everything_again(tmp_path: Path) -> None:
    started(tmp_path)
    terminal = Terminal(tmp_path, "play", "game")
    try:
        terminal.wait_for("Bewegungsphase")
        terminal.program.send_signal(signal.SIGTSTP)
        os.waitid(os.P_PID, terminal.program.pid, os.WSTOPPED)
        while LEAVES_SCREEN not in terminal.said:
            terminal._read(0.1)
        terminal.said = b""
        terminal.program.send_signal(signal.SIGCONT)
        terminal.wait_for("Bewegungsphase")
        terminal.send(b"q")
        terminal.wait_for("Continue")
        terminal.send(b"q")
        assert terminal.end() == 0
    finally:
        terminal.close()


@pytest.mark.parametrize("shown", ["Bewegungsphase", ""], ids=["while it is played", "at once"])
def test_a_terminal_that_is_gone_ends_the_program(tmp_path: Path, shown: str) -> None:
    folder = started(tmp_path)
    terminal = Terminal(tmp_path, "play", "game")
    if shown:
        terminal.wait_for(shown)
        terminal.send(b"l" * 400)
    os.close(terminal.slave)
    os.close(terminal.master)
    assert terminal.program.wait(PATIENCE) in {1, 2, 130}
    opened = Folder(folder).open("game")
    assert opened.file is not None
    opened.file.close()
