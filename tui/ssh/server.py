"""SSH server of a host: listens, and leads each session to a screen, a command or files."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import zlib
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import asyncssh
from asyncssh import compression

from engine.core.record import replace
from tui.host.people import Person
from tui.ssh.probe import probe
from tui.ssh.ssh_connection import Door, Reception, enrolled, guest
from tui.ssh.terminal_session import BROKEN, Desks
from tui.ssh.wire import ChannelWire, Session
from tui.terminal.capabilities import Terminal

Commands = Callable[[str, Person, Session], Awaitable[int]]
"""Carries out ``ssh HOST COMMAND`` for a person in a session; its exit code."""

Files = Callable[[Person, Any], asyncssh.SFTPServer]
"""Makes what a person may fetch by SFTP, for a channel."""

ANOTHER: Final = "another"
"""The command that sits one down at one more desk of one's own."""

TICK: Final = 1.0
"""Seconds between looks at connections and desks."""

_WINDOW: Final = 64 * 1024
"""Bytes that a client may send ahead in a session."""

_IN_THE_SYSTEM: Final = 16 * 1024
"""Unsent bytes that the system keeps of a connection: what it has cannot be taken back."""

_SFTP_VERSION: Final = 3

_NO_TERMINAL: Final = (
    "This is played on a terminal: come with ssh -t, or give a command; help lists them."
)
_UNKNOWN: Final = (
    "This key is not known here. Come once with a terminal, no command, and an invitation."
)
_POOR: Final = "This terminal cannot place its cursor, so the game is played in lines."

_FAULT: Final = 70
"""Exit code when a session broke."""

_log = logging.getLogger(__name__)


class Manner(NamedTuple):
    """How a host lets people in. Times in seconds."""

    guests: bool = False
    """Whether the user name ``guest`` needs no key."""
    guests_play: bool = False
    """Whether guests may take seats, which are theirs as long as they are connected."""
    login: float = 30.0
    """Until somebody has shown a key."""
    keepalive: float = 30.0
    """Between questions whether the other end is still there."""
    patience: int = 4
    """Such questions without an answer."""


