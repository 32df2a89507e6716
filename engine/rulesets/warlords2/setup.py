"""Setting up: from a scenario to the first events; how many can play it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, cast

import numpy as np

from engine.core.codec import convert
from engine.core.containers import Plane
from engine.core.decision import BaseDecision
from engine.core.dice import Dice
from engine.core.options import OptionFault, Value, settle
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.kit.tables import options as declared
from engine.rulesets.warlords2.checks import check_midgame, check_scene
from engine.rulesets.warlords2.events import AnyEvent, GameSet
from engine.rulesets.warlords2.evolve import evolve
from engine.rulesets.warlords2.initial_state import first_state, kept_secret
from engine.rulesets.warlords2.land import LandPlanes, land_of
from engine.rulesets.warlords2.options import CLASSIC, NEW_MAP, Options, as_mapping
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.scenario_codec import SIDE_NAMES, described_state, types_of
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import SIDES, State
from engine.rulesets.warlords2.tables import PACKAGE
from engine.strategic import seating
from engine.strategic.beginning import secret
from engine.strategic.turns import begin_game

OPTIONS: Final = declared(PACKAGE)
"""All options. Rules: W2-0.1."""

_BOOK: Final[Mapping[str, Value]] = {
    name: value for name, value in as_mapping(Options()).items() if name in CLASSIC
}
"""Switches of the column ``seed``."""

_NOTHING: Final = Plane(np.zeros((0, 0), dtype=np.uint8))

EMPTY: Final = State(terrain=_NOTHING, roads=_NOTHING, art=_NOTHING, discovered=_NOTHING)
"""The state before the first event."""


def check(scene: Map) -> None:
    """Refuse a scenario that cannot be played. Rules: W2-1.3, W2-1.8, W2-16.4.

    Raises:
        ScenarioFault: with the path of the first fault.
    """
    check_options(scene)
    _checked_land(_generated(scene))


def _checked_land(scene: Map) -> LandPlanes:
    """Land of a scenario without ``new``, after all checks."""
    land, types = land_of(scene), types_of(scene)
    check_scene(scene, land, types)
    if scene.now is not None:
        check_midgame(scene, scene.now, land, types)
    return land


def _generated(scene: Map) -> Map:
    """The scenario with the new map that it asks for. Rules: W2-15.

    Raises:
        ScenarioFault: it has a map too, or no sound map was found.
    """
    if scene.new is None:
        return scene
    if scene.rows or scene.sides or scene.cities or scene.now is not None:
        raise ScenarioFault("new", "goes with neither rows, sides, cities nor now", "W2-15")
    from engine.rulesets.warlords2.generator import generated  # noqa: PLC0415 - seldom needed

    return generated(scene, scene.new)


def begin(scene: Map, options: Mapping[str, Value], dice: Dice) -> tuple[AnyEvent, ...]:
    """The events that set a game up; for a position in mid-game a single one.

    The secret of a hidden map is drawn first, since a new map depends on it too.

    Rules: W2-0.1, W2-11, W2-13.1, W2-15.

    Raises:
        ScenarioFault: the scenario cannot be played.
        OptionFault: an option is unknown or invalid.
    """
    scene = _wished(scene, settle(OPTIONS, options))
    check_options(scene)
    chosen = settled(options, scene.options)
    drawn = secret(dice) if chosen.hidden_map == "on" and scene.now is None else ""
    if drawn and scene.new is not None:
        scene = replace(scene, new=replace(scene.new, drawn=drawn))
    whole = _generated(scene)
    described = described_state(whole, _checked_land(whole), chosen)
    if whole.now is not None:
        return (GameSet(scene, chosen, kept_secret(described, dice)),)
    start = first_state(replace(described, secret=drawn, origin=_origin(scene)), whole, dice)
    decision: BaseDecision[Any, Any] = BaseDecision(EMPTY, evolve, dice)
    decision.emit(GameSet(scene, chosen, start))
    begin_game(decision, settings_of(chosen))
    return decision.events


def _origin(scene: Map) -> str:
    """Seed and secret of a new hidden map, revealed when the game is over."""
    return f"{scene.new.seed} {scene.new.drawn}" if scene.new and scene.new.drawn else ""


def check_options(scene: Map) -> None:
    """Refuse options of a scenario that do not exist. Rules: W2-0.1.

    Raises:
        ScenarioFault: naming the first.
    """
    try:
        settled({}, scene.options)
    except OptionFault as problem:
        raise ScenarioFault("options", str(problem), "W2-0.1") from None


def settled(given: Mapping[str, Value], scenario: Mapping[str, Value]) -> Options:
    """The options of a game: defaults, overruled by the scenario, then by the player.

    A column stands for all its switches. Options of new maps are left out. Rules: W2-0.1.

    Raises:
        OptionFault: an option is unknown or invalid.
    """
    chosen: dict[str, Value] = {}
    for wishes in (scenario, given):
        checked = settle(OPTIONS, wishes)
        column = checked.pop("column", None)
        chosen |= CLASSIC if column == "classic" else _BOOK if column == "seed" else {}
        chosen |= {name: value for name, value in checked.items() if name not in NEW_MAP}
    return cast("Options", convert(chosen, Options))


def _wished(scene: Map, given: Mapping[str, Value]) -> Map:
    """The scenario with the player's settings of its new map. Rules: W2-15.

    Raises:
        OptionFault: the scenario has no new map.
    """
    wishes = {name: int(value) for name, value in given.items() if name in NEW_MAP}
    if not wishes:
        return scene
    if scene.new is None:
        raise OptionFault(f"{', '.join(wishes)}: this scenario has no new map")
    numbers = {name.removeprefix("map_"): value for name, value in wishes.items()}
    return replace(scene, new=replace(scene.new, **numbers))


def begun_from(first: AnyEvent) -> tuple[Map, Mapping[str, Value]]:
    """Scenario and options of a game, from its first event.

    Raises:
        ValueError: that is not a first event.
    """
    if not isinstance(first, GameSet):
        raise ValueError("a game begins with the event game-set")  # noqa: TRY004 - protocol
    return first.scenario, as_mapping(first.options)


def seat_range(scene: Map) -> tuple[int, int]:
    """Least and greatest number of players; in mid-game exactly its sides. Rules: W2-1.3."""
    return seating.seat_range(scene, SIDES)


def seat_names(scene: Map) -> tuple[str, ...]:
    """Names of the sides; new maps have the default names."""
    return tuple(side.name for side in scene.sides) if scene.new is None else SIDE_NAMES


def default_seats(scene: Map) -> int:
    """Default number of players of a scenario. Rules: W2-1.3, W2-15."""
    return seating.default_seats(scene, SIDES)


def with_seats(scene: Map, seats: int, computers: Collection[int] = ()) -> Map:
    """The scenario for a number of sides: the last ones go, and their cities become neutral.

    Sides that computers begin on are not human. Rules: W2-13.3.
    """
    return seating.with_seats(scene, seats, computers)
