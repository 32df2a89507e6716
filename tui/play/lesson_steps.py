"""Lessons, step by step: what is said, what is wanted, how far somebody has come. No widgets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.archive import Header, Player
from engine.core.ids import Seat
from engine.core.link import Reply
from engine.core.notation import read
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset
from engine.tabletop.lesson import Lesson, Step
from tui.play.table import OnBug, Table

BY_ITSELF: Final = "lesson"
"""The level of players that the lesson moves."""

PlayedLine = tuple[Seat, str]
"""A line of a lesson, and who gave it."""


class Tutor:
    """A lesson and the place in it."""

    def __init__(self, rules: AnyRuleset, lesson: Lesson) -> None:
        """Begin with the first step."""
        self.rules = rules
        self.lesson = lesson
        self.number = 0
        """How many steps are behind."""
        self.played: list[PlayedLine] = []
        """What brought the game to this step."""

    @property
    def step(self) -> Step | None:
        """What is to be done now; None at the end."""
        steps = self.lesson.steps
        return steps[self.number] if self.number < len(steps) else None

    @property
    def is_over(self) -> bool:
        """Whether every step is behind."""
        return self.step is None

    @property
    def is_reading(self) -> bool:
        """Whether the step is read and confirmed."""
        return self.step is not None and not self.step.lines

    @property
    def place(self) -> str:
        """How far this is, for a heading."""
        total = len(self.lesson.steps)
        return f"step {min(self.number + 1, total)} of {total}"

    def wants(self, seat: Seat, line: str) -> bool:
        """Whether this is what the step asks the learner for."""
        step = self.step
        if step is None or step.auto or seat != step.seat:
            return False
        return any(self._same(line, wanted) for wanted in step.lines)

    def go_on(self, played: Iterable[PlayedLine] = ()) -> None:
        """This step is done; ``played`` is what was played in it."""
        self.played += played
        self.number = min(self.number + 1, len(self.lesson.steps))

    def _same(self, line: str, wanted: str) -> bool:
        """Two spellings of one command are the same."""
        if line.strip() == wanted.strip():
            return True
        kind = self.rules.command_type
        try:
            return bool(read(line.strip(), kind) == read(wanted.strip(), kind))
        except Refused:
            return False


class LessonTable(Table):
    """A game that nobody saves and in which only what the step asks for is done."""

    tutor: Tutor

    @classmethod
    def open(
        cls, tutor: Tutor, played: Iterable[PlayedLine] = (), on_bug: OnBug | None = None
    ) -> LessonTable:
        """Set up the position of a lesson and play what was played of it.

        Raises:
            ScenarioFault, OptionFault: the lesson does not fit the rules.
            LookupError: what was played is allowed no longer.
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
        """Carry out what the step asks for; anything else changes nothing and is answered."""
        tutor = self.tutor
        if not tutor.wants(seat, line):
            return Reply(ok=False, code="lesson", text=_advice(tutor.step))
        reply = self.play(seat, line)
        if reply.ok:
            tutor.go_on([(seat, line)])
        return reply

    def play(self, seat: Seat, line: str) -> Reply:
        """Carry out any line, for what is played by itself."""
        return super().submit(seat, line)


def _players(rules: AnyRuleset, lesson: Lesson) -> tuple[Player, ...]:
    """Who sits where: what nobody learns is played by the lesson itself."""
    learning = {step.seat for step in lesson.steps if step.lines and not step.auto} or {0}
    seats = sorted({step.seat for step in lesson.steps} | set(range(rules.traits.seats[0])))
    names = rules.seat_names(lesson.scenario)
    return tuple(Player(seat, names[seat], "" if seat in learning else BY_ITSELF) for seat in seats)


def _advice(step: Step | None) -> str:
    if step is None:
        return "The lesson is over."
    if not step.lines or step.auto:
        return "Read first, then go on."
    return step.hint or "The lesson asks for something else. Nothing has happened."
