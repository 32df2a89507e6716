"""Boards of boxes: the zoom that fits, marks at every zoom, the log of a board that fills the
screen.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rulesets.kaladan.boxes import ZOOMS, border, step
from engine.tabletop.board import BoardMark
from engine.tabletop.roles import MarkSign
from tests.tui.piloted_app import Desk, desk
from tests.tui.scenes import boxes
from tests.tui.test_repeated_questions import war


def marked(at: Desk) -> dict[tuple[int, int], str]:
    """Return the marked cells of the board as drawn, with the names of their signs."""
    return {cell: mark.sign.name for cell, mark in at.game.board.drawing.marks.items()}


@pytest.mark.parametrize(
    ("size", "zoom"),
    [((80, 24), "normal"), ((110, 30), "large"), ((160, 50), "window"), ((60, 20), "normal")],
)
async def test_board_of_boxes_takes_the_largest_zoom_that_fits(
    tmp_path: Path, size: tuple[int, int], zoom: str
) -> None:
    async with desk(tmp_path, size, start=war()) as at:
        assert at.game.session.zoom == zoom


async def test_chosen_zoom_stays_after_a_resize(tmp_path: Path) -> None:
    async with desk(tmp_path, (160, 50), start=war()) as at:
        await at.press("Z")
        chosen = at.game.session.zoom
        assert chosen != "window"
        await at.pilot.resize_terminal(170, 55)
        await at.rest()
        assert at.game.session.zoom == chosen


async def test_marks_frame_the_tile_of_the_cursor_at_every_zoom(tmp_path: Path) -> None:
    async with desk(tmp_path, (160, 50), start=war()) as at:
        for _ in ZOOMS:
            wide, high = step(7, at.game.session.zoom)
            frame = [cell for cell, sign in marked(at).items() if sign == "HELD"]
            columns, rows = {x for x, _ in frame}, {y for _, y in frame}
            assert max(columns) - min(columns) == wide, at.game.session.zoom
            assert max(rows) - min(rows) == high, at.game.session.zoom
            await at.press("Z")


async def test_flashes_leave_no_gaps_at_a_large_zoom(tmp_path: Path) -> None:
    async with desk(tmp_path, (160, 50), start=war()) as at:
        board = at.game.board
        frame = [BoardMark(x, y, MarkSign.TARGET) for x, y in border(7, 1)]
        board.flash(frame)
        columns = [
            x for x, y in board.drawing.flashed if y == min(y for _, y in board.drawing.flashed)
        ]
        assert sorted(columns) == list(range(min(columns), max(columns) + 1))
        board.flash(())
        assert board.drawing.flashed == {}


async def test_full_screen_board_has_its_log_below_the_panel(tmp_path: Path) -> None:
    async with desk(tmp_path, start=boxes()) as at:
        port = at.game.board.port
        assert port is not None
        assert (port.width, port.height) == (61, 21)
        log, side = at.game.log_view.region, at.game.side.region
        assert log.x == side.x >= 61
        assert log.y == side.bottom
        assert log.bottom == 22
        await at.pilot.resize_terminal(100, 40)
        await at.rest()
        assert at.game.log_view.region.x == 0
