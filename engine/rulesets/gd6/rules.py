"""The ruleset object: dispatch and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, assert_never

from engine.core.dice import Dice
from engine.core.ids import HOUSE, Seat, Viewer
from engine.core.options import Option, Value
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.ruleset import (
    Bot,
    Exporter,
    Importer,
    Outcome,
    Scenario,
    ScenarioFault,
    Tool,
    Traits,
    Upcast,
)
from engine.core.scenarios import parse
from engine.core.work import Work
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6 import history, lists, setup, turns
from engine.rulesets.gd6.commands import Order
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.forecast import TOOLS
from engine.rulesets.gd6.lands import Decision, statistics
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.offers import offers
from engine.rulesets.gd6.refusal import Refusal
from engine.rulesets.gd6.state import LETTERS, Setting, State, View
from engine.rulesets.gd6.view import imagine, redact, view

if TYPE_CHECKING:
    from engine.tabletop.presenter import AnyPresenter

TRAITS = Traits(
    seats=(numbers().fewest_seats.value, numbers().most_seats.value),
    seat_names=tuple(LETTERS),
    chance=False,
    hidden=True,
    simultaneous=True,
    orthogonal=False,
    undo=True,
)


class GlobalDomination:
    """The game as a ruleset."""

    name = "gd6"
    title = "Global Domination"
    traits = TRAITS
    schema = history.SCHEMA
    upcasts: Mapping[int, Upcast] = history.UPCASTS
    options: tuple[Option, ...] = setup.declared()
    command_type: ClassVar[Any] = do.AnyCommand
    event_type: ClassVar[Any] = ev.AnyEvent
    state_type = State
    view_type = View
    scenario_type: type[Scenario] = Setting
    tools: tuple[Tool, ...] = TOOLS

    @property
    def presenter(self) -> AnyPresenter:
        """What tells clients about this game; loaded when somebody looks."""
        from engine.rulesets.gd6.picture import PRESENTER  # noqa: PLC0415 - see above

        return PRESENTER

    @property
    def importers(self) -> tuple[Importer, ...]:
        """Readers of foreign files; loaded when somebody imports."""
        from engine.rulesets.gd6.gdl.games import IMPORTERS  # noqa: PLC0415 - see above

        return IMPORTERS

    @property
    def exporters(self) -> tuple[Exporter, ...]:
        """Writers of foreign files; loaded when somebody exports."""
        from engine.rulesets.gd6.gdl.games import EXPORTERS  # noqa: PLC0415 - see above

        return EXPORTERS

    @property
    def bots(self) -> Mapping[str, Bot[View, do.AnyCommand]]:
        """Computer players, weakest first; loaded when one plays."""
        from engine.rulesets.gd6.bot.levels import LEVELS  # noqa: PLC0415 - see above

        return LEVELS

    @cached_property
    def _shipped(self) -> Mapping[str, Scenario]:
        folder = files("engine.rulesets.gd6").joinpath("scenarios")
        listed = sorted(folder.iterdir(), key=lambda file: file.name)
        found = [parse(self, file.read_bytes()) for file in listed if file.name.endswith(".toml")]
        return {scenario.name: scenario for scenario in found}

    def scenarios(self) -> Mapping[str, Scenario]:
        """The scenarios that come with the game."""
        return self._shipped

    def check(self, scenario: Scenario) -> None:
        """Refuse a scenario that cannot be played."""
        setup.check(_setting(scenario))

    def room(self, scenario: Scenario) -> tuple[int, int]:
        """How many can play; in a position as many as do. Rules: GD-OPT-1."""
        return setup.seat_range(_setting(scenario))

    def seat_names(self, scenario: Scenario) -> tuple[str, ...]:
        """The same everywhere."""
        return self.traits.seat_names

    def usual_seats(self, scenario: Scenario) -> int:
        """As many as the scenario says. Rules: GD-OPT-1."""
        return setup.default_seats(_setting(scenario))

    def seated(self, scenario: Scenario, seats: int, computers: frozenset[Seat]) -> Setting:
        """The scenario for so many seats. Rules: GD-OPT-1."""
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
        """The event that sets the game up; draws nothing."""
        return (setup.set_up(_setting(scenario), options),)

    def setup(self, first: ev.AnyEvent) -> tuple[Setting, Mapping[str, Value]]:
        """What a game was begun from."""
        return setup.begun_from(first)

    def owes(self, state: State) -> frozenset[Seat]:
        """Who must seal a list. Rules: GD-LIST-3."""
        return turns.owing(state)

    def may(self, state: State, seat: Seat) -> bool:
        """Whether the seat is listened to: every one that is not eliminated."""
        known = seat in state.players and not state.reason
        return known and state.players[seat].status != "eliminated"

    def decide(
        self, state: State, seat: Seat, command: do.AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """What happens. Rules: GD-LIST-3, GD-LIST-5, GD-REFUSE-4.

        Raises:
            Refused: with the primary reason.
        """
        work: Decision = Work(state, evolve, dice)
        if seat == HOUSE and not state.reason:
            _for_the_house(work, command)
            return work.events
        _check_seat(self, state, seat)
        match command:
            case Order():
                lists.add(work, seat, command)
            case do.DropOrders():
                lists.drop(work, seat, command)
            case do.ShiftOrder():
                lists.shift(work, seat, command)
            case do.ChangeCount():
                lists.change(work, seat, command)
            case do.WriteList():
                lists.write(work, seat, command)
            case do.SealList():
                lists.seal(work, seat)
                turns.go_on(work)
            case do.UnsealList():
                lists.unseal(work, seat)
            case do.Concede():
                lists.concede(work, seat)
                turns.go_on(work)
            case _:
                assert_never(command)
        return work.events

    def evolve(self, state: State, event: ev.AnyEvent) -> State:
        """The state after an event."""
        return evolve(state, event)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended. Rules: GD-END-2 to GD-END-5."""
        return Outcome(state.reason, state.winners) if state.reason else None

    def statistics(self, state: State) -> Mapping[str, tuple[int, ...]]:
        """What everybody may count: land, headquarters, units without spies."""
        return statistics(state)

    def view(self, state: State, viewer: Viewer) -> View:
        """What a viewer knows."""
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
        """A full state that this view could come from."""
        return imagine(view)


def _for_the_house(work: Decision, command: do.AnyCommand) -> None:
    """The house closes the turn. Rules: GD-LIST-5."""
    if not isinstance(command, do.SealList):
        text = "The house can close the turn with seal, and nothing else."
        raise Refused(Refusal.NOT_FOR_THE_HOUSE, text, "GD-LIST-5")
    turns.close(work)


def _check_seat(rules: GlobalDomination, state: State, seat: Seat) -> None:
    """Refuse who has no part in the game. Rules: GD-REFUSE-4."""
    if state.reason:
        raise Refused(Refusal.GAME_OVER, "The game is over.", "GD-REFUSE-4")
    if not rules.may(state, seat):
        text = "You have no part in the game."
        raise Refused(Refusal.SEAT_ELIMINATED, text, "GD-REFUSE-4")


def _setting(scenario: Scenario) -> Setting:
    if not isinstance(scenario, Setting):
        raise ScenarioFault("", "that is a scenario of another game", "GD-SCEN-1")
    return scenario


RULES = GlobalDomination()
