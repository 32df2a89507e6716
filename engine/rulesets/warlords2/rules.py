"""The ruleset object: dispatch and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.base_ruleset import BaseRuleset
from engine.core.dice import Dice
from engine.core.ids import Seat
from engine.core.options import Option, Value
from engine.core.ruleset import Outcome, Scenario, ScenarioFault, Traits
from engine.rulesets.warlords2 import events as ev
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.evolve import evolve
from engine.rulesets.warlords2.options import NEW_MAP
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.scenario_codec import SIDE_NAMES, position
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import State, View
from engine.rulesets.warlords2.tables import PACKAGE
from engine.rulesets.warlords2.view import imagine, offers, redact, view
from engine.strategic import dispatch, seating
from engine.strategic.commands import AnyCommand
from engine.strategic.decision import Decision
from engine.strategic.evolve import evolve as evolve_world
from engine.strategic.world import statistics

TRAITS = Traits(
    seats=(2, 8),
    seat_names=SIDE_NAMES,
    chance=True,
    hidden=True,
    simultaneous=False,
    orthogonal=False,
    undo=True,
)


class Warlords2(BaseRuleset[State, AnyCommand, ev.AnyEvent, View]):
    """Warlords II as a ruleset."""

    package = PACKAGE
    importers_module = "imports.original"
    exporters_module = "exports"
    tools_modules = ("moving_tools", "battle_tools")

    name = "warlords2"
    title = "Warlords II"
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
        """Options of a scenario; those of new maps only where it has one. Rules: W2-15."""
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

    def decide(
        self, state: State, seat: Seat, command: AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """The events that a command leads to.

        Raises:
            Refused: the rules do not allow it.
        """
        decision: Decision = Decision(state, evolve_world, dice)
        dispatch.decide(decision, settings_of(state.options), seat, command)
        return decision.events

    def setup(self, first: ev.AnyEvent) -> tuple[Map, Mapping[str, Value]]:
        """Scenario and options of a game, from its first event."""
        return setup.begun_from(first)

    def outcome(self, state: State) -> Outcome | None:
        """End of the game, or None. Rules: W2-13.3."""
        return Outcome(state.reason, state.winners) if state.reason is not None else None


def _map(scene: Scenario) -> Map:
    if not isinstance(scene, Map):
        raise ScenarioFault("", "that is a scenario of another game", "W2-16.1")
    return scene


RULES = Warlords2()
