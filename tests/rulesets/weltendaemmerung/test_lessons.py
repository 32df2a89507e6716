"""Lessons of this game: the keys that they name play the lines that they ask for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.core.notation import read
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.commands import Attack, EndPhase, MoveUnit, StepUnit, WorkGate
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.state import View
from engine.tabletop.focus import Focus
from engine.tabletop.lesson import Step
from tests.contract.test_lessons import UNDO, Place, taken

FIRST, SECOND = PRESENTER.lessons


def asked(lesson: int) -> Iterator[Place]:
    """Yield the steps in which the learner plays."""
    for place in taken(RULES, PRESENTER.lessons[lesson]):
        if place.step.lines and not place.step.auto and place.step.lines[0] != UNDO:
            yield place


def typed(view: View, step: Step) -> str:
    """Return the line that stick, button or dialogue make of a step's command."""
    command = read(step.lines[0], RULES.command_type)
    match command:
        case StepUnit(unit=number, direction=direction):
            unit = view.units[number]
            return PRESENTER.step(view, Focus(unit.x, unit.y, number), direction).line
        case MoveUnit(unit=number, path=path):
            unit = view.units[number]
            x, y = path[-1]
            line = PRESENTER.ask(view, Focus(unit.x, unit.y), "move-to", [f"{x},{y}"])
        case Attack(unit=number, at=at):
            unit = view.units[number]
            chosen = PRESENTER.fire(view, Focus(unit.x, unit.y)).focus
            return PRESENTER.fire(view, Focus(*at, chosen.held)).line
        case WorkGate(at=at):
            return PRESENTER.fire(view, Focus(*at)).line
        case EndPhase():
            line = PRESENTER.ask(view, PRESENTER.start(view), "end-phase", ["yes"])
        case _:
            raise AssertionError(command)
    assert isinstance(line, str)
    return line


@pytest.mark.parametrize("lesson", range(len(PRESENTER.lessons)))
def test_keys_of_a_step_produce_its_line(lesson: int) -> None:
    for place in asked(lesson):
        assert typed(place.game.view(place.step.seat), place.step) == place.step.lines[0]


def test_first_lesson_is_long_enough_for_two_rounds() -> None:
    assert 20 <= len(FIRST.steps) <= 30
    *_, last = taken(RULES, FIRST)
    assert last.game.state.completed == 1
    assert (last.game.state.winner, last.game.state.reason) == (0, "annihilation")


def test_second_lesson_is_won_at_the_west_edge() -> None:
    *_, last = taken(RULES, SECOND)
    assert (last.game.state.winner, last.game.state.reason) == (1, "west_edge")


def test_first_lesson_is_right_about_dangers_and_chances() -> None:
    steps = {place.step.text[:20]: place.game.view(0) for place in taken(RULES, FIRST)}
    ways = steps["{key:show.layer} sho"]
    danger = {(mark.x, mark.y): mark.text for mark in PRESENTER.layer(ways, Focus(0, 0), "danger")}
    assert danger[1, 4] == "1"
    sure = steps["Attack the axe men w"]
    marks = {(mark.x, mark.y): mark.text for mark in PRESENTER.overlay(sure, Focus(6, 6, 3)).marks}
    assert marks[8, 4] == "X"
    last = steps["Only the catapult is"]
    marks = {(mark.x, mark.y): mark.text for mark in PRESENTER.overlay(last, Focus(6, 5, 2)).marks}
    assert marks[14, 2] == "X"
