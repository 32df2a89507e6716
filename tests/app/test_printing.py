"""Texts from files cannot control the terminal."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import msgpack
import pytest
from rich.segment import Segment
from textual.strip import Strip

from app import main
from engine.core.codec import encode_json
from engine.core.printable import CONTROLS
from saves.frames import ENTRY, HEADER, START, Frame, pack_frame, scan
from tests.saves import games
from tui.console.printing import raw, tamed
from tui.linemode.voice import Voice
from tui.terminal.cells import cells_of

EVIL = "a\x1b[2Jb\x9bc\x7fd\u202ee\u2066f\r\ng\x07"
"""Text that clears a screen, reverses the writing direction, rings, and tries to begin a line."""


def evil_save(folder: Path) -> Path:
    """Write a save with right checksums and control characters in title, players and orders."""
    path = games.saved(folder, entries=4)
    data, chain = b"", START
    for frame in scan(path.read_bytes()):
        assert isinstance(frame, Frame)
        payload = msgpack.unpackb(frame.payload)
        if frame.kind == HEADER:
            payload["title"] = EVIL
            payload["created"] = EVIL
            for player in payload["players"]:
                player["name"] = EVIL
                player["bot"] = EVIL if player["seat"] else ""
        if frame.kind == ENTRY and frame.seq == 0:
            payload["events"][0]["scenario"]["title"] = EVIL
            payload["events"][0]["scenario"]["units"][0]["type"] = EVIL
        packed, chain = pack_frame(frame.kind, frame.seq, msgpack.packb(payload) or b"", chain)
        data += packed
    path.write_bytes(data)
    return path


COMMANDS = [
    ("verify", "SAVE"),
    ("verify", "SAVE", "--json"),
    ("dump", "SAVE"),
    ("dump", "SAVE", "--json"),
    ("dump", "SAVE", "--seat", "0", "--json"),
    ("saves", "--saves", "FOLDER"),
    ("saves", "--saves", "FOLDER", "--json"),
    ("saves", "show", "SAVE"),
    ("saves", "--json", "show", "SAVE"),
    ("export", "SAVE"),
    ("export", "SAVE", "--format", "text"),
    ("export", "SAVE", "--format", "svg"),
    ("export", "SAVE", "--format", "cast"),
    ("export", "SAVE", "--format", "jsonl"),
    ("play", "--plain", "SAVE"),
    ("calc", "weltendaemmerung", "reach", "0", "--save", "SAVE"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_prints_control_characters_of_a_save(
    words: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = evil_save(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("look\nwho\nlog\n"))
    main([{"SAVE": str(path), "FOLDER": str(tmp_path)}.get(word, word) for word in words])
    said = capsys.readouterr()
    assert said.out + said.err
    assert found_in(said.out + said.err) == set()
    assert not any(line.startswith("g ") for line in said.out.splitlines()), "a line was forged"


def found_in(text: str) -> set[str]:
    """Return the control characters of an output, except line ends."""
    return set(CONTROLS.findall(text)) - {"\n"}


def test_escaped_json_keeps_its_meaning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["saves", "--json", "show", str(evil_save(tmp_path))])
    shown = capsys.readouterr().out
    assert found_in(shown) == set()
    assert json.loads(shown)["header"]["title"] == EVIL
    kept = "Müller\u200d\U0001f600"
    assert encode_json(kept).decode() == f'"{kept}"'


def test_file_names_that_are_not_utf8_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = evil_save(tmp_path)
    try:
        path = path.rename(tmp_path / "\udcff\x9b.bnr")
    except OSError:
        pytest.skip("this file system has no such names")
    for words in (["saves"], ["saves", "--json"], ["saves", "--json", "show", str(path)]):
        assert main([words[0], "--saves", str(tmp_path), *words[1:]]) == 0
        shown = capsys.readouterr().out
        assert found_in(shown) == set()
        if "--json" in words:
            assert "?\x9b" in json.dumps(json.loads(shown), ensure_ascii=False)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("run", "--ruleset", "weltendaemmerung", "--scenario", "FILE", "-"), f'"{EVIL}" = 1'),
        (("run", "--ruleset", "warlords2", "--scenario", "FILE", "-"), json.dumps({EVIL: 1})),
        (("calc", "gd6", "tool", "--scenario", "FILE"), json.dumps({EVIL: 1})),
        (("simulate", "gd6", "--scenario", "FILE"), json.dumps({EVIL: 1})),
        (("verify", f"no {EVIL}"), ""),
        ((f"no {EVIL}",), ""),
        (("verify", "a", f"--{EVIL}"), ""),
    ],
)
def test_no_error_message_holds_control_characters(
    words: tuple[str, ...], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "evil.json").write_text(text.replace("\r\n", ""), encoding="utf-8")
    given = [str(tmp_path / "evil.json") if word == "FILE" else word for word in words]
    try:
        code: object = main(given)
    except SystemExit as ended:
        code = ended.code
    assert code in (2, 3)
    said = capsys.readouterr()
    assert said.err
    assert found_in(said.out + said.err) == set()


def test_sequences_of_the_program_itself_pass_the_guard() -> None:
    out, sys.stdout = sys.stdout, io.StringIO()
    try:
        with tamed(), tamed():
            sys.stdout.writelines(["\x1b[1m", "tab\t\n"])
            raw(sys.stdout).write("\x1b[0m")
        assert isinstance(sys.stdout, io.StringIO)
        assert sys.stdout.getvalue() == " [1mtab\t\n\x1b[0m"
    finally:
        sys.stdout = out


def test_output_is_dropped_when_stdout_was_closed_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdout", None)  # as Python itself does
    with tamed():
        print("lost", flush=True)  # noqa: T201
        assert sys.stdout is not None


def test_input_is_empty_when_stdin_was_closed_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # as Python itself does
    with tamed():
        assert sys.stdin.read() == ""
        assert not sys.stdin.isatty()


def say_in_line_mode(text: str) -> str:
    out = io.StringIO()
    voice = Voice(out, input)
    voice.rows([text])
    voice.say(text)
    return out.getvalue()


def show_in_cells(text: str) -> str:
    return "".join(sign for sign, _ in cells_of([Strip([Segment(text)])], "256"))


@pytest.mark.parametrize("show", [say_in_line_mode, show_in_cells])
def test_lines_and_cells_hold_no_control_characters(show: Callable[[str], str]) -> None:
    for text in (EVIL, "\x1b[2J", "é\x9b", "界\u202e"):
        assert found_in(show(text)) == set()
    assert show("e\u0301界").startswith("e\u0301界")
