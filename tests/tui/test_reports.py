"""The screen of reports: its rows, the history chart, and both as lines of text."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from rich.cells import cell_len

from engine.core.archive import SeatPlayer
from engine.core.ids import REFEREE
from engine.tabletop.report import Report, ReportRow, columns
from tests.tui.piloted_app import Desk, desk
from tests.tui.scenes import REGIONS, STACKS
from tests.tui.test_game import middle
from tests.tui.test_line_mode import FORD, Played, said
from tests.tui.test_replay import played
from tui.play.report_words import in_words, ordered, rounds_in_words
from tui.play.setup import NewGame
from tui.replay.history import History
from tui.screens.reports import ReportsScreen, heading, row_text, widths
from tui.settings.keymap import give
from tui.settings.settings import config_folder
from tui.style.palette import FULL
from tui.widgets.charts import chart
from tui.widgets.panels import Bar

CITIES = Report(
    "cities",
    "Cities",
    columns("City", ">Income", "Makes"),
    (
        ReportRow(("Marthos", 20, "Light Infantry"), at=(1, 2)),
        ReportRow(("Gorm", 32, "")),
        ReportRow(("Alder", "?", "Archers and a great many Wolfriders beside them")),
    ),
)


# -- rows ----------------------------------------------------------------------------------------


def test_numbers_are_right_aligned() -> None:
    wide = widths(CITIES, 80)
    assert [
        heading(CITIES, wide),
        *(row_text(CITIES, row.cells, wide) for row in CITIES.rows[:2]),
    ] == [
        "City     Income  Makes",
        "Marthos      20  Light Infantry",
        "Gorm         32",
    ]


@pytest.mark.parametrize("room", [78, 40, 30])
def test_texts_are_cut_before_numbers(room: int) -> None:
    wide = widths(CITIES, room)
    rows = [row_text(CITIES, row.cells, wide) for row in CITIES.rows]
    assert max(map(cell_len, rows)) <= room
    assert " 20 " in rows[0]
    assert rows[2].endswith("~") == (room < 78)


def test_rows_are_sorted_as_numbers_with_unknown_ones_last() -> None:
    order = [row.cells[0] for row in ordered(CITIES, 1, downwards=True)]
    assert order == ["Gorm", "Marthos", "Alder"]
    assert [row.cells[0] for row in ordered(CITIES, 0, downwards=False)] == [
        "Alder",
        "Gorm",
        "Marthos",
    ]


def test_rows_in_words_omit_empty_values() -> None:
    assert in_words(CITIES, CITIES.rows[0]) == "Marthos: income 20, makes Light Infantry"
    assert in_words(CITIES, CITIES.rows[1]) == "Gorm: income 32"
    assert in_words(CITIES, ReportRow(("Gorm", 32, "█▌·"))) == "Gorm: income 32"
    ranked = Report("r", "R", columns(">#", "Side"))
    assert in_words(ranked, ReportRow((1, "Red"))) == "# 1: side Red"


# -- curves --------------------------------------------------------------------------------------


def test_seat_without_known_values_has_no_curve_and_no_legend() -> None:
    known = chart([[], [3, 4, 5]], ["Red", "Blue"], 60, 12, FULL, "ascii").plain
    assert known.split("\n")[-1] == "  ooo Blue"
    assert "*" not in known
    assert list(rounds_in_words([[], [3, 4]], ["Red", "Blue"])) == [
        "round 1: Blue 3",
        "round 2: Blue 4",
    ]


async def test_history_holds_the_known_values_at_each_round_end(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        for seat in (0, 1, 0):
            at.table.submit(seat, "end-turn")
        truth, own = (
            History(at.table.rules, at.table.game.log.line(), viewer) for viewer in (REFEREE, 0)
        )
        assert [*truth.walk(), *own.walk()] == [*range(1, 5)] * 2
        assert [len(numbers["gold"]) for numbers in truth.rounds] == [2, 2]
        assert own.of("gold")[0] == truth.of("gold")[0]
        assert own.of("gold")[1:] == [[]]
        assert own.of("armies") == truth.of("armies")
        now = at.table.rules.statistics(at.table.game.state)
        assert [curve[-1] for curve in truth.of("gold")] == list(now["gold"])
        assert truth.of("gold")[0][0] != truth.of("gold")[0][1]


# -- the screen ----------------------------------------------------------------------------------


def tab(at: Desk) -> str:
    """Return the title of the current page."""
    return at.rows()[0].split("[")[1].split("]")[0]


async def test_row_leads_to_its_place_and_the_screen_closes(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("left", "left", "J", "enter")
        assert at.app.screen is at.map
        assert at.cursor == (33, 9)


async def test_pages_turn_both_ways_and_wrap_around(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("f2")
        assert tab(at) == "Cities"
        await at.press("tab")
        assert tab(at) == "Armies"
        await at.press("left", "shift+tab")
        assert tab(at) == "History"
        await at.press("right")
        assert tab(at) == "Cities"
        await at.press("f2")
        assert at.app.screen is at.map


async def test_rows_become_words_when_columns_do_not_fit(tmp_path: Path) -> None:
    async with desk(tmp_path, (40, 16), start=STACKS) as at:
        await at.press("J")
        assert "Dunlin: at 33,9, income 32," in at.rows()[2]
        assert at.rows()[0].endswith(" >")
        await at.press("shift+tab")
        assert at.rows()[0].startswith(" < ")
        assert at.rows()[0].endswith("[History]")


async def test_rows_are_sorted_by_column_and_reversed(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("J", "tab", "tab")
        assert tab(at) == "Units"
        first = at.rows()[2:6]
        await at.press("s", "s", "s", "s")
        assert "LIFE" in at.rows()[1]
        assert "Sorted by Life, from the largest on." in at.text
        most = int(at.rows()[2].split()[-2])
        await at.press("r")
        assert int(at.rows()[2].split()[-2]) <= most
        assert "from the smallest on" in at.text
        await at.press("s", "s")
        assert at.rows()[2:6] == first
        assert "In the usual order." in at.text


async def test_search_continues_in_the_next_report(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("J", "slash", *"tithe", "enter")
        assert tab(at) == "Sites"
        await at.press("enter")
        assert at.cursor == (32, 5)


async def test_charts_switch_to_other_numbers(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("J", "shift+tab")
        assert "Cities, by rounds" in at.text
        await at.press("up", "up")
        assert "Gold, by rounds" in at.text
        assert "What you cannot know of others is left out." in at.text
        await at.press("down")
        assert "Heroes, by rounds" in at.text
        assert "left out" not in at.text


async def test_reading_the_game_is_announced_only_beside_the_charts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("J")
        screen = at.app.screen
        assert isinstance(screen, ReportsScreen)
        go_on = asyncio.Event()
        walked = screen._read

        async def slowly() -> None:
            await go_on.wait()
            await walked()

        monkeypatch.setattr(screen, "_read", slowly)
        hint = screen.query_one("#hint", Bar)
        for key, told in (("end", False), ("shift+tab", True), ("tab", False), ("left", True)):
            await at.pilot.press(key)
            await at.pilot.pause()
            assert ("Reading the game." in hint.text) == told
        await at.pilot.press("tab")
        go_on.set()
        await at.rest()
        assert "Reading" not in at.text
        await at.press("shift+tab")
        assert "Reading" not in at.text
        assert "Cities, by rounds" in at.text


async def test_finished_game_has_complete_charts(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        table = at.table
        while (seat := table.to_act()) is not None:
            assert table.submit(seat, "resign").ok
        await at.press("J", "shift+tab", "up", "up")
        assert "Gold, by rounds" in at.text
        assert "left out" not in at.text


async def test_screen_reader_gets_reports_row_by_row(tmp_path: Path) -> None:
    settings = config_folder() / "settings.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('reader = "on"\n', encoding="ascii")
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("J")
        assert "Dunlin: at 33,9, income 32, defence 2, makes nothing, garrison 2" in at.text
        await at.press("shift+tab")
        assert "round 1: A 1, B 1" in at.text


async def test_keys_of_the_reports_can_be_changed(tmp_path: Path) -> None:
    config_folder().mkdir(parents=True, exist_ok=True)
    give(config_folder() / "keys.toml", "game.reports", "f9")
    give(config_folder() / "keys.toml", "reports.sort", "o")
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("f9")
        assert "o: sort" in at.text
        await at.press("o")
        assert "CITY" in at.rows()[1]


async def test_palette_leads_to_the_reports(tmp_path: Path) -> None:
    async with desk(tmp_path, start=STACKS) as at:
        await at.press("colon", *"reports", "enter")
        assert tab(at) == "Cities"


async def test_replay_has_the_reports_of_its_moment(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("end", "J")
        last = at.text
        await at.press("escape", "home", "J")
        assert tab(at) == "Sides"
        assert "Round 1 of" in at.text
        assert at.text != last
        await at.press("tab", "tab", "end", "up", "enter")
        assert at.app.screen is at.replay
        assert "look around" in at.text


async def test_regions_have_special_reports(tmp_path: Path) -> None:
    async with desk(tmp_path, start=REGIONS) as at:
        await at.press("J")
        assert tab(at) == "Players"
        assert "IP and items of others are their secret." in at.text


# -- in line mode --------------------------------------------------------------------------------


def test_line_mode_lists_and_prints_reports(tmp_path: Path) -> None:
    script = ["reports", "reports sides", "reports ty", "reports nothing", "reports history"]
    text = Played(tmp_path, FORD, [*script, "help reports"]).text
    assert "reports sides: 2\n" in said(text, "reports")
    assert "Eldoin: units " in said(text, "reports sides")
    assert said(text, "reports ty").startswith("Types: 13 rows.")
    assert "There is no report 'nothing'." in said(text, "reports nothing")
    assert "round 1: Eldoin " in said(text, "reports history")


def test_line_mode_hides_the_gold_of_others(tmp_path: Path) -> None:
    players = (SeatPlayer(0, "A"), SeatPlayer(1, "B"))
    start = NewGame("warlords2", "narrows", players=players, seed=b"1", name="game")
    text = Played(tmp_path, start, ["", "reports winners", "reports history"]).text
    rows = [row for row in said(text, "reports winners").splitlines() if "side" in row]
    assert sum("gold ?" in row for row in rows) == len(rows) - 1 > 0
    gold = said(text, "reports history").split("Gold\n")[1].splitlines()[0]
    assert gold.startswith("round 1: A ")
    assert "B" not in gold
