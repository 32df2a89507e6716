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

from host.server.database import StoreFault
from host.server.people import Guest, Person
from host.server.rate_limits import Taken, network
from host.ssh.probe import probe
from host.ssh.ssh_connection import NO_ACCOUNTS, SILENT, AccessControl, SshConnection, enrolled
from host.ssh.terminal_session import BROKEN, TerminalSessions
from host.ssh.wire import ChannelWire, SshSession
from tui.terminal.capabilities import Terminal

RunCommand = Callable[[str, Person, SshSession], Awaitable[int]]
"""Runs ``ssh HOST COMMAND`` for a person in a session; returns the exit code."""

MakeFiles = Callable[[Person, Any], asyncssh.SFTPServer]
"""Makes the SFTP server of a person for a channel."""

ANOTHER: Final = "another"
"""Command that opens another terminal session for the same person."""

TICK: Final = 1.0
"""Seconds between two checks of connections and terminal sessions."""

_WINDOW: Final = 64 * 1024
"""Bytes that a client may send ahead in a session."""

_IN_THE_SYSTEM: Final = 16 * 1024
"""Unsent bytes of a connection in the kernel's buffer, which cannot be withdrawn."""

_CLOSING: Final = 0.5
"""Seconds that connections have to close when the host stops."""

_SFTP_VERSION: Final = 3

_NO_TERMINAL: Final = (
    "This is played on a terminal: come with ssh -t, or give a command; help lists them."
)
_UNKNOWN: Final = (
    "This key is not known here. Come once with a terminal, no command, and an invitation."
)
_POOR: Final = "This terminal cannot place its cursor, so the game is played in lines."

_FAULT: Final = 70
"""Exit code of a session that failed."""

_log = logging.getLogger(__name__)


class ServerSettings(NamedTuple):
    """Settings of the server. Times are in seconds."""

    guests: bool = False
    """True if the user name ``guest`` needs no key."""
    guests_play: bool = False
    """True if guests may take seats, which they keep while connected."""
    login: float = 30.0
    """Time for a client to authenticate."""
    keepalive: float = 30.0
    """Time between keepalive requests."""
    patience: int = 4
    """Unanswered keepalive requests before the connection is closed."""


