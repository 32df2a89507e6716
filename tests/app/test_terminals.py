"""The program in many kinds of terminals: start, play, resize, leave, clean up."""

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
    """A player's folder with a saved game named ``game``."""
    start = NewGame("weltendaemmerung", "ford", players=PEOPLE, seed=b"1", name="game")
    begin(Folder(tmp_path / "banneret" / "saves"), start, keep).close()
    return tmp_path


def play_a_little(window: Window, phase: str = " MOVE ") -> None:
    """Move the first unit by one cell. Without colours the phase is shown in brackets."""
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
def test_program_is_played_in_common_terminals(game: Path, term: str) -> None:
    """Most other terminals call themselves ``xterm-256color``."""
    with banneret(game, "play", "game", term=term) as window:
        play_a_little(window)
        window.press("q")
        window.wait("Continue")
        window.press("q")
        assert window.ended() == 0


@pytest.mark.parametrize("term", ["linux", "vt100"])
def test_program_is_played_in_barely_known_terminals(game: Path, term: str) -> None:
    with banneret(game, "play", "game", env={"TERM": term}) as window:
        play_a_little(window, "[MOVE]" if term == "vt100" else " MOVE ")


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_terminal_that_cannot_draw_gets_line_mode(game: Path, term: str) -> None:
    with banneret(game, "play", "game", env={"TERM": term}) as window:
        window.wait("played in lines", "Movement", ">")
        window.type("help\r")
        window.wait("help", "quit")
        assert window.told("alternate_on") == "0"


def test_sixteen_colour_terminal_gets_no_other_colours(game: Path) -> None:
    with banneret(game, "play", "game", env={"TERM": "linux"}) as window:
        play_a_little(window)
        assert not re.search(r"[34]8;[25];", window.coloured)


def test_all_signs_are_ascii_without_unicode(game: Path) -> None:
    with banneret(game, "play", "game", env={"LC_ALL": "C"}) as window:
        play_a_little(window)
        assert window.text.isascii()
        window.press("?")
        assert window.until(lambda text: "COMMANDER" not in text, "help").isascii()


def test_no_color_sends_no_colours(game: Path) -> None:
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
def test_ctrl_z_stops_the_program_and_fg_redraws_it(game: Path) -> None:
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
def test_window_can_be_resized_during_play(game: Path, exported: dict[str, str]) -> None:
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


def test_terminal_cursor_follows_the_map_cursor(game: Path) -> None:
    with banneret(game, "play", "game") as window:
        window.wait("COMMANDER")
        window.until(lambda _: window.told("cursor_flag") == "1", "a cursor")
        at = int(window.told("cursor_x")), int(window.told("cursor_y"))
        window.press("Right")
        window.until(lambda _: int(window.told("cursor_x")) > at[0], "a step to the right")
        assert int(window.told("cursor_y")) == at[1]
