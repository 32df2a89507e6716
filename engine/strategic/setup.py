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
"""Number of tiles of a new map for each side."""


@dataclass(frozen=True, eq=False)
class GameSetup(Generic[O, S]):
    """Parts of a ruleset that set up its games, and the code that combines them."""

    declared: tuple[Option, ...]
    options: type[O]
    state: type[S]
    scenario: type[Scenario]
    event: type[Any]
    bundle: str
    """Name of the option whose words each set several other options."""

    bundles: Mapping[str, Mapping[str, Value]]
    """Options that each word of ``bundle`` sets."""

    new_map: tuple[str, ...]
    """Names of the options for scenarios with a new map."""

    sides: Span
    """Minimum and maximum number of sides."""

    names: tuple[str, ...]
    """Default names of the sides."""

    strange: str
    """Id of the rule about scenarios of another game."""

    unknown: str
    """Id of the rule about unknown options."""

    unsound: str
    """Id of the rule about scenarios with both a land and a new map."""

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
    """Width and height for each word of ``map_size``."""

    def empty(self) -> S:
        """Return the state before the first event."""
        nothing = Plane(np.zeros((0, 0), dtype=np.uint8))
        return self.state(terrain=nothing, roads=nothing, art=nothing, discovered=nothing)

    def own(self, scene: Scenario) -> Any:
        """Return the scenario if it belongs to this game.

        Raises:
            ScenarioFault: It belongs to another game.
        """
        if not isinstance(scene, self.scenario):
            raise ScenarioFault("", "that is a scenario of another game", self.strange)
        return scene

    def check(self, scene: Any) -> None:
        """Refuse a scenario that cannot be played.

        Raises:
            ScenarioFault: Carries the path of the first fault.
        """
        self._check_options(scene)
        self._checked_land(self._whole(scene))

    def begin(self, scene: Any, options: Mapping[str, Value], dice: Dice) -> tuple[Any, ...]:
        """Return the events that set a game up; for a position in mid-game a single one.

        Draws the secret of a hidden map first, since a new map depends on it too.

        Raises:
            ScenarioFault: The scenario cannot be played.
            OptionFault: An option is unknown or invalid.
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
        """Return the options of a game: defaults, overruled by the scenario, then by the player.

        A bundle sets all its options. Options of new maps are left out.

        Raises:
            OptionFault: An option is unknown or invalid.
        """
        chosen: dict[str, Value] = {}
        for wishes in (scenario, given):
            checked = settle(self.declared, wishes)
            chosen |= self.bundles.get(str(checked.pop(self.bundle, "")), {})
            chosen |= {name: value for name, value in checked.items() if name not in self.new_map}
        return cast("O", convert(chosen, self.options))

    def begun_from(self, first: Any) -> tuple[Any, Mapping[str, Value]]:
        """Return the scenario and options of a game, from its first event.

        Raises:
            ValueError: This is not a first event.
        """
        if not isinstance(first, self.event):
            raise ValueError("a game begins with the event game-set")  # noqa: TRY004 - protocol
        return first.scenario, cast("Mapping[str, Value]", plain(first.options))

    def _check_options(self, scene: Any) -> None:
        """Refuse a scenario with unknown or invalid options."""
        try:
            self.settled({}, scene.options)
        except OptionFault as problem:
            raise ScenarioFault("options", str(problem), self.unknown) from None

    def _checked_land(self, scene: Any) -> Any:
        """Return the land of a scenario without ``new``, after all checks."""
        land, types = self.land_of(scene), self.types_of(scene)
        self.check_scene(scene, land, types)
        if scene.now is not None:
            self.check_midgame(scene, scene.now, land, types)
        return land

    def _whole(self, scene: Any) -> Any:
        """Return the scenario with its new map generated, if it asks for one."""
        if scene.new is None:
            return scene
        if scene.rows or scene.sides or scene.cities or scene.now is not None:
            text = "goes with neither rows, sides, cities nor now"
            raise ScenarioFault("new", text, self.unsound)
        return self.generated(scene, scene.new)

    def _wished(self, scene: Any, given: Mapping[str, Value]) -> Any:
        """Return the scenario with the player's settings of its new map."""
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
    """Return the options of a scenario; those of new maps only if it has one, with its values."""
    if scene.new is None:
        return tuple(option for option in options if option.name not in of_new_maps)
    return tuple(
        replace(option, default=getattr(scene.new, option.name.removeprefix("map_"), None))
        if option.name in of_new_maps
        else option
        for option in options
    )


def _seat_range(scene: Any, sides: Span) -> Span:
    """Return the minimum and maximum number of players; in mid-game, both equal its sides."""
    least, most = sides
    if scene.new is not None:
        return least, max(least, min(most, scene.new.width * scene.new.height // _ROOM))
    return (len(scene.sides) if scene.now else least), len(scene.sides)


def _default_seats(scene: Any, sides: Span) -> int:
    """Return the default number of players of a scenario."""
    least, most = _seat_range(scene, sides)
    meant = scene.meant_for or most if scene.new is None else scene.new.sides
    return min(max(least, meant), most)


def _with_seats(scene: M, seats: int, computers: Collection[int]) -> M:
    """Return the scenario for ``seats`` sides: the last ones go, and what they owned is neutral.

    The sides in ``computers`` are not human.
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
    """Return the traits of a game on this layer."""
    return Traits(
        seats=setup.sides,
        seat_names=setup.names,
        chance=True,
        hidden=True,
    )


class StrategicRuleset(BaseRuleset[S, C, E, V]):
    """The part of a ruleset that the strategic games share: the set-up and the side to act."""

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
        """Return the state before the first event."""
        return cast("S", self.game_setup.empty())

    def options_of(self, scene: Scenario) -> tuple[Option, ...]:
        """Return the options of a scenario; those of new maps only if it has one."""
        setup = self.game_setup
        return _options_of(setup.own(scene), self.options, setup.new_map)

    def seat_range(self, scene: Scenario) -> tuple[int, int]:
        """Return the minimum and maximum number of sides; in mid-game, both equal its sides."""
        return _seat_range(self.game_setup.own(scene), self.game_setup.sides)

    def seat_names(self, scene: Scenario) -> tuple[str, ...]:
        """Return the names of the sides; new maps have the default names."""
        told = self.game_setup.own(scene)
        is_new = told.new is not None
        return self.game_setup.names if is_new else tuple(side.name for side in told.sides)

    def default_seats(self, scene: Scenario) -> int:
        """Return the number of sides that the scenario is meant for."""
        return _default_seats(self.game_setup.own(scene), self.game_setup.sides)

    def with_seats(self, scene: Scenario, seats: int, computers: frozenset[Seat]) -> Any:
        """Return the scenario for ``seats`` sides; the last ones go, their cities are neutral."""
        return _with_seats(self.game_setup.own(scene), seats, computers)

    def check(self, scene: Scenario) -> None:
        """Refuse a scenario that cannot be played.

        Raises:
            ScenarioFault: with the path of the first fault.
        """
        self.game_setup.check(self.game_setup.own(scene))

    def begin(self, scene: Scenario, options: Mapping[str, Value], dice: Dice) -> tuple[E, ...]:
        """Return the events that set the game up and begin the first turn."""
        return self.game_setup.begin(self.game_setup.own(scene), options, dice)

    def setup(self, first: E) -> tuple[Any, Mapping[str, Value]]:
        """Return the scenario and options of a game, from its first event."""
        return self.game_setup.begun_from(first)
