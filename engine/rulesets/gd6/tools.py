"""Questions that ``calc`` answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.ruleset import Argument, Report, Tool
from engine.rulesets.gd6.forecast import invasion, needed, skirmish
from engine.rulesets.gd6.numbers import numbers


def _number(arguments: Mapping[str, str], name: str, otherwise: int | None = None) -> int:
    """An argument that is a number of armies.

    Raises:
        ValueError: it is none.
    """
    text = arguments.get(name)
    if text is None and otherwise is not None:
        return otherwise
    if text is None or not (text.isascii() and text.isdigit()):
        raise ValueError(f"{name} must be a whole number")
    most = numbers().most_units.value
    if int(text[:9]) > most:
        raise ValueError(f"{name} is at most {most}")
    return int(text)


class InvasionTool:
    """What an invasion comes to."""

    name = "invasion"
    text = "What so many armies do to so many defenders, and how many an aim takes"
    arguments: tuple[Argument, ...] = (
        Argument("attackers", "number", "armies sent"),
        Argument("defenders", "number", "armies that defend"),
        Argument("tower", "number", "1 if there is a watchtower", required=False),
        Argument("mines", "number", "mines there, in the advanced variant", required=False),
    )

    def run(self, state: Any, arguments: Mapping[str, str]) -> Report:  # noqa: ARG002 - any position
        """The answer. Rules: GD-INVADE-5."""
        sent, there = _number(arguments, "attackers"), _number(arguments, "defenders")
        tower, mines = bool(_number(arguments, "tower", 0)), _number(arguments, "mines", 0)
        done = invasion(sent, there, tower=tower, mines=mines)
        aims = needed(there, tower=tower, mines=mines)
        remarks = [f"To neutralise takes {aims.neutralise}, to take the land {aims.take}."]
        if aims.tower is not None:
            remarks.insert(0, f"To break the watchtower takes {aims.tower}.")
        row = (sent, there, done.attackers_lost, done.defenders_lost, done.landed)
        columns = ("attackers", "defenders", "attackers lost", "defenders lost", "landed")
        return Report(columns, (row,), tuple(remarks))


class SkirmishTool:
    """What a skirmish comes to."""

    name = "skirmish"
    text = "What is left when two or three seats meet on the way"
    arguments: tuple[Argument, ...] = (
        Argument("first", "number", "armies of the first seat"),
        Argument("second", "number", "armies of the second seat"),
        Argument("third", "number", "armies of a third seat", required=False),
    )

    def run(self, state: Any, arguments: Mapping[str, str]) -> Report:  # noqa: ARG002 - any position
        """The answer. Rules: GD-SKIRMISH-2."""
        first, second = _number(arguments, "first"), _number(arguments, "second")
        sides = (first, second, _number(arguments, "third", 0))
        left = skirmish(sides)
        names = ("first", "second", "third")
        rows = tuple(zip(names, sides, left, strict=True))
        return Report(("seat", "armies", "left"), rows)


TOOLS: Final[tuple[Tool, ...]] = (InvasionTool(), SkirmishTool())
