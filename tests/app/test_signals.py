"""The program in a real terminal: signals, and clean exits."""

from __future__ import annotations

import os
import signal
import termios
from pathlib import Path

import pytest

from saves.archive import Folder
from tests.app.cli import banneret
from tests.app.terminal import (
    ENTERS_SCREEN,
    HIDES_CURSOR,
    LEAVES_SCREEN,
    SHOWS_CURSOR,
    Terminal,
)
from tests.patience import PATIENCE


def started(tmp_path: Path) -> Path:
    """Save a game against the computer in the program's folder; return the folder."""
    folder = tmp_path / "banneret" / "saves"
    folder.mkdir(parents=True)
    words = ("run", "--ruleset", "weltendaemmerung", "--scenario", "ford", "--quiet")
    ended = banneret(*words, "--save", str(folder / "game.bnr"), "-", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    return folder


@pytest.mark.parametrize(
    "how",
    [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, pytest.param(None, marks=pytest.mark.slow)],
)
def test_program_ends_cleanly_with_everything_saved(
    tmp_path: Path, how: signal.Signals | None
) -> None:
    """None means Ctrl-C at the keyboard, as in ``test_terminals`` and ``test_starts``."""
    folder = started(tmp_path)
    terminal = Terminal(tmp_path, "play", "game")
    try:
        terminal.wait_for(" MOVE ")
        terminal.send(b" ")
        terminal.wait_for("put down")
        terminal.send(b"k")
        terminal.wait_for("9 moves left")
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
    """Ctrl-Z before it has no effect: without a shell, nothing could resume the program."""
    started(tmp_path)
    terminal = Terminal(tmp_path)
    try:
        terminal.wait_for("Continue")
        terminal.send(b"\x1a")
        while LEAVES_SCREEN not in terminal.said:
            terminal.read(0.1)
        terminal.forget(until=LEAVES_SCREEN)
        terminal.wait_for("Continue")
        terminal.send(b"q")
        assert terminal.end() == 0
        assert b"Traceback" not in terminal.said
    finally:
        terminal.close()


@pytest.mark.parametrize("how", [signal.SIGTSTP, signal.SIGSTOP])
def test_resumed_program_redraws_everything(tmp_path: Path, how: signal.Signals) -> None:
    """The program cannot notice SIGSTOP; the shell then writes over the picture."""
    started(tmp_path)
    terminal = Terminal(tmp_path, "play", "game", afresh=True)
    try:
        terminal.wait_for(" MOVE ")
        terminal.program.send_signal(how)
        os.waitid(os.P_PID, terminal.program.pid, os.WSTOPPED)
        while how is signal.SIGTSTP and LEAVES_SCREEN not in terminal.said:
            terminal.read(0.1)
        terminal.shows()
        terminal.forget()
        termios.tcsetattr(terminal.slave, termios.TCSANOW, terminal.before)
        os.write(terminal.slave, b"$ fg\r\n" * 30)
        terminal.program.send_signal(signal.SIGCONT)
        shown = terminal.wait_until(lambda shown: " MOVE " in shown and "$ fg" not in shown)
        assert "COMMANDER" in shown
        terminal.send(b"q")
        terminal.wait_for("Continue")
        terminal.send(b"q")
        assert terminal.end() == 0
        assert terminal.said.rindex(SHOWS_CURSOR) > terminal.said.rindex(HIDES_CURSOR)
        assert termios.tcgetattr(terminal.slave) == terminal.before
        assert b"Traceback" not in terminal.said
    finally:
        terminal.close()


@pytest.mark.parametrize("shown", [" MOVE ", ""], ids=["while it is played", "at once"])
def test_program_ends_when_its_terminal_disappears(tmp_path: Path, shown: str) -> None:
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
