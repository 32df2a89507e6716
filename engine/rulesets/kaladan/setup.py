"""Setting up: options, scenarios, the first events, and positions as scenarios.

Rules: KA-0, KA-5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.containers import Roster
from engine.core.dice import Dice
from engine.core.options import Option, Value
from engine.kit.tables import options
from engine.rulesets.kaladan.events import AnyEvent
from engine.rulesets.kaladan.state import Options, State, View, War

PACKAGE: Final = "engine.rulesets.kaladan"
DECLARED: Final[tuple[Option, ...]] = options(PACKAGE)
EMPTY: Final = State(layout=0, tiles=Roster(), players=Roster(), units=Roster(), options=Options())


def check(war: War) -> None:
    """Refuse a scenario that cannot be played."""
    raise NotImplementedError


def seat_range(war: War) -> tuple[int, int]:
    """Fewest and most seats of a scenario."""
    raise NotImplementedError


def with_seats(war: War, seats: int) -> War:
    """The scenario for a number of seats."""
    raise NotImplementedError


def begin(war: War, given: Mapping[str, Value], dice: Dice) -> tuple[AnyEvent, ...]:
    """Events that set the game up."""
    raise NotImplementedError


def begun_from(first: AnyEvent) -> tuple[War, Mapping[str, Value]]:
    """Scenario and options of a game, from its first event."""
    raise NotImplementedError


def position(state: State | View) -> War:
    """Any state as a scenario that begins there."""
    raise NotImplementedError
