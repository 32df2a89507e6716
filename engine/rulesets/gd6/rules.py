"""The ruleset object: dispatch and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from engine.core.base_ruleset import BaseRuleset
from engine.core.dice import Dice
from engine.core.ids import Seat, Viewer
from engine.core.options import Option, Value
from engine.core.record import replace
from engine.core.ruleset import (
    Outcome,
    Scenario,
    ScenarioFault,
    Traits,
)
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6 import lists, setup, turns
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.lands import statistics
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.offers import offers
from engine.rulesets.gd6.scenario import declared
from engine.rulesets.gd6.state import LETTERS, Setting, State, View
from engine.rulesets.gd6.view import imagine, redact, view

TRAITS = Traits(
    seats=(numbers().fewest_seats.value, numbers().most_seats.value),
    seat_names=tuple(LETTERS),
    chance=False,
    hidden=True,
    simultaneous=True,
    orthogonal=False,
    undo=True,
)


class GlobalDomination(BaseRuleset[State, do.AnyCommand, ev.AnyEvent, View]):
    """The game as a ruleset."""

    package = "engine.rulesets.gd6"
    bots_module = "bot.levels"
    importers_module = "gdl.games"
    exporters_module = "gdl.games"
    tools_modules = ("fights",)

    name = "gd6"
    title = "Global Domination"
    traits = TRAITS
    options: tuple[Option, ...] = declared()
    command_type: ClassVar[Any] = do.AnyCommand
    event_type: ClassVar[Any] = ev.AnyEvent
    state_type = State
    view_type = View
    scenario_type: type[Scenario] = Setting

    def check(self, scenario: Scenario) -> None:
        """Refuse a scenario that cannot be played."""
        setup.check(_setting(scenario))

    def seat_range(self, scenario: Scenario) -> tuple[int, int]:
        """Fewest and most seats; a position has a fixed number. Rules: GD-OPT-1."""
        return setup.seat_range(_setting(scenario))

    def default_seats(self, scenario: Scenario) -> int:
        """Number of seats that the scenario names. Rules: GD-OPT-1."""
        return setup.default_seats(_setting(scenario))

    def with_seats(self, scenario: Scenario, seats: int, computers: frozenset[Seat]) -> Setting:
        """The scenario for a number of seats. Rules: GD-OPT-1."""
        setting = _setting(scenario)
        return setting if setting.players else replace(setting, seats=seats)

    def position(self, state: State) -> Setting:
        """The state as a scenario."""
        return setup.setting_of(state)

    def empty(self) -> State:
        """The state before the first event."""
        return setup.EMPTY

    def begin(
        self, scenario: Scenario, options: Mapping[str, Value], dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """The event that sets the game up; throws no dice."""
        return (setup.set_up(_setting(scenario), options),)

    def setup(self, first: ev.AnyEvent) -> tuple[Setting, Mapping[str, Value]]:
        """Scenario and options of a game, from its first event."""
        return setup.begun_from(first)

    def owes(self, state: State) -> frozenset[Seat]:
        """Seats that must seal a list. Rules: GD-LIST-3."""
        return turns.owing(state)

    def may(self, state: State, seat: Seat) -> bool:
        """True for every seat that is not eliminated."""
        return lists.may_act(state, seat)

    def decide(
        self, state: State, seat: Seat, command: do.AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Events of a command.

        Raises:
            Refused: with the primary reason.
        """
        return lists.decide(state, seat, command)

    def evolve(self, state: State, event: ev.AnyEvent) -> State:
        """The state after an event."""
        return evolve(state, event)

    def outcome(self, state: State) -> Outcome | None:
        """Result of the game, None while it goes on. Rules: GD-END-2 to GD-END-5."""
        return Outcome(state.reason, state.winners) if state.reason else None

    def statistics(self, state: State) -> Mapping[str, tuple[int, ...]]:
        """Public statistics: territories, headquarters, units without spies."""
        return statistics(state)

    def view(self, state: State, viewer: Viewer) -> View:
        """The view of a viewer."""
        return view(state, viewer)

    def redact(
        self, event: ev.AnyEvent, before: State, after: State, viewer: Viewer
    ) -> ev.AnyEvent | None:
        """The event as the viewer may know it, or None."""
        return redact(event, before, after, viewer)

    def offers(self, view: View, about: int | None = None) -> Iterator[do.AnyCommand]:
        """Commands that will not be refused."""
        return offers(view, about)

    def imagine(self, view: View, dice: Dice) -> State:
        """A full state that fits a view."""
        return imagine(view)


def _setting(scenario: Scenario) -> Setting:
    if not isinstance(scenario, Setting):
        raise ScenarioFault("", "that is a scenario of another game", "GD-SCEN-1")
    return scenario


RULES = GlobalDomination()
