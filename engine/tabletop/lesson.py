"""Lessons: games with explanations; a test plays each of them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import Seat
from engine.core.options import Value
from engine.core.record import Record
from engine.core.ruleset import Scenario


class Step(Record, frozen=True):
    """Step of a lesson: a text, and the lines of notation that are expected then.

    A step without ``lines`` is read and confirmed. Otherwise the learner plays one of the lines,
    with any keys; a test plays the first. ``auto`` lines are played for the learner.
    """

    text: str
    seat: Seat = 0
    lines: tuple[str, ...] = ()
    auto: bool = False
    at: tuple[int, int] | None = None
    """Cell that the text is about."""
    hint: str = ""
    """Text after another line was tried. ``{key:ID}`` in texts is the key of a binding."""


class Lesson(Record, frozen=True):
    """Scenario, seed and steps; the same lines always give the same game."""

    name: str
    title: str
    about: str
    scenario: Scenario
    seed: bytes
    steps: tuple[Step, ...]
    options: Mapping[str, Value] = {}
