"""The ruleset of Generals of Kaladan; it passes commands to the other modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, assert_never

from engine.core.base_ruleset import BaseRuleset
from engine.core.decision import BaseDecision
from engine.core.dice import Dice
from engine.core.ids import Seat
from engine.core.options import Option, Value
from engine.core.refused import Refused
from engine.core.ruleset import FieldMeaning, Outcome, Scenario, ScenarioFault, Traits
from engine.rulesets.kaladan import (
    actions,
    battle,
    elimination,
    event_phase,
    founding,
    magic,
    purchases,
    setup,
    turns,
)
from engine.rulesets.kaladan import (
    commands as do,
)
from engine.rulesets.kaladan import (
    events as ev,
)
from engine.rulesets.kaladan.board import Decision
from engine.rulesets.kaladan.evolve import EMPTY, evolve
from engine.rulesets.kaladan.offers import offers
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import MOST_SEATS, State, View, War
from engine.rulesets.kaladan.view import imagine, redact, view

TRAITS: Final = Traits(
    seats=(2, MOST_SEATS),
    seat_names=tuple(f"Player {number}" for number in range(1, MOST_SEATS + 1)),
    chance=True,
    hidden=True,
)


class Kaladan(BaseRuleset[State, do.AnyCommand, ev.AnyEvent, View]):
    """Generals of Kaladan as a ruleset."""

    package = "engine.rulesets.kaladan"
    bots_module = "bot.levels"
    tools_modules = ("battle_tools",)

    name = "kaladan"
    title = "Generals of Kaladan"
    traits = TRAITS
    field_meanings: Mapping[str, FieldMeaning] = {
        "place": "place",
        "tile": "place",
        "owner": "owner",
        "seat": "owner",
        "kind": "kind",
        "terrain": "kind",
        "done": "left",
        "gold": "wealth",
        "hand": "wealth",
        "active": "turn",
        "phase": "turn",
        "round": "turn",
    }
    options: tuple[Option, ...] = setup.DECLARED
    command_type: ClassVar[Any] = do.AnyCommand
    event_type: ClassVar[Any] = ev.AnyEvent
    state_type = State
    view_type = View
    scenario_type: type[Scenario] = War

    def check(self, scenario: Scenario) -> None:
        """Check that a scenario can be played."""
        setup.check(_war(scenario))

    def seat_range(self, scenario: Scenario) -> tuple[int, int]:
        """Return the minimum and maximum number of seats of a scenario. See: KA-3.1."""
        return setup.seat_range(_war(scenario))

    def default_seats(self, scenario: Scenario) -> int:
        """Return the number of seats that the scenario names."""
        return _war(scenario).seats

    def with_seats(self, scenario: Scenario, seats: int, computers: frozenset[Seat]) -> War:
        """Return the scenario for a number of seats. See: KA-3.1."""
        return setup.with_seats(_war(scenario), seats)

    owes = staticmethod(turns.owing)
    evolve = staticmethod(evolve)
    view = staticmethod(view)
    redact = staticmethod(redact)
    offers = staticmethod(offers)
    imagine = staticmethod(imagine)
    position = staticmethod(setup.position)
    setup = staticmethod(setup.begun_from)
    statistics = staticmethod(turns.statistics)

    def empty(self) -> State:
        """Return the state before the first event."""
        return EMPTY

    def begin(
        self, scenario: Scenario, options: Mapping[str, Value], dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Return the events that set the game up. See: KA-5."""
        return setup.begin(_war(scenario), options, dice)

    def decide(
        self, state: State, seat: Seat, command: do.AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Return the events that a command leads to.

        Raises:
            Refused: the rules forbid the command.
        """
        if state.reason:
            raise Refused(Refusal.GAME_OVER, "The war is over.", "KA-17.1")
        if seat not in turns.owing(state):
            raise Refused(Refusal.NOT_YOUR_TURN, "It is not your turn.", "KA-6")
        decision: Decision = BaseDecision(state, evolve, dice)
        _obey(decision, seat, command)
        turns.go_on(decision)
        return decision.events

    def outcome(self, state: State) -> Outcome | None:
        """Return the result of the game, or None before its end. See: KA-17."""
        return Outcome(state.reason, state.winners) if state.reason else None


def _obey(decision: Decision, seat: Seat, command: do.AnyCommand) -> None:
    match command:
        case do.PlaceTile() | do.ChooseRealm() | do.PlaceCastle() | do.Deploy():
            founding.found(decision, seat, command)
        case do.AnswerEvent():
            event_phase.answer(decision, seat, command)
        case do.Spawn():
            actions.spawn(decision, seat, command)
        case do.MoveUnits():
            actions.move(decision, seat, command)
        case do.March():
            actions.march(decision, seat, command)
        case do.Attack():
            battle.attack(decision, seat, command)
        case do.DeclareMagic():
            magic.declare(decision, seat, command)
        case do.AimCard():
            magic.aim(decision, seat, command)
        case do.ChooseLosses():
            battle.choose_losses(decision, seat, command)
        case do.AfterMagic():
            magic.play_after(decision, seat, command)
        case do.Invade():
            battle.invade(decision, seat, command)
        case do.BuyUnit() | do.UpgradeUnit() | do.BringIn() | do.SwapCard() | do.BuyCard():
            purchases.buy(decision, seat, command)
        case do.EndPhase():
            turns.end_phase(decision, seat)
        case do.Resign():
            elimination.resign(decision, seat)
        case _:
            assert_never(command)


def _war(scenario: Scenario) -> War:
    if not isinstance(scenario, War):
        raise ScenarioFault("", "that is a scenario of another game", "KA-5")
    return scenario


RULES = Kaladan()
