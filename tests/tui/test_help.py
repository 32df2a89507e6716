"""Help: keys by purpose, the compass, the legend of the map."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.tabletop.manual import manual
from tests.tui.piloted_app import FORD, desk
from tests.tui.scenes import REGIONS, STACKS
from tui.screens.find import rules
from tui.screens.help import key_lines, key_parts, purposes, rule_lines
from tui.settings.keymap import Keymap
from tui.settings.keys import CONTEXTS

BY_NAME = {context.name: context for context in CONTEXTS}


@pytest.mark.parametrize("name", [*purposes()])
def test_every_key_of_a_screen_has_one_purpose(name: str) -> None:
    listed = [binding for ids in purposes()[name].values() for binding in ids]
    shown = {str(binding.id) for binding in BY_NAME[name].bindings if binding.show}
    assert len(listed) == len(set(listed))
    assert set(listed) == shown


def test_compass_shows_the_configured_keys() -> None:
    usual = [words for _, words in key_parts(Keymap(), BY_NAME["map"], ())[0].rows]
    assert [row.split() for row in usual[:3]] == [
        ["y", "k", "u", "7", "8", "9"],
        ["h", "+", "l", "4", "+", "6"],
        ["b", "j", "n", "1", "2", "3"],
    ]
    moved = Keymap(keys={"move.up": "w,up"})
    rows = [words for _, words in key_parts(moved, BY_NAME["map"], ())[0].rows]
    assert rows[0].split() == ["y", "w", "u"], "no digits: one of them is missing"


@pytest.mark.parametrize("width", [38, 78, 118, 198])
def test_keys_are_listed_in_columns_that_fit(width: int) -> None:
    parts = key_parts(Keymap(), BY_NAME["map"], ())
    lines = key_lines(parts, width)
    assert max(len(line.text) for line in lines) <= width
    text = "\n".join(line.text for line in lines)
    assert ("ACT" in text.splitlines()[0]) == (width >= 78)
    for part in parts:
        assert part.title.upper() in text


async def test_legend_shows_the_units_on_this_map_with_their_numbers(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("question_mark", "tab", "tab")
        assert "[Map]" in at.rows()[0]
        assert "Sword bearers: range 1, moves 10, attack 4, life 16" in at.text
        assert "bloodsucker" not in at.text.casefold(), "none of them is here"


async def test_legend_shows_signposts_but_no_letters(tmp_path: Path) -> None:
    async with desk(tmp_path, (80, 60), start=STACKS) as at:
        await at.press("question_mark", "tab", "tab")
        assert "Signpost" in at.text
    async with desk(tmp_path, (80, 60), start=REGIONS) as at:
        await at.press("question_mark", "tab", "tab")
        assert "Written" not in at.text


def test_id_of_a_chapter_leads_to_its_heading() -> None:
    book = manual("engine.rulesets.lordsawar")
    assert [line.text for line in rule_lines(book) if line.rule == "LW-11"] == ["Items"]
    assert [one.text for one in rules(book) if one.target == "LW-11"] == ["LW-11 Items"]
