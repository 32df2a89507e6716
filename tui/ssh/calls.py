"""A command on its way: who gave it, what it may touch, where its answer goes."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import asyncssh

from engine.core.ids import Seat
from engine.core.record import Record
from tui.console.exits import Exit, Wrong
from tui.host.people import GUEST, Person
from tui.host.ports import GameInfo, GameServerPort, HostedGamePort, ParticipantPort, Ports
from tui.ssh.text import MOST_WAITING, Gone, Teller, pieces

Process = asyncssh.SSHServerProcess[bytes]

_PAUSE = 0.25
"""Seconds between two questions whether a line may come."""

_CTRL_C = b"\x03"
_CTRL_D = b"\x04"


class No(Exception):
    """It is not allowed, or not now; the text is one line for people."""


class Standing(Record, frozen=True):
    """How the host is. Everybody may know it."""

    version: str
    uptime: float
    """Seconds since it was started."""
    sessions: int
    """Connections that are open."""
    people: tuple[str, ...]
    """Names of those who are here."""


def _allowed(_kind: str) -> str:
    return ""


def _unnoted(_event: str, _detail: str) -> None:
    pass


def _unreported(_problem: BaseException) -> None:
    pass


@dataclass(frozen=True)
class Around:
    """What the program around the commands plugs in, for one connection."""

    standing: Callable[[], Standing]
    ask: Callable[[str], str] = _allowed
    """Why one more of a kind is too many now, empty if it is not: ``line`` (of play), ``chat``."""
    note: Callable[[str, str], None] = _unnoted
    """Keep an event and its detail in the security log."""
    fault: Callable[[BaseException], None] = _unreported
    """Keep what went wrong inside; nobody at the other end is told."""
    admin: Callable[[Sequence[str], str], tuple[Exit, list[str]]] | None = None
    """Carry out words of an administrator of a name; called in another thread."""
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(50))
    """So many games are played in lines at a time; one for all connections."""
    most_waiting: int = MOST_WAITING
    """So much waits for a slow reader before the reader is dropped."""


@dataclass(frozen=True)
class Call:
    """One command of one person."""

    args: argparse.Namespace
    person: Person
    game_server: GameServerPort
    ports: Ports
    process: Process
    around: Around
    out: Teller
    err: Teller

    @property
    def has_terminal(self) -> bool:
        """Whether a terminal is at the other end, without a driver on this side."""
        return self.process.get_terminal_type() is not None

    async def hosted(self) -> HostedGamePort:
        """The game that the command is about.

        Raises:
            Wrong: there is none of that number.
            SaveFault: its save cannot be opened.
        """
        try:
            return await self.game_server.game(self.args.game)
        except LookupError:
            raise Wrong(f"there is no game {self.args.game}; games lists them") from None

    @contextmanager
    def place(self, hosted: HostedGamePort) -> Iterator[ParticipantPort]:
        """What the person has of a game, until this is left.

        Raises:
            No: this person may not watch it.
        """
        if why := hosted.may_watch(self.person):
            raise No(why)
        place = hosted.place(self.person)
        try:
            yield place
        finally:
            place.leave()

    def own_seats(self, info: GameInfo) -> tuple[Seat, ...]:
        """The seats of a game that this person has."""
        if self.person.number == GUEST:
            return ()
        return tuple(one.seat for one in info.seats if one.person == self.person.name)

    def check_may_play(self) -> None:
        """Guests may only watch, if the operator wants it so.

        Raises:
            No: so it is.
        """
        if not self.person.may_play:
            raise No("You may only watch here.")

    async def paced(self) -> None:
        """Wait until one more line of play is not too many."""
        while self.around.ask("line"):
            await asyncio.sleep(_PAUSE)

    async def left(self) -> None:
        """Return when the other end has gone, or has pressed Ctrl-C or Ctrl-D at a terminal.

        What else comes is thrown away. The end of the input alone is no leaving.
        """
        try:
            async for data in pieces(self.process.stdin):
                if self.has_terminal and (_CTRL_C in data or _CTRL_D in data):
                    return
        except Gone:
            return
        await self.process.channel.wait_closed()


def seat_in(info: GameInfo, name: str) -> Seat:
    """A seat that a game has, by its name or number.

    Raises:
        Wrong: it has none of that name.
    """
    wanted = name[:80].casefold()
    named = {one.name.casefold(): one.seat for one in info.seats}
    named.update((str(one.seat), one.seat) for one in info.seats)
    seat = named.get(wanted)
    if seat is None:
        known = ", ".join(one.name for one in info.seats)
        raise Wrong(f"game {info.number} has no seat {name[:80]!r}; it has {known}")
    return seat


def called(info: GameInfo, seat: Seat) -> str:
    """What a game calls a seat."""
    return next((one.name for one in info.seats if one.seat == seat), f"seat {seat}")
