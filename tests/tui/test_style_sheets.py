"""Style sheets: a text is parsed once for all programs with the same colours."""

from __future__ import annotations

from typing import Any

import pytest
from textual.css.errors import StylesheetError
from textual.css.parse import parse

from tui.terminal.program import SharedSheet

RED = {"sheets-test": "red"}
BLUE = {"sheets-test": "blue"}
FIRST, SECOND = "Input { color: $sheets-test; }", "Label { color: $sheets-test; }"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that Textual parses."""
    texts: list[str] = []

    def noted(scope: str, css: str, *rest: Any, **more: Any) -> Any:
        texts.append(css)
        return parse(scope, css, *rest, **more)

    monkeypatch.setattr("textual.css.stylesheet.parse", noted)
    return texts


def colours(sheet: SharedSheet) -> list[str]:
    return [rule.styles.color.css for rule in sheet.rules]


def test_opening_a_screen_parses_only_its_own_text(parsed: list[str]) -> None:
    sheet = SharedSheet(variables=RED)
    sheet.add_source(FIRST, ("first", ""))
    sheet.parse()
    parsed.clear()
    sheet.add_source(SECOND, ("second", ""))
    sheet.reparse()
    assert parsed == [SECOND]
    assert len(sheet.rules) == 2


def test_changed_colours_apply_and_earlier_ones_are_cached(parsed: list[str]) -> None:
    sheet = SharedSheet(variables=RED)
    sheet.add_source(FIRST, ("first", ""))
    sheet.reparse()
    before = colours(sheet)
    sheet.set_variables(BLUE)
    sheet.reparse()
    assert colours(sheet) != before
    parsed.clear()
    sheet.set_variables(RED)
    sheet.reparse()
    assert colours(sheet) == before
    assert parsed == []


def test_faulty_text_leaves_the_rules_as_they_were() -> None:
    sheet = SharedSheet(variables=RED)
    sheet.add_source(FIRST, ("first", ""))
    sheet.parse()
    before = colours(sheet)
    sheet.add_source("Label { color: no-such-colour; }", ("second", ""))
    with pytest.raises(StylesheetError):
        sheet.reparse()
    assert colours(sheet) == before
