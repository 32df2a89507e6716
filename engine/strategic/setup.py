"""Set-up of a game: options, seats, checks of its scenario, and the first events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, TypeVar, cast

import numpy as np

from engine.core.base_ruleset import BaseRuleset
from engine.core.codec import convert, plain
from engine.core.containers import Plane
from engine.core.decision import BaseDecision
from engine.core.dice import Dice
from engine.core.ids import Seat
from engine.core.options import Option, OptionFault, Value, settle
from engine.core.record import Command, Event, Record, Scenario, replace
from engine.core.ruleset import FieldMeaning, ScenarioFault, Traits
from engine.strategic import dispatch
from engine.strategic.beginning import kept_secret, secret
from engine.strategic.pieces import NOBODY
from engine.strategic.scenario_checks import Span
from engine.strategic.settings import RuleSettings
from engine.strategic.turns import begin_game
from engine.strategic.world import World

O = TypeVar("O", bound=Record)  # noqa: E741 - options
S = TypeVar("S", bound=World)
M = TypeVar("M", bound=Record)
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
V = TypeVar("V")

_ROOM: Final = 400
"""Tiles of a new map for each side."""


@dataclass(frozen=True, eq=False)
class GameSetup(Generic[O, S]):
    """Parts of a ruleset that set its games up, and what the layer makes of them.

    ``bundle`` is the option of which each word stands for several others, those of ``bundles``.
    ``new_map`` are the options of scenarios with a new map; the words of ``map_size`` among them
    are those of ``sizes``. ``strange``, ``unknown`` and ``unsound`` are the rules that scenarios of
    other games, unknown options, and new maps beside a land break.
    """

    declared: tuple[Option, ...]
    options: type[O]
    state: type[S]
    scenario: type[Scenario]
    event: type[Any]
    bundle: str
    bundles: Mapping[str, Mapping[str, Value]]
    new_map: tuple[str, ...]
    sides: Span
    names: tuple[str, ...]
    strange: str
    unknown: str
    unsound: str
    land_of: Callable[[Any], Any]
    types_of: Callable[[Any], Any]
    check_scene: Callable[[Any, Any, Any], None]
    check_midgame: Callable[[Any, Any, Any, Any], None]
    described: Callable[[Any, Any, O], S]
    first_state: Callable[[S, Any, Dice], S]
    generated: Callable[[Any, Any], Any]
    settings_of: Callable[[S], RuleSettings]
    evolve: Callable[[Any, Any], Any]
    sizes: Mapping[str, Span] = field(default_factory=dict)

    def empty(self) -> S:
        """State before the first event."""
        nothing = Plane(np.zeros((0, 0), dtype=np.uint8))
        return self.state(terrain=nothing, roads=nothing, art=nothing, discovered=nothing)

    def own(self, scene: Scenario) -> Any:
        """The scenario, if it is one of this game.

        Raises:
            ScenarioFault: it is of another game.
        """
        if not isinstance(scene, self.scenario):
            raise ScenarioFault("", "that is a scenario of another game", self.strange)
        return scene

    def check(self, scene: Any) -> None:
        """Refuse a scenario that cannot be played.

        Raises:
            ScenarioFault: with the path of the first fault.
        """
        self._check_options(scene)
        self._checked_land(self._whole(scene))

    def begin(self, scene: Any, options: Mapping[str, Value], dice: Dice) -> tuple[Any, ...]:
        """The events that set a game up; for a position in mid-game a single one.

        The secret of a hidden map is drawn first, since a new map depends on it too.

        Raises:
            ScenarioFault: the scenario cannot be played.
            OptionFault: an option is unknown or invalid.
        """
        scene = self._wished(scene, settle(self.declared, options))
        self._check_options(scene)
        chosen = self.settled(options, scene.options)
        hidden = getattr(chosen, "hidden_map", "off") == "on"
        drawn = secret(dice) if hidden and scene.now is None else ""
        if drawn and scene.new is not None:
            scene = replace(scene, new=replace(scene.new, drawn=drawn))
        whole = self._whole(scene)
        described = self.described(whole, self._checked_land(whole), chosen)
        if whole.now is not None:
            return (self.event(scene, chosen, kept_secret(described, dice, hidden=hidden)),)
        origin = f"{scene.new.seed} {drawn}" if scene.new is not None and drawn else ""
        start = self.first_state(replace(described, secret=drawn, origin=origin), whole, dice)
        decision: BaseDecision[Any, Any] = BaseDecision(self.empty(), self.evolve, dice)
        decision.emit(self.event(scene, chosen, start))
        begin_game(decision, self.settings_of(decision.state))
        return decision.events

    def settled(self, given: Mapping[str, Value], scenario: Mapping[str, Value]) -> O:
        """The options of a game: defaults, overruled by the scenario, then by the player.

        A bundle stands for all its options. Options of new maps are left out.

        Raises:
            OptionFault: an option is unknown or invalid.
        """
        chosen: dict[str, Value] = {}
        for wishes in (scenario, given):
            checked = settle(self.declared, wishes)
            chosen |= self.bundles.get(str(checked.pop(self.bundle, "")), {})
            chosen |= {name: value for name, value in checked.items() if name not in self.new_map}
        return cast("O", convert(chosen, self.options))

    def begun_from(self, first: Any) -> tuple[Any, Mapping[str, Value]]:
        """Scenario and options of a game, from its first event.

        Raises:
            ValueError: that is not a first event.
        """
        if not isinstance(first, self.event):
            raise ValueError("a game begins with the event game-set")  # noqa: TRY004 - protocol
        return first.scenario, cast("Mapping[str, Value]", plain(first.options))

    def _check_options(self, scene: Any) -> None:
        """Refuse options of a scenario that do not exist."""
        try:
            self.settled({}, scene.options)
        except OptionFault as problem:
            raise ScenarioFault("options", str(problem), self.unknown) from None

    def _checked_land(self, scene: Any) -> Any:
        """Land of a scenario without ``new``, after all checks."""
        land, types = self.land_of(scene), self.types_of(scene)
        self.check_scene(scene, land, types)
        if scene.now is not None:
            self.check_midgame(scene, scene.now, land, types)
        return land

    def _whole(self, scene: Any) -> Any:
        """The scenario with the new map that it asks for."""
        if scene.new is None:
            return scene
        if scene.rows or scene.sides or scene.cities or scene.now is not None:
            text = "goes with neither rows, sides, cities nor now"
            raise ScenarioFault("new", text, self.unsound)
        return self.generated(scene, scene.new)

    def _wished(self, scene: Any, given: Mapping[str, Value]) -> Any:
        """The scenario with the player's settings of its new map."""
        wishes = {name: value for name, value in given.items() if name in self.new_map}
        if not wishes:
            return scene
        if scene.new is None:
            raise OptionFault(f"{', '.join(wishes)}: this scenario has no new map")
        new, size = scene.new, wishes.pop("map_size", None)
        width, height = self.sizes[str(size)] if size else (new.width, new.height)
        numbers = {name.removeprefix("map_"): int(value) for name, value in wishes.items()}
        return replace(scene, new=replace(new, **{"width": width, "height": height} | numbers))


