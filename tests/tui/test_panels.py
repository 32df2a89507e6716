"""Lines beside the map, where there is too little room for them."""

from __future__ import annotations

from pathlib import Path

from engine.tabletop.board import Line
from tests.tui.desk import desk
from tests.tui.scenes import orders
from tui.style.palette import FULL
from tui.widgets.panels import wrap


async def test_a_panel_with_too_many_lines_says_how_many_more_there_are(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        side = at.game.side
        height = side.size.height
        lines = [Line(f"line {number}") for number in range(height)]
        assert [row[0] for row in side.fitted(lines)] == [line.text for line in lines]
        rows = side.fitted([*lines, Line("one more")])
        assert len(rows) == height
        assert rows[-1][0] == "(2 more rows)"


async def test_a_list_with_many_refusals_leaves_purse_and_sums_in_sight(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        lines = ">".join(f'"spawn at=6 count={number}"' for number in range(4, 16))
        await at.game.session.submit(f"list lines={lines}")
        await at.press("l", "h")
        assert "100 IP" in at.text
        assert "12 lines" in at.text
        assert " more rows)" in at.text


def test_lines_show_no_rule_ids_which_a_key_explains() -> None:
    rows = wrap(Line("Attack the walls", rule="GD-MOVE-2"), 60, FULL)
    assert [text for text, _ in rows] == ["Attack the walls"]
