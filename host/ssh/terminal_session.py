"""Terminal sessions: people's screen programs, which survive a lost connection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextvars import Context
from typing import Final, NamedTuple, Protocol

from textual.driver import Driver
from textual.filter import ANSIToTruecolor

from host.server.people import Person
from host.ssh.driver import CURRENT, SshDriver
from host.ssh.responsiveness import collect_all
from host.ssh.wire import Wire
from tui.app.base import BaseApp
from tui.app.recovery import Recovery
from tui.console.faults import ScreenFault
from tui.terminal.capabilities import Terminal
from tui.terminal.internals import forget_parsed

MOST_GONE: Final = 32
"""Number of ended programs after which their garbage is collected."""

BETWEEN_SWEEPS: Final = 120.0
"""Seconds after which it is collected in any case."""

_LAST_WORDS: Final = 5.0
"""Seconds that an app has to close its screens before it is cancelled."""

_GOODBYE: Final = 1.5
"""Seconds that all apps have to close their screens when the host stops."""

_CANCELLED: Final = 0.5
"""Seconds after which cancelled apps are left behind."""

BROKEN: Final = "Something went wrong here, and the operator was told. Your games are kept."

_log = logging.getLogger(__name__)


class MakeProgram(Protocol):
    """Makes the screen program of a person."""

    def __call__(self, person: Person, terminal: Terminal, driver_class: type[Driver]) -> BaseApp:
        """Return a program that is not started yet."""
        ...


class SessionTimes(NamedTuple):
    """Lifetimes of sessions, in seconds."""

    away: float = 30 * 60.0
    """Lifetime without a terminal."""
    idle: float = 60 * 60.0
    """Lifetime with a terminal but without input."""
    warning: float = 2 * 60.0
    """Time from the warning to the end of an idle session."""


class NoteEvent(Protocol):
    """Records events for the operator."""

    def __call__(self, kind: str, person: Person, text: str) -> None:
        """Record an event of a person's session."""
        ...