# -- seats -----------------------------------------------------------------------------------------


def _options_of(
    scene: Any, options: Sequence[Option], of_new_maps: Collection[str]
) -> tuple[Option, ...]:
    """Options of a scenario: those of new maps only where it has one, with its numbers."""
    if scene.new is None:
        return tuple(option for option in options if option.name not in of_new_maps)
    return tuple(
        replace(option, default=getattr(scene.new, option.name.removeprefix("map_"), None))
        if option.name in of_new_maps
        else option
        for option in options
    )


def _seat_range(scene: Any, sides: Span) -> Span:
    """Least and greatest number of players; in mid-game exactly its sides."""
    least, most = sides
    if scene.new is not None:
        return least, max(least, min(most, scene.new.width * scene.new.height // _ROOM))
    return (len(scene.sides) if scene.now else least), len(scene.sides)


def _default_seats(scene: Any, sides: Span) -> int:
    """Default number of players of a scenario."""
    least, most = _seat_range(scene, sides)
    meant = scene.meant_for or most if scene.new is None else scene.new.sides
    return min(max(least, meant), most)


def _with_seats(scene: M, seats: int, computers: Collection[int]) -> M:
    """The scenario for a number of sides: the last ones go, and what was theirs is nobody's.

    Sides that computers begin on are not human.
    """
    told: Any = scene
    if told.new is not None:
        people = tuple(number not in computers for number in range(seats))
        return replace(scene, new=replace(told.new, sides=seats, people=people))
    sides = tuple(
        replace(side, human=number not in computers)
        for number, side in enumerate(told.sides[:seats])
    )
    if seats >= len(told.sides):
        return replace(scene, sides=sides)
    kept = tuple(
        replace(
            city,
            owner=city.owner if city.owner < seats else NOBODY,
            original=city.original if (city.original or 0) < seats else None,
        )
        for city in told.cities
    )
    shorter = tuple(
        replace(side, stances=side.stances[:seats]) if side.stances else side for side in sides
    )
    items = tuple(
        item if item.side < seats or item.side == NOBODY else replace(item, side=NOBODY)
        for item in told.items
    )
    return replace(scene, sides=shorter, cities=kept, items=items)


# -- ruleset ---------------------------------------------------------------------------------------


def traits_of(setup: GameSetup[Any, Any]) -> Traits:
    """Traits of a game on this layer."""
    return Traits(
        seats=setup.sides,
        seat_names=setup.names,
        chance=True,
        hidden=True,
    )


class StrategicRuleset(BaseRuleset[S, C, E, V]):
    """The part of a ruleset that the games on this layer share: who plays, and the set-up."""

    game_setup: ClassVar[GameSetup[Any, Any]]
    field_meanings: Mapping[str, FieldMeaning] = {
        "x": "place",
        "y": "place",
        "aboard": "place",
        "strength": "strength",
        "lost": "wounds",
        "owner": "owner",
        "side": "owner",
        "type": "kind",
        "kind": "kind",
        "terrain": "kind",
        "points": "left",
        "gold": "wealth",
        "stage": "turn",
        "turn": "turn",
    }

    owes = staticmethod(dispatch.owes)
    outcome = staticmethod(dispatch.outcome)

    def empty(self) -> S:
        """State before the first event."""
        return cast("S", self.game_setup.empty())

    def options_of(self, scene: Scenario) -> tuple[Option, ...]:
        """Options of a scenario; those of new maps only where it has one."""
        setup = self.game_setup
        return _options_of(setup.own(scene), self.options, setup.new_map)

    def seat_range(self, scene: Scenario) -> tuple[int, int]:
        """Least and greatest number of sides of a scenario; in mid-game exactly those it has."""
        return _seat_range(self.game_setup.own(scene), self.game_setup.sides)

    def seat_names(self, scene: Scenario) -> tuple[str, ...]:
        """Names of the sides; new maps have the default names."""
        told = self.game_setup.own(scene)
        is_new = told.new is not None
        return self.game_setup.names if is_new else tuple(side.name for side in told.sides)

    def default_seats(self, scene: Scenario) -> int:
        """Number of sides that the scenario is meant for."""
        return _default_seats(self.game_setup.own(scene), self.game_setup.sides)

    def with_seats(self, scene: Scenario, seats: int, computers: frozenset[Seat]) -> Any:
        """The scenario for a number of sides: the last ones go, their cities become neutral."""
        return _with_seats(self.game_setup.own(scene), seats, computers)

    def check(self, scene: Scenario) -> None:
        """Refuse a scenario that cannot be played."""
        self.game_setup.check(self.game_setup.own(scene))

    def begin(self, scene: Scenario, options: Mapping[str, Value], dice: Dice) -> tuple[E, ...]:
        """The events that set the game up and begin the first turn."""
        return self.game_setup.begin(self.game_setup.own(scene), options, dice)

    def setup(self, first: E) -> tuple[Any, Mapping[str, Value]]:
        """Scenario and options of a game, from its first event."""
        return self.game_setup.begun_from(first)
