"""Records and rulesets that the tests of the core share."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from engine.core.containers import Plane, Roster
from engine.core.dice import Dice
from engine.core.game import Game
from engine.core.record import Command, Record
from tests.toy import RULES
from tests.toy import commands as do
from tests.toy import events as ev
from tests.toy.rules import Toy
from tests.toy.state import State

SEED = b"core"
AnyGame: TypeAlias = Game[Any, Any, Any, Any]


class Man(Record, frozen=True):
    """A row of a roster."""

    id: int
    name: str = ""


class World(Record, frozen=True):
    """A record with every kind of field."""

    ground: Plane
    men: Roster[Man]
    path: tuple[tuple[int, int], ...] = ()
    mood: Literal["calm", "angry"] = "calm"
    chief: Man | None = None


class Everything(Command, frozen=True, tag="every-thing"):
    """A command with every kind of field that has a notation."""

    number: int
    word: Literal["up-left", "down"]
    at: tuple[int, int]
    path: tuple[tuple[int, int], ...]
    numbers: tuple[int, ...]
    texts: tuple[str, ...]
    words: tuple[Literal["one", "two"], ...]
    text: str
    yes: bool
    maybe: int | None = None
    maybe_text: str | None = None
    maybe_path: tuple[tuple[int, int], ...] | None = None
    preset: int = 7


class Nothing(Command, frozen=True, tag="nothing"):
    """A command without fields."""


Both: TypeAlias = Everything | Nothing


class Faulty(Toy):
    """The toy with faults: RaiseCry breaks the rules, SetRanks breaks ``evolve``.

    DropOrders rolls a die although none of its events is irreversible.
    """

    def decide(
        self, state: State, seat: int, command: do.AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Raise an error for RaiseCry. Return an impossible event for SetRanks."""
        if isinstance(command, do.RaiseCry):
            raise ZeroDivisionError("a slip in the rules")
        if isinstance(command, do.SetRanks):
            return (ev.BandFell(99),)
        if isinstance(command, do.DropOrders):
            dice.roll(6)
        return super().decide(state, seat, command, dice)


def toy_game(rules: Toy = RULES, scenario: str = "crossing", **ports: Any) -> AnyGame:
    """Begin a new game of the toy."""
    return Game.begin(rules, rules.scenarios()[scenario], {}, SEED, **ports)


ORDER = do.GiveOrder(1, ((1, 0),))
OTHER = do.GiveOrder(2, ((1, 0),))
"""Two orders of seat 0 in the toy's scenario ``crossing``."""
