"""What dialogues have in common: reading answers, asking again for what fits nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.kit.grid import Place
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import army_name
from engine.strategic.pieces import Army
from engine.tabletop.ask import Choice

YES: Final = "yes"


def place(answers: Sequence[str], at: int = 0) -> Place | None:
    """The answer ``x,y`` with a number, if it is one."""
    parts = answers[at].split(",") if len(answers) > at else []
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        return None
    return int(parts[0]), int(parts[1])


def number(answers: Sequence[str], at: int = 0) -> int | None:
    """The answer with a number, if it is a whole number."""
    text = answers[at] if len(answers) > at else ""
    return int(text) if text.lstrip("-").isdecimal() else None


def word(answers: Sequence[str], known: Iterable[str], at: int = 0) -> str | None:
    """The answer with a number, if it is one of the known ones."""
    text = answers[at] if len(answers) > at else ""
    return text if text in known else None


def chosen(answers: Sequence[str], armies: Sequence[Army], at: int = 0) -> tuple[Army, ...]:
    """The armies that an answer names, in their own order; empty if it fits nothing."""
    parts = answers[at].split(">") if len(answers) > at else []
    found = tuple(army for army in armies if str(army.id) in parts)
    return found if len(found) == len(parts) else ()


def said_yes(answers: Sequence[str], at: int = 0) -> bool:
    """Whether an answer is yes."""
    return len(answers) > at and answers[at] == YES


def choices(scene: Scene, armies: Iterable[Army]) -> tuple[Choice, ...]:
    """Armies to choose from, each with its strength and points."""
    return tuple(
        Choice(str(army.id), f"{army_name(scene, army)} {army.strength}, {_points(army)}")
        for army in armies
    )


def _points(army: Army) -> str:
    text = f"{army.points}/{army.max_move} points"
    return f"{text}, defends" if army.defends else text