class TerminalSession:
    """One person's running screen program, with or without a terminal."""

    def __init__(
        self,
        person: Person,
        make: MakeProgram,
        terminal: Terminal,
        on_end: Callable[[TerminalSession], None],
        on_slow: Callable[[Person, str], None],
    ) -> None:
        """Make a session without a terminal; nothing runs before ``start``."""
        self.person = person
        self.terminal = terminal
        self.detached_at = asyncio.get_running_loop().time()
        """Loop time of the last detach."""
        self.is_warned = False
        self.is_ending = False
        """True once it no longer accepts a terminal."""
        self.why = ""
        """Line shown to the person at the end."""
        self.stuck = ""
        """Source location at which it blocked the loop, if it must end for that."""
        self._make = make
        self._on_end = on_end
        self._on_slow = on_slow
        self._has_begun = asyncio.Event()
        self._app: BaseApp | None = None
        self._driver: SshDriver | None = None
        self._wire: Wire | None = None
        self._task: asyncio.Task[None] | None = None

    # -- life cycle --------------------------------------------------------------------------------

    @property
    def app(self) -> BaseApp | None:
        """The program while it runs, or None."""
        return self._app

    @property
    def has_ended(self) -> bool:
        """True if the program is over."""
        return self._task is None or self._task.done()

    def start(self, wire: Wire) -> None:
        """Start the program on this connection."""
        self._wire = wire
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._run(), context=Context(), name="desk")

    async def _run(self) -> None:
        CURRENT.set(self)
        # Textual sets an eager task factory for the whole loop if Python has one; undone later.
        self._factory = asyncio.get_running_loop().get_task_factory()
        recovery, note = Recovery(), ""
        try:
            while (fault := await self._show(note)) is not None:
                if not recovery.take(fault) or self.is_ending:
                    self.why = self.why or BROKEN
                    break
                note = BROKEN
        except Exception as fault:  # noqa: BLE001 - whatever a program does, the others go on
            self._note_fault(fault)
        finally:
            self._end()

    async def _show(self, note: str) -> ScreenFault | None:
        """Run a program with a note on its first screen; return the fault that broke it, if any."""
        app = self._app = self._make(self.person, self.terminal, SshDriver)
        app.recovered = note
        await app.run_async(size=self._wire.size if self._wire is not None else None)
        if app.return_value is not None or app.broken_by is None:
            return None
        driver, self._app, self._driver = self._driver, None, None
        if driver is not None:
            driver.farewell()
            driver.detach()
        forget()
        return app.broken_by

    def _note_fault(self, fault: Exception) -> None:
        """Log the trace for the operator, and set a line for the person."""
        _log.error("the screen of person %s broke", self.person.number, exc_info=fault)
        self.why = self.why or BROKEN

    def _end(self) -> None:
        """Restore the terminal and release everything."""
        wire, driver = self._wire, self._driver
        self._wire = self._driver = self._app = None
        self.is_ending = True
        self._has_begun.set()
        if driver is not None:
            driver.farewell(self.why)
            driver.detach()
        elif wire is not None and self.why:
            wire.write(f"{self.why}\r\n".encode())
        if wire is not None:
            wire.close()
        forget()
        self._on_end(self)

    def end(self, why: str) -> None:
        """Close the program and show its person the reason."""
        if self.is_ending:
            return
        self.is_ending = True
        self.why = self.why or why
        if self._app is not None and self._app.is_running:
            self._app.exit()
            asyncio.get_running_loop().call_later(_LAST_WORDS, self.cancel)
        else:
            self.cancel()

    def cancel(self) -> None:
        """Cancel the program."""
        if self._task is not None and not self._task.done():
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until the program is over."""
        if self._task is not None:
            await asyncio.wait([self._task])

    # -- terminal ----------------------------------------------------------------------------------

    @property
    def is_attached(self) -> bool:
        """True if it has a terminal."""
        return self._wire is not None

    @property
    def heard(self) -> float:
        """Loop time of the latest input."""
        return self._driver.heard if self._driver is not None else self.detached_at

    def take_driver(self, driver: SshDriver) -> None:
        """Take the driver of the program, once it has started."""
        asyncio.get_running_loop().set_task_factory(self._factory)
        self._driver = driver
        driver.on_slow = lambda text: self._on_slow(self.person, text)
        self._has_begun.set()
        if self._wire is not None:
            driver.attach(self._wire)

    async def attach(self, wire: Wire, terminal: Terminal) -> None:
        """Show the program on a terminal until either of them ends, or another one attaches."""
        if self._wire is not None and self._wire is not wire:
            self.detach("You went on from another terminal.")
        self._wire, self.is_warned = wire, False
        if self._driver is not None:
            self._driver.heard = asyncio.get_running_loop().time()
            self._driver.attach(wire)
        if terminal != self.terminal:
            self.terminal = terminal
            if self._app is not None:
                self._app.call_later(_wear, self._app, terminal)
        try:
            await self._has_begun.wait()
            await self._listen(wire)
        finally:
            if self._wire is wire:
                self.detach()

    async def _listen(self, wire: Wire) -> None:
        """Forward input until the connection is lost or replaced."""
        while self._wire is wire:
            data = await wire.read()
            if not data or self._wire is not wire:
                return
            if self._driver is not None:
                await self._driver.hear(data)

    def detach(self, why: str = "") -> None:
        """Detach the terminal, and show ``why`` on it if given."""
        wire, self._wire = self._wire, None
        self.detached_at = asyncio.get_running_loop().time()
        if self._driver is not None:
            if why:
                self._driver.farewell(why)
            self._driver.detach()
        if wire is not None:
            wire.close()

    def warn(self, text: str) -> None:
        """Notify the person, above the current screen."""
        self.is_warned = True
        if self._app is not None:
            self._app.call_later(self._app.notify, text, timeout=30)


def _wear(app: BaseApp, terminal: Terminal) -> None:
    """Adapt the colours and signs of a program to another terminal."""
    app.terminal = terminal
    app.apply_settings()


def forget() -> None:
    """Empty the caches of Textual, whose parsed values keep whole programs alive."""
    forget_parsed()
    ANSIToTruecolor.truecolor_style.cache_clear()


class TerminalSessions:
    """All terminal sessions of a host."""

    def __init__(
        self, make: MakeProgram, *, times: SessionTimes | None = None, note: NoteEvent | None = None
    ) -> None:
        self._make = make
        self._times = times or SessionTimes()
        self._note = note
        self._sessions: list[TerminalSession] = []
        self._gone = 0
        """Programs that have ended since the last collection."""
        self._swept = 0.0

    def __len__(self) -> int:
        return len(self._sessions)

    def __iter__(self) -> Iterator[TerminalSession]:
        return iter(tuple(self._sessions))

    def of(self, person: Person) -> list[TerminalSession]:
        """Return the sessions of a person, the first to resume first; [] for guests."""
        if person.is_guest:
            return []
        own = [session for session in self._sessions if session.person.number == person.number]
        return sorted(
            own, key=lambda session: (session.is_attached, -max(session.detached_at, session.heard))
        )

    async def attach(
        self, person: Person, wire: Wire, terminal: Terminal, *, another: bool = False
    ) -> None:
        """Attach a person to a session of theirs, or to a new one, until the connection is lost.

        A session without a terminal is preferred; if all have one, this terminal replaces it.

        Args:
            person: the person who connects.
            wire: connection to the person's terminal.
            terminal: its capabilities.
            another: True for a new session in any case.
        """
        own = [] if another else [session for session in self.of(person) if not session.is_ending]
        if own:
            session = own[0]
        else:
            session = TerminalSession(person, self._make, terminal, self._ended, self._slow)
            self._sessions.append(session)
            session.start(wire)
        await session.attach(wire, terminal)
        if person.is_guest and not session.has_ended:
            session.end("")

    def tick(self) -> None:
        """Close sessions that were abandoned, stuck or idle for too long."""
        now = asyncio.get_running_loop().time()
        self._sweep(now)
        for session in self:
            if session.stuck:
                session.end(BROKEN)
            elif not session.is_attached:
                if now - session.detached_at >= self._times.away:
                    session.end("")
            elif now - session.heard >= self._times.idle:
                self.say("idle", session.person, "closed")
                session.end("Nothing was typed for a long time. Come back to go on.")
            elif (
                now - session.heard >= self._times.idle - self._times.warning
                and not session.is_warned
            ):
                session.warn("Nothing was typed for a long time: this will be closed.")

    def end(self, number: int, why: str) -> None:
        """Close all sessions of a person."""
        for session in self:
            if session.person.number == number:
                session.end(why)

    def end_for(self, person: Person | None, why: str) -> None:
        """Close the sessions of exactly this record: each connection of a guest has its own."""
        for session in self:
            if session.person is person:
                session.end(why)

    async def close(self, why: str) -> None:
        """End all sessions with a reason."""
        sessions = list(self)
        for session in sessions:
            session.end(why)
        for patience in (_GOODBYE, _CANCELLED):
            endings = [asyncio.create_task(session.ended(), name="end") for session in sessions]
            if endings:
                await asyncio.wait(endings, timeout=patience)
            for session in sessions:
                session.cancel()

    def _ended(self, session: TerminalSession) -> None:
        self._sessions.remove(session)
        self._gone += 1

    def _sweep(self, now: float) -> None:
        """Collect the garbage of ended programs, whose parts refer to each other.

        Full collections are rare in a process with many programs, since each pauses all of them for
        some milliseconds per running program.
        """
        if self._gone >= MOST_GONE or (self._gone and now - self._swept >= BETWEEN_SWEEPS):
            self._gone, self._swept = 0, now
            collect_all()

    def _slow(self, person: Person, text: str) -> None:
        self.say("slow reader dropped", person, text)

    def say(self, kind: str, person: Person, text: str) -> None:
        """Record an event for the operator."""
        if self._note is not None:
            self._note(kind, person, text)
