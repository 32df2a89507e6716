"""Perils of the way: a hero who goes alone stays out of reach of foes. Rules: W2-14.2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.kit.grid import Place
from engine.strategic.bot.force import chance
from engine.strategic.bot.situation import Situation, apart
from engine.strategic.commands import Walk
from engine.strategic.pieces import Army
from engine.strategic.world import flies as can_fly

_ESCORT: Final = 3
"""Armies with which a hero need not be careful."""

_DARED: Final = 0.15
"""The chance of foes against a hero and escort that is dared."""

_POINTS: Final = 2
"""Points that a tile costs those who walk, as far as is known from afar."""


def is_rash(here: Situation, walk: object) -> bool:
    """Whether an order leads a hero with hardly anybody to where foes are likely to fall on it."""
    if not isinstance(walk, Walk):
        return False
    armies = tuple(here.view.armies[army] for army in walk.armies)
    return is_perilous(here, armies, walk.path[-1])


def is_perilous(here: Situation, armies: Sequence[Army], at: Place) -> bool:
    """Whether a hero with so few armies would be in danger on a tile next turn."""
    if len(armies) >= _ESCORT or all(army.hero is None for army in armies):
        return False
    city = here.city_of(at)
    if city is not None and city.owner == here.side:
        return False
    own = here.attackers(tuple(armies), at)
    return any(
        _comes(here, stack, at) and chance(here.attackers(stack, at), own) > _DARED
        for stack in here.foes
    )


def _comes(here: Situation, stack: tuple[Army, ...], at: Place) -> bool:
    """Whether foes may get to a tile next turn: it is not known what they have left to go."""
    pace = min(army.max_move for army in stack) + 2
    flies = all(can_fly(here.view, army) for army in stack)
    return apart(stack[0].at, at) * (1 if flies else _POINTS) <= pace
