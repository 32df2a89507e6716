"""The lessons in ``lessons/``, one file each, in the order of their names."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from engine.core.codec import convert
from engine.core.ids import Seat
from engine.core.record import Record
from engine.rulesets.weltendaemmerung.state import ELDOIN, Map
from engine.rulesets.weltendaemmerung.tables import PACKAGE
from engine.tabletop.lesson import Lesson, Step


class _Step(Record, frozen=True):
    """A step in a file: ``play`` is what the learner does, ``reply`` what the others do."""

    text: str
    play: tuple[str, ...] = ()
    reply: tuple[str, ...] = ()
    seat: Seat = ELDOIN
    at: tuple[int, int] | None = None
    hint: str = ""


class _File(Record, frozen=True):
    title: str
    about: str
    seed: str
    scenario: Map
    steps: tuple[_Step, ...]


@cache
def shipped() -> tuple[Lesson, ...]:
    """The lessons that come with the game, the first to take first."""
    folder = files(PACKAGE).joinpath("lessons")
    if not folder.is_dir():
        return ()
    named = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(
        _lesson(name.removesuffix(".toml"), folder.joinpath(name).read_text(encoding="utf-8"))
        for name in named
    )


def _lesson(name: str, text: str) -> Lesson:
    read = convert(tomllib.loads(text), _File)
    assert isinstance(read, _File)  # noqa: S101 - tells the type checker
    steps = tuple(_step(step) for step in read.steps)
    return Lesson(name, read.title, read.about, read.scenario, read.seed.encode(), steps)


def _step(step: _Step) -> Step:
    auto = bool(step.reply)
    text = " ".join(step.text.split())
    return Step(text, step.seat, step.reply or step.play, auto, step.at, step.hint)
