"""Forecasts of fights between armies, for screens, computer players and ``calc``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.record import Record
from engine.core.ruleset import Argument, Report, Tool
from engine.rulesets.gd6.numbers import numbers


class Needed(Record, frozen=True):
    """Attackers that an aim takes, against the defenders of today. Rules: GD-INVADE-5.

    ``tower`` is None where there is none to break, ``neutralise`` 0 where the land is neutral.
    """

    tower: int | None
    neutralise: int
    take: int


class Invasion(Record, frozen=True):
    """What an invasion of armies comes to. Rules: GD-INVADE-5."""

    attackers_lost: int
    defenders_lost: int
    landed: int
    tower_destroyed: bool
    neutralised: bool


def entry_cost(*, tower: bool, mines: int = 0, guided: bool = False) -> int:
    """Damage that invaders suffer before they reach a defender: penalty, mines, watchtower.

    Rules: GD-INVADE-1, GD-INTEL-1, GD-MINE-3, GD-TOWER-1.
    """
    table = numbers()
    penalty = 0 if guided else table.invasion_penalty.value
    return penalty + mines + (table.watchtower_strength.value if tower else 0)


def needed(defenders: int, *, tower: bool, mines: int = 0, guided: bool = False) -> Needed:
    """How many armies an aim takes. Rules: GD-INVADE-5.

    Land without defenders needs one that gets through, who then owns it. ``defenders`` is the
    damage that they can take; ``guided``: a spy saves the penalty.
    """
    cost = entry_cost(tower=tower, mines=mines, guided=guided)
    return Needed(cost if tower else None, cost + max(1, defenders), cost + defenders + 1)


def invasion(attackers: int, defenders: int, *, tower: bool, mines: int = 0) -> Invasion:
    """The result of so many armies against so many. Rules: GD-INVADE-5, GD-MINE-3."""
    cost = entry_cost(tower=tower, mines=mines)
    through = max(0, attackers - cost)
    killed = min(through, defenders)
    return Invasion(
        attackers_lost=min(attackers, cost) + killed,
        defenders_lost=killed,
        landed=through - killed,
        tower_destroyed=tower and attackers >= cost,
        neutralised=through > 0 and through >= defenders,
    )


def skirmish(armies: tuple[int, ...]) -> tuple[int, ...]:
    """What is left of each side's armies. Rules: GD-SKIRMISH-2."""
    rounds = sorted((0, 0, *armies))[-2]
    return tuple(max(0, count - rounds) for count in armies)


# -- tools of calc ---------------------------------------------------------------------------------


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