class Server:
    """Listens, lets people in, and leads them to a desk, a command or files."""

    def __init__(
        self,
        reception: Reception,
        desks: Desks,
        commands: Commands,
        *,
        files: Files | None = None,
        manner: Manner | None = None,
        full: Callable[[int, int], str] = lambda _all, _own: "",
    ) -> None:
        """Not listening yet.

        Args:
            reception: accounts, limits and log.
            desks: where people with a terminal sit.
            commands: what is done without one.
            files: makes what may be fetched.
            manner: how people are let in.
            full: why there cannot be one more session, told how many there are, of all and of the
                person who comes.
        """
        self._full = full
        self.desks = desks
        self._reception = reception
        self._commands = commands
        self._files = files
        self._manner = manner or Manner()
        self._doors: set[Door] = set()
        self._listener: asyncssh.SSHAcceptor | None = None
        self._guests = 0
        """So many guests have come."""
        self._ticking: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._listener.get_port() if self._listener is not None else 0

    async def start(self, host: str, port: int, key: asyncssh.SSHKey) -> None:
        """Listen; port 0 is any that is free.

        Raises:
            OSError: the address cannot be had.
        """
        bound_inflating()
        self._listener = await asyncssh.create_server(
            self._door,
            host,
            port,
            server_host_keys=[key],
            server_version="banneret",
            encoding=None,
            line_editor=False,
            window=_WINDOW,
            public_key_auth=True,
            password_auth=False,
            kbdint_auth=False,
            host_based_auth=False,
            gss_host=None,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            compression_algs=["zlib@openssh.com", "none"],
            login_timeout=self._manner.login,
            keepalive_interval=self._manner.keepalive,
            keepalive_count_max=self._manner.patience,
        )
        self._ticking = asyncio.create_task(self._tick())

    async def close(self, why: str) -> None:
        """Take nobody any more, say good-bye to everybody, and end."""
        if self._listener is not None:
            self._listener.close()
        if self._ticking is not None:
            self._ticking.cancel()
        await self.desks.close(why)
        # What was written last is still to be sent.
        for _ in range(20):
            if not any(door.sessions for door in self._doors):
                break
            await asyncio.sleep(0.05)
        for door in tuple(self._doors):
            door.close()
        if self._listener is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._listener.wait_closed(), 2.0)

    def kick(self, number: int, why: str) -> None:
        """Close the desks and connections of a person."""
        self.desks.end(number, why)
        for door in tuple(self._doors):
            if door.person is not None and door.person.number == number:
                asyncio.get_running_loop().call_later(TICK, door.close)

    @property
    def connections(self) -> int:
        """How many are open."""
        return len(self._doors)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            now = asyncio.get_running_loop().time()
            for door in tuple(self._doors):
                door.tick(now)
            self.desks.tick()

    # -- somebody comes ----------------------------------------------------------------------------

    def _door(self) -> Door:
        return Door(self._reception, self._session, self._doors, guests=self._manner.guests)

    def _session(self, door: Door) -> Session:
        async def serve(process: Any) -> None:
            await self._serve(door, process)

        async def files(channel: Any) -> asyncssh.SFTPServer:
            return await self._served_files(door, channel)

        session = Session(
            serve, files if self._files is not None else None, _SFTP_VERSION, allow_scp=False
        )
        session.on_open = door.count
        return session

    async def _served_files(self, door: Door, channel: Any) -> asyncssh.SFTPServer:
        person, why = await self._person(door)
        if person is None or self._files is None:
            raise asyncssh.SFTPPermissionDenied(why or _UNKNOWN)
        return self._files(person, channel)

    def _guest(self) -> Person:
        if not self._manner.guests_play:
            return guest()
        self._guests += 1
        return replace(guest(), number=-self._guests, may_play=True, name=f"guest {self._guests}")

    async def _person(self, door: Door) -> tuple[Person | None, str]:
        """Who comes through a door, and why not, if not."""
        if door.key is None:
            door.person = door.person or self._guest()
            return door.person, ""
        ban = await self._reception.ban(door.key)
        if ban:
            door.note("banned person refused", "")
            return None, f"You may not come here: {ban}"
        door.person = await self._reception.person(door.key)
        return door.person, ""

    async def _serve(self, door: Door, process: Session) -> None:
        """One session from beginning to end; whatever happens in it is its own affair."""
        hurry(process)
        code = _FAULT
        try:
            code = await self._led(door, process)
        except (asyncssh.Error, OSError):
            pass
        except Exception:  # noqa: BLE001 - whatever it is, the others go on
            _log.exception("a session broke")
            tell(process, BROKEN)
        with contextlib.suppress(asyncssh.Error, OSError):
            process.exit(code)

    async def _led(self, door: Door, process: Session) -> int:
        """Lead somebody to where they want to go; the exit code."""
        person, why = await self._person(door)
        if process.channel.is_closing():  # the line was lost while it was looked up who comes
            return _FAULT
        command = (process.command or "").strip()
        has_terminal = process.term_type is not None
        if process.subsystem is not None:
            why = why or "There is no such subsystem here."
        elif person is None and (door.key is None or command or not has_terminal):
            why = why or _UNKNOWN
        elif not has_terminal and not command:
            why = why or _NO_TERMINAL
        elif not why:
            why = self._too_many(person)
        if why:
            tell(process, why)
            return 1
        if person is not None and command and not (has_terminal and command == ANOTHER):
            return await self._command(door, person, command, process)
        wire = ChannelWire(process)
        if person is None and door.key is not None:
            person = door.person = await enrolled(wire, door, self._reception, door.key)
        if person is None:
            return 1
        return await self._at_desk(door, person, wire, process, another=command == ANOTHER)

    def _too_many(self, person: Person | None) -> str:
        """Why there cannot be another session; the one that asks is counted already."""
        number = person.number if person is not None else None
        everywhere = sum(door.sessions for door in self._doors)
        own = sum(
            door.sessions
            for door in self._doors
            if door.person is not None and door.person.number == number
        )
        return self._full(everywhere - 1, own - 1 if number else 0)

    async def _command(self, door: Door, person: Person, command: str, process: Session) -> int:
        why = self._reception.ask("exec", door.address, door.fingerprint)
        if why:
            door.note("limit hit", why)
            tell(process, why)
            return 1
        return await self._commands(command, person, process)

    async def _at_desk(
        self,
        door: Door,
        person: Person,
        wire: ChannelWire,
        process: Session,
        *,
        another: bool,
    ) -> int:
        terminal = await self._terminal(door, wire, process.term_type or "")
        if not terminal.usable:
            tell(process, _POOR)
            wire.let_go()
            return await self._commands("play --plain", person, process)
        await self.desks.sit(person, wire, terminal, another=another)
        return 0

    async def _terminal(self, door: Door, wire: ChannelWire, term: str) -> Terminal:
        """What somebody's terminal can show, with what was answered about it before."""
        if door.key is None:
            return (await probe(wire, term)).terminal
        known = await self._reception.remembered(door.key, term)
        found = await probe(wire, term, known)
        if found.remembered != known and any(found.remembered):
            await self._reception.remember(door.key, term, found.remembered)
        return found.terminal


def tell(process: Session, text: str) -> None:
    """One line for a person, where it disturbs no program that reads the answers."""
    with contextlib.suppress(asyncssh.Error, OSError):
        if process.term_type is not None:
            process.stdout.write(f"{text}\r\n".encode())
        else:
            process.stderr.write(f"{text}\n".encode())


def hurry(process: Session) -> None:
    """Let little wait in the system, so that a slow line shows what is and not what was."""
    wanted = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    found = process.get_extra_info("socket")
    if wanted is not None and found is not None:
        with contextlib.suppress(OSError):
            found.setsockopt(socket.IPPROTO_TCP, wanted, _IN_THE_SYSTEM)


# -- compressed packets ---------------------------------------------------------------------------


MOST: Final = 128 * 1024
"""Bytes that a packet may unfold into; honest ones are at most 32 KiB."""

_NAME: Final = b"zlib@openssh.com"


class Bounded(compression.Decompressor):
    """Unfolds what a client sends as long as it is of a sensible size."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj()

    def decompress(self, data: bytes) -> bytes | None:
        """The packet; None, which ends the connection, if it is no good."""
        try:
            found = self._stream.decompress(data, MOST)
        except zlib.error:
            return None
        return found if not self._stream.unconsumed_tail else None


def bound_inflating() -> None:
    """Let all connections of this process unfold in bounds; asyncssh itself knows none."""
    compression._cmp_decompressors[_NAME] = Bounded  # noqa: SLF001 - it can only be added to
