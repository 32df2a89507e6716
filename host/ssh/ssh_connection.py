"""SSH connections: keys, accounts, limits, and the enrolment of new people."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, cast

import asyncssh
from asyncssh.channel import SSHServerChannel

from engine.tabletop.board import GlyphSet
from host.server.cleaning import BadName
from host.server.database import StoreFault
from host.server.people import GUEST_NAME, Enrolment, KeyInfo, Person
from host.server.rate_limits import PoolName, RateLimiter, network
from host.server.security import SecurityLog
from host.server.store import Store
from host.ssh.console import asked
from host.ssh.probe import Remembered
from host.ssh.wire import SshSession, Wire, pressing
from tui.terminal.capabilities import Depth

LimitKind = Literal["connection", "auth", "session", "exec"]
"""Kinds of rate limits."""

TRIES: Final = 3
"""Maximum invitation codes that may be tried before the session is closed."""

LONGEST_LINE: Final = 80

WAIT_FOR_A_PERSON: Final = 180.0
"""Seconds for the whole enrolment."""

MOST_CHANNELS: Final = 8
"""Maximum concurrent sessions of a connection."""

MOST_OFFERED: Final = 30
"""Maximum keys that a connection may offer; clients offer all they have."""

EMPTY: Final = 30.0
"""Seconds that a connection may be open without a session."""

SILENT: Final = 60.0
"""Seconds of silence after which a newcomer is disconnected, and a guest if others wait."""

MOST_WAITING: Final = 200
"""Maximum connections not yet admitted; above it, the longest-waiting of a crowd is dropped."""

MOST_PRESSING: Final = 8 * 1024 * 1024
"""Unsent bytes of a connection, of any kind, above which it is aborted."""

_log = logging.getLogger(__name__)


class Key(NamedTuple):
    """Key whose possession a client has proved."""

    fingerprint: str
    """Fingerprint as ``ssh-keygen -l`` writes it: ``SHA256:`` and 43 characters."""
    algorithm: str


class QuietChannel(SSHServerChannel):  # type: ignore[type-arg]  # it takes bytes and texts alike
    """Channel that ignores the client's environment."""

    def _process_env_request(self, packet: Any) -> bool:  # noqa: ARG002 - as asyncssh calls it
        return False


