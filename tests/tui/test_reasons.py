"""Reasons in the replay: why, when it was decided, what if; the same from a result."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.widgets import Input, Static

from engine.core.record import replace
from study.debug.in_words import CausesInWords
from study.debug.moment_changes import MomentInWords
from study.screens import fate
from study.screens.fate import FateScreen, course
from study.screens.reasons import WhyScreen
from tests.tui.piloted_app import Desk, desk
from tests.tui.test_game import middle
from tests.tui.test_result import ended
from tests.tui.test_small_windows import resized
from tui.replay.watch import Watch
from tui.screens.pages import PagesScreen
from tui.screens.replay import ReplayScreen

SAMPLES = Path(__file__).parents[2] / "saves" / "samples"
SIZES = ((80, 24), (60, 22), (160, 50), (200, 60))


@pytest.fixture(autouse=True)
def one_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play few games from each position, without processes."""
    monkeypatch.setattr(FateScreen, "stages", (2, 3))
    monkeypatch.setattr(fate, "_JOBS", 1)


def sample(folder: Path, name: str = "format-1") -> Path:
    """Copy a sample save to a folder; return the folder."""
    folder.mkdir(exist_ok=True)
    shutil.copy(SAMPLES / f"{name}.bnr", folder / f"{name}.bnr")
    return folder


async def gone_to(at: Desk, entry: int) -> None:
    """Go to an entry by its number."""
    watch = at.replay.viewing
    at.replay.seek(watch.index_of(entry))
    await at.rest()


async def typed(at: Desk, text: str) -> None:
    """Type a line into the open window, and confirm it."""
    at.app.screen.query_one(Input).value = text
    await at.press("enter")


def causes(at: Desk) -> str:
    """Return the whole text of the causes, in one line."""
    return " ".join(str(at.app.screen.query_one("#reasons", Static).render()).split())


def told(watch: Watch, entry: int) -> str:
    """Return the causes of the most important change of an entry, in one line."""
    watch.seek(watch.index_of(entry))
    moment = MomentInWords(watch)
    found = CausesInWords(moment, moment.changes()[0]).reasons(lambda: False)
    return " ".join(line.text for line in found.lines)


# -- why -------------------------------------------------------------------------------------------


async def test_why_shows_throws_with_their_thresholds_and_the_rule(tmp_path: Path) -> None:
    async with desk(sample(tmp_path), replay_name="format-1") as at:
        await gone_to(at, 22)
        await at.press("W")
        text = causes(at)
        assert "Eldoin's eagle hits archers at 10,6 for 10 (2 life left)." in text
        assert "It came from a command of Eldoin: attack, from 10,4 to 10,6." in text
        assert "The throw, a die of 8, fell 6. 6 to 7 would have done the same; on 1: 5 " in text
        assert "nobody hits back. (WD-ATT-3)" in text
        assert {(10, 6), (10, 4)} <= set(at.map.board.drawing.flashed)
        await at.press("enter")
        assert "WD-ATT-3" in at.text
        await at.press("escape")
        assert at.app.screen is at.replay
        assert not at.map.board.drawing.flashed


async def test_why_lists_changes_with_the_end_of_the_game_first(tmp_path: Path) -> None:
    async with desk(sample(tmp_path), replay_name="format-1") as at:
        await at.press("end", "W")
        assert "The end: Eldoin won" in at.text
        assert "The last unit of Dailor has fallen." in causes(at)
        await at.press("down")
        assert "Dailor's commander falls" in causes(at)
        await at.press("W")
        assert at.app.screen is at.replay


async def test_thresholds_match_the_rules(tmp_path: Path) -> None:
    """Replaying an entry with the faces that the page names gives the results it states."""
    async with desk(sample(tmp_path), replay_name="format-1") as at:
        watch = at.replay.viewing
        assert "2 to 3: 4 would have been left; on 4 to 5: 3 would have been left" in told(
            watch, 22
        )
        await at.press("x")
        await typed(at, "throw 1=2")
        assert "(4 life left)" in at.text
        await at.press("escape", "x")
        await typed(at, "throw 1=7")
        assert "What if throw 1 of entry" in at.text
        assert "(2 life left)" in at.text


@pytest.mark.parametrize("name", ["kaladan-1", "lordsawar-1"])
async def test_causes_name_no_fields_of_records(tmp_path: Path, name: str) -> None:
    async with desk(sample(tmp_path, name), replay_name=name) as at:
        watch, asked = at.replay.viewing, 0
        for index in range(1, len(watch.line), 14):
            watch.seek(index)
            moment = MomentInWords(watch)
            for change in moment.changes()[:1]:
                found = CausesInWords(moment, change).reasons(lambda: False)
                text = " ".join(line.text for line in found.lines[:-1])
                assert not [char for char in "[]_=" if char in text], (index, text)
                asked += 1
        assert asked > 5


async def test_running_game_with_secrets_shows_only_the_rule(tmp_path: Path) -> None:
    async with desk(sample(tmp_path), replay_name="format-1") as at:
        await gone_to(at, 22)
        at.replay.viewing.is_secret = True
        await at.press("W")
        assert not isinstance(at.app.screen, WhyScreen)
        assert "WD-ATT-3" in at.text
        await at.press("escape", "F")
        assert at.app.screen is at.replay
        assert at.note == "Not before the game is over: it would tell what is secret."
        await at.press("x")
        assert at.note == "Not before the game is over: it would tell what is secret."


