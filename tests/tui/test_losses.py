"""Losses with their causes: as a table, on the map, in a replay."""

from __future__ import annotations

from pathlib import Path

from engine.tabletop.board import NOBODY
from engine.tabletop.fact import LossRow
from tests.tui.piloted_app import desk
from tests.tui.scenes import orders
from tests.tui.test_game import middle
from tests.tui.test_toy import toy
from tui.replay import losses_table
from tui.replay.losses_table import Booked

NAMES = ("Amber", "Birch")
ROWS = [
    Booked(LossRow(0, "2 bands", "fight", 2, 1, "Ford", (1, 2), "T-FIGHT-3"), 4, 1),
    Booked(LossRow(1, "tower", "fire", 0, NOBODY, "Far Hill"), 6, 2),
]


def test_losses_table_has_a_row_for_each_loss_and_the_sums() -> None:
    told = losses_table.lines(ROWS, NAMES)
    assert [line.text for line in told] == [
        "Where     Who    Lost     By what",
        "Ford      Amber  2 bands  fight, Birch",
        "Far Hill  Birch  tower    fire",
        "",
        "Pieces lost in all: Amber 2.",
    ]
    assert (told[1].at, told[1].entry, told[1].rule, told[1].seat) == ((1, 2), 4, "T-FIGHT-3", 0)


def test_losses_table_of_all_has_a_heading_for_each_round() -> None:
    told = [line.text for line in losses_table.by_rounds(ROWS, NAMES)]
    assert told[0] == "Round 1"
    assert "Round 2" in told
    assert [line.text for line in losses_table.by_rounds([], NAMES)] == [
        "Nobody has lost anything."
    ]


def test_losses_of_a_seat_include_those_it_caused() -> None:
    assert losses_table.concerned(ROWS, 0) == ROWS[:1]
    assert losses_table.concerned(ROWS, 1) == ROWS
    assert losses_table.concerned(ROWS, 2) == []


def test_tally_begins_with_the_last_loss() -> None:
    told = [line.text for line in losses_table.tally([row.loss for row in ROWS], NAMES)]
    assert told == ["", "Lost so far", "Birch: tower, fire", "Amber: 2 bands, fight"]
    assert losses_table.tally([], NAMES) == []


async def test_losses_are_shown_on_the_map_and_lead_to_their_moment(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        await at.press("P")
        assert "Nobody has lost anything." in at.text
        await at.press("escape")
        await at.game.session.submit("move path=6>4 count=12")
        await at.press("s", "enter", "enter", "s", "enter", "enter", "P")
        assert "[Turn 3]" in at.rows()[0]
        assert "A: mine" in at.rows()[0]
        row = next(line for line in at.rows() if "penalty" in line)
        assert row.split()[:6] == ["4", "Quenby", "A", "2", "armies", "penalty,"]
        await at.press("down", "r")
        assert at.replay.viewing.index > 0
        await at.press("end", "P")
        assert "penalty" in at.text
        await at.press("enter")
        assert "arrows: look around" in at.text


async def test_log_describes_each_event_with_the_values_at_that_time(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        await at.game.session.submit("move path=6>4 count=12")
        await at.press("s", "enter", "enter", "s", "enter", "enter", "L")
        assert "Step 1, 4 Quenby: invading costs A 2 armies, 10 left." in at.text


async def test_losses_of_other_games_are_a_table_too(tmp_path: Path) -> None:
    async with desk(tmp_path, start=toy()) as at:
        await at.press("P")
        assert at.rows()[0].strip().startswith("[All]")
        assert "Amber: mine" in at.rows()[0]
    async with desk(tmp_path, start=middle()) as at:
        await at.press("P")
        assert "Nobody has lost anything." in at.text
