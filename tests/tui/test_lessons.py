"""Lessons: an invented one for the toy game, with and without the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.record import replace
from engine.core.registry import find
from engine.tabletop.lesson import Lesson, Step
from tests.toy.rules import RULES as TOY
from tests.tui.piloted_app import Desk, desk
from tui.console.faults import folder
from tui.play.lessons import (
    LessonTable,
    Reached,
    Tutor,
    following,
    keep_progress,
    lessons_of,
    load_progress,
    open_lesson,
)
from tui.screens.game import GameScreen
from tui.screens.lesson import LessonTurns
from tui.settings.keymap import spelt

FIRST = Lesson(
    "first",
    "Lanterns in the dark",
    "How orders are sealed.",
    next(iter(TOY.scenarios().values())),
    b"1",
    (
        Step("Two clans want the shrines. {key:game.fire} goes on."),
        Step("Seal with s.", lines=("seal",), hint="Press s to seal."),
        Step("Birch seals too.", seat=1, lines=('cry text="ho"', "seal"), auto=True),
        Step("Cry, with c.", lines=('cry text="hi"', 'cry text="ho"'), at=(4, 2)),
    ),
)


async def lesson_of(at: Desk, lesson: Lesson = FIRST, *, anew: bool = False) -> GameScreen:
    """Take the lesson."""
    at.app.take_lesson(TOY, lesson, anew=anew)
    await at.rest()
    assert isinstance(at.game.turns, LessonTurns)
    return at.game


def table_at(number: int) -> LessonTable:
    table = LessonTable.open(Tutor(TOY, FIRST))
    table.tutor.number = number
    return table


def test_step_accepts_only_its_line_in_any_spelling() -> None:
    tutor = Tutor(TOY, FIRST)
    assert not tutor.wants(0, "seal")
    tutor.go_on()
    assert tutor.wants(0, "  seal ")
    assert not tutor.wants(1, "seal")
    assert not tutor.wants(0, "undo")
    assert not tutor.wants(0, "no such command")


def test_refused_line_of_a_lesson_leaves_no_trace() -> None:
    table = table_at(1)
    before = table.game.state
    reply = table.submit(0, 'cry text="hm"')
    assert not reply.ok
    assert reply.text == "Press s to seal."
    assert table.game.state is before
    assert table.submit(0, "seal").ok
    assert table.tutor.number == 2
    assert table.tutor.played == [(0, "seal")]


def test_lesson_text_names_the_configured_keys() -> None:
    keys = {"game.fire": "g"}
    assert spelt("Press {key:game.fire}, not {key:no.such}.", keys) == "Press g, not no.such."


async def test_lesson_is_completed_with_the_usual_keys(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        screen = await lesson_of(at)
        assert "step 1 of 4" in at.text
        assert "Space goes on" in at.text
        await at.press("space")
        assert "step 2 of 4" in at.text
        await at.press("c", "h", "o", "enter")
        assert at.note == "Press s to seal."
        assert at.lines == []
        await at.press("s", "enter")
        assert at.lines == ["seal", 'cry text="ho"', "seal"]
        assert "Birch seals too." in at.text
        await at.press("enter")
        assert "step 4 of 4" in at.text
        assert screen.session.viewer == 0
        await at.press("c", "h", "i", "enter")
        assert "What next?" in at.text
        assert load_progress()["toy/first"].is_done
        await at.press("escape")
        assert "New game" in at.text


async def test_lesson_continues_where_it_was_left(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await lesson_of(at)
        for key in ("space", "s", "enter", "space", "q"):
            await at.press(key)
        assert load_progress()["toy/first"].words == "step 4 of 4"
        screen = await lesson_of(at)
        assert "step 4 of 4" in at.text
        assert at.lines == ["seal", 'cry text="ho"', "seal"]
        assert screen.session.viewer == 0
        await at.press("q")
        await lesson_of(at, anew=True)
        assert "step 1 of 4" in at.text


def test_changed_lesson_starts_again() -> None:
    keep_progress("toy/first", Reached(2, 4, ((0, "seal"), (0, "seal"))))
    table = open_lesson(TOY, FIRST)
    assert table.tutor.number == 0
    assert len(table.game.log) == 1


def test_unreadable_progress_file_counts_as_none(tmp_path: Path) -> None:
    keep_progress("toy/first", Reached(2, 4))
    (folder() / "lessons.json").write_text("{")
    assert load_progress() == {}
    keep_progress("toy/first", Reached(3, 4))
    assert load_progress()["toy/first"].steps == 3


@pytest.mark.parametrize("size", [(80, 24), (60, 22), (160, 50)])
async def test_panel_of_a_lesson_shows_the_whole_text(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    long = FIRST.steps[0].text + " And more of it." * 10 + " The end."
    lesson = Lesson(
        **{
            **{name: getattr(FIRST, name) for name in FIRST.__struct_fields__},
            "steps": (Step(long), *FIRST.steps[1:]),
        }
    )
    async with desk(tmp_path, size) as at:
        await lesson_of(at, lesson)
        assert "The end." in at.text


async def test_screen_reader_gets_each_step_as_a_new_line(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        at.app.change(replace(at.app.settings, reader="on"))
        screen = await lesson_of(at)
        await at.press("space")
        said = [line.text for line in screen.log_view.lines]
        assert said.index("Two clans want the shrines. Space goes on.") < said.index("Seal with s.")


def test_one_lesson_follows_another() -> None:
    war = find("weltendaemmerung")
    lessons = lessons_of(war)
    assert following(war, lessons[0]) == lessons[1]
    assert following(war, lessons[-1]) is None
    assert following(TOY, FIRST) is None


async def test_lessons_are_listed_with_their_progress(tmp_path: Path) -> None:
    first = lessons_of(find("weltendaemmerung"))[0]
    steps = len(first.steps)
    keep_progress(f"weltendaemmerung/{first.name}", Reached(3, steps))
    async with desk(tmp_path) as at:
        await at.press("t")
        assert f"step 4 of {steps}" in at.text
        keep_progress(f"weltendaemmerung/{first.name}", Reached(steps, steps))
        await at.press("escape", "t")
        row = next(row for row in at.rows() if first.title in row)
        assert row.endswith("done")
        await at.press("home", "a")
        assert f"{first.title}: step 1 of {steps}" in at.text
