"""Setting up: from a scenario to the first events; how many can play it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import numpy as np

from engine.core.containers import Plane
from engine.core.dice import Dice
from engine.core.options import OptionFault, Value
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.core.work import Work
from engine.rulesets.lordsawar.events import AnyEvent, GameSet
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.first_state import first_state
from engine.rulesets.lordsawar.land import land_of
from engine.rulesets.lordsawar.options import as_mapping, settled
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.scenario_codec import SIDE_NAMES, described_state
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import SIDES, State
from engine.strategic.pieces import NOBODY
from engine.strategic.turns import begin_game

_NOTHING: Final = Plane(np.zeros((0, 0), dtype=np.uint8))

EMPTY: Final = State(terrain=_NOTHING, roads=_NOTHING, art=_NOTHING, discovered=_NOTHING)
"""The state before the first event."""


def check(scene: Map) -> None:
    """Refuse a scenario that cannot be played. Rules: LW-1, LW-19.5.

    Raises:
        ScenarioFault: with the path of the first fault.
    """
    check_options(scene)
    described_state(scene, land_of(scene), settled({}, scene.options))


def check_options(scene: Map) -> None:
    """Refuse options of a scenario that do not exist. Rules: LW-0.

    Raises:
        ScenarioFault: naming the first.
    """
    try:
        settled({}, scene.options)
    except OptionFault as problem:
        raise ScenarioFault("options", str(problem), "LW-0") from None


def begin(scene: Map, options: Mapping[str, Value], dice: Dice) -> tuple[AnyEvent, ...]:
    """The events that set a game up; for a position in mid-game a single one.

    Rules: LW-0, LW-17, LW-19.5.

    Raises:
        ScenarioFault: the scenario cannot be played.
        OptionFault: an option is unknown or invalid.
    """
    check_options(scene)
    chosen = settled(options, scene.options)
    described = described_state(scene, land_of(scene), chosen)
    if scene.now is not None:
        return (GameSet(scene, chosen, described),)
    start = first_state(described, scene, dice)
    decision: Work[Any, Any] = Work(EMPTY, evolve, dice)
    decision.emit(GameSet(scene, chosen, start))
    begin_game(decision, settings_of(chosen))
    return decision.events


def begun_from(first: AnyEvent) -> tuple[Map, Mapping[str, Value]]:
    """Scenario and options of a game, from its first event.

    Raises:
        ValueError: that is not a first event.
    """
    if not isinstance(first, GameSet):
        raise ValueError("a game begins with the event game-set")  # noqa: TRY004 - protocol
    return first.scenario, as_mapping(first.options)


def seat_range(scene: Map) -> tuple[int, int]:
    """Least and greatest number of players; in mid-game exactly its sides. Rules: LW-19.3."""
    return (len(scene.sides) if scene.now else SIDES[0]), len(scene.sides)


def seat_names(scene: Map) -> tuple[str, ...]:
    """Names of the sides; new maps have the default names."""
    return tuple(side.name for side in scene.sides) if scene.new is None else SIDE_NAMES


def default_seats(scene: Map) -> int:
    """Default number of players of a scenario."""
    least, most = seat_range(scene)
    return min(max(least, scene.meant_for or most), most)


def with_seats(scene: Map, seats: int, computers: Collection[int] = ()) -> Map:
    """The scenario for a number of sides: the last ones go, and their cities become neutral.

    Rules: LW-19.5.
    """
    sides = tuple(
        replace(side, human=number not in computers)
        for number, side in enumerate(scene.sides[:seats])
    )
    cities = tuple(
        replace(city, owner=city.owner if city.owner < seats else NOBODY) for city in scene.cities
    )
    return replace(scene, sides=sides, cities=cities)
