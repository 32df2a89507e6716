"""Detection of terminals of all kinds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tui.terminal.capabilities import Depth, detect, terminfo_colours

DATABASE = {
    "dumb": 0,
    "linux": 8,
    "putty": 8,
    "screen": 8,
    "screen-256color": 256,
    "vt100": 0,
    "vt340": 16,
    "xterm": 8,
    "xterm-16color": 16,
    "xterm-88color": 88,
    "xterm-mono": 0,
    "xterm+direct": 1 << 24,
    "ansi": 8,
}

DEPTHS: list[tuple[dict[str, str], Depth]] = [
    ({"TERM": "xterm-256color"}, "256"),
    ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "truecolor"),
    ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, "truecolor"),
    ({"TERM": "xterm-256color", "COLORTERM": "yes"}, "256"),
    ({"TERM": "xterm"}, "16"),
    ({"TERM": "xterm-16color"}, "16"),
    ({"TERM": "xterm-88color"}, "16"),
    ({"TERM": "xterm-mono"}, "none"),
    ({"TERM": "xterm-kitty"}, "truecolor"),
    ({"TERM": "xterm-direct"}, "truecolor"),
    ({"TERM": "xterm+direct"}, "truecolor"),
    ({"TERM": "linux"}, "16"),
    ({"TERM": "putty"}, "16"),
    ({"TERM": "rxvt-of-ours"}, "16"),
    ({"TERM": "ansi"}, "8"),
    ({"TERM": "vt340"}, "16"),
    ({"TERM": "vt100"}, "none"),
    ({"TERM": "unknown"}, "none"),
    ({"TERM": "dumb"}, "none"),
    ({"TERM": "dumb", "COLORTERM": "truecolor"}, "none"),
    ({"TERM": "never-heard-of"}, "none"),
    ({}, "none"),
    ({"TERM": "screen"}, "8"),
    ({"TERM": "screen", "COLORTERM": "truecolor"}, "8"),
    ({"TERM": "screen-256color", "STY": "1.x", "COLORTERM": "truecolor"}, "256"),
    ({"TERM": "screen", "TMUX": "/run/tmux,1,0"}, "16"),
    ({"TERM": "screen-256color", "TMUX": "/run/tmux,1,0", "COLORTERM": "truecolor"}, "truecolor"),
    ({"TERM": "tmux-256color"}, "256"),
    ({"TERM": "tmux-256color", "TERM_PROGRAM": "iTerm.app"}, "256"),
    ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "truecolor"),
    ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, "256"),
    ({"TERM": "xterm-256color", "WT_SESSION": "1"}, "truecolor"),
    ({"TERM": "xterm-256color", "NO_COLOR": "1", "COLORTERM": "truecolor"}, "none"),
    ({"TERM": "xterm-256color", "NO_COLOR": ""}, "256"),
    ({"TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": "3"}, "none"),
    ({"TERM": "xterm", "FORCE_COLOR": "3"}, "truecolor"),
    ({"TERM": "xterm", "FORCE_COLOR": "2"}, "256"),
    ({"TERM": "xterm-256color", "FORCE_COLOR": "0"}, "none"),
    ({"TERM": "vt100", "FORCE_COLOR": "1"}, "16"),
    ({"TERM": "xterm-256color", "FORCE_COLOR": "1"}, "256"),
]


@pytest.mark.parametrize(("environ", "depth"), DEPTHS)
def test_depth_of_colour_is_detected(environ: Mapping[str, str], depth: Depth) -> None:
    assert detect(environ, DATABASE.get, "UTF-8").depth == depth


def test_database_is_used_only_as_a_last_resort() -> None:
    def ask(name: str) -> int | None:
        raise AssertionError(name)

    assert detect({"TERM": "xterm-256color"}, ask, "UTF-8").depth_from == "TERM is xterm-256color"
    assert detect({"NO_COLOR": "1"}, ask, "UTF-8").depth_from == "NO_COLOR is set"


@pytest.mark.parametrize(
    ("name", "encoding", "glyphs"),
    [
        ("xterm-256color", "UTF-8", "rich"),
        ("xterm-256color", "utf8", "rich"),
        ("linux", "UTF-8", "box"),
        ("linux", "ISO-8859-1", "ascii"),
        ("xterm", "ANSI_X3.4-1968", "ascii"),
    ],
)
def test_signs_fit_the_encoding(name: str, encoding: str, glyphs: str) -> None:
    assert detect({"TERM": name}, DATABASE.get, encoding).glyphs == glyphs


@pytest.mark.parametrize(
    ("environ", "multiplexer"),
    [
        ({"TERM": "xterm"}, ""),
        ({"TERM": "screen", "TMUX": "/run/tmux,1,0"}, "tmux"),
        ({"TERM": "tmux-256color"}, "tmux"),
        ({"TERM": "screen"}, "screen"),
        ({"TERM": "xterm", "STY": "1.x"}, "screen"),
    ],
)
def test_multiplexer_is_detected(environ: Mapping[str, str], multiplexer: str) -> None:
    assert detect(environ, DATABASE.get, "UTF-8").multiplexer == multiplexer


def test_only_a_dumb_terminal_has_no_screen() -> None:
    assert not detect({"TERM": "dumb"}, DATABASE.get, "UTF-8").usable
    assert detect({"TERM": "unknown"}, DATABASE.get, "UTF-8").usable


def test_database_of_this_machine_rejects_an_unknown_terminal() -> None:
    assert terminfo_colours("a-terminal-nobody-made") is None
