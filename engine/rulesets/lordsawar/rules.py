"""The ruleset object: dispatch and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.base_ruleset import BaseRuleset
from engine.core.decision import BaseDecision
from engine.core.dice import Dice
from engine.core.ids import Seat
from engine.core.options import Option, Value
from engine.core.ruleset import Outcome, Scenario, ScenarioFault, Traits
from engine.rulesets.lordsawar import events as ev
from engine.rulesets.lordsawar import levels, quests, setup
from engine.rulesets.lordsawar.commands import AnyCommand
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.options import NEW_MAP
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.scenario_codec import SIDE_NAMES, position
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import State, View
from engine.rulesets.lordsawar.tables import PACKAGE
from engine.rulesets.lordsawar.turns import statistics
from engine.rulesets.lordsawar.view import imagine, offers, redact, view
from engine.strategic import dispatch, seating

TRAITS = Traits(
    seats=(2, 8),
    seat_names=SIDE_NAMES,
    chance=True,
    hidden=True,
    simultaneous=False,
    orthogonal=False,
    undo=True,
)


class LordsAWar(BaseRuleset[State, AnyCommand, ev.AnyEvent, View]):
    """LordsAWar as a ruleset."""

    package = PACKAGE
    importers_module = "files.originals"
    tools_modules = ("moving_tools", "position_tools")
    name = "lordsawar"
    title = "LordsAWar"
    traits = TRAITS
    options: tuple[Option, ...] = setup.OPTIONS
    command_type: Any = AnyCommand
    event_type: Any = ev.AnyEvent
    state_type = State
    view_type = View
    scenario_type = Map

    position = staticmethod(position)
    owes = staticmethod(dispatch.owes)
    evolve = staticmethod(evolve)
    statistics = staticmethod(statistics)
    redact = staticmethod(redact)
    offers = staticmethod(offers)
    imagine = staticmethod(imagine)
    view = staticmethod(view)

    def empty(self) -> State:
        """State before the first event."""
        return setup.EMPTY

    def options_of(self, scene: Scenario) -> tuple[Option, ...]:
        """Options of a scenario; those of new maps only where it has one. Rules: LW-20."""
        return seating.options_of(_map(scene), self.options, NEW_MAP)

    def seat_range(self, scene: Scenario) -> tuple[int, int]:
        """Least and greatest number of sides of a scenario."""
        return setup.seat_range(_map(scene))

    def seat_names(self, scene: Scenario) -> tuple[str, ...]:
        """Names of the sides."""
        return setup.seat_names(_map(scene))

    def default_seats(self, scene: Scenario) -> int:
        """Number of sides that the scenario is meant for."""
        return setup.default_seats(_map(scene))

    def with_seats(self, scene: Scenario, seats: int, computers: frozenset[Seat]) -> Map:
        """The scenario for a number of sides."""
        return setup.with_seats(_map(scene), seats, computers)

    def check(self, scene: Scenario) -> None:
        """Refuse a scenario that cannot be played."""
        setup.check(_map(scene))

    def begin(
        self, scene: Scenario, options: Mapping[str, Value], dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """The events that set the game up and begin the first turn."""
        return setup.begin(_map(scene), options, dice)

    def setup(self, first: ev.AnyEvent) -> tuple[Map, Mapping[str, Value]]:
        """Scenario and options of a game, from its first event."""
        return setup.begun_from(first)

    def decide(
        self, state: State, seat: Seat, command: AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """The events that a command leads to.

        Raises:
            Refused: the rules do not allow it.
        """
        decision: BaseDecision[Any, Any] = BaseDecision(state, evolve, dice)
        settings = settings_of(state.options)
        dispatch.decide(decision, settings, seat, command)
        quests.follow(decision, settings, state)
        levels.ask_due(decision)
        return decision.events

    def outcome(self, state: State) -> Outcome | None:
        """End of the game, or None. Rules: LW-17."""
        return Outcome(state.reason, state.winners) if state.reason is not None else None


def _map(scene: Scenario) -> Map:
    if not isinstance(scene, Map):
        raise ScenarioFault("", "that is a scenario of another game", "LW-19.5")
    return scene


RULES = LordsAWar()
