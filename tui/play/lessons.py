"""Lessons: all of them, their steps, their tables, and the player's progress.

Progress is stored in the state folder.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from engine.core import registry
from engine.core.archive import Header, SeatPlayer
from engine.core.ids import Seat
from engine.core.link import Reply
from engine.core.notation import read
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset
from engine.tabletop.lesson import Lesson, Step
from engine.tabletop.presenter import presenter_of
from tui.console.faults import folder, keep
from tui.play.table import OnBug, Table

BY_ITSELF: Final = "lesson"
"""Level of a player whose moves the lesson makes."""

_FILE: Final = "lessons.json"

PlayedLine = tuple[Seat, str]
"""Line of a lesson, and the seat that submitted it."""


def known() -> Iterator[tuple[str, str, Lesson]]:
    """Yield (ruleset name, ruleset title, lesson) for every lesson."""
    for name in registry.names():
        rules = registry.find(name)
        for lesson in lessons_of(rules):
            yield name, rules.title, lesson


def lessons_of(rules: AnyRuleset) -> tuple[Lesson, ...]:
    """Return the lessons of one game, in order."""
    return presenter_of(rules).lessons


# -- steps -----------------------------------------------------------------------------------------


class Tutor:
    """Lesson and the current position in it."""

    def __init__(self, rules: AnyRuleset, lesson: Lesson) -> None:
        """Begin with the first step."""
        self.rules = rules
        self.lesson = lesson
        self.number = 0
        """Number of completed steps."""
        self.played: list[PlayedLine] = []
        """Lines that led the game to this step."""

    @property
    def step(self) -> Step | None:
        """Step to do now; None at the end."""
        steps = self.lesson.steps
        return steps[self.number] if self.number < len(steps) else None

    @property
    def is_over(self) -> bool:
        """True if every step is done."""
        return self.step is None

    @property
    def is_reading(self) -> bool:
        """True if the step is only to be read and confirmed."""
        return self.step is not None and not self.step.lines

    @property
    def place(self) -> str:
        """Progress in words, for a heading."""
        total = len(self.lesson.steps)
        return f"step {min(self.number + 1, total)} of {total}"

    def wants(self, seat: Seat, line: str) -> bool:
        """Return whether the current step asks ``seat`` to submit this line."""
        step = self.step
        if step is None or step.auto or seat != step.seat:
            return False
        return any(self._same(line, wanted) for wanted in step.lines)

    def go_on(self, played: Iterable[PlayedLine] = ()) -> None:
        """Finish the current step; ``played`` are the lines that were played in it."""
        self.played += played
        self.number = min(self.number + 1, len(self.lesson.steps))

    def _same(self, line: str, wanted: str) -> bool:
        """Return whether two spellings mean the same command."""
        if line.strip() == wanted.strip():
            return True
        kind = self.rules.command_type
        try:
            return bool(read(line.strip(), kind) == read(wanted.strip(), kind))
        except Refused:
            return False


class LessonTable(Table):
    """Table of a lesson: it is not saved, and refuses every line except that of the step."""

    tutor: Tutor

    @classmethod
    def open(
        cls, tutor: Tutor, played: Iterable[PlayedLine] = (), on_bug: OnBug | None = None
    ) -> LessonTable:
        """Set up the position of a lesson and play the lines of the completed steps.

        Raises:
            ScenarioFault, OptionFault: the lesson does not fit the rules.
            LookupError: one of these lines is no longer allowed.
        """
        rules, lesson = tutor.rules, tutor.lesson
        header = Header(
            rules.name, rules.schema, lesson.seed, _players(rules, lesson), title=lesson.title
        )
        table = cls.begin(rules, lesson.scenario, lesson.options, header, on_bug=on_bug)
        assert isinstance(table, LessonTable)  # noqa: S101 - what ``begin`` makes
        table.tutor = tutor
        for seat, line in played:
            if not table.play(seat, line).ok:
                raise LookupError(f"{lesson.title}: {line} is allowed no longer")
        return table

    def submit(self, seat: Seat, line: str) -> Reply:
        """Execute the line that the step asks for; any other is refused and changes nothing."""
        tutor = self.tutor
        if not tutor.wants(seat, line):
            return Reply(ok=False, code="lesson", text=_advice(tutor.step))
        reply = self.play(seat, line)
        if reply.ok:
            tutor.go_on([(seat, line)])
        return reply

    def play(self, seat: Seat, line: str) -> Reply:
        """Execute a move of the lesson itself, whatever the step asks for."""
        return super().submit(seat, line)


def _players(rules: AnyRuleset, lesson: Lesson) -> tuple[SeatPlayer, ...]:
    """Return the players of a lesson: the lesson moves every seat but the learner's."""
    learning = {step.seat for step in lesson.steps if step.lines and not step.auto} or {0}
    seats = sorted({step.seat for step in lesson.steps} | set(range(rules.traits.seats[0])))
    names = rules.seat_names(lesson.scenario)
    return tuple(
        SeatPlayer(seat, names[seat], "" if seat in learning else BY_ITSELF) for seat in seats
    )


def _advice(step: Step | None) -> str:
    if step is None:
        return "The lesson is over."
    if not step.lines or step.auto:
        return "Read first, then go on."
    return step.hint or "The lesson asks for something else. Nothing has happened."


# -- progress --------------------------------------------------------------------------------------


class Reached(msgspec.Struct, frozen=True):
    """Progress in one lesson."""

    steps: int = 0
    """Number of completed steps."""
    of: int = 0
    played: tuple[PlayedLine, ...] = ()

    @property
    def is_done(self) -> bool:
        """True if the lesson was finished."""
        return 0 < self.of <= self.steps

    @property
    def words(self) -> str:
        """Progress in words for a list; empty if the lesson was not begun."""
        if self.is_done:
            return "done"
        return f"step {self.steps + 1} of {self.of}" if self.steps else ""


def load_progress() -> dict[str, Reached]:
    """Return the progress of all lessons begun, by name; empty if the file cannot be read."""
    try:
        return msgspec.json.decode((folder() / _FILE).read_bytes(), type=dict[str, Reached])
    except (OSError, ValueError):
        return {}


def keep_progress(name: str, reached: Reached) -> None:
    """Store the progress of a lesson; a failure is ignored."""
    path = folder() / _FILE
    all_reached = {**load_progress(), name: reached}
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(all_reached)))
        fresh.replace(path)


def open_lesson(rules: AnyRuleset, lesson: Lesson, *, anew: bool = False) -> LessonTable:
    """Return a table for a lesson at its saved step.

    It starts at the first step if ``anew`` is set, if the lesson is done, or if it has changed and
    refuses the lines played so far.

    Raises:
        ScenarioFault, OptionFault: the lesson does not fit the rules.
    """
    reached = load_progress().get(f"{rules.name}/{lesson.name}", Reached())
    if not anew and not reached.is_done and reached.of == len(lesson.steps):
        try:
            return _at(rules, lesson, reached)
        except LookupError:
            pass
    return _at(rules, lesson, Reached())


def _at(rules: AnyRuleset, lesson: Lesson, reached: Reached) -> LessonTable:
    tutor = Tutor(rules, lesson)
    table = LessonTable.open(tutor, reached.played, keep)
    tutor.number, tutor.played = reached.steps, list(reached.played)
    return table


def following(rules: AnyRuleset, lesson: Lesson) -> Lesson | None:
    """Return the next lesson of the same game, or None after the last."""
    names = [each.name for each in lessons_of(rules)]
    at = names.index(lesson.name) + 1 if lesson.name in names else len(names)
    return lessons_of(rules)[at] if at < len(names) else None
