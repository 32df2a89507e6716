"""The program in terminals of many kinds: it starts, is played, resized, left, and cleans up."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from saves.archive import Folder
from tests.app.window import Window, banneret
from tests.programs import needs_tmux
from tui.console.faults import keep
from tui.play.setup import NewGame, begin

pytestmark = needs_tmux

PEOPLE = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor"))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A folder of a player with a saved game named ``game``."""
    start = NewGame("weltendaemmerung", "ford", players=PEOPLE, seed=b"1", name="game")
    begin(Folder(tmp_path / "banneret" / "saves"), start, keep).close()
    return tmp_path


def play_a_little(window: Window, phase: str = " MOVE ") -> None:
    """Move the unit at the start by one cell; without colours the phase stands in brackets."""
    window.wait(phase, "COMMANDER")
    window.press("space")
    window.wait("put down")
    window.press("k")
    window.wait("moves left")


@pytest.mark.parametrize(
    "term",
    [
        *("screen", "tmux-256color"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("screen-256color", "xterm")),
    ],
)
def test_it_is_played_in_the_usual_terminals(game: Path, term: str) -> None:
    """All others are ``xterm-256color``; colours by name are tested where they are detected."""
    with banneret(game, "play", "game", term=term) as window:
        play_a_little(window)
        window.press("q")
        window.wait("Continue")
        window.press("q")
        assert window.ended() == 0


@pytest.mark.parametrize("term", ["linux", "vt100"])
def test_it_is_played_where_little_is_known_of_the_terminal(game: Path, term: str) -> None:
    with banneret(game, "play", "game", env={"TERM": term}) as window:
        play_a_little(window, "[MOVE]" if term == "vt100" else " MOVE ")


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_it_is_played_in_lines_where_nothing_can_be_drawn(game: Path, term: str) -> None:
    with banneret(game, "play", "game", env={"TERM": term}) as window:
        window.wait("played in lines", "Movement", ">")
        window.type("help\r")
        window.wait("help", "quit")
        assert window.told("alternate_on") == "0"


def test_a_terminal_of_sixteen_colours_gets_no_others(game: Path) -> None:
    with banneret(game, "play", "game", env={"TERM": "linux"}) as window:
        play_a_little(window)
        assert not re.search(r"[34]8;[25];", window.coloured)


def test_without_unicode_all_signs_are_ascii(game: Path) -> None:
    with banneret(game, "play", "game", env={"LC_ALL": "C"}) as window:
        play_a_little(window)
        assert window.text.isascii()
        window.press("?")
        assert window.until(lambda text: "COMMANDER" not in text, "help").isascii()


def test_no_colour_is_sent_where_none_is_wanted(game: Path) -> None:
    with banneret(game, "play", "game", env={"NO_COLOR": "1"}) as window:
        play_a_little(window, "[MOVE]")
        assert not re.search(r"\x1b\[[0-9;]*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]", window.coloured)


def test_ctrl_c_leaves_the_terminal_as_it_was(game: Path) -> None:
    with banneret(game, "play", "game") as window:
        play_a_little(window)
        assert window.told("alternate_on") == "1"
        window.press("C-c")
        text = window.wait("over 130")
        assert text.split() == ["before", "over", "130"]
        assert window.told("alternate_on") == "0"
        assert window.told("cursor_flag") == "1"
        assert window.told("mouse_any_flag") == "0"
        window.type("typed")
        window.wait("typed")


@pytest.mark.slow
def test_ctrl_z_stops_the_program_and_fg_shows_it_again(game: Path) -> None:
    homes = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(game))
    window = Window(game, "sh -i", {"LC_ALL": "C.UTF-8", **homes}, "screen")
    try:
        window.type("echo re''ady\r")
        window.wait("ready")
        window.type(f"{sys.executable} -m app play game\r")
        play_a_little(window)
        window.press("C-z")
        window.wait("Stopped")
        assert window.told("alternate_on") == "0"
        window.type("echo typed; fg\r")
        window.wait(" MOVE ", "moves left")
        assert "typed" not in window.text
        window.press("C-c")
        window.gone(" MOVE ")
        assert window.told("alternate_on") == "0"
    finally:
        window.close()


@pytest.mark.parametrize("exported", [{}, {"COLUMNS": "80", "LINES": "24"}], ids=["", "exported"])
def test_the_window_is_resized_while_it_is_played(game: Path, exported: dict[str, str]) -> None:
    with banneret(game, "play", "game", env=exported) as window:
        play_a_little(window)
        window.resize(120, 40)
        text = window.wait(" MOVE ", "moves left")
        window.until(lambda text: max(map(len, text.splitlines())) > 100, "a wider picture")
        window.resize(40, 10)
        window.wait("Please make it larger")
        window.resize(80, 24)
        text = window.wait(" MOVE ", "moves left", "help")
        window.press("k")
        window.until(lambda now: now != text, "another step")


def test_the_cursor_of_the_terminal_stands_on_that_of_the_map(game: Path) -> None:
    with banneret(game, "play", "game") as window:
        window.wait("COMMANDER")
        window.until(lambda _: window.told("cursor_flag") == "1", "a cursor")
        at = int(window.told("cursor_x")), int(window.told("cursor_y"))
        window.press("Right")
        window.until(lambda _: int(window.told("cursor_x")) > at[0], "a step to the right")
        assert int(window.told("cursor_y")) == at[1]
