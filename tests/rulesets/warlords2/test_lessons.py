"""Costs, chances and the end agree with the text of this game's lesson."""

from __future__ import annotations

from typing import Any

from engine.rulesets.warlords2 import RULES
from engine.tabletop.focus import Focus
from engine.tabletop.presenter import presenter_of
from tests.contract.test_lessons import taken

PRESENTER = presenter_of(RULES)
(LESSON,) = PRESENTER.lessons


def view_at(beginning: str) -> Any:
    """Return the learner's view at the step whose text begins so."""
    views = {p.step.text: p.game.view(0) for p in taken(RULES, LESSON)}
    (found,) = [view for text, view in views.items() if text.startswith(beginning)]
    return found


def panel(view: Any, focus: Focus) -> list[str]:
    """Return the lines of the panel."""
    return [line.text for line in PRESENTER.overlay(view, focus).panel]


def test_march_along_the_road_costs_as_the_lesson_says() -> None:
    before, rested = view_at("With the cursor on the cavalry"), view_at("That cost 12 of their 16")
    assert (before.armies[1].points, rested.armies[1].points) == (16, 4)
    through = [mark.text for mark in PRESENTER.route(before, Focus(3, 5), 7, 5)]
    assert through == ["2", "4", "6", "8"]
    beside = [mark.text for mark in PRESENTER.route(before, Focus(3, 5), 6, 4)]
    assert int(beside[-1]) - int(beside[-2]) == 3


def test_both_attacks_on_cities_are_likely_to_be_won() -> None:
    first = panel(view_at("You still hold them"), Focus(10, 5, 1))
    last = panel(view_at("Crowhold is all"), Focus(19, 5, 1))
    for lines in (first, last):
        (won,) = [line for line in lines if line.startswith("Win ")]
        assert int(won.split()[1]) > 80
    assert " walls +1" in last


def test_searching_the_ruin_asks_nothing_as_the_lesson_says() -> None:
    view = view_at("Press s: Ilva")
    assert PRESENTER.ask(view, Focus(3, 7), "search", []) == "search army=4"


def test_the_panel_shows_the_cavalry_on_the_tile_that_glows() -> None:
    (step,) = [
        step
        for step in LESSON.steps
        if step.text.startswith("Put the cursor on the tile that glows: the panel")
    ]
    assert step.at is not None
    view = view_at(step.text)
    assert any("Heavy Cavalry" in text for text in panel(view, Focus(*step.at)))


def test_the_button_answers_on_a_tile_of_the_city_without_an_army() -> None:
    push = PRESENTER.fire(view_at("With the cursor on the cavalry"), Focus(2, 4))
    assert push.note == "You have no army here."


def test_idle_city_is_named_before_the_turn_ends() -> None:
    view = view_at("That is all for this turn")
    asked = PRESENTER.ask(view, PRESENTER.start(view), "end-turn", [])
    assert not isinstance(asked, str)
    assert any("Millrace" in line.text for line in getattr(asked, "lines", ()))


def test_the_lesson_is_won_by_conquest() -> None:
    *_, last = taken(RULES, LESSON)
    outcome = RULES.outcome(last.game.state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("conquest", (0,))
