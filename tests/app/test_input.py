"""Arbitrary input bytes and wrong environment variables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.app.terminal import LEAVES_SCREEN, Terminal
from tests.patience import PATIENCE
from tests.tui.terminal_input import HARMLESS, Stream
from tui.console.exits import Exit


@contextmanager
def opened(
    folder: Path,
    *words: str,
    module: str = "app",
    surroundings: Mapping[str, str] | None = None,
) -> Iterator[Terminal]:
    """Run the program in a terminal, with a fresh Python if ``surroundings`` are given."""
    afresh = surroundings is not None
    terminal = Terminal(folder, *words, module=module, afresh=afresh, surroundings=surroundings)
    try:
        yield terminal
    finally:
        terminal.close()


def heard(file: Path, count: int) -> list[str]:
    """Wait for ``count`` keys in the log; return the keys the program has acted on."""
    end = monotonic() + PATIENCE
    found: list[str] = []
    while len(found) < count and monotonic() < end:
        sleep(0.05)
        found = file.read_text("utf-8").split() if file.exists() else []
    return found


def type_stream(terminal: Terminal, stream: Stream) -> None:
    """Type a stream chunk by chunk, reading output meanwhile."""
    for chunk, silence in stream:
        rest = chunk
        while rest:
            rest = rest[os.write(terminal.master, rest[:1024]) :]
            terminal.read(0)
        end = monotonic() + silence
        while monotonic() < end:
            terminal.read(0.05)


@pytest.mark.parametrize(
    ("size", "silences"),
    [(10_000, False), pytest.param(300_000, True, marks=pytest.mark.slow)],
)
def test_program_acts_on_exactly_the_planted_keys(
    tmp_path: Path, size: int, silences: bool
) -> None:
    """The delay of the escape key is longer here, as a test may be slower than a terminal."""
    file, slow = tmp_path / "keys", {"ESCDELAY": "900" if silences else "60000"}
    module = "tests.app.heard_program"
    with opened(tmp_path, str(file), module=module, surroundings=slow) as terminal:
        terminal.wait_for("Continue")
        stream = Stream(size, size, keys=HARMLESS, silences=silences)
        type_stream(terminal, stream)
        assert heard(file, len(stream.keys)) == stream.keys
        terminal.send(b"q")
        assert terminal.end() == Exit.OK
        assert b"Traceback" not in terminal.said
    assert not (tmp_path / "banneret" / "reports").exists()


def test_undecodable_bytes_do_no_harm_and_replies_are_not_keys(tmp_path: Path) -> None:
    with opened(tmp_path) as terminal:
        terminal.wait_for("Continue")
        terminal.send(b"\xe4")
        terminal.send(b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[110;1:3u\x1bP>|rn\x1b\\")
        terminal.send(b"\x1b[110;1:1u")
        terminal.wait_for("Scenario")
        terminal.send(b"\x1b[27u")
        terminal.wait_for("Continue")
        terminal.send(b"q")
        assert terminal.end() == Exit.OK


@pytest.mark.parametrize(
    "surroundings",
    [
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "", "LANG": "C"},
        pytest.param({"PYTHONIOENCODING": "utf-16"}, marks=pytest.mark.slow),
        pytest.param({"LC_ALL": "POSIX"}, marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_terminal_without_unicode_gets_ascii_only(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    with opened(tmp_path, surroundings=surroundings) as terminal:
        terminal.wait_for("Continue")
        terminal.send(b"q")
        assert terminal.end() == Exit.OK
        assert terminal.said.isascii()
        assert b"\\u25" not in terminal.said


def test_missing_driver_ends_the_program_with_a_line(tmp_path: Path) -> None:
    with opened(tmp_path, surroundings={"TEXTUAL_DRIVER": "nosuch:mod"}) as terminal:
        assert terminal.end() == Exit.USAGE
        line = b"banneret: TEXTUAL_DRIVER names no driver: No module named 'nosuch'\r\n"
        assert terminal.said == line


def test_wrong_textual_variables_are_ignored(tmp_path: Path) -> None:
    wrong = {
        "COLUMNS": "wide",
        "ESCDELAY": "soon",
        "TEXTUAL_COLOR_SYSTEM": "nosuch",
        "TEXTUAL_FPS": "fast",
        "TEXTUAL_LOG": str(tmp_path / "nowhere" / "log"),
        "TEXTUAL_PRESS": "q",
    }
    with opened(tmp_path, surroundings=wrong) as terminal:
        terminal.wait_for("Continue")
        terminal.send(b"\x03")
        assert terminal.end() == Exit.INTERRUPTED
        assert terminal.said.count(LEAVES_SCREEN) == 1
        assert b"Traceback" not in terminal.said