class SshConnection(asyncssh.SSHServer):
    """One SSH connection. Every key is accepted; its owner decides what is allowed."""

    def __init__(
        self,
        access: AccessControl,
        session: Callable[[SshConnection], SshSession],
        connections: set[SshConnection],
        *,
        on_gone: Callable[[Person], None],
        guests: bool,
    ) -> None:
        """Make a connection that is not established yet.

        Args:
            access: accounts, limits and log.
            session: makes a session.
            connections: set of open connections, which this one joins.
            on_gone: called with its person, if known, when it has ended.
            guests: True if the guest name needs no key.
        """
        self.address = ""
        self.person: Person | None = None
        """Owner of the key as of the latest lookup; None if unknown."""
        self.key: Key | None = None
        """Proved key; None for guests and before authentication."""
        self.sessions = 0
        """Number of open sessions."""
        self._access = access
        self._session = session
        self._connections = connections
        self._on_gone = on_gone
        self._guests = guests
        self._connection: Any = None
        self._is_in = False
        self._offered = 0
        self.since = asyncio.get_running_loop().time()
        """Loop time since which it has no session."""
        self.heard = self.since
        """Loop time of the latest input of a session, or of the latest one opened."""
        self.is_admitted = False
        """True once a person was admitted, or may try to enrol."""

    # -- start and end -----------------------------------------------------------------------------

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Register the connection, or refuse it by its rate limit."""
        self._connection = conn
        self.address = str((conn.get_extra_info("peername") or ("",))[0])
        why = self._access.ask("connection", self.address, "")
        if why:
            self.note("connection refused", why)
            conn.abort()
            return
        self._connections.add(self)
        _thin_out(self._connections)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncssh's
        """Forget the connection; asyncssh has informed its sessions."""
        self._connections.discard(self)
        if not self._is_in and self._connection is not None:
            self._access.ask("auth", self.address, "")
        self._connection = None
        if self.person is not None:
            self._on_gone(self.person)

    def tick(self, now: float) -> None:
        """Close a connection that is unused or does not read, or whose newcomer is silent."""
        if self._connection is None:
            return
        if pressing(self._connection) > MOST_PRESSING:
            self.note("slow reader dropped", "a connection that takes nothing")
            self.abort()
        elif self.sessions:
            self.since = now
            if self.pool == "newcomer" and now - self.heard > SILENT:
                self._disconnect("Nothing was typed for a minute")
        elif self._is_in and now - self.since > EMPTY:
            self._disconnect("Nothing was asked for")

    def count(self, by: int) -> None:
        """Add 1 for a new session, or -1 for one that has ended."""
        self.sessions += by
        if by > 0:
            self.hear()
        elif not self.sessions and self.pool != "account":
            self.is_admitted = False

    def hear(self) -> None:
        """Note that a session has sent something."""
        self.heard = asyncio.get_running_loop().time()

    @property
    def pool(self) -> PoolName:
        """Pool that its sessions count in; that of newcomers until its person is known."""
        if self.person is None:
            return "newcomer"
        return "guest" if self.person.is_guest else "account"

    def _disconnect(self, why: str) -> None:
        self._connection.disconnect(asyncssh.DISC_BY_APPLICATION, why)

    def close(self) -> None:
        """End the connection after sending what is left."""
        if self._connection is not None:
            self._connection.close()

    def abort(self) -> None:
        """End the connection without sending what is left."""
        if self._connection is not None:
            self._connection.abort()

    def note(self, kind: str, text: str) -> None:
        """Write an event of this connection to the security log."""
        self._access.note(kind, self.address, self.fingerprint, text)

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the key; empty for guests."""
        return self.key.fingerprint if self.key is not None else ""

    # -- keys --------------------------------------------------------------------------------------

    def begin_auth(self, username: str) -> bool:
        """Return whether a key is needed, and forget a key shown under another user name."""
        self.key = None
        return not (self._guests and username == GUEST_NAME)

    def public_key_auth_supported(self) -> bool:
        """Return True; there is no other way to authenticate."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: ARG002 - asyncssh's
        """Return True for any key; asyncssh verifies that the client has it.

        Called for every key offered, and again for the one that is proved.
        """
        self.key = None
        self._offered += 1
        if self._offered > MOST_OFFERED:
            self._connection.abort()
            return False
        self.key = Key(key.get_fingerprint(), key.get_algorithm())
        return True

    def auth_completed(self) -> None:
        """Note that authentication has succeeded."""
        self._is_in = True
        self.since = asyncio.get_running_loop().time()

    # -- sessions ----------------------------------------------------------------------------------

    def session_requested(self) -> Any:
        """Open a session in a channel that ignores the client's environment."""
        if self.sessions >= MOST_CHANNELS:
            self.note("limit hit", "too many sessions of one connection")
            return False
        why = self._access.ask("session", self.address, self.fingerprint)
        if why:
            self.note("limit hit", why)
            raise asyncssh.ChannelOpenError(asyncssh.OPEN_RESOURCE_SHORTAGE, why)
        channel = self._connection.create_server_channel(encoding=None)
        # asyncssh makes the channel itself, with its limits for sizes and terminals.
        channel.__class__ = QuietChannel
        return channel, self._session(self)


def _thin_out(connections: set[SshConnection]) -> None:
    """Drop a connection if too many wait to be admitted.

    It is the longest-waiting one of the network that has the most of them, so that a crowd from a
    few networks keeps no other out.
    """
    waiting = [one for one in connections if not one.is_admitted]
    if len(waiting) > MOST_WAITING:
        crowds = Counter(network(one.address) for one in waiting)
        min(waiting, key=lambda one: (-crowds[network(one.address)], one.since)).abort()


# -- new accounts ----------------------------------------------------------------------------------


