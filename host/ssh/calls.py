"""SSH commands: parsing, the calling person, the services around them, output streams."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import asyncssh

from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.record import Record
from engine.tabletop.new_game import level_name
from host.server.clocks import span
from host.server.people import GUEST, Person
from host.server.ports import (
    GameInfo,
    GameServerPort,
    HostedGamePort,
    ParticipantPort,
    Ports,
    SeatInfo,
)
from host.ssh.text import MOST_WAITING, Gone, LineWriter, pieces
from tui.console.commands import (
    SSH,
    CommandSpec,
    HelpRequest,
    Misuse,
    RemoteParser,
    find_command,
    listed,
)
from tui.console.exits import Exit, Wrong
from tui.play.seats import find_seat, listed_seats, numbered_seat

Process = asyncssh.SSHServerProcess[bytes]

_PAUSE = 0.25
"""Seconds between two checks of the rate limit of lines."""

_CTRL_C = b"\x03"
_CTRL_D = b"\x04"


class CallDenied(Exception):
    """The command is not allowed, or not now; the text is one line for the person."""


class HostStatus(Record, frozen=True):
    """Public status of the host."""

    version: str
    uptime: float
    """Seconds since the start."""
    sessions: int
    """Open connections."""
    people: tuple[str, ...]
    """Names of people who are connected."""


def _allowed(_kind: str) -> str:
    return ""


def _unnoted(_event: str, _detail: str) -> None:
    pass


def _unreported(_problem: BaseException) -> None:
    pass


@dataclass(frozen=True)
class CommandContext:
    """Services that the host provides to the commands of one connection."""

    status: Callable[[], HostStatus]
    ask: Callable[[str], str] = _allowed
    """Counts a ``line`` of play or of ``chat``; returns why it is refused, or an empty text."""
    note: Callable[[str, str], None] = _unnoted
    """Writes an event and its detail to the security log."""
    fault: Callable[[BaseException], None] = _unreported
    """Logs an internal fault that is hidden from the client."""
    admin: Callable[[Sequence[str], str], tuple[Exit, list[str]]] | None = None
    """Runs an operator's command for the named administrator; called in another thread."""
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(50))
    """Limits concurrent games in lines; shared by all connections."""
    most_waiting: int = MOST_WAITING
    """Maximum items queued for a slow reader before it is dropped."""


@dataclass(frozen=True)
class Call:
    """One command of one person, with its output streams."""

    args: argparse.Namespace
    person: Person
    game_server: GameServerPort
    ports: Ports
    process: Process
    context: CommandContext
    out: LineWriter
    err: LineWriter

    @property
    def has_terminal(self) -> bool:
        """True if the client has a terminal."""
        return self.process.get_terminal_type() is not None

    async def hosted(self) -> HostedGamePort:
        """Return the game that the command names.

        Raises:
            Wrong: no game has that number.
            SaveFault: its save cannot be opened.
        """
        try:
            return await self.game_server.game(self.args.game)
        except LookupError:
            raise Wrong(f"there is no game {self.args.game}; games lists them") from None

    @contextmanager
    def place(self, hosted: HostedGamePort) -> Iterator[ParticipantPort]:
        """Yield this person as a participant, who is removed after the ``with`` block.

        Raises:
            CallDenied: this person may not watch the game.
        """
        if why := hosted.may_watch(self.person):
            raise CallDenied(why)
        place = hosted.place(self.person)
        try:
            yield place
        finally:
            place.leave()

    @contextmanager
    def presence(self, hosted: HostedGamePort) -> Iterator[ParticipantPort]:
        """Yield this person as a participant who looks at the game during the ``with`` block.

        Raises:
            CallDenied: this person may not watch the game.
        """
        with self.place(hosted) as place:
            self.game_server.come(self.person)
            try:
                place.look()
                yield place
            finally:
                self.game_server.go(self.person)

    def own_seats(self, info: GameInfo) -> tuple[Seat, ...]:
        """Return the seats of a game that belong to this person."""
        if self.person.number == GUEST:
            return ()
        name = self.game_server.current_name(self.person)
        return tuple(one.seat for one in info.seats if one.person == name)

    def check_may_play(self) -> None:
        """Check that the person may play; the operator may limit guests to watching.

        Raises:
            CallDenied: this person may only watch.
        """
        if not self.person.may_play:
            raise CallDenied("You may only watch here.")

    async def paced(self) -> None:
        """Wait until the rate limit allows a further line of play."""
        while self.context.ask("line"):
            await asyncio.sleep(_PAUSE)

    async def left(self) -> None:
        """Wait until the client has gone, or has pressed Ctrl-C or Ctrl-D at a terminal.

        Other input is dropped. The end of the input alone does not count as leaving.
        """
        try:
            async for data in pieces(self.process.stdin):
                if self.has_terminal and (_CTRL_C in data or _CTRL_D in data):
                    return
        except Gone:
            return
        await self.process.channel.wait_closed()


