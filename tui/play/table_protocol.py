"""Protocols of a table for screens and line mode, local or on a host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from engine.core.archive import Header, SeatPlayer
from engine.core.ids import Seat, Viewer
from engine.core.link import Link, Reply
from engine.core.ruleset import AnyRuleset, Outcome
from tui.play.chronicle import Chronicle


class TableProtocol(Protocol):
    """Table as its clients see it."""

    @property
    def rules(self) -> AnyRuleset:
        """Ruleset of the game."""

    @property
    def header(self) -> Header:
        """Header of the log."""

    @property
    def plays_computers(self) -> bool:
        """True if the client that shows this table also lets the computer players act."""

    @property
    def players(self) -> tuple[SeatPlayer, ...]:
        """Players by seat."""

    @property
    def now(self) -> int:
        """Number of the last entry of the log; -1 where it must not be known."""

    @property
    def owes(self) -> frozenset[Seat]:
        """Seats that the game waits for."""

    def player(self, seat: Seat) -> SeatPlayer:
        """Player on a seat."""

    def is_here(self, seat: Seat) -> bool:
        """True if a person at this end plays a seat."""

    def to_act(self) -> Seat | None:
        """Seat that owes an answer, one at this end if there is one; None: the game is over."""

    def link(self, viewer: Viewer) -> Link:
        """Link of a viewer."""

    def chronicle(self, viewer: Viewer) -> Chronicle:
        """Chronicle of the game for a viewer."""

    def outcome(self) -> Outcome | None:
        """Outcome of the game; None while it goes on."""

    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """Numbers of all seats, as far as they may be known."""


class BlockingLink(Link, Protocol):
    """Link for callers that block."""

    def answer(self, line: str) -> Reply:
        """Submit a line; the news it leads to have been heard on return."""


class BlockingTable(TableProtocol, Protocol):
    """Table for callers that block, such as line mode."""

    def link(self, viewer: Viewer) -> BlockingLink:
        """Link of a viewer."""