async def enrolled(
    wire: Wire, connection: SshConnection, access: AccessControl, key: Key
) -> Person | None:
    """Ask the owner of an unknown key for a code and a name; return the new account.

    None after too many wrong codes or names, or too long a time.
    """
    wire.write(
        b"Welcome. Your key is not known here yet, so you need an invitation.\r\n"
        b"Ask whoever runs this host for a code.\r\n"
    )
    code, codes, names = "", TRIES, TRIES
    try:
        async with asyncio.timeout(WAIT_FOR_A_PERSON):
            while codes and names:
                code = code or await asked(wire, "Code: ", LONGEST_LINE)
                found, code = await _try(wire, access, key, code)
                if isinstance(found, Person):
                    connection.note("enrolled", found.name)
                    return found
                connection.note("enrolment failed", "")
                codes, names = (codes, names - 1) if code else (codes - 1, names)
                wire.write(_line(found))
                if not wire.is_open:
                    return None
                why = access.ask("auth", connection.address, key.fingerprint)
                if why:
                    wire.write(_line(why))
                    return None
    except TimeoutError:
        wire.write(b"\r\n")
    again = "with another name; your code is still good" if code else "when you have a code"
    wire.write(_line(f"Come again {again}."))
    return None


async def _try(wire: Wire, access: AccessControl, key: Key, code: str) -> tuple[Person | str, str]:
    """Ask for a name and enrol; return the person or a refusal, and the code if still usable."""
    if not code:
        return "No code was given.", ""
    if refused := await access.check_code(code):
        return refused, ""
    name = await asked(wire, "Your name for others (none if the code adds a key): ", LONGEST_LINE)
    try:
        return await access.enrol(key, code, name), ""
    except BadName as wrong:
        return f"{wrong} Choose another.", code


def _line(text: str) -> bytes:
    return f"{text}\r\n".encode()


# -- accounts, limits and log of the host ---------------------------------------------------------


NO_ACCOUNTS: Final = "The host cannot look into its accounts just now. Come back later."


class AccessControl:
    """Looks up accounts, rate limits and bans; disk access runs in threads."""

    def __init__(self, store: Store, rate_limiter: RateLimiter, log: SecurityLog) -> None:
        """Use this store, rate limiter and log."""
        self._store = store
        self._rate_limiter = rate_limiter
        self._log = log

    def ask(self, kind: LimitKind, address: str, fingerprint: str) -> str:
        """Count a request; return the reason and the wait if it is refused, or an empty text."""
        return self._rate_limiter.ask(kind, address, fingerprint)

    def note(self, kind: str, address: str, fingerprint: str, text: str) -> None:
        """Write an event to the security log."""
        self._log.note(kind, text, address=address, fingerprint=fingerprint)

    async def person(self, key: Key) -> Person | None:
        """Return the owner of a key and store that they are here; None if unknown or banned.

        Raises:
            StoreFault: the accounts cannot be read.
        """
        found = await asyncio.to_thread(self._store.person_of, key.fingerprint)
        if found is not None:
            await asyncio.to_thread(self._store.seen, found.number, key.fingerprint)
        return found

    async def ban(self, key: Key) -> str:
        """Return why the owner of a key is banned, or an empty text.

        Raises:
            StoreFault: the accounts cannot be read.
        """
        return await asyncio.to_thread(self._store.ban_of, key.fingerprint)

    async def check_code(self, code: str) -> str:
        """Return why an invitation code is not valid, or an empty text."""
        try:
            await asyncio.to_thread(self._store.invited, code)
        except Enrolment as refused:
            return str(refused)
        except StoreFault:
            return NO_ACCOUNTS
        return ""

    async def enrol(self, key: Key, code: str, name: str) -> Person | str:
        """Use an invitation code; return the new account, or why the code is refused.

        Without a name the code adds the key to an existing account.

        Raises:
            BadName: the code is valid, but the name is not, or is taken.
        """
        info = KeyInfo(key.fingerprint, key.algorithm)
        try:
            if name:
                return await asyncio.to_thread(self._store.enrol, code, name, info)
            return await asyncio.to_thread(self._store.add_key, code, info)
        except Enrolment as refused:
            return str(refused)
        except StoreFault:
            return NO_ACCOUNTS

    async def remembered(self, key: Key, term: str) -> Remembered | None:
        """Return earlier answers about a terminal; None if they are missing or unreadable."""
        try:
            found = await asyncio.to_thread(self._store.terminal, key.fingerprint, term)
        except StoreFault:
            return None
        if found is None:
            return None
        return Remembered(cast("Depth", found.depth), cast("GlyphSet", found.glyphs))

    async def remember(self, key: Key, term: str, told: Remembered) -> None:
        """Store a person's answers about a terminal."""
        await asyncio.to_thread(
            self._store.remember_terminal, key.fingerprint, term, told.depth, told.glyphs
        )
