"""Commands of the strategic games.

Armies are named by id. The armies of a command are on one tile and form one group.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.core.record import Command
from engine.kit.grid import Place
from engine.strategic.pieces import Wish


class March(Command, frozen=True, tag="march"):
    """March to a tile as far as the points reach and on in later turns; attack armies found there.

    ``betray``: attack although the treaty forbids it.
    """

    armies: tuple[int, ...]
    to: Place
    betray: bool = False


class Walk(Command, frozen=True, tag="walk"):
    """March along these tiles, each next to the one before, as far as the points reach.

    ``betray``: attack although the treaty forbids it.
    """

    armies: tuple[int, ...]
    path: tuple[Place, ...]
    betray: bool = False


class SetGoal(Command, frozen=True, tag="goal"):
    """Set the goal of armies without moving them; without ``to`` and ``flag``, clear it.

    ``flag``: follow the rally flag.
    """

    armies: tuple[int, ...]
    to: Place | None = None
    flag: bool = False


class GoOn(Command, frozen=True, tag="go-on"):
    """Move all armies that have a goal."""


class Defend(Command, frozen=True, tag="defend"):
    """Set or, without ``on``, clear the defending flag of armies."""

    armies: tuple[int, ...]
    on: bool = True


class Disband(Command, frozen=True, tag="disband"):
    """Disband armies. ``sure``: even a hero on a quest."""

    armies: tuple[int, ...]
    sure: bool = False


class Search(Command, frozen=True, tag="search"):
    """Let a hero search the site on its tile."""

    army: int


class Bless(Command, frozen=True, tag="bless"):
    """Let the temple on their tile bless armies."""

    armies: tuple[int, ...]


class TakeQuest(Command, frozen=True, tag="quest"):
    """Let a hero take a quest from the temple on its tile."""

    army: int


class AskSage(Command, frozen=True, tag="ask-sage"):
    """Choose a wish of the sage that was found."""

    wish: Wish


class Produce(Command, frozen=True, tag="produce"):
    """Start production of a slot in a city."""

    city: int
    slot: int


class StopProduction(Command, frozen=True, tag="stop"):
    """Stop the production of a city."""

    city: int


class BuySlot(Command, frozen=True, tag="buy"):
    """Buy a type for a city, into one of its slots or the next one."""

    city: int
    slot: int
    type: int


class SetVector(Command, frozen=True, tag="vector"):
    """Send a city's finished armies to another (``to``) or to the flag; with neither, keep them."""

    city: int
    to: int | None = None
    flag: bool = False


class Settle(Command, frozen=True, tag="settle"):
    """Choose the fate of the city just captured."""

    fate: Literal["occupy", "pillage", "sack", "raze"]


class Hire(Command, frozen=True, tag="hire"):
    """Accept the hero that offers to join, or decline."""

    accept: bool = True


class PickUp(Command, frozen=True, tag="pick-up"):
    """Let a hero pick up an item on its tile."""

    army: int
    item: int


class Drop(Command, frozen=True, tag="drop"):
    """Let a hero put down an item."""

    army: int
    item: int


class PlantFlag(Command, frozen=True, tag="plant"):
    """Let a hero plant the side's standard as the rally flag."""

    army: int


class SetFightOrder(Command, frozen=True, tag="fight-order"):
    """Set the line of battle: all types, from the first to fight to the last."""

    types: tuple[int, ...]


class SetStance(Command, frozen=True, tag="stance"):
    """Set the stance toward a side: 0 peace, 1 hostile, 2 war."""

    side: int
    stance: int


class Raze(Command, frozen=True, tag="raze"):
    """Destroy a city of the side for good."""

    city: int


class RenameCity(Command, frozen=True, tag="rename"):
    """Rename a city."""

    city: int
    name: str


class Resign(Command, frozen=True, tag="resign"):
    """Leave the game.

    ``burn``: raze every city. ``stranded``: give as the reason that no path leads to an enemy.
    """

    burn: bool = False
    stranded: bool = False


class AnswerYield(Command, frozen=True, tag="yield"):
    """Accept the computers' surrender, or continue the war."""

    accept: bool = True


class EndTurn(Command, frozen=True, tag="end-turn"):
    """End the turn."""


AnyCommand: TypeAlias = (
    March
    | Walk
    | SetGoal
    | GoOn
    | Defend
    | Disband
    | Search
    | Bless
    | TakeQuest
    | AskSage
    | Produce
    | StopProduction
    | BuySlot
    | SetVector
    | Settle
    | Hire
    | PickUp
    | Drop
    | PlantFlag
    | SetFightOrder
    | SetStance
    | Raze
    | RenameCity
    | Resign
    | AnswerYield
    | EndTurn
)
