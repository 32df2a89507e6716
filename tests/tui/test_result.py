"""The end of a game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.css.query import NoMatches

from engine.core.archive import SeatPlayer
from engine.core.record import replace
from engine.core.ruleset import Outcome
from saves.archive import Folder
from tests.tui.piloted_app import Desk, desk
from tests.tui.test_game import middle
from tests.tui.test_saves import settled
from tui.app.base import BaseApp
from tui.play.outcome import numbers
from tui.screens.frame import while_open
from tui.screens.result import ResultScreen
from tui.widgets.scenery import Scenery

PEOPLE = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor"))


async def ended(at: Desk) -> None:
    """Play to the end."""
    await at.press(*("e", "enter") * 12)
    await settled(at)


def test_each_side_has_a_column_and_winners_a_mark() -> None:
    found = numbers({"units": (2, 1), "life": (30, 7)}, PEOPLE, Outcome("x", (1,)))
    rows = [line.text.split() for line in found]
    assert rows == [
        ["Eldoin", "*", "Dailor"],
        ["units", "2", "1"],
        ["life", "30", "7"],
        ["*", "has", "won"],
    ]
    assert numbers({}, PEOPLE, None) == []


def test_sides_become_rows_when_columns_do_not_fit() -> None:
    values = {"cities": (1, 2, 3), "armies": (4, None, 6), "strength": (7, 8, 9)}
    people = (*PEOPLE, SeatPlayer(2, "Ketterby"))
    rows = [line.text.split() for line in numbers(values, people, None, 30)]
    assert rows == [
        ["cities", "armies"],
        ["Eldoin", "1", "4"],
        ["Dailor", "2", "?"],
        ["Ketterby", "3", "6"],
    ]
    assert numbers(values, people, None, 80) == numbers(values, people, None)


async def test_result_shows_winner_reason_course_and_a_whole_chart(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await ended(at)
        await settled(at)
        assert "No side ever led." in at.text
        assert "2 rounds, without a blow." in at.text
        assert len([row for row in at.rows() if "└" in row]) == 1
        assert "Back to the title" in at.text
        for size in ((80, 24), (160, 50), (60, 22)):
            await at.pilot.resize_terminal(*size)
            await at.rest()
            assert "Eldoin has won after" in at.rows()[0]
            assert "Eldoin still stands" in at.text
            assert "* Eldoin" in at.text
            assert "Again with the same settings" in at.text


async def test_same_game_can_be_started_again_with_other_dice(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        before = at.table
        await ended(at)
        await at.press("down", "down", "enter")
        after = at.table
        assert after is not before
        assert len(after.game.log) == 1
        assert after.header.seed != before.header.seed
        assert after.players == before.players
        assert after.game.log[0].events == before.game.log[0].events
        assert len(Folder(tmp_path).listing()) == 2


async def test_map_is_visible_after_the_end_and_the_banner_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BaseApp, "may_wave", True)
    async with desk(tmp_path, start=middle()) as at:
        await ended(at)
        scenery = at.app.screen.query_one(Scenery)
        assert scenery.moves
        scenery.wave()
        await at.press("escape")
        assert at.game.session.status.over
        assert at.app.screen is at.game
        assert not scenery.is_attached


async def test_screen_reader_gets_the_verdict_in_words(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await ended(at)
        at.app.change(replace(at.app.settings, reader="on"))
        await at.rest()
        assert at.rows()[1].strip() == "Eldoin"
        assert "▀" not in at.text


async def test_drawing_that_comes_while_the_screen_closes_breaks_nothing(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await ended(at)
        await settled(at)
        result = at.app.screen
        assert isinstance(result, ResultScreen)
        result.dismiss("look")
        for _ in range(50):
            await asyncio.sleep(0)
            while_open(result, result._draw)()
        with pytest.raises(NoMatches):
            result._draw()