def seat_in(info: GameInfo, name: str) -> Seat:
    """Return a seat of a game by its name, number or letter.

    Raises:
        Wrong: the seat does not exist.
    """
    names = {one.seat: one.name for one in info.seats}
    seat = find_seat([names.get(seat, "") for seat in range(1 + max(names, default=-1))], name[:80])
    if seat is None or seat not in names:
        known = listed_seats(names.items())
        raise Wrong(f"game {info.number} has no seat {name[:80]!r}; it has {known}")
    return seat


def called(info: GameInfo, seat: Seat) -> str:
    """Return the name of a seat in its game."""
    return next((one.name for one in info.seats if one.seat == seat), f"seat {seat}")


def confirmed(info: GameInfo, seat: Seat) -> str:
    """Return the name and number of a seat, which a person may have chosen by either."""
    return numbered_seat(seat, called(info, seat))


def stand_ins(hosted: HostedGamePort, place: ParticipantPort) -> Iterator[str]:
    """Yield a sentence for each of the person's seats that a computer plays now."""
    for one in hosted.info.seats:
        if one.seat in place.own_seats and one.bot:
            yield stands_in(hosted, one, one.bot)


def stands_in(hosted: HostedGamePort, one: SeatInfo, level: str) -> str:
    """Return a sentence that a computer plays a person's seat, and how to take it back."""
    return (
        f"The computer ({level_name(level)}) plays {one.name} for you;"
        f" take it back with: sit {hosted.number} {''.join(one.name.split())}"
    )


async def viewer_told(call: Call, hosted: HostedGamePort, place: ParticipantPort) -> Viewer:
    """Return ``viewer_of``, after telling the person which of their seats a computer plays."""
    viewer = viewer_of(call, hosted, place)
    if not place.is_over:
        await call.err.say(*stand_ins(hosted, place))
    return viewer


def viewer_of(call: Call, hosted: HostedGamePort, place: ParticipantPort) -> Viewer:
    """Return the viewer: the named seat, the person's only seat, or the public.

    Of several seats the only one that no computer plays now counts as the only one.

    Raises:
        Wrong: the seat does not exist.
        CallDenied: the person has several seats, and names none.
    """
    if call.args.seat is not None:
        return seat_in(hosted.info, call.args.seat)
    own = place.seats or place.own_seats
    if len(own) > 1:
        names = ", ".join(called(hosted.info, seat) for seat in own)
        raise CallDenied(f"You have several seats there: {names}; name one with --seat")
    return own[0] if own else PUBLIC


def not_yours(hosted: HostedGamePort, viewer: Viewer) -> str:
    """Return a sentence on why a person may not look as a viewer."""
    if viewer == PUBLIC:
        return "That game is not to be watched."
    return f"The seat of {called(hosted.info, viewer)} is not yours."


# -- reading a command ----------------------------------------------------------------------------


LONGEST: Final = 2_000
"""Maximum characters of a command."""


_TORN: Final = " (leave out the blanks of a seat's name, as in Player2)"
"""Hint at a name that is two words here, since ``ssh`` sends no quotes."""


def seconds(text: str) -> int:
    """Parse a time span such as ``90s``, ``5m``, ``12h`` or ``1d`` into seconds.

    Raises:
        ArgumentTypeError: the text is no time span.
    """
    try:
        return span(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def parse(command: str) -> argparse.Namespace:
    """Parse a command line; the attribute ``command`` is the command's name.

    Raises:
        Wrong: it is no valid command.
        HelpRequest: it only asks for help.
    """
    if len(command) > LONGEST:
        raise Wrong(f"a command may have {LONGEST} characters; see help")
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise Wrong(f"{str(problem).lower().rstrip('.')}; see help") from None
    if not words or words[0] in ("-h", "--help"):
        raise HelpRequest(overview())
    found = spec_of(words[0])
    args = argparse.Namespace(command=found.name)
    if found.name == "admin":
        args.words = words[1:]
        return args
    try:
        return _parser(found).parse_args(words[1:], args)
    except Misuse as problem:
        is_torn = "--seat" in words and str(problem).startswith("unrecognized arguments")
        hint = _TORN if is_torn else ""
        raise Wrong(f"{problem}{hint}; see help {found.name}") from None


def spec_of(name: str) -> CommandSpec:
    """Return a command by its name.

    Raises:
        Wrong: the command does not exist.
    """
    found = find_command(SSH, name)
    if found is not None:
        return found
    if name == "scp":
        raise Wrong("the old protocol of scp is not spoken here; use scp without -O, or sftp")
    raise Wrong(f"there is no command {name[:30]!r}; help lists them")


def help_of(name: str) -> str:
    """Return the help of a command.

    Raises:
        Wrong: the command does not exist.
    """
    return _parser(spec_of(name)).format_help()


def _parser(spec: CommandSpec) -> RemoteParser:
    usage = spec.usage.replace("%", "%%")
    return spec.parser(spec.name, RemoteParser, {"span": seconds}, usage)


def overview() -> str:
    """Return the list of all commands, a line each."""
    return (
        "usage: ssh HOST [COMMAND ...]\n\n"
        "Without a command the screen opens (from a terminal).\n\n"
        f"commands:\n{listed(SSH)}\n"
        "'help COMMAND' tells more, with an example. Files: sftp HOST, scp HOST:/README.txt .\n"
    )
