"""Dialogues: intents, questions and the lines they end in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.record import replace
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.state import State
from engine.tabletop.ask import AskConfirm, AskPlace
from engine.tabletop.focus import Focus
from tests.rulesets.weltendaemmerung.small import (
    DUEL,
    is_allowed,
    positions,
    state,
    texts,
    unit,
    view,
)


@given(positions(), st.data())
@settings(max_examples=60)
def test_every_dialogue_ends_in_a_line_the_rules_accept(
    position: State, data: st.DataObject
) -> None:
    seen = view(position)
    width, height = position.terrain.width, position.terrain.height
    focus = Focus(data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1)))
    for intent in PRESENTER.intents(seen, focus):
        answers: list[str] = []
        asked = PRESENTER.ask(seen, focus, intent.name, answers)
        while not isinstance(asked, str):
            if isinstance(asked, AskPlace):
                assert len(asked.labels) in (0, len(asked.cells))
                assert bool(asked.cells) == (intent.reason == "")
                if not asked.cells:
                    break
                x, y = data.draw(st.sampled_from(asked.cells))
                answers.append(f"{x},{y}")
            else:
                assert isinstance(asked, AskConfirm)
                answers.append("yes")
            asked = PRESENTER.ask(seen, focus, intent.name, answers)
        if isinstance(asked, str):
            assert is_allowed(position, asked, 1)


@pytest.mark.rule("WD-MOVE-7")
def test_moving_asks_for_a_tile_and_writes_the_path() -> None:
    seen = view(DUEL)
    asked = PRESENTER.ask(seen, Focus(0, 0), "move-to", [])
    assert isinstance(asked, AskPlace)
    assert dict(zip(asked.cells, asked.labels, strict=True))[2, 0] == "3"
    line = PRESENTER.ask(seen, Focus(0, 0), "move-to", ["2,0"])
    assert line == "move unit=0 path=1,0>2,0"
    assert isinstance(PRESENTER.ask(seen, Focus(0, 0), "move-to", ["nonsense"]), AskPlace)
    assert isinstance(PRESENTER.ask(seen, Focus(0, 0), "move-to", ["1,1"]), AskPlace)


@pytest.mark.rule("WD-ATT-1")
def test_attacking_asks_for_a_target_and_then_shows_the_forecast() -> None:
    seen = view(replace(DUEL, phase=1))
    asked = PRESENTER.ask(seen, Focus(0, 0), "attack", [])
    assert isinstance(asked, AskPlace)
    assert (asked.cells, asked.labels) == (((1, 1),), ("0",))
    confirm = PRESENTER.ask(seen, Focus(0, 0), "attack", ["1,1"])
    assert isinstance(confirm, AskConfirm)
    assert confirm.title == "Sword bearers: attack axe men at 1,1?"
    assert "Kills 0 % (0/8)" in texts(confirm.lines)
    assert PRESENTER.ask(seen, Focus(0, 0), "attack", ["1,1", "yes"]) == "attack unit=0 at=1,1"


@pytest.mark.rule("WD-TURN-5")
def test_ending_a_phase_names_the_units_that_could_still_act() -> None:
    asked = PRESENTER.ask(view(DUEL), Focus(0, 0), "end-phase", [])
    assert isinstance(asked, AskConfirm)
    assert asked.title == "End the Bewegungsphase?"
    assert texts(asked.lines).splitlines() == [
        "2 units could still act:",
        "sword bearers at 0,0",
        "commander at 3,1",
    ]
    assert PRESENTER.ask(view(DUEL), Focus(0, 0), "end-phase", ["yes"]) == "end-phase"
    assert isinstance(PRESENTER.ask(view(DUEL), Focus(0, 0), "end-phase", ["no"]), AskConfirm)


def test_a_long_list_of_idle_units_is_cut_and_counted() -> None:
    units = [unit(number, "sword", number, 0) for number in range(9)]
    asked = PRESENTER.ask(view(state(("." * 9, "." * 9), *units)), Focus(0, 0), "end-phase", [])
    assert isinstance(asked, AskConfirm)
    assert len(asked.lines) == 8
    assert asked.lines[-1].text == "and 3 more"


@pytest.mark.rule("WD-GATE-3")
def test_the_gate_under_the_cursor_is_worked_without_a_question() -> None:
    seen = view(replace(DUEL, phase=2))
    assert PRESENTER.ask(seen, Focus(2, 1), "gate", []) == "gate at=2,1"
    asked = PRESENTER.ask(seen, Focus(0, 0), "gate", [])
    assert isinstance(asked, AskPlace)
    assert asked.cells == ((2, 1),)
    assert PRESENTER.ask(seen, Focus(0, 0), "gate", ["2,1"]) == "gate at=2,1"


@pytest.mark.parametrize(
    ("focus", "reason"),
    [(Focus(3, 0), "None of your units is here."), (Focus(1, 1), "None of your units is here.")],
)
def test_intents_say_why_something_cannot_be_done(focus: Focus, reason: str) -> None:
    assert PRESENTER.intents(view(DUEL), focus)[0].reason == reason
    attacking = view(replace(DUEL, phase=1))
    assert PRESENTER.intents(attacking, focus)[0].reason == reason


def test_intents_know_spent_and_hemmed_in_units_and_the_other_side_s_turn() -> None:
    spent = replace(DUEL, units=DUEL.units.put(replace(DUEL.units[0], b=0)))
    first = PRESENTER.intents(view(spent), Focus(0, 0))[0]
    assert first.reason == "It has no points left."
    spent_attack = view(replace(spent, phase=1))
    assert PRESENTER.intents(spent_attack, Focus(0, 0))[0].reason == "It has made its attack."
    hemmed = state(("^.^", "###"), unit(0, "sword", 1, 0))
    assert PRESENTER.intents(view(hemmed), Focus(1, 0))[0].reason == "It is hemmed in."
    waiting = replace(view(DUEL), viewer=1)
    assert {intent.reason for intent in PRESENTER.intents(waiting, Focus(0, 0))} == {
        "Eldoin is to act."
    }
    over = replace(view(DUEL), winner=0)
    assert {intent.reason for intent in PRESENTER.intents(over, Focus(0, 0))} == {
        "The game is over."
    }


def test_an_intent_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no intent 'dance'"):
        PRESENTER.ask(view(DUEL), Focus(0, 0), "dance", [])
