"""Commands of the layer.

Armies are named by id; the armies of a command stand on one tile and are one group.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.core.record import Command
from engine.kit.grid import Place
from engine.strategic.pieces import Wish


class March(Command, frozen=True, tag="march"):
    """Go to a tile as far as the points reach, and on in later turns; attack whoever is there.

    ``betray``: attack although the treaty forbids it.
    """

    armies: tuple[int, ...]
    to: Place
    betray: bool = False


class Walk(Command, frozen=True, tag="walk"):
    """Go along these tiles, each beside the one before, as far as the points reach.

    ``betray``: attack although the treaty forbids it.
    """

    armies: tuple[int, ...]
    path: tuple[Place, ...]
    betray: bool = False


class SetGoal(Command, frozen=True, tag="goal"):
    """Set where armies are to go without going yet; without ``to`` the goal is forgotten.

    ``flag``: to wherever the rally flag is.
    """

    armies: tuple[int, ...]
    to: Place | None = None
    flag: bool = False


class GoOn(Command, frozen=True, tag="go-on"):
    """All armies that have a goal go on."""


class Defend(Command, frozen=True, tag="defend"):
    """Set armies to defend where they stand, or not any more."""

    armies: tuple[int, ...]
    on: bool = True


class Disband(Command, frozen=True, tag="disband"):
    """Send armies home for good. ``sure``: even a hero on a quest."""

    armies: tuple[int, ...]
    sure: bool = False


class Search(Command, frozen=True, tag="search"):
    """A hero searches the site it stands on."""

    army: int


class Bless(Command, frozen=True, tag="bless"):
    """Armies are blessed by the temple they stand on."""

    armies: tuple[int, ...]


class TakeQuest(Command, frozen=True, tag="quest"):
    """A hero takes a quest from the temple it stands on."""

    army: int


class AskSage(Command, frozen=True, tag="ask-sage"):
    """Request to the sage who has been found."""

    wish: Wish


class Produce(Command, frozen=True, tag="produce"):
    """A city begins to make what is in a slot."""

    city: int
    slot: int


class StopProduction(Command, frozen=True, tag="stop"):
    """A city makes nothing."""

    city: int


class BuySlot(Command, frozen=True, tag="buy"):
    """A city learns to make a type, in a slot that it has or in the next one."""

    city: int
    slot: int
    type: int


class SetVector(Command, frozen=True, tag="vector"):
    """Finished armies of a city go to another (``to``) or to the flag; neither: they stay."""

    city: int
    to: int | None = None
    flag: bool = False


class Settle(Command, frozen=True, tag="settle"):
    """Fate of the city just taken."""

    fate: Literal["occupy", "pillage", "sack", "raze"]


class Hire(Command, frozen=True, tag="hire"):
    """Accept the hero who offers, or not."""

    accept: bool = True


class PickUp(Command, frozen=True, tag="pick-up"):
    """A hero picks up what lies on its tile."""

    army: int
    item: int


class Drop(Command, frozen=True, tag="drop"):
    """A hero lays an item down."""

    army: int
    item: int


class PlantFlag(Command, frozen=True, tag="plant"):
    """A hero plants the side's standard as the rally flag."""

    army: int


class SetFightOrder(Command, frozen=True, tag="fight-order"):
    """All types from the one that fights first to the one that fights last."""

    types: tuple[int, ...]


class SetStance(Command, frozen=True, tag="stance"):
    """Stance one wants toward a side: 0 peace, 1 hostile, 2 war."""

    side: int
    stance: int


class Raze(Command, frozen=True, tag="raze"):
    """Destroy a city of one's own for good."""

    city: int


class RenameCity(Command, frozen=True, tag="rename"):
    """Call a city otherwise."""

    city: int
    name: str


class Resign(Command, frozen=True, tag="resign"):
    """Leave the game. ``burn``: and raze every city. ``stranded``: as no way leads to an enemy."""

    burn: bool = False
    stranded: bool = False


class AnswerYield(Command, frozen=True, tag="yield"):
    """Accept the computers' surrender, or fight on."""

    accept: bool = True


class EndTurn(Command, frozen=True, tag="end-turn"):
    """End one's turn."""


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
