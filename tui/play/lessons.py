"""Lessons of all rulesets, and tables to take them at."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core import registry
from engine.core.ruleset import AnyRuleset
from engine.tabletop.lesson import Lesson
from engine.tabletop.presenter import presenter_of
from tui.console.faults import keep
from tui.play import progress
from tui.play.lesson_steps import LessonTable, Tutor


def known() -> Iterator[tuple[str, str, Lesson]]:
    """Name and title of the game, and the lesson, for each lesson."""
    for name in registry.names():
        rules = registry.find(name)
        for lesson in lessons_of(rules):
            yield name, rules.title, lesson


def lessons_of(rules: AnyRuleset) -> tuple[Lesson, ...]:
    """Lessons of one game, in order."""
    return presenter_of(rules).lessons


def open_lesson(rules: AnyRuleset, lesson: Lesson, *, anew: bool = False) -> LessonTable:
    """Table for a lesson, from where it was left unless it is done.

    Lines that the lesson no longer allows, because it has changed, are forgotten.

    Raises:
        ScenarioFault, OptionFault: the lesson does not fit the rules.
    """
    reached = progress.load().get(f"{rules.name}/{lesson.name}", progress.Reached())
    if not anew and not reached.is_done and reached.of == len(lesson.steps):
        try:
            return _at(rules, lesson, reached)
        except LookupError:
            pass
    return _at(rules, lesson, progress.Reached())


def _at(rules: AnyRuleset, lesson: Lesson, reached: progress.Reached) -> LessonTable:
    tutor = Tutor(rules, lesson)
    table = LessonTable.open(tutor, reached.played, keep)
    tutor.number, tutor.played = reached.steps, list(reached.played)
    return table


def following(rules: AnyRuleset, lesson: Lesson) -> Lesson | None:
    """Lesson after this one in its game."""
    names = [each.name for each in lessons_of(rules)]
    at = names.index(lesson.name) + 1 if lesson.name in names else len(names)
    return lessons_of(rules)[at] if at < len(names) else None
