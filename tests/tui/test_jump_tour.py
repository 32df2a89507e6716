"""Jumping to the next of a kind: the nearest first, each once, and back along the same path."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Plane
from engine.kit.grid import Place
from engine.tabletop.board import Board
from tests.tui.piloted_app import desk
from tests.tui.scenes import LARGE, STACKS
from tui.play.picking import Tour


def board(*, wraps: bool = False, narrow: bool = False) -> Board:
    plane = Plane(np.zeros((20, 20), dtype=np.int16))
    return Board(plane, plane, plane, plane, wraps=wraps, narrow=narrow)


def gone(tour: Tour, cells: list[Place], here: Place, *steps: int) -> list[Place]:
    """Return the cells that a tour visits."""
    found = []
    for by in steps:
        here = tour.go(cells, here, by)
        found.append(here)
    return found


def test_nearest_comes_first_and_each_once() -> None:
    cells = [(0, 0), (19, 1), (10, 12), (9, 9)]
    way = gone(Tour(board()), cells, (10, 10), 1, 1, 1, 1, 1)
    assert way == [(9, 9), (10, 12), (19, 1), (0, 0), (9, 9)]


def test_back_retraces_the_path() -> None:
    cells = [(0, 0), (19, 1), (10, 12), (9, 9)]
    way = gone(Tour(board()), cells, (10, 10), 1, 1, 1, -1, -1)
    assert way[3:] == [way[1], way[0]]


def test_skipped_cells_come_later_after_an_order() -> None:
    cells, tour = [(1, 0), (3, 0), (9, 0)], Tour(board())
    assert gone(tour, cells, (0, 0), 1, 1) == [(1, 0), (3, 0)]
    left = [(1, 0), (9, 0)]  # the piece at 3,0 was carried to 2,0 and has no points left
    assert gone(tour, left, (2, 0), 1, 1) == [(9, 0), (1, 0)]


def test_tour_restarts_after_the_cursor_was_moved() -> None:
    cells, tour = [(1, 0), (3, 0), (9, 0)], Tour(board())
    assert gone(tour, cells, (0, 0), 1, 1) == [(1, 0), (3, 0)]
    assert gone(tour, cells, (0, 0), 1) == [(1, 0)]


def test_distance_respects_wrapping_maps_and_high_rows() -> None:
    cells = [(18, 5), (9, 5)]
    assert Tour(board(wraps=True)).go(cells, (1, 5), 1) == (18, 5)
    assert Tour(board()).go(cells, (1, 5), 1) == (9, 5)
    cells = [(5, 8), (10, 5)]
    assert Tour(board()).go(cells, (5, 5), 1) == (5, 8)
    assert Tour(board(narrow=True)).go(cells, (5, 5), 1) == (10, 5)


places = st.tuples(st.integers(0, 19), st.integers(0, 19))


@given(st.lists(places, min_size=1, max_size=12, unique=True), places, st.sampled_from([1, -1]))
def test_every_cell_is_visited(cells: list[Place], here: Place, by: int) -> None:
    way = gone(Tour(board()), cells, here, *[by] * len(cells))
    assert {*way, here} >= {*cells}


async def test_next_piece_is_the_nearest(tmp_path: Path) -> None:
    async with desk(tmp_path, start=LARGE) as at:
        session, here = at.game.session, at.cursor
        idle = {*session.presenter.jumps(session.view, session.focus, "idle")} - {here}

        def far(cell: tuple[int, int], other: tuple[int, int]) -> int:
            return (cell[0] - other[0]) ** 2 + (cell[1] - other[1]) ** 2

        await at.press("tab")
        first = at.cursor
        assert far(first, here) == min(far(cell, here) for cell in idle)
        await at.press("tab")
        assert far(at.cursor, first) == min(far(cell, first) for cell in idle - {first})
        await at.press("shift+tab")
        assert at.cursor == first


async def test_with_an_open_choice_the_keys_of_sites_go_to_sites(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        session = at.game.session
        sites = session.presenter.jumps(session.view, session.focus, "site")
        await at.press("m", "v")
        pick = at.game.pick
        assert pick is not None
        first = pick.at
        await at.press("v")
        assert first in sites
        assert pick.at in {*sites} - {first}
        await at.press("tab")
        assert pick.at not in sites


async def test_a_path_says_that_nothing_jumps(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("i", "W", "v")
        assert at.game.hint.text == "A path is walked step by step."
