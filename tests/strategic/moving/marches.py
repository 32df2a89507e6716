"""March orders on small positions, for tests of their results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.core.containers import Plane
from engine.core.record import replace
from engine.kit.grid import Place
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import movement
from engine.strategic.commands import March, Walk
from engine.strategic.decision import Decision
from engine.strategic.events import AnyEvent
from tests.strategic.ground import army, desk

WIN = [20, 1] * 40
"""Dice with which each round hits the defender."""

LOSE = [1, 20] * 40


def march(state: State, armies: Iterable[int], to: Place, dice: Any = (), **more: Any) -> Decision:
    decision = desk(state, dice)
    movement.march(decision, settings_of(state.options), 0, March(tuple(armies), to, **more))
    return decision


def walk(state: State, armies: Iterable[int], *path: Place, dice: Any = ()) -> Decision:
    decision = desk(state, dice)
    movement.walk(decision, settings_of(state.options), 0, Walk(tuple(armies), path))
    return decision


def first(decision: Decision, kind: type[AnyEvent]) -> Any:
    return next(event for event in decision.events if isinstance(event, kind))


def has(decision: Decision, kind: type[AnyEvent]) -> bool:
    return any(isinstance(event, kind) for event in decision.events)


def full(x: int, y: int, first_id: int = 20, number: int = 8) -> list[Any]:
    return [army(first_id + k, x, y) for k in range(number)]


def known(state: State) -> State:
    """Return the position with all tiles discovered, though not all in sight."""
    return replace(state, discovered=Plane(np.full_like(state.discovered.cells, 255)))
