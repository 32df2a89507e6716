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
    """Table as screens and line mode use it."""

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
        """Number of the last entry of the log; -1 if it must stay secret."""

    @property
    def owes(self) -> frozenset[Seat]:
        """Seats that the game waits for."""

    def player(self, seat: Seat) -> SeatPlayer:
        """Return the player of a seat."""

    def side_name(self, seat: Seat) -> str:
        """Return the name of a seat: its person's, or the game's while a computer plays it."""

    def is_here(self, seat: Seat) -> bool:
        """Return whether a person at this end plays a seat."""

    @property
    def own_seats(self) -> tuple[Seat, ...]:
        """Seats of people at this end, even those that a host's computer plays for now."""

    def to_act(self) -> Seat | None:
        """Return a seat that must act, at this end if possible; None if the game is over."""

    def link(self, viewer: Viewer) -> Link:
        """Return a link for a viewer: its view, its feed, and a way to submit lines."""

    def chronicle(self, viewer: Viewer) -> Chronicle:
        """Return the game's log as ``viewer`` may know it."""

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game; None while it is in progress."""

    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """Return the statistics that may be known: name to one number per seat."""


class BlockingLink(Link, Protocol):
    """Link for callers that block."""

    def answer(self, line: str) -> Reply:
        """Submit a line of notation; its feed items have been delivered on return."""


class BlockingTable(TableProtocol, Protocol):
    """Table for callers that block, such as line mode."""

    def times(self) -> tuple[str, ...]:
        """Return the times on the clock in sentences; empty without a clock."""

    def link(self, viewer: Viewer) -> BlockingLink:
        """Return a link for a viewer whose ``answer`` blocks."""
