"""Forces, chronicle and chart below the panel of a large window."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.piloted_app import TWO_PEOPLE, desk
from tests.tui.scenes import WOUNDS, a_replay, boxes, orders
from tests.tui.test_game import middle
from tests.tui.test_playback import COMPUTER, held, turn
from tui.play.setup import NewGame
from tui.screens.replay import ReplayScreen


@pytest.mark.parametrize("size", [(80, 24), (100, 60)])
async def test_narrow_window_has_nothing_below_the_panel(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with desk(tmp_path, size, start=orders()) as at:
        assert not at.game.below.display


async def test_large_window_has_the_forces_below_the_panel(tmp_path: Path) -> None:
    async with desk(tmp_path, (160, 60), start=boxes()) as at:
        game = at.game
        assert game.below.display
        before = game.below._rows
        assert "FORCES" in at.text
        assert game.side.size.height >= 16
        await at.press("right", "right", "down")
        assert game.below._rows == before


async def test_chronicle_counts_moves_and_forgets_undone_ones(tmp_path: Path) -> None:
    async with desk(tmp_path, (160, 60), start=middle()) as at:
        await at.press("space", "right", "right", "space")
        assert "CHRONICLE" in at.text
        assert "1 unit moved" in at.text
        await at.press("z", "z")
        assert "1 unit moved" not in at.text


async def test_chronicle_of_a_resumed_game_includes_the_past(
    tmp_path: Path,
) -> None:
    await a_replay(tmp_path)
    async with desk(tmp_path, (160, 60)) as at:
        await at.press("enter")
        assert "CHRONICLE" in at.text
        assert "unit moved" in at.text or "units moved" in at.text


async def test_chronicle_is_current_when_a_window_grows_during_playback(tmp_path: Path) -> None:
    async with desk(tmp_path, (160, 60), start=COMPUTER) as at:
        await at.pilot.resize_terminal(80, 24)
        await at.rest()
        await at.press("e", "enter")
        at.app.speed = 0
        await at.pilot.press("R", "enter")
        await at.pilot.pause()
        assert at.game.shows.is_on
        await at.pilot.resize_terminal(160, 60)
        await at.pilot.pause()
        assert at.game.shows.is_on
        assert "CHRONICLE" in at.text
        await at.press("escape")


async def test_playback_shows_the_forces_and_the_chronicle_of_its_moment(tmp_path: Path) -> None:
    async with desk(tmp_path, (120, 40), start=orders()) as at:
        await held(at)
        game, presenter = at.game, at.game.session.presenter
        assert game.below.display
        shown = []
        for _ in range(3):
            lines = presenter.forces(game.shows.played[-1].view)
            assert game.below._rows[: len(lines)] == game.below.filled(lines)[: len(lines)]
            shown.append(list(game.below._rows))
            await turn(at, "right_curly_bracket")
        assert shown[0] != shown[-1]
        await at.press("escape")
        assert list(game.below._rows) not in shown


async def test_replay_shows_the_forces_below_its_panel(tmp_path: Path) -> None:
    wanted = await a_replay(tmp_path)
    async with desk(tmp_path, (160, 60), **wanted) as at:
        assert "FORCES" in at.text
        assert "BY ROUND" not in at.text
        screen = at.app.screen
        assert isinstance(screen, ReplayScreen)
        screen.viewing.story.rounds.append((0, 2))
        screen.below.styles.height = 20
        await at.rest()
        screen.sync()
        await at.rest()
        assert "LIFE BY ROUND" in at.text


async def test_game_has_a_chart_from_its_second_round(tmp_path: Path) -> None:
    start = NewGame("weltendaemmerung", "ford", players=TWO_PEOPLE, seed=b"1", name="game")
    async with desk(tmp_path, (200, 60), start=start) as at:
        assert "BY ROUND" not in at.text
        await at.press(*("e", "enter") * 6)
        session = at.game.session
        assert session.status.round == 2
        assert "LIFE BY ROUND" in at.text
        assert [len(curve) for curve in session.curves] == [2, 2]
        shown = session.curves
    async with desk(tmp_path, (200, 60), open_name="game") as at:  # read from the log
        assert at.game.session.curves == shown
        assert "LIFE BY ROUND" in at.text
        await at.press("z", "z", "z")
        assert max(map(len, at.game.session.curves)) == at.game.session.status.round


async def test_a_large_window_gives_the_panel_as_many_rows_as_what_is_below(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, (200, 60), start=WOUNDS) as at:
        assert at.game.below.display
        assert at.game.side.size.height >= at.game.below.size.height
