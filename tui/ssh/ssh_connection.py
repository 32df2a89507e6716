"""Connections: keys, accounts, limits, and the invitation of somebody who is new."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, Protocol, cast

import asyncssh
from asyncssh.channel import SSHServerChannel

from engine.tabletop.board import GlyphSet
from tui.host.database import StoreFault
from tui.host.people import GUEST, Enrolment, KeyInfo, Person
from tui.host.rate_limits import Gate
from tui.host.security import SecurityLog
from tui.host.store import Store
from tui.ssh.console import asked
from tui.ssh.probe import Remembered
from tui.ssh.wire import Session, Wire, pressing
from tui.terminal.output import Depth

Kind = Literal["connection", "auth", "session", "exec"]
"""What limits are asked for."""

GUEST_NAME: Final = "guest"
"""Who logs in so comes without a key, where that is allowed."""

TRIES: Final = 3
"""Codes that somebody may try before the line is closed."""

LONGEST_LINE: Final = 80

WAIT_FOR_A_PERSON: Final = 180.0
"""Seconds for the whole conversation with somebody who is not known."""

MOST_CHANNELS: Final = 8
"""Sessions of one connection at a time."""

MOST_OFFERED: Final = 30
"""Keys that one connection may offer; programs offer all they have."""

EMPTY: Final = 30.0
"""Seconds that a connection may be open without a session."""

MOST_PRESSING: Final = 8 * 1024 * 1024
"""Unsent bytes of a connection at which it is cut, whatever they are."""

_log = logging.getLogger(__name__)


class Key(NamedTuple):
    """The key that somebody has shown to own."""

    fingerprint: str
    """As ``ssh-keygen -l`` writes it: ``SHA256:`` and 43 signs."""
    algorithm: str


class Reception(Protocol):
    """What the door asks of the accounts, the limits and the log, none of which may block."""

    def ask(self, kind: Kind, address: str, fingerprint: str) -> str:
        """Whether something may be done now; if not, a line why and for how long."""
        ...

    def note(self, kind: str, address: str, fingerprint: str, text: str) -> None:
        """Write down what an operator wants to know."""
        ...

    async def person(self, key: Key) -> Person | None:
        """Whose key it is."""
        ...

    async def ban(self, key: Key) -> str:
        """Why the owner of a key may not come; empty if there is no reason."""
        ...

    async def enrol(self, key: Key, code: str, name: str) -> Person | str:
        """Give the owner of a key an account for an invite code; why not, if not.

        Without a name the code is for one more key of an account that there is.
        """
        ...

    async def remembered(self, key: Key, term: str) -> Remembered | None:
        """What was answered about a terminal."""
        ...

    async def remember(self, key: Key, term: str, told: Remembered) -> None:
        """Keep what was answered about a terminal."""
        ...


class QuietChannel(SSHServerChannel):  # type: ignore[type-arg]  # it takes bytes and texts alike
    """A channel that takes nothing from the client's environment: neither uses it nor keeps it."""

    def _process_env_request(self, packet: Any) -> bool:  # noqa: ARG002 - as asyncssh calls it
        return False


class Door(asyncssh.SSHServer):
    """One connection. Any key is let in; what its owner may do is decided by whose it is."""

    def __init__(
        self,
        reception: Reception,
        session: Callable[[Door], Session],
        doors: set[Door],
        *,
        guests: bool,
    ) -> None:
        """A connection that is not made yet.

        Args:
            reception: accounts, limits and log.
            session: makes a session.
            doors: where connections are found as long as they are open.
            guests: whether anybody may come without a key.
        """
        self.address = ""
        self.person: Person | None = None
        """Whose key it was when last asked."""
        self.key: Key | None = None
        """Which key was shown to be owned; None for guests, and until then."""
        self.sessions = 0
        """Open now."""
        self._reception = reception
        self._session = session
        self._doors = doors
        self._guests = guests
        self._connection: Any = None
        self._is_in = False
        self._offered = 0
        self._since = asyncio.get_running_loop().time()

    # -- coming and going --------------------------------------------------------------------------

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Somebody is at the door."""
        self._connection = conn
        self.address = str((conn.get_extra_info("peername") or ("",))[0])
        why = self._reception.ask("connection", self.address, "")
        if why:
            self.note("connection refused", why)
            conn.abort()
            return
        self._doors.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncssh's
        """The connection is gone; asyncssh has told those who use it."""
        self._doors.discard(self)
        if not self._is_in and self._connection is not None:
            self._reception.ask("auth", self.address, "")
        self._connection = None

    def tick(self, now: float) -> None:
        """Close a connection that nobody uses, or that takes nothing."""
        if self._connection is None:
            return
        if pressing(self._connection) > MOST_PRESSING:
            self.note("slow reader dropped", "a connection that takes nothing")
            self._connection.abort()
        elif self.sessions:
            self._since = now
        elif self._is_in and now - self._since > EMPTY:
            self._connection.disconnect(asyncssh.DISC_BY_APPLICATION, "Nothing was asked for")

    def count(self, by: int) -> None:
        """A session more, or one less."""
        self.sessions += by

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()

    def note(self, kind: str, text: str) -> None:
        """Write down what an operator wants to know."""
        self._reception.note(kind, self.address, self.fingerprint, text)

    @property
    def fingerprint(self) -> str:
        """Of the key; empty for guests."""
        return self.key.fingerprint if self.key is not None else ""

    # -- keys --------------------------------------------------------------------------------------

    def begin_auth(self, username: str) -> bool:
        """Guests need no key. A key that was shown under another name counts for nothing."""
        self.key = None
        return not (self._guests and username == GUEST_NAME)

    def public_key_auth_supported(self) -> bool:
        """Keys are the only way."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: ARG002 - asyncssh's
        """Any key will do; asyncssh sees to it that whoever shows it owns it.

        Called for every key that is offered, and again for the one that is proved last of all.
        """
        self.key = None
        self._offered += 1
        if self._offered > MOST_OFFERED:
            self._connection.abort()
            return False
        self.key = Key(key.get_fingerprint(), key.get_algorithm())
        return True

    def auth_completed(self) -> None:
        """Whoever it is owns the key."""
        self._is_in = True
        self._since = asyncio.get_running_loop().time()

    # -- sessions ----------------------------------------------------------------------------------

    def session_requested(self) -> Any:
        """A session is wanted: in a channel that ignores the client's environment."""
        if self.sessions >= MOST_CHANNELS:
            self.note("limit hit", "too many sessions of one connection")
            return False
        why = self._reception.ask("session", self.address, self.fingerprint)
        if why:
            self.note("limit hit", why)
            raise asyncssh.ChannelOpenError(asyncssh.OPEN_RESOURCE_SHORTAGE, why)
        channel = self._connection.create_server_channel(encoding=None)
        # asyncssh makes the channel itself, with what it was told of sizes and terminals.
        channel.__class__ = QuietChannel
        return channel, self._session(self)


