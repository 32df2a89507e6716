"""Small realms for tests of rounds: each side has a row of cities on plains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.core.dice import Dice, Seeded
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic.decision import Decision
from engine.strategic.pieces import NOBODY, City, Side
from engine.strategic.settings import RuleSettings
from tests.strategic.ground import city, desk, side, world

PLAIN = Options()


def sides(*humans: bool) -> tuple[Side, ...]:
    """Return sides, human or not, with too little gold for a hero offer."""
    return tuple(side(k, human=human, gold=5) for k, human in enumerate(humans))


def realm(owned: Iterable[int], seats: tuple[Side, ...], neutral: int = 0, **more: Any) -> State:
    """Return a world in which side k has ``owned[k]`` cities; ``neutral`` ones have no owner."""
    counts = (*owned, neutral)
    owners = (*range(len(counts) - 1), NOBODY)
    cities: list[City] = []
    for row, (owner, count) in enumerate(zip(owners, counts, strict=True)):
        for column in range(count):
            cities.append(city(len(cities) + 1, 2 * column, 2 * row, owner))
    width = 2 * max((*counts, 1)) + 2
    rows = ["." * width] * (2 * len(counts) + 1)
    return world(rows, cities=cities, sides=seats, **({"turn": 3} | more))


def seeded(number: int = 0) -> Dice:
    """Return dice for tests that do not depend on the rolls."""
    return Seeded(b"realm", number, "test")


def at_desk(state: State, dice: Dice | None = None) -> tuple[Decision, RuleSettings]:
    """Return a decision on a position, and the settings of its options."""
    return desk(state, dice or seeded()), settings_of(state.options)
