"""Texts on the map: chances and counts, beside or on their pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.registry import find
from engine.core.scenarios import parse
from engine.tabletop.board import BoardMark, Symbol, tenths
from engine.tabletop.roles import MarkSign, Role
from tests.tui.piloted_app import TWO_PEOPLE, Desk, desk
from tests.tui.test_game import middle
from tui.play.setup import NewGame
from tui.style.palette import FULL
from tui.widgets.board_rows import BoardRows, Texts

SYMBOLS = (
    Symbol("nothing", Role.BLANK, " ", " ", " "),
    Symbol("grass", Role.PLAIN, ".", ".", "."),
    Symbol("rider", Role.PIECE, "r", "r", "r"),
    Symbol("letter", Role.WRITING, "L", "L", "L"),
)


def written(mark: BoardMark, piece: int, columns: int, texts: Texts = "usual") -> str:
    """Return a cell with a mark as drawn."""
    view = BoardRows(SYMBOLS)
    view.dress("ascii", FULL, (columns, 1))
    view.texts = texts
    glyph = view._glyphs[piece or 1]
    return view._written(mark, glyph, SYMBOLS[piece].role if piece else None)


@pytest.mark.parametrize(
    ("mark", "columns", "texts", "drawn"),
    [
        (BoardMark(0, 0, MarkSign.TARGET, "62", short="6"), 2, "usual", "62"),
        (BoardMark(0, 0, MarkSign.TARGET, "7", short="0"), 2, "usual", "r7"),
        (BoardMark(0, 0, MarkSign.TARGET, "62", short="6"), 1, "usual", "6"),
        (BoardMark(0, 0, MarkSign.TARGET, "7", short="0"), 1, "usual", "0"),
        (BoardMark(0, 0, MarkSign.TARGET, "X"), 1, "usual", "X"),
        (BoardMark(0, 0, MarkSign.DANGER, "3"), 2, "all", "r3"),
        (BoardMark(0, 0, MarkSign.DANGER, "3"), 1, "all", "3"),
        (BoardMark(0, 0, MarkSign.DANGER, "3"), 1, "usual", "r"),
        (BoardMark(0, 0, MarkSign.REACH, "3"), 1, "all", "r"),
        (BoardMark(0, 0, MarkSign.REACH, "3"), 1, "asked", "3"),
        (BoardMark(0, 0, MarkSign.PATH, "3"), 1, "usual", "r"),
        (BoardMark(0, 0, MarkSign.DANGER), 1, "all", "r"),
    ],
)
def test_text_about_a_piece_is_beside_it_or_replaces_it(
    mark: BoardMark, columns: int, texts: Texts, drawn: str
) -> None:
    assert (written(mark, 2, columns, texts) if mark.text else "r") == drawn


def test_prices_on_bare_ground_are_shown_on_request() -> None:
    price = BoardMark(0, 0, MarkSign.REACH, "4")
    assert written(price, 0, 1) == "."
    assert written(price, 0, 1, "all") == "4"
    assert written(BoardMark(0, 0, MarkSign.PATH, "4"), 0, 2) == " 4"


def test_names_on_the_map_stay() -> None:
    for texts in ("usual", "all", "asked"):
        assert written(BoardMark(0, 0, MarkSign.TARGET, "4"), 3, 1, texts) == "L"


def test_chance_in_one_digit_is_rounded_down() -> None:
    assert [tenths(percent) for percent in (0, 9, 10, 62, 99, 100)] == [*"001699"]


# -- in games --------------------------------------------------------------------------------------


CLOSE = """
name = "close"
title = "Close"
about = "Two who can hit each other."
frontier = 12
cursor = [2, 2]
rounds = 2
rows = [
    "....................",
    "....................",
    "....................",
    "....................",
]
units = [
    { type = "lord_e", x = 1, y = 2 },
    { type = "sword", x = 5, y = 2 },
    { type = "axe", x = 6, y = 2, v = 1 },
    { type = "axe", x = 6, y = 3, v = 8 },
    { type = "axe", x = 4, y = 1, v = 9 },
    { type = "lord_d", x = 19, y = 0 },
]
sites = []
[now]
phase = 1
"""


def close() -> NewGame:
    """Return a game with two units that can hit each other; one of them will fall."""
    rules = find("weltendaemmerung")
    scene = parse(rules, CLOSE.encode())
    return NewGame("weltendaemmerung", scene, players=TWO_PEOPLE, seed=b"1", name="close")


def cell(at: Desk, x: int, y: int) -> str:
    """Return the signs and digits on a cell of the map, without its decoration."""
    board = at.game.board
    assert board.port is not None
    (left, top), region = board.margin, board.content_region
    column = region.x + left + (x - board.port.x) * board.columns
    first = region.y + top + (y - board.port.y) * board.rows
    rows = (row.ljust(200) for row in at.rows()[first : first + board.rows])
    return "".join(row[column : column + board.columns] for row in rows).replace("▀", " ")


@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
async def test_chances_are_shown_on_the_targets(tmp_path: Path, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size, start=close()) as at:
        at.game.session.point(5, 2)
        await at.press("space")
        marks = {(m.x, m.y): m for m in at.game.session.overlay.marks if m.sign is MarkSign.TARGET}
        assert {*marks} == {(6, 2), (6, 3), (4, 1)}
        for (x, y), mark in marks.items():
            if at.game.board.columns == 1:
                assert cell(at, x, y) == (mark.short or mark.text)
            else:
                assert mark.text in cell(at, x, y)
        assert marks[6, 2].text == "X"


@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
async def test_danger_is_shown_on_own_units_and_not_on_enemies(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with desk(tmp_path, size, start=close()) as at:
        await at.press("D")
        assert "3" in cell(at, 5, 2)
        assert not set(cell(at, 6, 2)) & {*"0123456789+"}
        await at.press("D")
        assert "1" in cell(at, 6, 2)
        assert not set(cell(at, 5, 2)) & {*"0123456789+"}


async def test_requested_tiles_are_marked_with_their_cost(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("m")
        assert at.game.pick is not None
        priced = [mark for mark in at.game.pick.marks if mark.sign is MarkSign.REACH and mark.text]
        assert priced
        for mark in priced:
            assert cell(at, mark.x, mark.y).strip() in {mark.text, "+"}