def guest() -> Person:
    """Somebody without an account."""
    return Person(GUEST, GUEST_NAME, may_play=False)


# -- somebody new ----------------------------------------------------------------------------------


async def enrolled(wire: Wire, door: Door, reception: Reception, key: Key) -> Person | None:
    """Talk with somebody whose key is not known until it has an account, or it is enough."""
    wire.write(
        b"Welcome. Your key is not known here yet, so you need an invitation.\r\n"
        b"Ask whoever runs this host for a code.\r\n"
    )
    try:
        async with asyncio.timeout(WAIT_FOR_A_PERSON):
            for _ in range(TRIES):
                found = await _try(wire, reception, key)
                if isinstance(found, Person):
                    door.note("enrolled", found.name)
                    return found
                door.note("enrolment failed", "")
                wire.write(_line(found))
                if not wire.is_open:
                    return None
                why = reception.ask("auth", door.address, key.fingerprint)
                if why:
                    wire.write(_line(why))
                    return None
    except TimeoutError:
        wire.write(b"\r\n")
    wire.write(b"Come again when you have a code.\r\n")
    return None


async def _try(wire: Wire, reception: Reception, key: Key) -> Person | str:
    """One code and one name."""
    code = await asked(wire, "Code: ", LONGEST_LINE)
    if not code:
        return "No code was given."
    name = await asked(wire, "Your name for others (none if the code adds a key): ", LONGEST_LINE)
    return await reception.enrol(key, code, name)


def _line(text: str) -> bytes:
    return f"{text}\r\n".encode()


# -- accounts, limits and log of the host ---------------------------------------------------------


_NO_ACCOUNTS: Final = "The host cannot look into its accounts just now. Come back later."


class Counter:
    """Answers for a store, a gate and a log. Whatever reads the disk is asked in threads."""

    def __init__(self, store: Store, gate: Gate, log: SecurityLog) -> None:
        """Answer from these."""
        self._store = store
        self._gate = gate
        self._log = log

    def ask(self, kind: Kind, address: str, fingerprint: str) -> str:
        """Whether something may be done now; if not, a line why and for how long."""
        return self._gate.ask(kind, address, fingerprint)

    def note(self, kind: str, address: str, fingerprint: str, text: str) -> None:
        """Write down what an operator wants to know."""
        self._log.note(kind, text, address=address, fingerprint=fingerprint)

    async def person(self, key: Key) -> Person | None:
        """Whose key it is."""
        found = await asyncio.to_thread(self._store.person_of, key.fingerprint)
        if found is not None:
            await asyncio.to_thread(self._store.seen, found.number, key.fingerprint)
        return found

    async def ban(self, key: Key) -> str:
        """Why the owner of a key may not come; empty if there is no reason."""
        try:
            return await asyncio.to_thread(self._store.ban_of, key.fingerprint)
        except StoreFault:
            return _NO_ACCOUNTS

    async def enrol(self, key: Key, code: str, name: str) -> Person | str:
        """Give the owner of a key an account for an invite code; why not, if not."""
        info = KeyInfo(key.fingerprint, key.algorithm)
        try:
            if name:
                return await asyncio.to_thread(self._store.enrol, code, name, info)
            return await asyncio.to_thread(self._store.add_key, code, info)
        except Enrolment as refused:
            return str(refused)
        except StoreFault:
            return _NO_ACCOUNTS

    async def remembered(self, key: Key, term: str) -> Remembered | None:
        """What was answered about a terminal."""
        found = await asyncio.to_thread(self._store.terminal, key.fingerprint, term)
        if found is None:
            return None
        return Remembered(cast("Depth", found.depth), cast("GlyphSet", found.glyphs))

    async def remember(self, key: Key, term: str, told: Remembered) -> None:
        """Keep what was answered about a terminal."""
        await asyncio.to_thread(
            self._store.remember_terminal, key.fingerprint, term, told.depth, told.glyphs
        )