# -- when it was decided ---------------------------------------------------------------------------


async def seen_through(at: Desk) -> FateScreen:
    """Wait until a curve has reached its final precision."""
    screen = at.app.screen
    assert isinstance(screen, FateScreen)
    await at.app.workers.wait_for_complete(
        [worker for worker in at.app.workers if worker.group == "fate"]
    )
    await at.rest()
    return screen


async def test_fate_draws_a_curve_and_leads_to_the_moments(tmp_path: Path) -> None:
    async with desk(sample(tmp_path), replay_name="format-1") as at:
        await at.press("F")
        screen = await seen_through(at)
        curve = screen._curve
        assert curve is not None
        assert curve.question.runs == 3
        assert "How likely it was that Eldoin wins" in at.text
        assert "chance in percent, by rounds" in at.text
        assert "as the computer (normal) plays on" in at.text
        assert "people may have seen it otherwise" in at.text
        assert "Round 1: " in at.text
        values, rounds = course(screen._bench, curve)
        assert rounds == 3
        assert values[-1] == round(100 * curve.points[-1].share)
        assert min(values) >= 0
        assert max(values) <= 100
        await at.press("enter")
        assert at.app.screen is at.replay
        assert at.replay.viewing.index == curve.turning_points[0].after.index


async def test_escape_ends_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes play the games here, as in the program; they end too."""
    monkeypatch.setattr(FateScreen, "stages", (160,))
    monkeypatch.setattr(fate, "_JOBS", 2)
    async with desk(sample(tmp_path), replay_name="format-1") as at:
        await at.press("F")
        screen = at.app.screen
        assert isinstance(screen, FateScreen)
        while not screen._played:
            await at.pilot.pause(0.05)
        await at.press("escape")
        assert at.app.screen is at.replay
        played = screen._played
        await at.press("right")
        assert at.replay.viewing.index == 1
        assert played < screen._expected
        await at.app.workers.wait_for_complete(
            [worker for worker in at.app.workers if worker.group == "fate"]
        )
        assert screen._played < screen._expected


async def test_host_plays_no_games_for_its_guests(tmp_path: Path) -> None:
    async with desk(sample(tmp_path), replay_name="format-1") as at:
        guest = ReplayScreen(at.replay.viewing.opened, {}, "format-1")
        at.app.push_screen(guest)
        await at.rest()
        for key in ("F", "x"):
            await at.press(key)
            assert at.app.screen is guest
            assert at.note.startswith("Not on a host: this plays many games.")
            await at.press("right")


# -- what if ---------------------------------------------------------------------------------------


async def test_whatif_shows_both_courses_and_writes_nothing(tmp_path: Path) -> None:
    folder = sample(tmp_path)
    before = {path.name: path.read_bytes() for path in folder.glob("*.bnr")}
    async with desk(folder, replay_name="format-1") as at:
        await gone_to(at, 22)
        await at.press("x")
        assert "throw 1=8" in at.text
        assert "then bots" in at.text
        await typed(at, "throw 9")
        assert "a throw is written with =, such as 1=6, not '9'" in at.text
        await typed(at, "command dance")
        assert "dance" in at.text
        await typed(at, "--throw 1=1 --keep")
        assert "nothing is written here" in at.text
        await typed(at, "throw 1=1")
        assert isinstance(at.app.screen, PagesScreen)
        assert "(2 life left)" in at.text
        assert "(5 life left)" in at.text
        await at.press("tab")
        assert "recorded entries were played again" in at.text
        assert "index" not in at.text
        await at.press("escape", "x")
        await typed(at, "command end-phase then bots")
        await at.press("tab")
        assert "by computer players" in at.text
    assert {path.name: path.read_bytes() for path in folder.glob("*.bnr")} == before


# -- from a result ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "page"), [("W", WhyScreen), ("F", FateScreen)])
async def test_result_leads_to_the_same_pages(tmp_path: Path, key: str, page: type) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await ended(at)
        assert "W: why" in at.text.replace("W why", "W: why")
        assert "when it was decided" in at.text
        await at.press(key)
        assert isinstance(at.app.screen, page)
        assert at.replay.viewing.index == at.replay.viewing.last
        await at.press("escape")
        assert at.app.screen is at.replay


async def test_pages_fit_every_window_and_ascii(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FateScreen, "stages", (2,))
    async with desk(sample(tmp_path), replay_name="format-1", glyphs="ascii") as at:
        at.app.change(replace(at.app.settings, glyphs="ascii"))
        await gone_to(at, 22)
        for size in SIZES:
            await resized(at, size)
            await at.press("W")
            assert_fits(at, size)
            await at.press("escape")
        await at.press("F")
        await seen_through(at)
        for size in SIZES:
            await resized(at, size)
            assert_fits(at, size)


def assert_fits(at: Desk, size: tuple[int, int]) -> None:
    assert at.text.isascii(), size
    assert "Esc: back" in " ".join(at.text.split()), size
