"""Warnings before a phase ends: what is in danger, and what could still be done."""

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
"""The Castles are two steps apart, and nobody can strike anything."""

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
    """The view of the first seat, whose turn it is."""
    return view(position(text, phase=phase, gold=(gold, 0)), 0)


def warned(shown: View) -> list[str]:
    """Texts of the question before the phase ends; empty if it ends at once."""
    asked = ask(shown, PRESENTER.start(shown), "end", [])
    if not isinstance(asked, AskConfirm):
        assert asked == "end-phase"
        return []
    assert ask(shown, PRESENTER.start(shown), "end", ["yes"]) == "end-phase"
    return [line.text for line in asked.lines]


@pytest.mark.rule("KA-6.5")
@pytest.mark.parametrize(("gold", "name"), [(1, "a Sword"), (2, "a Catapult"), (9, "a Catapult")])
def test_gold_that_would_buy_a_unit_is_named_before_the_shop_shuts(gold: int, name: str) -> None:
    (text,) = warned(seen(APART, "purchase", gold))
    assert text == f"Your {gold} gold would buy {name}. It is kept for later."


@pytest.mark.rule("KA-6.5")
def test_nothing_is_said_of_gold_that_buys_nothing() -> None:
    assert warned(seen(APART, "purchase")) == []
    assert warned(seen(FULL, "purchase", 9)) == []


@pytest.mark.rule("KA-6")
def test_a_free_unit_that_was_not_raised_is_named() -> None:
    assert warned(seen(APART, "spawn")) == ["A Castle can still raise a free unit."]
    assert warned(seen(FULL, "spawn")) == []


@pytest.mark.rule("KA-6")
def test_units_that_can_act_and_a_battle_not_fought_are_named() -> None:
    assert "1 tile can still act. You have not fought yet." in warned(seen(APART, "action"))


@pytest.mark.rule("KA-8.2")
@pytest.mark.parametrize("phase", ["action", "reinforcement"])
def test_a_crown_that_can_fall_is_named_first(phase: Phase) -> None:
    shown = seen(THREATENED, phase)
    asked = ask(shown, PRESENTER.start(shown), "end", [])
    assert isinstance(asked, AskConfirm)
    assert asked.lines[0].text.startswith("Your Crown can fall to ")
    assert asked.lines[0].tone is Tone.BAD
