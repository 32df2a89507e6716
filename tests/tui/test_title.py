"""The title: entries, keys, the state of the latest game, and the scene behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.record import replace
from tests.tui.piloted_app import Desk, desk
from tests.tui.test_saves import settled, stored
from tui.app.base import BaseApp
from tui.play.lessons import Reached, keep_progress
from tui.screens.title import TitleScreen
from tui.widgets.scenery import REST, Scenery


def title_of(at: Desk) -> TitleScreen:
    assert isinstance(at.app.screen, TitleScreen)
    return at.app.screen


def scenery_of(at: Desk) -> Scenery:
    return title_of(at).query_one(Scenery)


@pytest.fixture
def _waving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BaseApp, "may_wave", True)


async def test_title_points_new_players_to_the_lessons(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        assert "Learn to play  begin here" in at.text
        await at.press("c", "l", "r")
        title_of(at)
    keep_progress("toy/first", Reached(1, 4))
    async with desk(tmp_path) as at:
        assert "begin here" not in at.text


async def test_continue_shows_the_latest_game_its_round_and_who_is_to_move(
    tmp_path: Path,
) -> None:
    stored(tmp_path, "Sunday", ((0, "end-phase"),))
    async with desk(tmp_path) as at:
        await settled(at)
        for width, height in ((80, 24), (160, 50), (60, 20)):
            await at.pilot.resize_terminal(width, height)
            await at.rest()
            assert "Sunday · round 1 of" in at.text
            assert "Dailor's move · today" in at.text
        await at.press("c")
        assert at.lines == ["end-phase"]


async def test_form_of_a_ruleset_opens_at_once(tmp_path: Path) -> None:
    async with desk(tmp_path, start="gd6") as at:
        assert "Global Domination" in at.text
        await at.press("escape")
        title_of(at)


HEADINGS = {"n": "New game", "t": "Learn to play", "l": "Load a game", "r": "Replay a game"}


async def test_letters_choose_at_once(tmp_path: Path) -> None:
    stored(tmp_path, "one")
    async with desk(tmp_path) as at:
        for key, heading in HEADINGS.items():
            await at.press(key)
            assert at.rows()[0].strip().startswith(heading)
            await at.press("escape")
            title_of(at)


async def test_all_entries_are_visible_at_any_size(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        for size in ((40, 16), (60, 20), (80, 24), (101, 33), (200, 60)):
            await at.pilot.resize_terminal(*size)
            await at.rest()
            shown = at.text
            for entry in ("Continue", "New game", "Learn to play", "Settings", "Quit"):
                assert entry in shown, size
            assert scenery_of(at).size.width == size[0]


async def test_banner_is_still_unless_it_may_move(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        assert not scenery_of(at).moves


@pytest.mark.usefixtures("_waving")
async def test_waving_banner_changes_only_its_cells_and_stops_off_screen(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as at:
        scenery = scenery_of(at)
        before = at.rows()
        for _ in range(7):
            scenery.wave()
        await at.rest()
        after = at.rows()
        changed = [y for y in range(24) if before[y] != after[y]]
        assert 0 < len(changed) <= 5
        moving = [scenery.moves]
        for key in ("n", "escape"):
            await at.press(key)
            moving.append(scenery.moves)
        assert moving == [True, False, True]
    assert not scenery.is_running


@pytest.mark.usefixtures("_waving")
async def test_banner_rests_after_a_while_until_a_key(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        scenery = scenery_of(at)
        for _ in range(REST + 5):
            scenery.wave()
        step = scenery.step
        scenery.wave()
        assert scenery.step == step
        await at.press("down")
        scenery.wave()
        assert scenery.step != step


async def test_screen_reader_gets_the_menu_without_a_scene(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        at.app.change(replace(at.app.settings, reader="on"))
        await at.rest()
        assert not scenery_of(at).display
        assert "Classic turn-based war games" in at.rows()[0]
        assert "▀" not in at.text
        assert "New game" in at.text