class Server:
    """Listens, admits people, and connects each session to a screen, a command or files."""

    def __init__(
        self,
        access: AccessControl,
        terminals: TerminalSessions,
        commands: RunCommand,
        *,
        files: MakeFiles | None = None,
        settings: ServerSettings | None = None,
        full: Callable[[Taken], str] = lambda _taken: "",
    ) -> None:
        """Make a server that does not listen yet.

        Args:
            access: accounts, limits and log.
            terminals: sessions of people with a terminal.
            commands: runs commands without a terminal.
            files: makes SFTP servers.
            settings: guests and times.
            full: returns why another session is refused beside the open ones.
        """
        self.full = full
        """Returns why another session is refused beside the open ones, or an empty text."""
        self.on_gone: Callable[[Person], None] = lambda _person: None
        """Called with the person of a connection that has ended."""
        self.terminals = terminals
        self._access = access
        self._commands = commands
        self._files = files
        self._settings = settings or ServerSettings()
        self._connections: set[SshConnection] = set()
        self._listener: asyncssh.SSHAcceptor | None = None
        self._guests = 0
        """Number of guests so far."""
        self._ticking: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """Port on which it listens; 0 before ``start``."""
        return self._listener.get_port() if self._listener is not None else 0

    async def start(self, host: str, port: int, key: asyncssh.SSHKey) -> None:
        """Listen; port 0 picks any free one.

        Raises:
            OSError: the address is not available.
        """
        bound_inflating()
        self._listener = await asyncssh.create_server(
            self._connection,
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
            login_timeout=self._settings.login,
            # No method of a default set that relies on SHA-1.
            kex_algs="-*-sha1",
            mac_algs="-*-sha1*",
            signature_algs="-ssh-rsa",
            keepalive_interval=self._settings.keepalive,
            keepalive_count_max=self._settings.patience,
        )
        self._ticking = asyncio.create_task(self._tick())

    async def close(self, why: str) -> None:
        """Stop listening, end all sessions with a reason, and close."""
        if self._listener is not None:
            self._listener.close()
        if self._ticking is not None:
            self._ticking.cancel()
        await self.terminals.close(why)
        # The last output still has to be sent.
        for _ in range(20):
            if not any(connection.sessions for connection in self._connections):
                break
            await asyncio.sleep(0.05)
        for connection in tuple(self._connections):
            connection.close()
        if self._listener is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._listener.wait_closed(), _CLOSING)
        for connection in tuple(self._connections):  # they read nothing
            connection.abort()

    def kick(self, number: int, why: str) -> None:
        """Close the terminal sessions and connections of a person."""
        self.terminals.end(number, why)
        for connection in tuple(self._connections):
            if connection.person is not None and connection.person.number == number:
                asyncio.get_running_loop().call_later(TICK, connection.close)

    @property
    def connections(self) -> int:
        """Number of open connections."""
        return len(self._connections)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            now = asyncio.get_running_loop().time()
            for connection in tuple(self._connections):
                connection.tick(now)
            self.terminals.tick()

    # -- connections -------------------------------------------------------------------------------

    def _connection(self) -> SshConnection:
        return SshConnection(
            self._access,
            self._session,
            self._connections,
            on_gone=self.on_gone,
            guests=self._settings.guests,
        )

    def _session(self, connection: SshConnection) -> SshSession:
        async def serve(process: Any) -> None:
            await self._serve(connection, process)

        async def files(channel: Any) -> asyncssh.SFTPServer:
            return await self._served_files(connection, channel)

        session = SshSession(
            serve, files if self._files is not None else None, _SFTP_VERSION, allow_scp=False
        )
        session.on_open, session.on_input = connection.count, connection.hear
        return session

    async def _served_files(self, connection: SshConnection, channel: Any) -> asyncssh.SFTPServer:
        person, why = await self._person(connection)
        why = why or (_UNKNOWN if person is None else self._too_many(connection))
        if why or person is None or self._files is None:
            raise asyncssh.SFTPPermissionDenied(why)
        connection.is_admitted = True
        return self._files(person, channel)

    def _guest(self, address: str) -> Guest:
        if not self._settings.guests_play:
            return Guest(origin=address)
        self._guests += 1
        number = self._guests
        return Guest(number=-number, name=f"guest {number}", may_play=True, origin=address)

    async def _person(self, connection: SshConnection) -> tuple[Person | None, str]:
        """Return the person of a connection, or None and the reason."""
        if connection.key is None:
            connection.person = connection.person or self._guest(connection.address)
            return connection.person, ""
        try:
            if ban := await self._access.ban(connection.key):
                connection.note("banned person refused", "")
                return None, f"You may not come here: {ban}"
            connection.person = await self._access.person(connection.key)
        except StoreFault as fault:
            _log.error("%s", fault)
            return None, NO_ACCOUNTS
        return connection.person, ""

    async def _serve(self, connection: SshConnection, process: SshSession) -> None:
        """Run one session from beginning to end; its faults do not affect others."""
        hurry(process)
        code = _FAULT
        try:
            code = await self._led(connection, process)
        except (asyncssh.Error, OSError):
            pass
        except Exception:  # noqa: BLE001 - whatever it is, the others go on
            _log.exception("a session broke")
            tell(process, BROKEN)
        with contextlib.suppress(asyncssh.Error, OSError):
            process.exit(code)

    async def _led(self, connection: SshConnection, process: SshSession) -> int:
        """Run what the session asks for: a screen, a command or files; return the exit code."""
        person, why = await self._person(connection)
        if process.channel.is_closing():  # lost while the person was looked up
            return _FAULT
        command = (process.command or "").strip()
        has_terminal = process.term_type is not None
        if process.subsystem is not None:
            why = why or "There is no such subsystem here."
        elif person is None and (connection.key is None or command or not has_terminal):
            why = why or _UNKNOWN
        elif not has_terminal and not command:
            why = why or _NO_TERMINAL
        elif not why:
            why = self._too_many(connection)
        if why:
            tell(process, why)
            return 1
        connection.is_admitted = True
        if person is not None and command and not (has_terminal and command == ANOTHER):
            return await self._command(connection, person, command, process)
        wire = ChannelWire(process)
        if person is None and connection.key is not None:
            person = connection.person = await enrolled(
                wire, connection, self._access, connection.key
            )
        if person is None:
            return 1
        return await self._at_terminal(
            connection, person, wire, process, another=command == ANOTHER
        )

    def _too_many(self, asking: SshConnection) -> str:
        """Return why another session is refused, or an empty text; this one is already counted."""
        pool = [one for one in self._connections if one.pool == asking.pool]
        here = network(asking.address)
        near = sum(one.sessions for one in pool if network(one.address) == here)
        own = sum(one.sessions for one in pool if one.person == asking.person)
        total = sum(one.sessions for one in pool)
        why = self.full(Taken(asking.pool, total - 1, own - 1, near - 1))
        return "" if why and asking.pool == "guest" and self._make_room(asking) else why

    def _make_room(self, asking: SshConnection) -> bool:
        """Disconnect the guest who has been silent the longest; return whether there is one."""
        now = asyncio.get_running_loop().time()
        silent = [
            one
            for one in self._connections
            if one is not asking and one.pool == "guest" and one.sessions
            if now - one.heard >= SILENT
        ]
        if not silent:
            return False
        longest = min(silent, key=lambda one: one.heard)
        longest.hear()  # not chosen again while it leaves
        self.terminals.end_for(longest.person, "Others wait for your place.")
        asyncio.get_running_loop().call_later(TICK, longest.close)
        return True

    async def _command(
        self, connection: SshConnection, person: Person, command: str, process: SshSession
    ) -> int:
        why = self._access.ask("exec", connection.address, connection.fingerprint)
        if why:
            connection.note("limit hit", why)
            tell(process, why)
            return 1
        return await self._commands(command, person, process)

    async def _at_terminal(
        self,
        connection: SshConnection,
        person: Person,
        wire: ChannelWire,
        process: SshSession,
        *,
        another: bool,
    ) -> int:
        terminal = await self._terminal(connection, wire, process.term_type or "")
        if not terminal.usable:
            tell(process, _POOR)
            wire.let_go()
            return await self._commands("play --plain", person, process)
        await self.terminals.attach(person, wire, terminal, another=another)
        return 0

    async def _terminal(self, connection: SshConnection, wire: ChannelWire, term: str) -> Terminal:
        """Return the capabilities of the client's terminal, using earlier answers about it."""
        if connection.key is None:
            return (await probe(wire, term)).terminal
        known = await self._access.remembered(connection.key, term)
        found = await probe(wire, term, known)
        if found.remembered != known and any(found.remembered):
            await self._access.remember(connection.key, term, found.remembered)
        return found.terminal


