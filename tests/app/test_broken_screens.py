"""A fault in a screen leaves the game intact and writes a report; the title comes back."""

from __future__ import annotations

import json
import termios
from pathlib import Path

from saves.archive import Folder
from tests.app.cli import banneret
from tests.app.starts import is_board, prepared
from tests.app.terminal import ENTERS_SCREEN, HIDES_CURSOR, LEAVES_SCREEN, SHOWS_CURSOR, Terminal
from tests.tui.planted import F_KEYS, KINDS, PRIVATE
from tui.console.exits import Exit

SOME = ("key", "line", "unmount")
"""Kinds of faults tested here; the tests of the host cover the others."""


def reports(folder: Path) -> list[Path]:
    return sorted((folder / "banneret" / "reports").iterdir())


def is_restored(terminal: Terminal) -> bool:
    said = terminal.said
    return (
        said.count(LEAVES_SCREEN) == said.count(ENTERS_SCREEN)
        and said.rindex(SHOWS_CURSOR) > said.rindex(HIDES_CURSOR)
        and termios.tcgetattr(terminal.slave) == terminal.before
    )


def test_title_returns_after_a_fault_and_the_game_continues(
    tmp_path: Path,
) -> None:
    prepared(tmp_path, "weltendaemmerung")
    terminal = Terminal(tmp_path, "game", module="tests.app.broken_program")
    try:
        terminal.wait_for("Continue")
        terminal.send(b"c")
        terminal.wait_until(is_board)
        terminal.send(b" ")
        terminal.wait_for("put down")
        terminal.send(b"k")
        terminal.wait_for("9 moves left")
        for number, kind in enumerate(SOME, 1):
            terminal.wait_until(is_board)
            terminal.send(F_KEYS[KINDS.index(kind)])
            terminal.wait_for(f"fault-{number:04}")
            assert len(reports(tmp_path)) == number
            terminal.send(b"c")
        terminal.wait_until(is_board)
        terminal.send(b"q")
        terminal.wait_for("Continue")
        terminal.send(b"q")
        assert terminal.end() == Exit.OK
        assert is_restored(terminal)
        said = terminal.said[terminal.said.rindex(LEAVES_SCREEN) :].decode()
        assert f"its report is {reports(tmp_path)[-1]}" in said
        assert b"Traceback" not in terminal.said
        assert PRIVATE.encode() not in terminal.said
    finally:
        terminal.close()
    for path, kind in zip(reports(tmp_path), SOME, strict=True):
        told = json.loads(path.read_text())
        assert "Planted" in told["error"], kind
        assert "planted.py" in told["trace"], kind
        assert PRIVATE not in path.read_text()
    listed = banneret("report", env={"XDG_STATE_HOME": str(tmp_path)})
    assert listed.stdout.split() == [path.stem for path in reports(tmp_path)]
    opened = Folder(tmp_path / "banneret" / "saves").open("ford")
    assert len(opened.log) == 2
    assert opened.file is not None
    opened.file.close()


def test_fault_in_reading_keys_shows_the_title_and_sets_the_exit_code(
    tmp_path: Path,
) -> None:
    terminal = Terminal(tmp_path, "input", module="tests.app.broken_program")
    try:
        terminal.wait_for("Continue")
        terminal.send(b"!")
        terminal.wait_for("fault-0001")
        assert "BrokenKeyboard" not in terminal.shows()
        assert len(reports(tmp_path)) == 1
        terminal.send(b"q")
        assert terminal.end() == Exit.BROKEN
        assert is_restored(terminal)
        assert b"Traceback" not in terminal.said
    finally:
        terminal.close()
    assert "Planted" in json.loads(reports(tmp_path)[0].read_text())["error"]


def test_title_that_breaks_repeatedly_ends_the_program_in_one_line(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "title", module="tests.app.broken_program")
    try:
        assert terminal.end() == Exit.BROKEN
        assert is_restored(terminal)
        said = terminal.said[terminal.said.rindex(LEAVES_SCREEN) :].decode()
        assert said.count("\n") == 1
        assert f"its report is {reports(tmp_path)[-1]}" in said
        assert len(reports(tmp_path)) == 2
        assert b"Traceback" not in terminal.said
    finally:
        terminal.close()
