"""Wagers: a game in which everybody can compute the chances, to try what tells of chances.

Two seats act in turn. ``wait`` does nothing; ``wager`` throws a die, and a six wins the game, which
goes on to its end nevertheless; ``surrender`` loses it likewise. If nothing of the kind has
happened when the last turn is over, a coin decides. Computer players only wait, so the share of
games that seat 0 wins is 1/2 as long as nothing has happened, and 7/12 if it has just said that it
wagers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from engine.core.archive import Header, Opened, SeatPlayer
from engine.core.base_ruleset import BaseRuleset
from engine.core.dice import Dice
from engine.core.game import Game
from engine.core.ids import Seat, Viewer
from engine.core.options import Value
from engine.core.record import Command, Event, Record, replace
from engine.core.registry import register
from engine.core.ruleset import Offers, Outcome, Scenario, Traits
from engine.tabletop.board import Line, Status
from engine.tabletop.fact import Fact

TURNS = 30
NOBODY_YET = -1


class Table(Scenario, frozen=True):
    """The only scenario: nothing has happened."""


class Wait(Command, frozen=True, tag="wait"):
    """Do nothing."""


class Wager(Command, frozen=True, tag="wager"):
    """Win with a six."""


class Surrender(Command, frozen=True, tag="surrender"):
    """Lose."""


class Boom(Command, frozen=True, tag="boom"):
    """A fault of the rules, after which every game has one at its end."""


class Set(Event, frozen=True, tag="set"):
    """The game began."""

    scenario: Table


class Passed(Event, frozen=True, tag="passed"):
    """A turn is over; ``winner`` is settled from here on unless it is -1."""

    ends_phase: ClassVar[bool] = True

    winner: int
    over: bool = False
    broken: bool = False


AnyCommand: TypeAlias = Wait | Wager | Surrender | Boom
AnyEvent: TypeAlias = Set | Passed


class Turn(Record, frozen=True):
    """State and view: number of the turn, who will win, and if the game is over."""

    number: int = 0
    winner: int = NOBODY_YET
    over: bool = False
    broken: bool = False


class Waiting:
    """A computer player that waits."""

    def plan(self, view: Turn, offers: Offers[Any], dice: Dice) -> Sequence[AnyCommand]:
        return (Wait(),)

    def rest(self, view: Turn, offers: Offers[Any]) -> Sequence[AnyCommand]:
        return (Wait(),)


class Picture:
    """As much of a presenter as tells of a game without a screen."""

    lead: str = "turns"

    def status(self, view: Turn) -> Status:
        return Status(view.number // 10 + 1, 3, "", view.number % 2, "")

    def facts(self, event: Any, before: Turn, after: Turn) -> tuple[Fact, ...]:
        if isinstance(event, Passed) and event.winner != before.winner:
            return (Fact("capture", event.winner),)
        return ()

    def tell(self, event: Any, after: Turn) -> tuple[Line, ...]:
        return (Line(f"It is settled: seat {event.winner} wins."),)


class Wagers(BaseRuleset[Turn, Any, Any, Turn]):
    """The rules."""

    package = "tests.debug"
    name = "wagers"
    title = "Wagers"
    traits = Traits((2, 2), ("One", "Two"), True, False, False, True, False)
    command_type: ClassVar[Any] = AnyCommand
    event_type: ClassVar[Any] = AnyEvent
    state_type = Turn
    view_type = Turn
    scenario_type: type[Scenario] = Table
    bots: ClassVar[Mapping[str, Any]] = {"normal": Waiting()}
    presenter: Any = Picture()

    def check(self, scenario: Scenario) -> None:
        """All can be played."""

    def scenarios(self) -> Mapping[str, Scenario]:
        return {"table": Table("table", "Table", "")}

    def position(self, state: Turn) -> Scenario:
        return Table("table", "Table", "")

    def empty(self) -> Turn:
        return Turn()

    def begin(self, scenario: Any, options: Mapping[str, Value], dice: Dice) -> tuple[Any, ...]:
        return (Set(scenario),)

    def setup(self, first: Any) -> tuple[Scenario, Mapping[str, Value]]:
        return first.scenario, {}

    def owes(self, state: Turn) -> frozenset[Seat]:
        return frozenset() if state.over else frozenset({state.number % 2})

    def decide(self, state: Turn, seat: Seat, command: Any, dice: Dice) -> tuple[Any, ...]:
        winner = state.winner
        if isinstance(command, Wager) and dice.roll(6) == 6:
            winner = seat
        if isinstance(command, Surrender):
            winner = 1 - seat
        over = state.number + 1 == TURNS
        if over and state.broken:
            raise ZeroDivisionError("a slip in the rules")
        if over and winner == NOBODY_YET:
            winner = dice.roll(2) - 1
        return (Passed(winner, over, state.broken or isinstance(command, Boom)),)

    def evolve(self, state: Turn, event: Any) -> Turn:
        if isinstance(event, Set):
            return Turn()
        number, winner = state.number + 1, event.winner
        return replace(state, number=number, winner=winner, over=event.over, broken=event.broken)

    def outcome(self, state: Turn) -> Outcome | None:
        return Outcome("settled", (state.winner,)) if state.over else None

    def statistics(self, state: Turn) -> Mapping[str, tuple[int, ...]]:
        return {"turns": ((state.number + 1) // 2, state.number // 2)}

    def view(self, state: Turn, viewer: Viewer) -> Turn:
        return state

    def redact(self, event: Any, before: Turn, after: Turn, viewer: Viewer) -> Any:
        return event

    def offers(self, view: Turn, about: int | None = None) -> Iterator[Any]:
        yield Wait()

    def imagine(self, view: Turn, dice: Dice) -> Turn:
        return view


RULES = Wagers()


def recorded(commands: Mapping[int, Any], seed: bytes = b"0", turns: int = TURNS) -> Opened:
    """A game in which entry n is a command of these, and all others are ``wait``."""
    register(RULES)
    game: Any = Game.begin(RULES, Table("table", "Table", ""), {}, seed)
    for number in range(1, turns + 1):
        game.submit((number - 1) % 2, commands.get(number, Wait()))
    players = (SeatPlayer(0, "One"), SeatPlayer(1, "Two"))
    return Opened("wagers", Header("wagers", 1, seed, players), game.log)


def six_at(number: int) -> Opened:
    """The first game in which the wager of an entry is a six."""
    for seed in range(100):
        opened = recorded({number: Wager()}, b"%d" % seed)
        if opened.log[number].throws == ((6, (6,)),):
            return opened
    raise AssertionError("no six in a hundred games")
