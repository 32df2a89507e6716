"""Sending only changed cells leaves a terminal as plain Textual would, after every update."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from tests.tui.piloted_app import TWO_PEOPLE, Desk
from tests.tui.two_terminals import Twice, twice
from tui.play.setup import NewGame
from tui.terminal.cells import DEFAULT, RowPatch
from tui.terminal.output import ShownCells

LARGE = NewGame("weltendaemmerung", players=TWO_PEOPLE, seed=b"1", name="游戏 漢字")
WIDE_NAMES = NewGame(
    "weltendaemmerung",
    "ford",
    players=(SeatPlayer(0, "Eldoin 王"), SeatPlayer(1, "Dailor 데")),
    seed=b"1",
    name="渡し場の戦い é",
)
TERMINALS = {
    "truecolor": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
    "256": {"TERM": "xterm-256color", "COLORTERM": ""},
    "16": {"TERM": "xterm", "COLORTERM": ""},
    "8": {"TERM": "ansi", "COLORTERM": ""},
    "none": {"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"},
}
EIGHT = {"default", "black", "red", "green", "brown", "blue", "magenta", "cyan", "white"}
SIZES = ((80, 24), (80, 24), (100, 30), (72, 24), (140, 45))
KEYS = [
    *("up", "down", "left", "right") * 4,
    *("h", "j", "k", "l", "y", "u", "b", "n", "space", "enter", "tab", "shift+tab"),
    *("f", "i", "e", "m", "w", "o", "p", "z", "x", "v", "f3", "f4", "escape", "escape"),
    *("pageup", "pagedown", "question_mark"),
]


def in_terminal(depth: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in TERMINALS[depth].items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("tui.terminal.capabilities.terminfo_colours", {"ansi": 8}.get)


async def walk(at: Desk, app: Twice, seed: int, steps: int) -> None:
    """Press random keys, sometimes several at once; resize the window; compare."""
    chance = random.Random(seed)  # noqa: S311 - only picks keys
    for step in range(steps):
        keys = chance.choices(KEYS, k=chance.choice((1, 1, 1, 4)))
        await at.pilot.press(*keys)
        if step % 9 == 8:
            await at.pilot.resize_terminal(*chance.choice(SIZES))
            await at.rest()
        await at.pilot.pause()
        assert app.differing() == [], f"step {step}: {keys}"


async def press_and_compare(at: Desk, app: Twice, *keys: str) -> None:
    for key in keys:
        await at.press(key)
        assert app.differing() == [], key


@pytest.mark.parametrize("depth", TERMINALS)
async def test_game_looks_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: str
) -> None:
    in_terminal(depth, monkeypatch)
    async with twice(tmp_path, start=LARGE) as (at, app):
        assert app.depth == depth
        await walk(at, app, len(depth), 15)
        assert app.updates > 20
        assert app.short_ways > 5


@pytest.mark.parametrize(("depth", "most"), [("8", EIGHT), ("none", {"default"})])
async def test_only_colours_of_the_terminal_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: str, most: set[str]
) -> None:
    in_terminal(depth, monkeypatch)
    async with twice(tmp_path, start=LARGE) as (at, app):
        for key in ("space", "escape", "D", "escape", "i", "escape", "question_mark"):
            await at.press(key)
            assert app.colours() <= most, key


async def test_menus_and_wide_names_look_the_same(tmp_path: Path) -> None:
    async with twice(tmp_path, start=WIDE_NAMES) as (at, app):
        await press_and_compare(at, app, "space", "down", "question_mark", "escape", "i", "escape")
        await press_and_compare(at, app, "e", "enter", "q")
        await press_and_compare(at, app, "l", "down", "escape")
        assert "渡し場" in at.text
        await press_and_compare(at, app, "enter", "right", "escape")


async def test_resize_leaves_nothing_stale_on_the_map(tmp_path: Path) -> None:
    async with twice(tmp_path, start=WIDE_NAMES) as (at, app):
        for size in ((72, 24), (80, 24), (140, 45), (72, 24), (80, 24)):
            await at.pilot.resize_terminal(*size)
            await at.rest()
            shown = app.lean.screen.display
            at.map.board.redraw()
            await at.rest()
            assert app.lean.screen.display == shown, size


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("depth", TERMINALS)
async def test_long_games_look_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: str, seed: int
) -> None:
    in_terminal(depth, monkeypatch)
    start = (LARGE, WIDE_NAMES)[seed % 2]
    async with twice(tmp_path, SIZES[seed % len(SIZES)], start=start) as (at, app):
        await walk(at, app, seed, 120)


def column(texts: Sequence[str], x: int) -> list[RowPatch]:
    return [RowPatch(y, x, [(sign, DEFAULT) for sign in text]) for y, text in enumerate(texts)]


@pytest.mark.parametrize(("board", "scrolls"), [(12, False), (4, True)])
def test_rows_are_scrolled_only_if_that_sends_less(board: int, *, scrolls: bool) -> None:
    panel = [f"line {number:02}" for number in range(12)]
    shown = ShownCells()
    shown.resize(board + len(panel[0]), len(panel))
    shown.paint(column([chr(ord("a") + y) * board for y in range(len(panel))], 0))
    shown.paint(column(panel, board))
    sent = shown.paint(column([*panel[2:], "line 12", "line 13"], board))
    assert ("\x1bD" in sent) == scrolls
