"""Lessons: games with explanations; a test plays each of them.

They are in the folder ``lessons`` of a ruleset, one TOML file each, in the order of names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from engine.core.codec import convert
from engine.core.ids import Seat
from engine.core.options import Value
from engine.core.record import Record, field
from engine.core.ruleset import Scenario


class Step(Record, frozen=True):
    """Step of a lesson: a text, and the lines of notation that are expected then.

    A step without ``lines`` is read and confirmed. If it has lines, the learner plays one of them,
    with any keys; a test plays the first. ``auto`` lines are played for the learner.
    """

    text: str
    seat: Seat = 0
    lines: tuple[str, ...] = ()
    auto: bool = False
    at: tuple[int, int] | None = None
    """Cell that the text is about, and the target of the learner's cursor."""
    source: tuple[int, int] | None = None
    """Cell of the piece that is to act; ``at`` is its goal once it is held."""
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


# -- files -------------------------------------------------------------------------------


class _Step(Record, frozen=True):
    """Step in a file: ``play`` holds the learner's lines, ``reply`` those of the other seats."""

    text: str
    play: tuple[str, ...] = ()
    reply: tuple[str, ...] = ()
    seat: Seat = 0
    at: tuple[int, int] | None = None
    source: tuple[int, int] | None = None
    hint: str = ""


class _File(Record, frozen=True):
    title: str
    about: str
    seed: str
    scenario: dict[str, Any]
    steps: tuple[_Step, ...]
    options: dict[str, Value] = field(default_factory=dict)


@cache
def shipped(package: str, scenario: type[Scenario]) -> tuple[Lesson, ...]:
    """Return the lessons of a ruleset, in their order; empty without the folder.

    Args:
        package: package of the ruleset, with the folder ``lessons``.
        scenario: scenario type of the ruleset.
    """
    folder = files(package).joinpath("lessons")
    if not folder.is_dir():
        return ()
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return tuple(_lesson(file, scenario) for file in found if file.name.endswith(".toml"))


def _lesson(file: Traversable, scenario: type[Scenario]) -> Lesson:
    name = file.name.removesuffix(".toml")
    read: _File = convert(tomllib.loads(file.read_text(encoding="utf-8")), _File)
    position: Scenario = convert(read.scenario, scenario)
    steps = tuple(map(_step, read.steps))
    return Lesson(name, read.title, read.about, position, read.seed.encode(), steps, read.options)


def _step(step: _Step) -> Step:
    auto = bool(step.reply)
    text = " ".join(step.text.split())
    lines = step.reply or step.play
    return Step(text, step.seat, lines, auto, step.at, step.source, step.hint)
