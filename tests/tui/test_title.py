"""The title: entries, keys, and the game beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.registry import find
from tests.tui.desk import Desk, desk
from tests.tui.test_saves import settled, stored
from tui.play.demo import REST, TOGETHER, Demo, fitting
from tui.play.lessons import Reached, keep_progress
from tui.screens.title import TitleScreen

WAR = find("weltendaemmerung")


def title_of(at: Desk) -> TitleScreen:
    assert isinstance(at.app.screen, TitleScreen)
    return at.app.screen


async def test_who_has_never_played_is_told_where_to_begin(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        assert "Learn to play  begin here" in at.text
        await at.press("c", "l", "r")
        title_of(at)
    keep_progress("toy/first", Reached(1, 4))
    async with desk(tmp_path) as at:
        assert "begin here" not in at.text


async def test_the_latest_save_is_told_with_its_round_and_turn(tmp_path: Path) -> None:
    stored(tmp_path, "Sunday", ((0, "end-phase"),))
    async with desk(tmp_path) as at:
        await settled(at)
        assert "Sunday" in at.text
        assert "Dailor · Movement" in at.text
        await at.press("c")
        assert at.lines == ["end-phase"]


@pytest.mark.parametrize(
    ("key", "heading"),
    [("n", "New game"), ("t", "Learn to play"), ("l", "Load a game"), ("r", "Replay a game")],
)
async def test_letters_choose_at_once(tmp_path: Path, key: str, heading: str) -> None:
    stored(tmp_path, "one")
    async with desk(tmp_path) as at:
        await at.press(key)
        assert at.rows()[0].strip().startswith(heading)
        await at.press("escape")
        title_of(at)


def test_the_demonstration_goes_on_to_the_end_and_begins_anew() -> None:
    demo = Demo(WAR, WAR.scenarios()["ford"])
    first = demo.board
    said = set()
    steps = 0
    while WAR.outcome(demo._game.state) is None:
        demo.step()
        said.add(demo.words)
        steps += 1
        assert not demo.is_stuck
        assert steps < 500
    assert len(said) > 20
    for _ in range(REST + 1):
        demo.step()
    assert demo.board == first


def test_the_demonstration_is_always_the_same() -> None:
    ways = []
    for _ in range(2):
        demo = Demo(WAR, WAR.scenarios()["ford"])
        for _ in range(20):
            demo.step()
        ways.append((demo.board, demo.words))
    assert ways[0] == ways[1]


def test_no_secrets_are_shown_and_dice_are_shown_one_by_one() -> None:
    toy = find("toy")
    demo = Demo(toy, next(iter(toy.scenarios().values())))
    for _ in range(60):
        before = len(demo._game.log)
        demo.step()
        new = demo._game.log.entries[before:]
        assert len(new) <= TOGETHER
        assert not any(entry.throws for entry in new[:-1])
    assert not demo.is_stuck


@pytest.mark.parametrize(("room", "name"), [((48, 20), "ford"), ((120, 44), "thainfal")])
def test_the_largest_board_that_fits_is_shown(room: tuple[int, int], name: str) -> None:
    assert fitting(WAR, *room).name == name


async def test_the_demonstration_stands_still_unless_it_may_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk(tmp_path) as at:
        screen = title_of(at)
        demo = screen._demo
        assert demo is not None
        first = demo.board
        screen._tick()
        assert demo.board == first
        monkeypatch.setattr(TitleScreen, "lively", True)
        screen._tick()
        assert demo.board != first
        await at.press("n")
        assert screen._timer is not None
        assert not screen._timer._active.is_set()
