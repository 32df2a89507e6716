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
from engine.rulesets.lordsawar.checks import check_midgame, check_scene
from engine.rulesets.lordsawar.events import AnyEvent, GameSet
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.first_state import first_state
from engine.rulesets.lordsawar.land import LandPlanes, land_of
from engine.rulesets.lordsawar.options import NEW_MAP, PRESETS, Options, as_mapping
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.scenario_codec import SIDE_NAMES, described_state, types_of
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import SIDES, State
from engine.rulesets.lordsawar.tables import PACKAGE, DrawRange, armyset
from engine.strategic import seating
from engine.strategic.beginning import kept_secret, secret
from engine.strategic.turns import begin_game

OPTIONS: Final = declared(PACKAGE)
"""All options. Rules: LW-0, LW-20."""

MAP_SIZES: Final[Mapping[str, DrawRange]] = {
    name: getattr(armyset().new_maps, name) for name in ("tiny", "small", "normal")
}
"""Width and height of new maps by the words of ``map_size``. Rules: LW-20."""

_NOTHING: Final = Plane(np.zeros((0, 0), dtype=np.uint8))

EMPTY: Final = State(terrain=_NOTHING, roads=_NOTHING, art=_NOTHING, discovered=_NOTHING)
"""The state before the first event."""


def check(scene: Map) -> None:
    """Refuse a scenario that cannot be played. Rules: LW-1, LW-19.5, LW-20.

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
    """The scenario with the new map that it asks for. Rules: LW-20.

    Raises:
        ScenarioFault: it has a map too, or no sound map was found.
    """
    if scene.new is None:
        return scene
    if scene.rows or scene.sides or scene.cities or scene.now is not None:
        raise ScenarioFault("new", "goes with neither rows, sides, cities nor now", "LW-20")
    from engine.rulesets.lordsawar.generator import generated  # noqa: PLC0415 - seldom needed

    return generated(scene, scene.new)


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

    The secret of a hidden map is drawn first, since a new map depends on it too.

    Rules: LW-0, LW-17, LW-19.5, LW-20.

    Raises:
        ScenarioFault: the scenario cannot be played.
        OptionFault: an option is unknown or invalid.
    """
    scene = _wished(scene, settle(OPTIONS, options))
    check_options(scene)
    chosen = settled(options, scene.options)
    hidden = chosen.hidden_map == "on"
    drawn = secret(dice) if hidden and scene.now is None else ""
    if drawn and scene.new is not None:
        scene = replace(scene, new=replace(scene.new, drawn=drawn))
    whole = _generated(scene)
    described = described_state(whole, _checked_land(whole), chosen)
    if whole.now is not None:
        return (GameSet(scene, chosen, kept_secret(described, dice, hidden=hidden)),)
    start = first_state(replace(described, secret=drawn, origin=_origin(scene)), whole, dice)
    decision: BaseDecision[Any, Any] = BaseDecision(EMPTY, evolve, dice)
    decision.emit(GameSet(scene, chosen, start))
    begin_game(decision, settings_in(decision.state))
    return decision.events


def _origin(scene: Map) -> str:
    """Seed and secret of a new hidden map, revealed when the game is over."""
    return f"{scene.new.seed} {scene.new.drawn}" if scene.new and scene.new.drawn else ""


def _wished(scene: Map, given: Mapping[str, Value]) -> Map:
    """The scenario with the player's settings of its new map. Rules: LW-20.

    Raises:
        OptionFault: the scenario has no new map.
    """
    wishes = {name: value for name, value in given.items() if name in NEW_MAP}
    if not wishes:
        return scene
    if scene.new is None:
        raise OptionFault(f"{', '.join(wishes)}: this scenario has no new map")
    new, size = scene.new, wishes.pop("map_size", None)
    width, height = MAP_SIZES[str(size)] if size else (new.width, new.height)
    numbers = {name.removeprefix("map_"): int(value) for name, value in wishes.items()}
    return replace(scene, new=replace(new, **{"width": width, "height": height} | numbers))


def settled(given: Mapping[str, Value], scenario: Mapping[str, Value]) -> Options:
    """The options of a game: defaults, overruled by the scenario, then by the player.

    A preset stands for all its options. Options of new maps are left out. Rules: LW-0, LW-20.

    Raises:
        OptionFault: an option is unknown or invalid.
    """
    chosen: dict[str, Value] = {}
    for wishes in (scenario, given):
        checked = settle(OPTIONS, wishes)
        chosen |= PRESETS.get(str(checked.pop("preset", "")), {})
        chosen |= {name: value for name, value in checked.items() if name not in NEW_MAP}
    return cast("Options", convert(chosen, Options))


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
    return seating.seat_range(scene, SIDES)


def seat_names(scene: Map) -> tuple[str, ...]:
    """Names of the sides; new maps have the default names."""
    return tuple(side.name for side in scene.sides) if scene.new is None else SIDE_NAMES


def default_seats(scene: Map) -> int:
    """Default number of players of a scenario. Rules: LW-19.3, LW-20."""
    return seating.default_seats(scene, SIDES)


def with_seats(scene: Map, seats: int, computers: Collection[int] = ()) -> Map:
    """The scenario for a number of sides: the last ones go, and their cities become neutral.

    Rules: LW-19.5.
    """
    return seating.with_seats(scene, seats, computers)
