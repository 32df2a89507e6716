"""The ruleset object: calls the chapters, decides nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, assert_never

from engine.core.base_ruleset import BaseRuleset
from engine.core.decision import BaseDecision
from engine.core.dice import Dice
from engine.core.ids import Seat, Viewer
from engine.core.options import Option, Value
from engine.core.refused import Refused
from engine.core.ruleset import FieldMeaning, Outcome, Scenario, Traits, Upcast
from tests.toy import commands as do
from tests.toy import events as ev
from tests.toy import fights, orders, turns
from tests.toy.evolve import evolve
from tests.toy.history import SCHEMA, UPCASTS
from tests.toy.offers import offers
from tests.toy.refusal import Refusal
from tests.toy.setup import DECLARED, EMPTY, check, field_of, set_up
from tests.toy.state import CLANS, Field, State, View
from tests.toy.view import imagine, redact, view


class Toy(BaseRuleset[State, do.AnyCommand, ev.AnyEvent, View]):
    """The rules of Lanterns."""

    package = "tests.toy"
    name = "toy"
    title = "Lanterns"
    schema = SCHEMA
    traits = Traits(
        seats=(2, 3),
        seat_names=CLANS,
        chance=True,
        hidden=True,
        simultaneous=True,
    )
    command_type: ClassVar[Any] = do.AnyCommand
    event_type: ClassVar[Any] = ev.AnyEvent
    state_type = State
    view_type = View
    scenario_type: type[Scenario] = Field
    options: tuple[Option, ...] = DECLARED
    upcasts: Mapping[int, Upcast] = UPCASTS
    field_meanings: Mapping[str, FieldMeaning] = {
        "x": "place",
        "y": "place",
        "strength": "strength",
        "clan": "owner",
        "terrain": "kind",
        "lanterns": "wealth",
        "round": "turn",
        "marched": "turn",
    }

    def seat_range(self, scenario: Scenario) -> tuple[int, int]:
        """Return the minimum and maximum number of players: both are the scenario's clans."""
        clans = _field(scenario).clans
        return clans, clans

    def check(self, scenario: Scenario) -> None:
        """Refuse a scenario that cannot be played. See: T-SETUP-1, T-SETUP-3."""
        check(_field(scenario))

    def position(self, state: State) -> Scenario:
        """Return a state as a scenario that begins there. See: T-SETUP-3."""
        return field_of(state)

    def empty(self) -> State:
        """Return the state before the first event."""
        return EMPTY

    def begin(
        self, scenario: Scenario, options: Mapping[str, Value], dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Return the event that sets the game up. See: T-SETUP-1 to T-SETUP-3."""
        return (set_up(_field(scenario), options, dice),)

    def setup(self, first: ev.AnyEvent) -> tuple[Scenario, Mapping[str, Value]]:
        """Return the scenario and options that are in the first event."""
        if not isinstance(first, ev.GameSet):
            raise ValueError("a game begins with the event game-set")  # noqa: TRY004
        return first.scenario, {"stakes": first.options.stakes, "rounds": first.rounds}

    def owes(self, state: State) -> frozenset[Seat]:
        """Return the seats that must act. See: T-SEAL-2, T-RETREAT-1."""
        return turns.owing(state)

    def may(self, state: State, seat: Seat) -> bool:
        """Return whether a seat may act: a clan still in the game may always resign.

        See: T-OUT-2.
        """
        return not state.reason and seat in state.clans and state.clans[seat].playing

    def decide(
        self, state: State, seat: Seat, command: do.AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Return the events that result from a command of a seat."""
        if not self.may(state, seat):
            raise Refused(Refusal.GAME_OVER, "You have no part in the game any more.", "T-OUT-1")
        decision = BaseDecision(state, evolve, dice)
        match command:
            case do.GiveOrder():
                orders.give(decision, seat, command)
            case do.DropOrders():
                orders.drop(decision, seat, command)
            case do.SetRanks():
                orders.rank(decision, seat, command)
            case do.RaiseCry():
                orders.cry(decision, seat, command)
            case do.SealOrders():
                orders.seal(decision, seat, command)
                turns.go_on(decision)
            case do.Retreat():
                fights.retreat(decision, seat, command.at)
                turns.go_on(decision)
            case do.Resign():
                turns.leave(decision, seat)
            case _:
                assert_never(command)
        return decision.events

    def evolve(self, state: State, event: ev.AnyEvent) -> State:
        """Return the state after an event."""
        return evolve(state, event)

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome; None while the game is in progress. See: T-WIN-1, T-WIN-2."""
        return Outcome(state.reason, state.winners) if state.reason else None

    def statistics(self, state: State) -> Mapping[str, tuple[int, ...]]:
        """Return lanterns and living bands of each clan."""
        return {
            "lanterns": tuple(clan.lanterns for clan in state.clans.values()),
            "bands": tuple(len(orders.living(state, clan)) for clan in state.clans),
        }

    def view(self, state: State, viewer: Viewer) -> View:
        """Return what a viewer knows of a state."""
        return view(state, viewer)

    def redact(
        self, event: ev.AnyEvent, before: State, after: State, viewer: Viewer
    ) -> ev.AnyEvent | None:
        """Return the event as the viewer may know it, or None if the viewer sees none of it."""
        return redact(event, before, after, viewer)

    def offers(self, view: View, about: int | None = None) -> Iterator[do.AnyCommand]:
        """Yield commands that will not be refused."""
        return offers(view, about)

    def imagine(self, view: View, dice: Dice) -> State:
        """Return a full state that would give this view."""
        return imagine(view, dice)


def _field(scenario: Scenario) -> Field:
    if not isinstance(scenario, Field):
        raise TypeError(f"{type(scenario).__name__} is no scenario of this game")
    return scenario


RULES = Toy()
