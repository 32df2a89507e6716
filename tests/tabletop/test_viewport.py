"""The window on a board that is larger than the screen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tabletop.viewport import Viewport, centred, follow, home, home_cell, opened, resized

ORIGINAL = (38, 19)
MAP = (80, 40)

sizes = st.tuples(st.integers(1, 50), st.integers(1, 50))


@st.composite
def windows(draw: st.DrawFn) -> tuple[Viewport, tuple[int, int]]:
    """Draw a window on a board and a cursor in it."""
    board, screen = draw(sizes), draw(sizes)
    cursor = draw(st.integers(0, board[0] - 1)), draw(st.integers(0, board[1] - 1))
    return opened(screen, board, cursor), cursor


def is_sound(port: Viewport) -> bool:
    return 0 <= port.x <= port.most[0] and 0 <= port.y <= port.most[1]


@pytest.mark.rule("WD-VIEW-4")
def test_the_original_window_opens_at_the_north_west_corner() -> None:
    port = opened(ORIGINAL, MAP, (19, 12))
    assert (port.x, port.y) == (0, 0)
    assert home_cell(port) == (19, 12)


@pytest.mark.rule("WD-VIEW-4")
def test_start_cursor_is_in_the_home_cell_unless_at_the_map_edge() -> None:
    port = opened(ORIGINAL, MAP, (40, 20))
    assert (port.x, port.y) == (40 - 19, 20 - 12)
    assert opened(ORIGINAL, MAP, (79, 39)).x == 42
    assert opened(ORIGINAL, MAP, (79, 39)).y == 21


@pytest.mark.rule("WD-VIEW-1")
def test_offsets_of_the_original_window_run_to_42_and_21() -> None:
    assert opened(ORIGINAL, MAP, (0, 0)).most == (42, 21)


@pytest.mark.rule("WD-VIEW-1")
def test_the_window_is_never_larger_than_the_map() -> None:
    port = opened((200, 100), (20, 12), (7, 3))
    assert (port.width, port.height, port.x, port.y) == (20, 12, 0, 0)


@pytest.mark.rule("WD-VIEW-1")
def test_window_without_size_still_holds_the_cursor() -> None:
    port = opened((0, 0), MAP, (5, 5))
    assert (port.width, port.height) == (1, 1)
    assert port.holds(5, 5)


@pytest.mark.rule("WD-VIEW-2")
def test_a_push_inside_the_window_does_not_scroll() -> None:
    port = opened(ORIGINAL, MAP, (19, 12))
    assert follow(port, 37, 18) == port


@pytest.mark.rule("WD-VIEW-2")
@pytest.mark.parametrize(
    ("cursor", "offset"),
    [((38, 10), (1, 0)), ((20, 19), (0, 1)), ((37, 18), (0, 0))],
)
def test_a_push_against_the_edge_scrolls_by_one_tile(
    cursor: tuple[int, int], offset: tuple[int, int]
) -> None:
    port = follow(opened(ORIGINAL, MAP, (19, 12)), *cursor)
    assert (port.x, port.y) == offset


@pytest.mark.rule("WD-VIEW-2")
def test_the_window_scrolls_back_only_at_its_other_edge() -> None:
    port = follow(opened(ORIGINAL, MAP, (19, 12)), 38, 10)
    assert follow(port, 1, 10) == port
    assert follow(port, 0, 10).x == 0


@pytest.mark.rule("WD-VIEW-5")
def test_home_moves_the_cursor_without_scrolling() -> None:
    port = follow(opened(ORIGINAL, MAP, (19, 12)), 60, 30)
    x, y = home(port)
    assert (x - port.x, y - port.y) == (19, 12)
    assert port.holds(x, y)


@pytest.mark.rule("WD-VIEW-5")
def test_home_cell_is_half_across_and_two_thirds_down() -> None:
    assert home_cell(opened((60, 30), MAP, (0, 0))) == (30, 20)
    assert home_cell(opened((7, 7), MAP, (0, 0))) == (3, 4)


@pytest.mark.rule("WD-VIEW-1")
@given(windows(), sizes)
def test_resized_window_moves_as_little_as_possible(
    window: tuple[Viewport, tuple[int, int]], screen: tuple[int, int]
) -> None:
    port, cursor = window
    after = resized(port, screen, *cursor)
    assert is_sound(after)
    assert after.holds(*cursor)
    if after.width >= port.width:
        assert after.x == min(port.x, after.most[0])
    if after.height >= port.height:
        assert after.y == min(port.y, after.most[1])


@pytest.mark.rule("WD-VIEW-1", "WD-VIEW-2")
@given(windows(), st.lists(st.sampled_from([(0, -1), (0, 1), (-1, 0), (1, 0)]), max_size=60))
def test_the_cursor_stays_in_the_window_and_the_window_on_the_map(
    window: tuple[Viewport, tuple[int, int]], pushes: list[tuple[int, int]]
) -> None:
    port, (x, y) = window
    for dx, dy in pushes:
        before = port
        x = min(max(0, x + dx), port.board_width - 1)
        y = min(max(0, y + dy), port.board_height - 1)
        port = follow(port, x, y)
        assert is_sound(port)
        assert port.holds(x, y)
        assert abs(port.x - before.x) + abs(port.y - before.y) <= 1


@given(windows())
def test_a_centred_window_holds_its_cell(window: tuple[Viewport, tuple[int, int]]) -> None:
    port, cursor = window
    after = centred(port, *cursor)
    assert is_sound(after)
    assert after.holds(*cursor)
    if 0 < after.x < after.most[0]:
        assert cursor[0] - after.x == after.width // 2
