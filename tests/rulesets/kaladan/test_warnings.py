"""Warnings before a phase ends: dangers, and possible actions."""

from __future__ import annotations

import pytest

from engine.rulesets.kaladan.dialogues import ask
from engine.rulesets.kaladan.picture import PRESENTER
from engine.rulesets.kaladan.state import Phase, View
from engine.rulesets.kaladan.view import view
from engine.tabletop.ask import AskConfirm
from engine.tabletop.roles import Tone
from tests.rulesets.kaladan.positions import position

APART = """
FF WFM FF
A1 0 # crown sword
C2 1 # crown sword
"""
"""Castles two steps apart; no side can attack anything."""

FULL = """
FF WFM FF
A1 0 # crown sword sword sword sword
C2 1 # crown sword
"""

THREATENED = """
FF WFM FF
A1 0 # crown
A2 1 sword sword sword
C2 1 # crown sword
"""


def seen(text: str, phase: Phase, gold: int = 0) -> View:
    """Return the view of seat 0 in its turn."""
    return view(position(text, phase=phase, gold=(gold, 0)), 0)


def warned(shown: View) -> list[str]:
    """Return the texts of the question before the phase ends; [] if there is no question."""
    asked = ask(shown, PRESENTER.start(shown), "end", [])
    if not isinstance(asked, AskConfirm):
        assert asked == "end-phase"
        return []
    assert ask(shown, PRESENTER.start(shown), "end", ["yes"]) == "end-phase"
    return [line.text for line in asked.lines]


@pytest.mark.rule("KA-6.5")
@pytest.mark.parametrize(("gold", "name"), [(1, "a Sword"), (2, "a Catapult"), (9, "a Catapult")])
def test_gold_that_buys_a_unit_is_named_before_the_shop_closes(gold: int, name: str) -> None:
    (text,) = warned(seen(APART, "purchase", gold))
    assert text == f"Your {gold} gold would buy {name}. It is kept for later."


@pytest.mark.rule("KA-6.5")
def test_useless_gold_gives_no_warning() -> None:
    assert warned(seen(APART, "purchase")) == []
    assert warned(seen(FULL, "purchase", 9)) == []


@pytest.mark.rule("KA-6")
def test_unused_free_unit_is_named() -> None:
    assert warned(seen(APART, "spawn")) == ["A Castle can still raise a free unit."]
    assert warned(seen(FULL, "spawn")) == []


@pytest.mark.rule("KA-6")
def test_idle_units_and_an_unused_battle_are_named() -> None:
    assert "1 tile can still act. You have not fought yet." in warned(seen(APART, "action"))


@pytest.mark.rule("KA-8.2")
@pytest.mark.parametrize("phase", ["action", "reinforcement"])
def test_endangered_crown_is_named_first(phase: Phase) -> None:
    shown = seen(THREATENED, phase)
    asked = ask(shown, PRESENTER.start(shown), "end", [])
    assert isinstance(asked, AskConfirm)
    assert asked.lines[0].text.startswith("Your Crown can fall to ")
    assert asked.lines[0].tone is Tone.BAD
