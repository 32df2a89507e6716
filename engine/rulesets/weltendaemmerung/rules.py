"""Ruleset object: options, seats, and the dispatch of commands to the chapters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

from engine.core.base_ruleset import BaseRuleset
from engine.core.dice import Dice
from engine.core.ids import Seat, Viewer
from engine.core.options import Option, Value, settle
from engine.core.refused import Refused
from engine.core.ruleset import (
    FieldMeaning,
    Outcome,
    Scenario,
    ScenarioFault,
    Traits,
)
from engine.kit.tables import options
from engine.rulesets.weltendaemmerung import scenario, state
from engine.rulesets.weltendaemmerung.commands import (
    AnyCommand,
    Attack,
    EndPhase,
    MoveUnit,
    Refusal,
    StepUnit,
    WorkGate,
)
from engine.rulesets.weltendaemmerung.events import SCHEMA, AnyEvent, GameSet
from engine.rulesets.weltendaemmerung.evolve import evolve
from engine.rulesets.weltendaemmerung.fighting import attack
from engine.rulesets.weltendaemmerung.lookup import Decision, statistics
from engine.rulesets.weltendaemmerung.moving import move_unit, step_unit
from engine.rulesets.weltendaemmerung.offers import offers
from engine.rulesets.weltendaemmerung.phases import end_phase, work_gate
from engine.rulesets.weltendaemmerung.state import SIDES, Map, State, View
from engine.rulesets.weltendaemmerung.tables import PACKAGE

OPTIONS: Final = options(PACKAGE)
"""A default of None means the scenario's value, which is usually the one in section 0.2."""

TRAITS = Traits(
    seats=(2, 2),
    seat_names=SIDES,
    chance=True,
    orthogonal=True,
)


class Weltendaemmerung(BaseRuleset[State, AnyCommand, AnyEvent, View]):
    """Ruleset object: dispatches commands to the chapters."""

    package = PACKAGE
    bots_module = "bot.players"
    importers_module = "imports"
    tools_modules = ("reports",)

    name = "weltendaemmerung"
    title = "Weltendämmerung"
    traits = TRAITS
    field_meanings: Mapping[str, FieldMeaning] = {
        "x": "place",
        "y": "place",
        "v": "strength",
        "type": "kind",
        "terrain": "kind",
        "b": "left",
        "b_max": "left",
        "attacks": "left",
        "phase": "turn",
        "player": "turn",
        "completed": "turn",
    }
    schema = SCHEMA
    options: tuple[Option, ...] = OPTIONS
    command_type: Any = AnyCommand
    event_type: Any = AnyEvent
    state_type = State
    view_type = View
    scenario_type = Map

    check = staticmethod(scenario.check)
    position = staticmethod(scenario.position)
    empty = staticmethod(state.empty)
    view = staticmethod(state.view)
    evolve = staticmethod(evolve)
    offers = staticmethod(offers)
    statistics = staticmethod(statistics)

    def begin(
        self, scene: Scenario, options: Mapping[str, Value], _dice: Dice
    ) -> tuple[AnyEvent, ...]:
        """Return the first event of a game; needs no dice.

        Raises:
            ScenarioFault: the scenario is invalid or belongs to another game.
        """
        if not isinstance(scene, Map):
            raise ScenarioFault("", "that is a scenario of another game", "WD-SCEN-1")
        return (scenario.set_up(scene, settle(OPTIONS, options)),)

    def setup(self, first: AnyEvent) -> tuple[Map, Mapping[str, Value]]:
        """Return the scenario and the options with which a game began.

        Raises:
            ValueError: this is not the first event of a game.
        """
        if not isinstance(first, GameSet):
            raise ValueError("a game begins with game-set")  # noqa: TRY004 - as the protocol says
        return first.scenario, scenario.settled_options(first)

    def owes(self, state: State) -> frozenset[Seat]:
        """Return the player to move; empty after the end. See: WD-TURN-1, WD-WIN-5."""
        return frozenset() if state.winner >= 0 else frozenset({state.player})

    def may(self, state: State, seat: Seat) -> bool:
        """Return whether the seat is the player to move."""
        return state.winner < 0 and seat == state.player

    def decide(
        self, state: State, seat: Seat, command: AnyCommand, dice: Dice
    ) -> tuple[AnyEvent, ...]:
        """Return the events that a command leads to. Rules: WD-WIN-5; the chapters have the others.

        Raises:
            Refused: with a code of section 17.
        """
        if state.winner >= 0:
            raise Refused(Refusal.GAME_OVER, "The game is over.", "WD-WIN-5")
        if seat != state.player:
            raise Refused(Refusal.NOT_YOURS, f"It is {SIDES[state.player]}'s phase.", "WD-TURN-1")
        decision = Decision(state, evolve, dice)
        match command:
            case StepUnit():
                step_unit(decision, command)
            case MoveUnit():
                move_unit(decision, command)
            case Attack():
                attack(decision, command)
            case WorkGate():
                work_gate(decision, command)
            case EndPhase():
                end_phase(decision)
            case _:
                assert_never(command)
        return decision.events

    def imagine(self, seen: View, _dice: Dice) -> State:
        """Return the only state that has this view; needs no dice."""
        return state.imagine(seen)

    def outcome(self, state: State) -> Outcome | None:
        """Return reason and winner of a finished game, or None. See: WD-WIN-1 to WD-WIN-4."""
        if state.winner < 0 or state.reason is None:
            return None
        return Outcome(reason=state.reason, winners=(state.winner,))

    def redact(
        self, event: AnyEvent, _before: State, _after: State, _viewer: Viewer
    ) -> AnyEvent | None:
        """Return every event unchanged: nothing is hidden."""
        return event


RULES = Weltendaemmerung()
