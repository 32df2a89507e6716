"""Lessons can be played as written."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from engine.core import notation
from engine.core.game import Game
from engine.core.ruleset import AnyRuleset
from engine.tabletop.lesson import Lesson, Step
from engine.tabletop.presenter import presenter_of
from tests.contract.walks import AnyGame

ROOM = (3, 76)
"""Maximum rows and columns of a text."""
UNDO = "undo"


class Place(NamedTuple):
    """A step of a lesson, and the game when it begins.

    The game changes once the next is yielded.
    """

    lesson: Lesson
    step: Step
    game: AnyGame


def begun(rules: AnyRuleset, lesson: Lesson) -> AnyGame:
    """Return the game with which a lesson begins."""
    return Game.begin(rules, lesson.scenario, lesson.options, lesson.seed)


def taken(rules: AnyRuleset, lesson: Lesson) -> Iterator[Place]:
    """Play a lesson and yield each step: all ``auto`` lines, and the first line of other steps."""
    game = begun(rules, lesson)
    for step in lesson.steps:
        yield Place(lesson, step, game)
        for line in step.lines if step.auto else step.lines[:1]:
            if line == UNDO:
                game.undo(step.seat)
            else:
                game.submit(step.seat, notation.read(line, rules.command_type))


def places(rules: AnyRuleset) -> Iterator[Place]:
    """Yield every step of every lesson."""
    for lesson in presenter_of(rules).lessons:
        yield from taken(rules, lesson)


def test_every_lesson_ends_a_game(rules: AnyRuleset) -> None:
    for lesson in presenter_of(rules).lessons:
        *_, last = taken(rules, lesson)
        assert not last.step.lines, "the last step is something to read"
        assert rules.outcome(last.game.state) is not None


def test_what_a_step_allows_instead_is_possible_too(rules: AnyRuleset) -> None:
    for place in places(rules):
        if not place.step.auto:
            assert place.step.lines == () or place.step.hint
            for line in place.step.lines:
                other = Game.begin(rules, rules.position(place.game.state), {}, b"")
                if line != UNDO:
                    other.submit(place.step.seat, notation.read(line, rules.command_type))


def test_the_cells_of_steps_are_on_the_board(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    for place in places(rules):
        board = presenter.board(place.game.view(place.step.seat), presenter.zooms[0])
        for x, y in filter(None, (place.step.at, place.step.source)):
            assert 0 <= x < board.width
            assert 0 <= y < board.height


def test_a_piece_stands_where_a_step_begins(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    for place in places(rules):
        if place.step.source is not None:
            x, y = place.step.source
            board = presenter.board(place.game.view(place.step.seat), presenter.zooms[0])
            assert board.piece.cells[y, x] or board.place.cells[y, x] >= 0, place.step.text


THINGS = ("city", "ruin", "temple", "item", "gate", "Castle", "headquarters", "stack", "unit")


def test_steps_say_truly_what_a_key_jumps_to(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    for place in places(rules):
        view = place.game.view(place.step.seat)
        for kind in re.findall(r"\{key:jump\.(\w+)\}", place.step.text + place.step.hint):
            found = presenter.jumps(view, presenter.start(view), kind)
            assert found or kind == "idle", (kind, place.step.text)
        clauses = re.findall(r"\{key:jump\.site\}([^{.]*)", place.step.text + place.step.hint)
        for thing in (thing for text in clauses for thing in THINGS if thing in text):
            assert thing in presenter.site_words(), place.step.text


def test_a_step_that_names_idle_cities_jumps_to_them(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    for place in places(rules):
        view = place.game.view(place.step.seat)
        board = presenter.board(view, presenter.zooms[0])
        clauses = re.findall(r"\{key:jump\.idle\}([^{.,]*)", place.step.text)
        if any("city" not in text and "stack" in text for text in clauses):
            for x, y in presenter.jumps(view, presenter.start(view), "idle"):
                assert board.piece.cells[y, x], place.step.text


def test_texts_point_at_the_map_and_name_no_coordinates(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    for place in places(rules):
        board = presenter.board(place.game.view(place.step.seat), presenter.zooms[0])
        texts = place.step.text + place.step.hint
        assert not re.search(r"\d,\s?\d", texts), texts
        cells = {one.label for one in board.places if re.fullmatch(r"[A-Z]\d+", one.label)}
        assert not cells & set(re.findall(r"\w+", texts)), texts


def test_the_texts_of_lessons_are_short_and_in_words(rules: AnyRuleset) -> None:
    for lesson in presenter_of(rules).lessons:
        assert lesson.about
        assert all(step.text for step in lesson.steps), "its number would be left out"
        for text in (part for step in lesson.steps for part in (step.text, step.hint)):
            assert "\n" not in text
            shown = re.sub(r"\{key:[\w.-]+\}", "space", text)
            assert "{" not in shown
            assert len(textwrap.wrap(shown, ROOM[1])) <= ROOM[0], text


def test_lessons_have_names_of_their_own(rules: AnyRuleset) -> None:
    lessons = presenter_of(rules).lessons
    assert len({lesson.name for lesson in lessons}) == len(lessons)
    for lesson in lessons:
        assert re.fullmatch(r"[\w-]+", lesson.name)
        rules.check(lesson.scenario)
