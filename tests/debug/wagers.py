"""Wagers: a game whose chances are easy to compute, to test what reports chances.

Two seats act in turn. ``wait`` does nothing. ``wager`` throws a die, and a six settles that the
seat wins, though the game continues to its last turn. ``surrender`` settles that the seat loses. If
nothing is settled after the last turn, a coin decides. Computer players only wait, so seat 0 wins
1/2 of the games as long as nothing is settled, and 7/12 just before a wager of its own.
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
    """The only scenario."""


class Wait(Command, frozen=True, tag="wait"):
    """Do nothing."""


class Wager(Command, frozen=True, tag="wager"):
    """Win with a six."""


class Surrender(Command, frozen=True, tag="surrender"):
    """Lose."""


class Boom(Command, frozen=True, tag="boom"):
    """Break the rules: the game raises an error in its last turn."""


class Set(Event, frozen=True, tag="set"):
    """The game began."""

    scenario: Table


class Passed(Event, frozen=True, tag="passed"):
    """A turn is over; a ``winner`` other than -1 is settled."""

    ends_phase: ClassVar[bool] = True

    winner: int
    over: bool = False
    broken: bool = False


AnyCommand: TypeAlias = Wait | Wager | Surrender | Boom
AnyEvent: TypeAlias = Set | Passed


class Turn(Record, frozen=True):
    """State and view: the turn, the settled winner, and whether the game is over or broken."""

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
    """The parts of a presenter that work without a screen."""

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
    """The rules of Wagers."""

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
        """Accept every scenario."""

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
    """Record a game in which entry n is ``commands[n]``, or ``wait`` if that is missing."""
    register(RULES)
    game: Any = Game.begin(RULES, Table("table", "Table", ""), {}, seed)
    for number in range(1, turns + 1):
        game.submit((number - 1) % 2, commands.get(number, Wait()))
    players = (SeatPlayer(0, "One"), SeatPlayer(1, "Two"))
    return Opened("wagers", Header("wagers", 1, seed, players), game.log)


def six_at(number: int) -> Opened:
    """Return the first game in which the wager at an entry is a six."""
    for seed in range(100):
        opened = recorded({number: Wager()}, b"%d" % seed)
        if opened.log[number].throws == ((6, (6,)),):
            return opened
    raise AssertionError("no six in a hundred games")
