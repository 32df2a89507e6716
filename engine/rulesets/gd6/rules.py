"""The ruleset object: it only dispatches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.core.base_ruleset import BaseRuleset
from engine.core.dice import Dice
from engine.core.ids import Seat
from engine.core.options import Option, Value
from engine.core.record import replace
from engine.core.ruleset import FieldMeaning, Outcome, Scenario, ScenarioFault, Traits
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6 import lists, setup, turns
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.offers import offers
from engine.rulesets.gd6.scenario import declared, options_of
from engine.rulesets.gd6.setup import begun_from
from engine.rulesets.gd6.state import LETTERS, Setting, State, View
from engine.rulesets.gd6.territories import statistics
from engine.rulesets.gd6.view import imagine, redact, view

TRAITS = Traits(
    seats=(numbers().fewest_seats.value, numbers().most_seats.value),
    seat_names=tuple(LETTERS),
    hidden=True,
    simultaneous=True,
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
    field_meanings: Mapping[str, FieldMeaning] = {
        "at": "place",
        "path": "place",
        "army": "strength",
        "cavalry": "strength",
        "heavy": "strength",
        "owner": "owner",
        "seat": "owner",
        "kind": "kind",
        "ip": "wealth",
        "crop": "wealth",
        "phase": "turn",
        "turn": "turn",
    }
    options: tuple[Option, ...] = declared()
    command_type: ClassVar[Any] = do.AnyCommand
    event_type: ClassVar[Any] = ev.AnyEvent
    state_type = State
    view_type = View
    scenario_type: type[Scenario] = Setting

    def check(self, scenario: Scenario) -> None:
        """Refuse a scenario that cannot be played."""
        setup.check(_setting(scenario))

    def options_of(self, scenario: Scenario) -> tuple[Option, ...]:
        """Return the scenario's options; map options only for a new map. See: GD-NEWMAP-1."""
        return options_of(_setting(scenario))

    def seat_range(self, scenario: Scenario) -> tuple[int, int]:
        """Return minimum and maximum number of seats; equal for a position. See: GD-OPT-1."""
        return setup.seat_range(_setting(scenario))

    def seat_names(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the names of the players, or the letters of their seats. See: GD-SCEN-1."""
        return setup.seat_names(_setting(scenario))

    def default_seats(self, scenario: Scenario) -> int:
        """Return the number of seats that the scenario names. See: GD-OPT-1."""
        return setup.default_seats(_setting(scenario))

    def with_seats(self, scenario: Scenario, seats: int, computers: frozenset[Seat]) -> Setting:
        """Return the scenario with ``seats``; unchanged if it lists players. See: GD-OPT-1."""
        setting = _setting(scenario)
        return setting if setting.players else replace(setting, seats=seats)

    owes = staticmethod(turns.owing)
    may = staticmethod(lists.may_act)
    evolve = staticmethod(evolve)
    view = staticmethod(view)
    redact = staticmethod(redact)
    offers = staticmethod(offers)
    position = staticmethod(setup.setting_of)
    setup = staticmethod(begun_from)
    statistics = staticmethod(statistics)

    def empty(self) -> State:
        """Return the state before the first event."""
        return setup.EMPTY

    def begin(
        self, scenario: Scenario, options: Mapping[str, Value], dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Return the event that sets the game up; throws no dice."""
        return (setup.set_up(_setting(scenario), options),)

    def decide(
        self, state: State, seat: Seat, command: do.AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Return the events that a command leads to.

        Raises:
            Refused: the rules do not allow it; the exception names the primary reason.
        """
        return lists.decide(state, seat, command)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result of the game; None before its end. See: GD-END-2 to GD-END-5."""
        return Outcome(state.reason, state.winners) if state.reason else None

    def imagine(self, view: View, dice: Dice) -> State:
        """Return a full state that fits a view."""
        return imagine(view)


def _setting(scenario: Scenario) -> Setting:
    if not isinstance(scenario, Setting):
        raise ScenarioFault("", "that is a scenario of another game", "GD-SCEN-1")
    return scenario


RULES = GlobalDomination()
