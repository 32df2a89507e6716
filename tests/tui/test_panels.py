"""Panels beside the map with too little space for their lines."""

from __future__ import annotations

from pathlib import Path

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tests.tui.piloted_app import desk
from tests.tui.scenes import orders
from tui.style.palette import FULL
from tui.widgets.panels import wrap


async def test_overfull_panel_counts_its_hidden_rows(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        side = at.game.side
        height = side.size.height
        lines = [Line(f"line {number}") for number in range(height)]
        assert [row[0] for row in side.fitted(lines)] == [line.text for line in lines]
        rows = side.fitted([*lines, Line("one more")])
        assert len(rows) == height
        assert rows[-1][0] == "(2 more rows)"


async def test_no_heading_is_the_last_row_before_hidden_ones(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        side = at.game.side
        lines = [Line(f"line {number}") for number in range(side.size.height - 2)]
        rest = [Line("If it stays so", Tone.HEADING), Line("Garrison 1"), Line("One rival 3")]
        rows = [row[0] for row in side.fitted([*lines, *rest]) if isinstance(row[0], str)]
        assert rows == [*(line.text for line in lines), "(3 more rows)"]


async def test_panel_with_many_refusals_keeps_purse_and_sums_visible(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        lines = ">".join(f'"spawn at=6 count={number}"' for number in range(4, 16))
        await at.game.session.submit(f"list lines={lines}")
        await at.press("l", "h")
        assert "100 IP" in at.text
        assert "12 lines" in at.text
        assert " more rows)" in at.text


def test_lines_hide_rule_ids() -> None:
    rows = wrap(Line("Attack the walls", rule="GD-MOVE-2"), 60, FULL)
    assert [text for text, _ in rows] == ["Attack the walls"]
