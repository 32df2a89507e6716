"""A game on the screen: keys in, lines of notation and rows of text out."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.registry import find
from engine.core.scenarios import parse
from saves.archive import Folder
from tests.tui.piloted_app import AGAINST_EASY, FORD, TWO_PEOPLE, desk
from tui.play.setup import NewGame

MIDDLE = """
name = "middle"
title = "Middle"
about = "A place of every kind, close together."
frontier = 6
rounds = 2
cursor = [2, 2]
rows = [
    "............",
    "....G.......",
    "............",
    "....#.......",
    "............",
]
units = [
    { type = "sword", x = 2, y = 2 },
    { type = "lord_e", x = 0, y = 4 },
    { type = "axe", x = 5, y = 2 },
    { type = "lord_d", x = 11, y = 4 },
]
sites = [{ x = 4, y = 1 }]
"""


def middle() -> NewGame:
    rules = find("weltendaemmerung")
    scenario = parse(rules, MIDDLE.encode())
    return NewGame("weltendaemmerung", scenario, players=TWO_PEOPLE, seed=b"1", name="game")


async def test_unit_is_picked_up_moved_step_by_step_and_put_down(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        assert "pick up" in at.note
        await at.press("space")
        assert "put down" in at.note
        await at.press("right", "l")
        assert at.cursor == (4, 2)
        await at.press("5")
        await at.press("down")
        assert at.lines == [
            "step unit=0 direction=right",
            "step unit=0 direction=right",
        ]
        assert at.cursor == (4, 3)


async def test_refused_step_gives_its_reason_and_the_unit_stays_held(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("space", "right", "right", "right")
        assert at.lines == ["step unit=0 direction=right"] * 2
        assert at.cursor == (4, 2)
        assert at.note
        assert "WD-" not in at.note
        assert at.game.session.focus.held == 0
        await at.press("left")
        assert at.cursor == (3, 2)


async def test_fast_movement_makes_five_steps_and_stops_at_a_refusal(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("f", "right")
        assert at.cursor == (7, 2)
        assert "FAST" in at.rows()[0]
        await at.press("left", "space", "right")
        assert at.lines == ["step unit=0 direction=right"] * 2
        assert at.note
        assert "WD-" not in at.note


async def test_attack_is_chosen_and_made_with_the_button(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("space", "right", "right", "space")
        await at.press("e", "enter", "e", "enter")
        assert " ATTACK " in at.rows()[0]
        await at.press("tab", "space", "x")
        assert "Damage" in at.text
        await at.press("space")
        assert at.lines[-1] == "attack unit=0 at=5,2"


async def test_gate_is_operated_with_the_button(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press(*("e", "enter") * 4)
        assert " GATES" in at.rows()[0]
        await at.press("v", "space")
        assert at.lines[-1] == "gate at=4,1"


async def test_undo_takes_back_the_last_own_step(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("space", "right", "right", "z")
        assert at.lines == ["step unit=0 direction=right"]
        assert at.game.session.view.units[0].x == 3


async def test_undo_without_a_step_is_refused_in_a_line(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("z")
        assert "take back" in at.note
        assert at.lines == []


async def test_move_by_menu_asks_for_the_place_on_the_map(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("m")
        assert at.game.pick is not None
        await at.press("right", "right", "enter")
        assert at.lines == ["move unit=0 path=3,2>4,2"]
        assert at.game.pick is None


async def test_escape_leaves_a_question_without_effect(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("m", "right", "escape")
        assert at.game.pick is None
        assert at.cursor == (2, 2)
        await at.press("e", "n")
        assert at.lines == []


async def test_click_moves_the_cursor_or_acts_as_the_button(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        board = at.game.board
        (left, top), wide, high = board.margin, board.columns, board.rows
        await at.pilot.click(board, offset=(left + 2 * wide, top + 2 * high))
        await at.rest()
        assert at.game.session.focus.held == 0


async def test_continued_game_has_the_same_position(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("space", "right", "right")
        before = at.table.game.state
        await at.press("q")
        assert "Continue" in at.text
        await at.press("enter")
        assert at.table.game.state == before
        assert any("moves left" in row for row in at.rows())
    async with desk(tmp_path, open_name="game") as at:
        assert at.table.game.state == before
        await at.press("z")
        assert at.lines == ["step unit=0 direction=right"]


async def test_cursor_jumps_home_when_a_phase_ends(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("e", "enter")
        assert at.cursor == at.game.board.home()


async def test_tab_selects_the_next_idle_piece(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        seen = set()
        for _ in range(8):
            await at.press("tab")
            seen.add(at.cursor)
        assert len(seen) == 8


async def test_whole_game_against_a_computer_ends_with_the_result(tmp_path: Path) -> None:
    start = NewGame("weltendaemmerung", "ford", players=AGAINST_EASY, seed=b"1", name="game")
    async with desk(tmp_path, start=start) as at:
        for _ in range(18):
            if at.game.session.status.over:
                break
            await at.press("e", "enter")
        assert at.game.session.status.over
        assert "has won" in at.text
        assert "Watch the replay" in at.text
        await at.press("enter")
        assert at.replay.viewing.index == 0
        await at.press("end")
        assert "has won" in at.rows()[0]


async def test_screen_for_two_people_says_who_is_to_act(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("e", "enter")
        assert at.game.session.viewer == 1
        assert any("Dailor is to act." in row for row in at.rows())


async def test_leaving_during_a_computer_turn_keeps_its_moves(
    tmp_path: Path,
) -> None:
    start = NewGame("weltendaemmerung", "ford", players=AGAINST_EASY, seed=b"1", name="game")
    async with desk(tmp_path, start=start) as at:
        at.app.speed = 0
        await at.pilot.press("e", "enter")
        await at.pilot.pause()
        played = len(at.table.game.log)
        at.app.exit(0)
    assert len(Folder(tmp_path).read("game").log) >= played


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
async def test_cursor_is_in_the_window_after_a_resize(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    start = NewGame("weltendaemmerung", players=TWO_PEOPLE, seed=b"1", name="game")
    async with desk(tmp_path, start=start) as at:
        await at.press("f", *["right"] * 9, *["down"] * 3)
        cursor = at.cursor
        await at.pilot.resize_terminal(*size)
        await at.rest()
        assert at.cursor == cursor
        port = at.game.board.port
        assert port is not None
        assert port.holds(*cursor)


async def test_window_that_is_too_small_says_so_and_recovers(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD, size=(30, 8)) as at:
        assert "make it larger" in " ".join(at.text.split())
        await at.pilot.resize_terminal(80, 24)
        await at.rest()
        assert "Eldoin ►  MOVE" in at.rows()[0]
        await at.pilot.resize_terminal(60, 20)
        await at.rest()
        assert "COMMANDER" in at.text
