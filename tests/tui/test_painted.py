"""The short path from widgets to the terminal sends the same bytes as Textual's path."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.widget import Widget

from engine.tabletop.board import Line
from saves.archive import Folder
from study.screens.reasons import ReplayReasons
from tests.tui.piloted_app import TWO_PEOPLE, Desk, InProcess
from tests.tui.two_terminals import Emulated, Keeping, Twice, twice
from tui.app.local import LocalApp
from tui.play.setup import NewGame
from tui.screens.frame import Small
from tui.terminal.painted import uncovered
from tui.widgets.panels import Bar, Rows

LARGE = NewGame("weltendaemmerung", players=TWO_PEOPLE, seed=b"1", name="large")
WALK = [
    *("right", "right", "down", "left", "up") * 3,
    *("tab", "space", "escape", "x", "question_mark", "escape", "z", "right", "z"),
    *("f", "left", "left", "left", "down", "down", "f"),
]
"""Keys without moves: a gliding piece is painted by a timer, in between."""


class Long(LocalApp):
    """The program with the short path turned off."""

    @property
    def paints(self) -> bool:
        return False


@asynccontextmanager
async def sending(
    kind: type[LocalApp], folder: Path, size: tuple[int, int]
) -> AsyncIterator[tuple[Desk, Keeping]]:
    """Run a program whose driver keeps its output."""
    app = kind(Folder(folder), lambda: ReplayReasons, start=LARGE, computer=InProcess())
    app.driver_class = Keeping
    try:
        async with app.run_test(headless=False, size=size) as pilot:
            at = Desk(app, pilot)
            await at.rest()
            assert isinstance(app._driver, Keeping)
            yield at, app._driver
    finally:
        app.close_all()


async def sent(kind: type[LocalApp], folder: Path, size: tuple[int, int]) -> list[str]:
    """Return the bytes sent for each key of a walk."""
    async with sending(kind, folder, size) as (at, driver):
        driver.take()
        found = []
        for key in WALK:
            await at.press(key)
            found.append(driver.take())
        return found


async def say(at: Desk, text: str) -> None:
    """Add a line to the log."""
    at.game.session.lines.append(Line(text))
    at.game.sync_soon()
    await at.rest()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_short_path_sends_the_same_bytes(tmp_path: Path, size: tuple[int, int]) -> None:
    short = await sent(LocalApp, tmp_path / "short", size)
    long = await sent(Long, tmp_path / "long", size)
    for key, mine, textuals in zip(WALK, short, long, strict=True):
        assert mine == textuals, key
    assert sum(map(bool, short)) > 15


async def test_step_takes_the_short_path_once(tmp_path: Path) -> None:
    async with twice(tmp_path, start=LARGE) as (at, app):
        before = app.updates, app.short_ways
        await at.press("right")
        assert (app.updates, app.short_ways) == (before[0] + 1, before[1] + 1)
        assert app.differing() == []


async def test_map_under_a_notification_takes_textuals_path(tmp_path: Path) -> None:
    app = Twice(tmp_path, (80, 24), start=LARGE)
    async with app.run_test(headless=False, size=(80, 24), notifications=True) as pilot:
        at = Desk(app, pilot)
        await at.rest()
        app.notify("Something that lies over the map.", timeout=100)
        await at.rest()
        before = app.short_ways
        await say(at, "A line of the log that ends below the message, so it is rather long.")
        assert app.short_ways == before
        assert app.differing() == []
        assert "Something that lies" in at.text
        app.clear_notifications()
        await at.rest()
        await say(at, "A line with nothing over it.")
        assert app.short_ways == before + 1
        assert app.differing() == []
    app.close_all()


async def test_map_under_another_screen_is_not_painted(tmp_path: Path) -> None:
    async with twice(tmp_path, start=LARGE) as (at, app):
        game = at.map
        await at.press("question_mark")
        before, shown = app.short_ways, app.lean.screen.display
        game.sync_soon()
        await at.rest()
        assert app.short_ways == before
        assert app.lean.screen.display == shown
        await at.press("escape")
        assert app.differing() == []


async def test_short_path_knows_the_layout_after_a_resize(tmp_path: Path) -> None:
    async with twice(tmp_path, start=LARGE) as (at, app):
        for size in ((120, 40), (72, 24), (100, 30)):
            await at.pilot.resize_terminal(*size)
            await at.rest()
            before = app.short_ways
            for key in ("right", "down", "left", "left"):
                await at.press(key)
                assert app.differing() == [], (size, key)
            assert app.short_ways > before


async def test_short_path_is_unused_without_a_terminal(tmp_path: Path) -> None:
    app = Twice(tmp_path, (80, 24), start=LARGE)
    async with app.run_test(headless=True) as pilot:
        at = Desk(app, pilot)
        await at.rest()
        await at.press("right")
        assert not app.paints
        assert app.short_ways == 0
    app.close_all()


def test_only_fully_visible_widgets_are_uncovered() -> None:
    """In front order: a window over the end of a bar, that bar, a cut bar, a whole bar, a padded
    one.
    """
    screen = Region(0, 0, 80, 24)
    over, covered, cut, whole, framed = Rows(), Bar(), Bar(), Bar(), Small()
    framed.styles.padding = 1
    places: dict[Widget, tuple[Region, Region]] = {
        over: (Region(70, 3, 10, 4), screen),
        covered: (Region(0, 5, 80, 1), screen),
        cut: (Region(0, 23, 80, 2), screen),
        whole: (Region(0, 8, 80, 1), screen),
        framed: (Region(0, 10, 80, 3), screen),
    }
    assert [*uncovered(places)] == [over, whole]


@pytest.mark.parametrize("keys", [(), ("i",), ("slash",), ("e",)], ids="".join)
async def test_repaint_redraws_the_screen_with_everything_over_it(
    tmp_path: Path, keys: tuple[str, ...]
) -> None:
    size = 80, 24
    async with sending(LocalApp, tmp_path, size) as (at, driver):
        await at.press(*keys)
        driver.take()
        await at.press("ctrl+l")
        terminal = Emulated(size)
        terminal.feed(driver.take())
        assert [row.rstrip() for row in terminal.screen.display] == at.rows()
