"""What screens and line mode need of a table, be it in this program or on a host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from engine.core.archive import Header, Player
from engine.core.ids import Seat, Viewer
from engine.core.link import Link, Reply
from engine.core.ruleset import AnyRuleset, Outcome
from tui.play.chronicle import Chronicle


class TableProtocol(Protocol):
    """A game, for whoever sits at this screen."""

    @property
    def rules(self) -> AnyRuleset:
        """Of this game."""
        ...

    @property
    def header(self) -> Header:
        """What its log is the log of."""
        ...

    @property
    def plays_computers(self) -> bool:
        """Whether who shows this table also lets the computer players act."""
        ...

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits where."""
        ...

    @property
    def now(self) -> int:
        """The entry of the log that was made last; -1 where that must not be known."""
        ...

    @property
    def owes(self) -> frozenset[Seat]:
        """The seats that the game waits for."""
        ...

    def player(self, seat: Seat) -> Player:
        """Who sits on a seat."""
        ...

    def is_here(self, seat: Seat) -> bool:
        """Whether a person at this screen plays a seat."""
        ...

    def to_act(self) -> Seat | None:
        """A seat that owes an answer, one at this screen if there is; None: the game is over."""
        ...

    def link(self, viewer: Viewer) -> Link:
        """A viewer's end of this game."""
        ...

    def chronicle(self, viewer: Viewer) -> Chronicle:
        """How the game went, as far as a viewer may know it."""
        ...

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        ...

    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """The numbers of all seats, as far as they may be known."""
        ...


class BlockingLink(Link, Protocol):
    """A viewer's end of a game for callers that wait."""

    def answer(self, line: str) -> Reply:
        """As ``submit``; what happened was told before."""
        ...


class BlockingTable(TableProtocol, Protocol):
    """A game for callers that wait, such as line mode."""

    def link(self, viewer: Viewer) -> BlockingLink:
        """A viewer's end of this game."""
        ...
