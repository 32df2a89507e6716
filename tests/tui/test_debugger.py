"""The screen of the debugger: walking, the state tree, watches, queries, verbs, viewers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Input

from saves.archive import Folder
from study.debug.debugger import Debugger
from study.screens.debugger import DebugScreen
from tests.tui.piloted_app import Desk, desk
from tui.screens.pages import PagesScreen

SAMPLES = Path(__file__).parents[2] / "saves" / "samples"


@asynccontextmanager
async def debugging(
    folder: Path, name: str = "format-1"
) -> AsyncIterator[tuple[Desk, DebugScreen]]:
    """Open the debugger on a sample save, at its end."""
    archive = Folder(folder)
    opened = archive.read(str(SAMPLES / f"{name}.bnr"))

    def bench() -> Debugger:
        return Debugger(opened, archive=archive)

    async with desk(folder, first=lambda: DebugScreen(bench(), bench)) as at:
        await at.rest()
        screen = at.app.screen
        assert isinstance(screen, DebugScreen)
        yield at, screen


def here(at: Desk) -> str:
    """Return the log line of the current step."""
    (found,) = HERE.findall(at.text)
    return str(found).strip()


HERE = re.compile(r"(?:^ ?|  )> (\d+(?:\.\d+)?  .*)$", re.MULTILINE)
"""The log line that begins with ``>``; it may be beside the board."""


async def typed(at: Desk, text: str) -> None:
    """Type a line into the open window, and confirm it."""
    at.app.screen.query_one(Input).value = text
    await at.press("enter")


async def test_debugger_walks_by_commands_and_events_and_to_both_ends(tmp_path: Path) -> None:
    async with debugging(tmp_path) as (at, screen):
        assert here(at).startswith("67  r3 Eldoin  game-won  attack unit=7")
        await at.press("left", "left")
        assert here(at).startswith("65  r3 Dailor  unit-stepped  move")
        await at.press("comma")
        assert here(at).startswith("65.9 ")
        await at.press("full_stop", "right")
        assert here(at).startswith("66  r3 Dailor  phase-began")
        await at.press("home")
        assert screen.bench.place() == "0"
        await at.press("end", "right", "full_stop")
        assert here(at).startswith("67 ")
        assert "67 of 67" in at.rows()[0]


async def test_debugger_shows_changes_of_an_event_and_watches_values(tmp_path: Path) -> None:
    async with debugging(tmp_path) as (at, screen):
        screen.stand(screen.bench.step_at("29"))
        await at.rest()
        assert "units[6]  v 7 -> 1" in at.text
        await at.press("w")
        await typed(at, "units[6].v")
        assert "units[6].v  1  (was 7)" in at.text
        await at.press("p")
        await typed(at, "units[6].v")
        assert here(at).startswith("29  units[6].v 7 -> 1")
        await at.press("w")
        await typed(at, "units[6].w")
        assert "the nearest is" in at.text, at.text
        await at.press("w")
        await typed(at, "units[6].v")
        assert "(was 7)" not in at.text


async def test_debugger_opens_the_state_as_a_tree(tmp_path: Path) -> None:
    async with debugging(tmp_path) as (at, screen):
        await at.press("tab", "down", "enter")
        assert "- units" in at.text
        assert "+ [0]" in at.text
        await at.press("down", "enter", "down", "w", "tab")
        assert screen.panes.watches == ["units[0].id"]
        assert "units[0].id  0" in at.text


async def test_debugger_finds_moments_and_counts_them(tmp_path: Path) -> None:
    async with debugging(tmp_path) as (at, screen):
        await at.press("home", "slash")
        await typed(at, "loss")
        assert "loss: 1 of 8" in at.text
        await at.press("n", "n")
        assert "loss: 3 of 8" in at.text
        assert screen.bench.place() == "24"
        await at.press("N")
        assert screen.bench.place() == "23"
        await at.press("slash")
        await typed(at, "frob >")
        assert "column" in at.text


async def test_debugger_hides_noise_and_returns_to_its_step(tmp_path: Path) -> None:
    async with debugging(tmp_path) as (at, screen):
        screen.stand(screen.bench.step_at("65.3"))
        await at.press("f", "end")
        assert "unit-stepped" not in at.text
        assert "1 kind of event hidden" in at.rows()[0]
        await at.press("A")
        assert "unit-stepped" in at.text
        await at.press("pageup", "pageup")
        assert HERE.findall(at.text) == []
        await at.press("0")
        assert here(at).startswith("67 ")


async def test_debugger_answers_every_verb_of_the_prompt(tmp_path: Path) -> None:
    async with debugging(tmp_path) as (at, screen):
        await at.press("colon")
        await typed(at, "go 29")
        assert screen.bench.place() == "29"
        for line, wanted in (("history units[6]", "made"), ("help", "history"), ("go -h", "usage")):
            if isinstance(at.app.screen, PagesScreen):
                await at.press("escape")
            await at.press("colon")
            await typed(at, line)
            assert isinstance(at.app.screen, PagesScreen)
            assert wanted in at.text, line
        await at.press("escape", "colon")
        await typed(at, "frob")
        assert "there is no verb 'frob'" in at.text


async def test_debugger_takes_the_view_of_each_seat_in_turn(tmp_path: Path) -> None:
    async with debugging(tmp_path, "kaladan-1") as (at, screen):
        whole = type(screen.bench.state)
        await at.press("s")
        assert screen.bench.viewer == 0
        assert "seen by" in at.rows()[0]
        assert type(screen.bench.state) is not whole
        await at.press("colon")
        await typed(at, "heavy")
        assert "tells what is hidden" in at.text
        for _ in screen.bench.opened.header.players:
            await at.press("s")
        assert type(screen.bench.state) is whole


async def test_debugger_reads_on_in_a_running_game(tmp_path: Path) -> None:
    async with debugging(tmp_path) as (at, screen):
        shorter = Debugger(screen.bench.opened, head=40)
        screen._go_on_with(shorter)
        await at.press("left", "R")
        assert "more events" in at.text
        assert screen.bench.place() == "39"
        assert screen.bench.place(len(screen.bench.line)) == "67"


async def test_replay_opens_the_debugger_at_its_entry_and_follows_it_back(tmp_path: Path) -> None:
    data = (SAMPLES / "format-1.bnr").read_bytes()
    (tmp_path / "saves").mkdir(exist_ok=True)
    (tmp_path / "game.bnr").write_bytes(data)
    async with desk(tmp_path, replay_name=str(tmp_path / "game.bnr")) as at:
        viewing = at.replay.viewing
        await at.press("right", "right", "D")
        assert isinstance(at.app.screen, DebugScreen)
        assert at.app.screen.bench.place() == str(viewing.entry.seq)
        index = viewing.index
        await at.press("right", "right", "comma", "q")
        assert (viewing.index, viewing.is_between) == (index + 2, True)
        assert not isinstance(at.app.screen, DebugScreen)


@pytest.mark.parametrize("name", ["format-1", "kaladan-1", "lordsawar-1"])
async def test_debugger_shows_its_keys_and_its_step_in_every_window(
    tmp_path: Path, name: str
) -> None:
    async with debugging(tmp_path, name) as (at, screen):
        for size in ((80, 24), (160, 50), (200, 60)):
            await at.pilot.resize_terminal(*size)
            await at.press("left")
            assert here(at).startswith(screen.bench.place())
            rows = at.rows()
            assert "help" in rows[-1]
            assert "leave" in rows[-1]
            assert all(len(row) <= size[0] for row in rows)
