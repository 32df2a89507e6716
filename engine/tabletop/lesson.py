"""Lessons: games with explanations, played once through; playing one is the check of it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import Seat
from engine.core.options import Value
from engine.core.record import Record
from engine.core.ruleset import Scenario


class Step(Record, frozen=True):
    """What is said, and the line of notation that is expected then.

    A step without ``lines`` is read and confirmed. Otherwise the learner brings one of the lines
    about with any keys; the first is what a check plays. ``auto`` lines are played for the learner.
    """

    text: str
    seat: Seat = 0
    lines: tuple[str, ...] = ()
    auto: bool = False
    at: tuple[int, int] | None = None
    """The cell it speaks of."""
    hint: str = ""
    """Said when something else was tried. ``{key:ID}`` in texts is the key of a binding."""


class Lesson(Record, frozen=True):
    """A position, a seed and steps; the same lines always give the same game."""

    name: str
    title: str
    about: str
    scenario: Scenario
    seed: bytes
    steps: tuple[Step, ...]
    options: Mapping[str, Value] = {}
