"""Events of the toy game, with results."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from engine.core.containers import Plane
from engine.core.record import Event
from tests.toy.state import Band, Field, Options, Order, Reason


class GameSet(Event, frozen=True, tag="game-set"):
    """The board is set up: the whole scenario, and what was dealt.

    ``terrain`` is uint8 of shape (height, width); ``bands`` are in id order.
    """

    irreversible: ClassVar[bool] = True

    scenario: Field
    options: Options
    rounds: int
    terrain: Plane
    bands: tuple[Band, ...]


class OrderGiven(Event, frozen=True, tag="order-given"):
    """A band has an order. Secret."""

    order: Order


class OrdersDropped(Event, frozen=True, tag="orders-dropped"):
    """Bands have no order any more. Secret."""

    bands: tuple[int, ...]


class RanksSet(Event, frozen=True, tag="ranks-set"):
    """A clan's bands stand in ranks. Secret."""

    clan: int
    ranks: tuple[int, ...]


class CryRaised(Event, frozen=True, tag="cry-raised"):
    """A clan said something; what was heard cannot be unheard."""

    irreversible: ClassVar[bool] = True

    clan: int
    text: str


class StakeLaid(Event, frozen=True, tag="stake-laid"):
    """A clan staked lanterns. Secret."""

    clan: int
    stake: int


class OrdersSealed(Event, frozen=True, tag="orders-sealed"):
    """A clan gives no more orders in this round."""

    irreversible: ClassVar[bool] = True

    clan: int


class MarchBegan(Event, frozen=True, tag="march-began"):
    """Stakes are shown, and these lanterns are left to each clan."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    stakes: tuple[int, ...]
    lanterns: tuple[int, ...]


class BandMarched(Event, frozen=True, tag="band-marched"):
    """A band is where its order took it."""

    irreversible: ClassVar[bool] = True

    band: int
    x: int
    y: int


class BandsShown(Event, frozen=True, tag="bands-shown"):
    """Everybody has seen these strengths."""

    irreversible: ClassVar[bool] = True

    bands: tuple[int, ...]
    strengths: tuple[int, ...]


class FightWon(Event, frozen=True, tag="fight-won"):
    """A fight is over; ``sums`` are (clan, sum) of all who took part."""

    irreversible: ClassVar[bool] = True

    x: int
    y: int
    winner: int
    sums: tuple[tuple[int, int], ...]


class BandFell(Event, frozen=True, tag="band-fell"):
    """A band is no more, nor is its order."""

    irreversible: ClassVar[bool] = True

    band: int


class RetreatDue(Event, frozen=True, tag="retreat-due"):
    """A clan must say where its bands at (x, y) go."""

    irreversible: ClassVar[bool] = True

    clan: int
    x: int
    y: int


class BandsRetreated(Event, frozen=True, tag="bands-retreated"):
    """Bands went to (x, y); the first retreat that was due is done. No bands: none were left."""

    irreversible: ClassVar[bool] = True

    bands: tuple[int, ...]
    x: int
    y: int


class LanternLit(Event, frozen=True, tag="lantern-lit"):
    """A shrine gave a clan a lantern; it has so many now."""

    irreversible: ClassVar[bool] = True

    clan: int
    x: int
    y: int
    lanterns: int


class ClanLeft(Event, frozen=True, tag="clan-left"):
    """A clan is out: beaten, or resigned."""

    irreversible: ClassVar[bool] = True

    clan: int
    resigned: bool


class RoundBegan(Event, frozen=True, tag="round-began"):
    """A round begins; all may give orders."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    round: int


class GameEnded(Event, frozen=True, tag="game-ended"):
    """The game is over."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    reason: Reason
    winners: tuple[int, ...]


AnyEvent: TypeAlias = (
    GameSet
    | OrderGiven
    | OrdersDropped
    | RanksSet
    | CryRaised
    | StakeLaid
    | OrdersSealed
    | MarchBegan
    | BandMarched
    | BandsShown
    | FightWon
    | BandFell
    | RetreatDue
    | BandsRetreated
    | LanternLit
    | ClanLeft
    | RoundBegan
    | GameEnded
)
