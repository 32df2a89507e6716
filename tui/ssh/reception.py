"""What the door of a host asks: accounts, limits, and the log of who came."""

from __future__ import annotations

import asyncio
from typing import Final, cast

from engine.tabletop.board import GlyphSet
from tui.host.database import StoreFault
from tui.host.people import Enrolment, KeyInfo, Person
from tui.host.rate_limits import Gate
from tui.host.security import SecurityLog
from tui.host.store import Store
from tui.ssh.probe import Remembered
from tui.ssh.ssh_connection import Key, Kind
from tui.terminal.capabilities import Depth

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