def tell(process: SshSession, text: str) -> None:
    """Write one line to a session: to its terminal, or else to its error stream."""
    with contextlib.suppress(asyncssh.Error, OSError):
        if process.term_type is not None:
            process.stdout.write(f"{text}\r\n".encode())
        else:
            process.stderr.write(f"{text}\n".encode())


def hurry(process: SshSession) -> None:
    """Keep the kernel's send buffer small, so that slow connections show current frames."""
    wanted = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    found = process.get_extra_info("socket")
    if wanted is not None and found is not None:
        with contextlib.suppress(OSError):
            found.setsockopt(socket.IPPROTO_TCP, wanted, _IN_THE_SYSTEM)


# -- compressed packets ---------------------------------------------------------------------------


MOST: Final = 128 * 1024
"""Maximum bytes to which a packet may inflate; honest ones have at most 32 KiB."""

_NAME: Final = b"zlib@openssh.com"


class Bounded(compression.Decompressor):
    """Decompressor of client packets that refuses bombs."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj()

    def decompress(self, data: bytes) -> bytes | None:
        """Return the inflated packet, or None if it is invalid or too large.

        None ends the connection.
        """
        try:
            found = self._stream.decompress(data, MOST)
        except zlib.error:
            return None
        return found if not self._stream.unconsumed_tail else None


def bound_inflating() -> None:
    """Limit decompression for all connections of this process; asyncssh has no limit."""
    compression._cmp_decompressors[_NAME] = Bounded  # noqa: SLF001 - it can only be added to
