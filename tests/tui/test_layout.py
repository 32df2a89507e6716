"""Board and panels cover the window, at every size and in every scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import registry
from engine.core.game import Game
from engine.tabletop.board import Board
from engine.tabletop.presenter import presenter_of
from tests.tui.piloted_app import FORD, desk
from tui.play.setup import NewGame
from tui.screens.layout import LEAST_ASIDE, LEAST_LOG, Layout, laid_out, tile_size
from tui.screens.map import largest_zoom

BARS = 3
LARGE, USUAL = (200, 60), (80, 24)
SCENARIOS = [
    (name, scenario) for name in registry.names() for scenario in registry.find(name).scenarios()
]


def first_board(name: str, scenario: str, window: tuple[int, int]) -> Board:
    """Return the first seat's board of a new game, at the zoom for a window."""
    rules = registry.find(name)
    view = Game.begin(rules, rules.scenarios()[scenario], {}, b"room").view(0)
    presenter = presenter_of(rules)
    board = presenter.board(view, presenter.zooms[0])
    if board.narrow:
        room = window[0] - LEAST_ASIDE, window[1] - BARS - LEAST_LOG
        board = presenter.board(view, largest_zoom(presenter, view, *room))
    return board


def drawn(board: Board, window: tuple[int, int]) -> tuple[int, int]:
    """Return the columns and rows of the whole board on the screen, in a window."""
    size = board.width, board.height
    across, down = (1, 1) if board.narrow else tile_size("auto", window, size, BARS)
    return size[0] * across, size[1] * down


def used(layout: Layout, drawn: tuple[int, int], window: tuple[int, int], bars: int) -> float:
    """Return the share of a window that board, panel, log and bars cover, 0 to 1."""
    board = min(layout.board[0], drawn[0]) * min(layout.board[1], drawn[1])
    covered = board + layout.aside[0] * layout.aside[1] + layout.log[0] * layout.log[1]
    return (covered + bars * window[0]) / (window[0] * window[1])


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_board_and_panels_cover_a_large_window(name: str, scenario: str) -> None:
    board = first_board(name, scenario, LARGE)
    whole = drawn(board, LARGE)
    layout = laid_out(LARGE, whole, BARS, narrow=board.narrow)
    assert used(layout, whole, LARGE, BARS) >= 0.85


@pytest.mark.parametrize("window", [(120, 40), (160, 50), LARGE])
@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_board_scrolled_for_larger_tiles_is_mostly_visible(
    name: str, scenario: str, window: tuple[int, int]
) -> None:
    board = first_board(name, scenario, window)
    if board.narrow:
        return
    size = board.width, board.height
    usual = tile_size("auto", window, size, BARS)
    smaller = tile_size("auto", window, size, BARS, whole=True)
    if usual == smaller:
        return
    whole = size[0] * usual[0], size[1] * usual[1]
    room = laid_out(window, whole, BARS, narrow=False).board
    assert all(part >= 0.6 * wanted for part, wanted in zip(room, whole, strict=True))
    assert smaller[0] * size[0] * smaller[1] * size[1] < 0.5 * window[0] * window[1]


@pytest.mark.parametrize(
    ("board", "window", "size"),
    [
        ((40, 40), LARGE, (4, 2)),  # The Narrows
        ((36, 36), LARGE, (4, 2)),  # Border War
        ((36, 36), (160, 50), (4, 2)),
        ((20, 12), LARGE, (8, 4)),  # fits, and fills the window
        ((40, 40), (160, 50), (2, 1)),  # fills two fifths
        ((80, 40), (160, 50), (1, 1)),
        ((112, 156), LARGE, (2, 1)),
        ((40, 40), USUAL, (1, 1)),
    ],
)
def test_tiles_fill_the_window(
    board: tuple[int, int], window: tuple[int, int], size: tuple[int, int]
) -> None:
    assert tile_size("auto", window, board, BARS) == size


async def test_key_shows_the_whole_of_a_board_with_larger_tiles(tmp_path: Path) -> None:
    start = NewGame("lordsawar", "border", seed=b"1", name="game")
    async with desk(tmp_path, LARGE, start=start) as at:
        board = at.game.board
        assert board.port is not None
        assert (board.rows, board.port.height) == (2, 28)
        await at.press("Z")
        assert (board.rows, board.port.height) == (1, 36)
        await at.press("Z")
        assert at.game.session.zoom != at.game.session.presenter.zooms[0]


@pytest.mark.parametrize("window", [USUAL, (100, 30), (120, 40), (160, 50), LARGE, (300, 90)])
@pytest.mark.parametrize("whole", [(40, 24), (40, 12), (80, 40), (160, 48), (224, 156), (28, 56)])
@pytest.mark.parametrize("narrow", [False, True])
def test_parts_do_not_overlap_and_all_have_space(
    window: tuple[int, int], whole: tuple[int, int], *, narrow: bool
) -> None:
    layout = laid_out(window, whole, BARS, narrow=narrow)
    parts = (layout.board, layout.aside, layout.log)
    assert sum(width * height for width, height in parts) == window[0] * (window[1] - BARS)
    assert all(width >= 19 and height >= LEAST_LOG for width, height in parts)


@pytest.mark.parametrize("size", [USUAL, (120, 40), LARGE])
async def test_screen_follows_the_layout(tmp_path: Path, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size, start=FORD) as at:
        screen = at.game
        board, aside, log = (part.region for part in (screen.board, screen.aside, screen.log_view))
        assert not board.overlaps(aside)
        assert not log.overlaps(board)
        assert not log.overlaps(aside)
        assert screen.board.port is not None
        assert (screen.board.port.width, screen.board.port.height) == screen.board_size()
        assert board.height + (log.height if log.y > board.y else 0) == size[1] - BARS
