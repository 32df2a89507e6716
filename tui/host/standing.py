"""How a hosted game stands, and what is kept of it besides its save."""

from __future__ import annotations

from engine.core.codec import decoder
from engine.core.ids import Seat
from engine.core.record import Record
from tui.host.clocks import Terms
from tui.host.ports import GameInfo


class Standing(Record, frozen=True):
    """How a game stands, as all may know it."""

    owes: frozenset[Seat]
    text: str
    over: bool
    entries: int
    turn: int = 0
    """Turns that were over since the game was opened."""

    def is_as(self, other: Standing) -> bool:
        """Whether nothing of it would look otherwise in a list."""
        return (self.owes, self.text, self.over) == (other.owes, other.text, other.over)


class Kept(Record, frozen=True):
    """What the book keeps of a game besides its save: terms, consents, how it was seen last."""

    terms: Terms = Terms()
    consents: tuple[tuple[Seat, int], ...] = ()
    info: GameInfo | None = None
    is_away: bool = False
    """Whether the operator has put it away; then nobody comes to it any more."""
    peeped: tuple[tuple[int, Seat], ...] = ()
    """Who has seen what which seats hide, besides those who have them."""


def kept_in(terms: bytes) -> Kept:
    """What the book keeps of a game; what it is by default if that is of another version."""
    try:
        found: Kept = decoder(Kept).decode(terms)
    except ValueError:
        return Kept()
    return found
