"""The goal of a lesson step is visible at every zoom, in every set of signs and every depth."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.segment import Segment

from engine.core.record import replace
from engine.core.registry import find
from tests.tui.piloted_app import Desk, desk
from tui.play.lessons import lessons_of
from tui.screens.lesson import LessonTurns
from tui.style.palette import chosen
from tui.terminal.capabilities import Depth
from tui.widgets.board import BoardView

WAR = "weltendaemmerung"
REALM = "warlords2"
LISTS = "gd6"


async def lesson_of(at: Desk, name: str, *keys: str) -> BoardView:
    """Take the first lesson of a game, and press some keys."""
    rules = find(name)
    at.app.take_lesson(rules, lessons_of(rules)[0], anew=True)
    await at.rest()
    await at.press(*keys)
    return at.game.board


def drawn_around(board: BoardView) -> list[str]:
    """Return the rows of the goal's frame as drawn, with a column on either side."""
    goal, port = board.drawing.goal, board.port
    assert goal is not None
    assert port is not None
    left, top = board.margin
    first = left + goal.left - port.x * board.columns
    row = top + goal.top - port.y * board.rows
    width = goal.right - goal.left + 1
    rows = range(row, row + goal.bottom - goal.top + 1)
    texts = ["".join(segment.text for segment in board.render_line(y)) for y in rows]
    return [text[max(0, first - 1) : first + width + 1] for text in texts]


def row_of(view: BoardView, cells: range, y: int) -> str:
    """Return the signs of some cells of a row, on a board with one sign per cell."""
    assert view.board is not None
    return "".join(segment.text for segment in view.drawing.row(view.board, cells, y))


@pytest.mark.parametrize(
    ("window", "tiles", "size"),
    [
        ((80, 24), "one", (1, 1)),
        ((80, 24), "two", (2, 1)),
        ((110, 36), "auto", (4, 2)),
        ((160, 50), "auto", (7, 4)),
    ],
)
async def test_goal_is_framed_at_every_size_of_tiles(
    tmp_path: Path, window: tuple[int, int], tiles: str, size: tuple[int, int]
) -> None:
    async with desk(tmp_path, window) as at:
        at.app.change(replace(at.app.settings, tiles=tiles))
        board = await lesson_of(at, WAR, "space", "space")
        seen = set()
        for _ in range(3):
            at.game.action_glyphs()
            await at.rest()
            seen.add(at.app.glyphs)
            assert (board.columns, board.rows) == size
            found = drawn_around(board)
            if at.app.glyphs == "ascii" or len(found) == 1:
                assert all("[" in row and "]" in row for row in found), found
            else:
                assert "▛" in found[0]
                assert "▜" in found[0]
                assert "▙" in found[-1]
                assert "▟" in found[-1]
        assert seen == {"rich", "box", "ascii"}


async def test_goal_is_framed_at_every_zoom(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        board = await lesson_of(at, REALM)
        for _ in range(len(at.game.session.presenter.zooms)):
            found = drawn_around(board)
            assert any(sign in "".join(found) for sign in "[]▛▜"), found
            await at.press("Z")


async def test_goal_on_a_board_of_boxes_frames_the_whole_place(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        board = await lesson_of(at, LISTS)
        found = drawn_around(board)
        assert len(found) > 2
        assert "▛" in found[0]
        assert "▟" in found[-1]


async def test_visible_part_of_a_goal_at_the_edge_is_framed(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, (160, 50)) as at:
        view = await lesson_of(at, LISTS)
        board, goal = view.board, view.drawing.goal
        assert board is not None
        assert goal is not None
        whole = row_of(view, range(board.width), goal.top)
        assert (whole[goal.left], whole[goal.right]) == ("▛", "▜")
        for first in range(board.width):
            cells = range(first, min(first + 30, board.width))
            assert row_of(view, cells, goal.top) == whole[cells.start : cells.stop], first


async def test_acting_piece_glows_first_and_then_its_target(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        board = await lesson_of(at, LISTS, "space", "space")
        rules = find(LISTS)
        step = lessons_of(rules)[0].steps[2]
        assert step.source is not None
        assert step.at is not None
        shown = []
        for key in ("", "space"):
            await at.press(*([key] if key else []))
            goal = board.drawing.goal
            assert goal is not None
            shown.append((goal.left, goal.top))
        first, then = shown
        assert first != then
        assert first[0] <= step.source[0] < then[0]


async def test_goal_pulses_unless_animation_is_off(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        board = await lesson_of(at, WAR)
        at.app.speed = 2
        turns = at.game.turns
        assert isinstance(turns, LessonTurns)
        lights = set()
        for _ in range(2):
            turns.glow()
            lights.add(board.drawing.goal_light)
        assert lights == {"bright", "faint"}
        at.app.change(replace(at.app.settings, animation="off"))
        for _ in range(2):
            turns.glow()
            assert board.drawing.goal_light == "steady"


@pytest.mark.parametrize("depth", ["none", "8", "16", "256", "truecolor"])
def test_glowing_ground_looks_different_in_every_depth_of_colour(depth: Depth) -> None:
    palette = chosen(depth)
    under = palette.plain
    assert palette.goal(under) != under
    lit = palette.goal_frame(under, lit=True)
    assert lit.bold
    assert Segment("[", lit) != Segment("[", under)


async def test_screen_reader_gets_the_place_of_the_goal(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        at.app.change(replace(at.app.settings, reader="on"))
        await lesson_of(at, WAR)
        said = [line.text for line in at.game.log_view.lines]
        assert any(text.endswith("At 1,4.") for text in said), said
