"""Commands: requests of a seat. Tiles are written by their ids, such as B2. Rules: KA-13."""

from __future__ import annotations

from typing import TypeAlias

from engine.core.record import Command
from engine.rulesets.kaladan.state import BasicKind


class PlaceTile(Command, frozen=True, tag="place-tile"):
    """Put the drawn terrain on an empty position. See: KA-5.2."""

    tile: str


class ChooseRealm(Command, frozen=True, tag="choose-realm"):
    """Take an unclaimed realm. See: KA-5.3."""

    realm: str


class PlaceCastle(Command, frozen=True, tag="place-castle"):
    """Put the Castle on an edge tile. See: KA-5.4."""

    tile: str


class Deploy(Command, frozen=True, tag="deploy"):
    """Put the Crown and three Basic units on the castle tile. See: KA-5.5."""

    units: tuple[BasicKind, ...]


class AnswerEvent(Command, frozen=True, tag="answer-event"):
    """Choose an option of the event card, with its tile, unit or Magic card. See: KA-11.1."""

    option: str
    tile: str = ""
    unit: int = 0
    card: str = ""


class Spawn(Command, frozen=True, tag="spawn"):
    """Put a Basic unit on a castle tile free of charge. See: KA-6.3."""

    tile: str
    unit: BasicKind


class MoveUnits(Command, frozen=True, tag="move"):
    """Move units to an adjacent tile. See: KA-6.4."""

    source: str
    target: str
    units: tuple[int, ...]


class Attack(Command, frozen=True, tag="attack"):
    """Declare a battle against an adjacent enemy tile. See: KA-7.2."""

    source: str
    target: str


class DeclareMagic(Command, frozen=True, tag="declare-magic"):
    """Join with a Magic card, or stay out without one. See: KA-7.3."""

    card: str = ""


class AimCard(Command, frozen=True, tag="aim"):
    """Choose the targets of your card: tiles, units, or types from the reserve.

    A shift takes two tiles and the units that swap, a levy one tile and types, and an assassination
    units. See: KA-7.4, KA-10.2.
    """

    tiles: tuple[str, ...] = ()
    units: tuple[int, ...] = ()
    types: tuple[BasicKind, ...] = ()


class ChooseLosses(Command, frozen=True, tag="lose"):
    """Choose your casualties. See: KA-7.7."""

    units: tuple[int, ...]


class AfterMagic(Command, frozen=True, tag="after-magic"):
    """Play an after-battle card, or none. See: KA-7.8."""

    card: str = ""
    units: tuple[int, ...] = ()


class Invade(Command, frozen=True, tag="invade"):
    """Choose the units that move into the conquered tile. See: KA-7.10."""

    units: tuple[int, ...]


class BuyUnit(Command, frozen=True, tag="buy"):
    """Buy a unit from the reserve. See: KA-6.5."""

    unit: str
    tile: str


class UpgradeUnit(Command, frozen=True, tag="upgrade"):
    """Upgrade a unit on the board. See: KA-2.2, KA-6.5."""

    unit: int


class BringIn(Command, frozen=True, tag="bring-in"):
    """Bring in a Special Unit. See: KA-9."""

    unit: int
    tile: str


class SwapCard(Command, frozen=True, tag="swap-card"):
    """Swap a Magic card for an unused one without seeing it. See: KA-10.4."""

    card: str


class BuyCard(Command, frozen=True, tag="buy-card"):
    """Buy a Magic card without seeing it. See: KA-10.4."""


class March(Command, frozen=True, tag="march"):
    """March along your own tiles; then the turn ends. See: KA-6.6."""

    source: str
    target: str
    units: tuple[int, ...]


class EndPhase(Command, frozen=True, tag="end-phase"):
    """End the phase. See: KA-6."""


class Resign(Command, frozen=True, tag="resign"):
    """Resign. See: KA-8.4."""


AnyCommand: TypeAlias = (
    EndPhase
    | PlaceTile
    | ChooseRealm
    | PlaceCastle
    | Deploy
    | AnswerEvent
    | Spawn
    | MoveUnits
    | Attack
    | DeclareMagic
    | AimCard
    | ChooseLosses
    | AfterMagic
    | Invade
    | BuyUnit
    | UpgradeUnit
    | BringIn
    | SwapCard
    | BuyCard
    | March
    | Resign
)
