"""Keys sent without waiting: each is answered, and none ends the program."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.tui.bursts import press
from tests.tui.piloted_app import FORD, desk
from tests.tui.scenes import RUNS, STACKS, Run
from tests.tui.test_key_queue import at_once
from tui.screens.new_game import NewGameScreen
from tui.screens.pages import PagesScreen
from tui.screens.reports import ReportsScreen
from tui.screens.title import TitleScreen
from tui.terminal import key_queue

KEYS = ("tab", "shift+tab", "tab", "down", "right", "enter")


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the home so that files written by keys are in a folder of the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))


async def test_program_starts_and_ends_while_keys_arrive(tmp_path: Path) -> None:
    for rounds in (0, 2, 5, 9, 20, 45):
        async with desk(tmp_path, start=FORD) as at:
            for key in ("J", "tab", "q", "n", "escape", "down"):
                at.app.simulate_key(key)
                for _ in range(rounds):
                    await asyncio.sleep(0)


@pytest.mark.parametrize("opened", ["J", "P", "K", "L", "question_mark"])
async def test_freshly_opened_page_survives_every_key(tmp_path: Path, opened: str) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        for key, rounds in zip(KEYS, (0, 1, 2, 4, 7, 12), strict=True):
            at.app.simulate_key(opened)
            for _ in range(rounds):
                await asyncio.sleep(0)
            at.app.simulate_key(key)
            await at.rest()
            while isinstance(at.app.screen, PagesScreen):
                await at.press("escape")


async def test_keys_after_the_one_that_opens_the_reports_turn_pages(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at_once(at, "J", "tab", "tab")
        assert isinstance(at.app.screen, ReportsScreen)
        assert at.app.screen.page == 2


async def test_screen_dismissed_twice_closes_no_other(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("n")
        found = at.app.screen
        assert isinstance(found, NewGameScreen)
        found.dismiss(None)
        found.dismiss(None)
        await at.rest()
        assert isinstance(at.app.screen, TitleScreen)


async def test_overtaking_keys_close_one_screen_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine that is too slow, the next key does not wait for the previous one."""
    monkeypatch.setattr(key_queue, "PATIENCE", 0.001)
    async with desk(tmp_path, start=FORD) as at:
        await at.press("q")
        for _ in range(2):
            await at.press("l")
            await at_once(at, "enter", "enter", "enter")
            await asyncio.sleep(0.02)
            await at.press("escape", "escape", "escape", "q")
            assert isinstance(at.app.screen, TitleScreen)


ALL = (*RUNS, None)
SOME = [run for run in ALL if run is None or run.name in {"saved", "replay", "orders", "stacks"}]


def named(run: Run | None) -> str:
    return run.name if run is not None else "host"


@pytest.mark.parametrize("run", SOME, ids=named)
async def test_bursts_of_keys_break_no_screen(tmp_path: Path, run: Run | None) -> None:
    count, _ = await press(tmp_path, run, "suite", 40)
    assert count > 0


@pytest.mark.slow
@pytest.mark.parametrize("run", ALL, ids=named)
async def test_many_bursts_of_keys_break_no_screen(tmp_path: Path, run: Run | None) -> None:
    for number in range(8):
        (tmp_path / f"{number}").mkdir()
        await press(tmp_path / f"{number}", run, f"slow {number}", 250)
