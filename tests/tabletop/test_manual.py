"""Chapters of rule books."""

from __future__ import annotations

from engine.tabletop.manual import manual


def test_heading_can_begin_with_the_id_of_its_chapter() -> None:
    book = manual("engine.rulesets.lordsawar")
    items = next(one for one in book if one.id == "LW-11")
    assert items.title == "Items"
    assert [rule.id for rule in items.rules] == ["LW-11.1", "LW-11.2", "LW-11.3", "LW-11.4"]
    assert items.rules[0].notes == (("Source", "program"), ("Deviation", "none"))
    assert [one.title for one in book if not one.id][:2] == [
        "The rules of LordsAWar",
        "Before a game",
    ]
