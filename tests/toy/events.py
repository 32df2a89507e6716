"""Events of the toy game; they carry results."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from engine.core.containers import Plane
from engine.core.record import Event
from tests.toy.state import Band, Field, Options, Order, Reason


class GameSet(Event, frozen=True, tag="game-set"):
    """The game is set up with this scenario and these strengths.

    ``terrain`` is uint8 of shape (height, width); ``bands`` are in id order.
    """

    irreversible: ClassVar[bool] = True

    scenario: Field
    options: Options
    rounds: int
    terrain: Plane
    bands: tuple[Band, ...]


class OrderGiven(Event, frozen=True, tag="order-given"):
    """A band got an order. Secret."""

    order: Order


class OrdersDropped(Event, frozen=True, tag="orders-dropped"):
    """Bands lost their orders. Secret."""

    bands: tuple[int, ...]


class RanksSet(Event, frozen=True, tag="ranks-set"):
    """A clan changed which of its bands fall first. Secret."""

    clan: int
    ranks: tuple[int, ...]


class CryRaised(Event, frozen=True, tag="cry-raised"):
    """A clan said something to all."""

    irreversible: ClassVar[bool] = True

    clan: int
    text: str


class StakeLaid(Event, frozen=True, tag="stake-laid"):
    """A clan staked lanterns. Secret."""

    clan: int
    stake: int


class OrdersSealed(Event, frozen=True, tag="orders-sealed"):
    """A clan has finished its orders for this round."""

    irreversible: ClassVar[bool] = True

    clan: int


class MarchBegan(Event, frozen=True, tag="march-began"):
    """The march begins: stakes and remaining lanterns of each clan are revealed."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    stakes: tuple[int, ...]
    lanterns: tuple[int, ...]


class BandMarched(Event, frozen=True, tag="band-marched"):
    """A band has marched to (x, y)."""

    irreversible: ClassVar[bool] = True

    band: int
    x: int
    y: int


class BandsShown(Event, frozen=True, tag="bands-shown"):
    """The strengths of these bands were revealed to all."""

    irreversible: ClassVar[bool] = True

    bands: tuple[int, ...]
    strengths: tuple[int, ...]


class FightWon(Event, frozen=True, tag="fight-won"):
    """A clan has won a fight at (x, y); ``sums`` are (clan, sum) of all clans in it."""

    irreversible: ClassVar[bool] = True

    x: int
    y: int
    winner: int
    sums: tuple[tuple[int, int], ...]


class BandFell(Event, frozen=True, tag="band-fell"):
    """A band fell, and its order is dropped."""

    irreversible: ClassVar[bool] = True

    band: int


class RetreatDue(Event, frozen=True, tag="retreat-due"):
    """A clan must choose where its bands at (x, y) retreat to."""

    irreversible: ClassVar[bool] = True

    clan: int
    x: int
    y: int


class BandsRetreated(Event, frozen=True, tag="bands-retreated"):
    """Bands moved to (x, y), which ends the first retreat that was due.

    Without bands all have fallen.
    """

    irreversible: ClassVar[bool] = True

    bands: tuple[int, ...]
    x: int
    y: int


class LanternLit(Event, frozen=True, tag="lantern-lit"):
    """A shrine gave a clan a lantern; ``lanterns`` is how many the clan has now."""

    irreversible: ClassVar[bool] = True

    clan: int
    x: int
    y: int
    lanterns: int


class ClanLeft(Event, frozen=True, tag="clan-left"):
    """A clan is out of the game: beaten, or resigned."""

    irreversible: ClassVar[bool] = True

    clan: int
    resigned: bool


class RoundBegan(Event, frozen=True, tag="round-began"):
    """A round began; all clans may give orders."""

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
