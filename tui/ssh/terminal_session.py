"""Desks: the screen programs of people, which stay when the line to a terminal drops."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from contextvars import Context
from typing import Final, NamedTuple, Protocol

from textual.driver import Driver
from textual.filter import ANSIToTruecolor

from tui.app.base import BaseApp
from tui.app.recovery import Recovery
from tui.console.faults import ScreenFault
from tui.host.people import Person
from tui.ssh.driver import SshDriver
from tui.ssh.garbage import collect_all
from tui.ssh.here import HERE
from tui.ssh.wire import Wire
from tui.terminal.capabilities import Terminal
from tui.terminal.internals import forget_parsed

MOST_GONE: Final = 32
"""Programs that may have ended before what is left of them is freed."""

BETWEEN_SWEEPS: Final = 120.0
"""Seconds after which it is freed in any case."""

_LAST_WORDS: Final = 5.0
"""Seconds an app has to close its screens before it is ended where it stands."""

BROKEN: Final = "Something went wrong here, and the operator was told. Your games are kept."

_log = logging.getLogger(__name__)


class Make(Protocol):
    """What makes somebody's screen program."""

    def __call__(self, person: Person, terminal: Terminal, driver_class: type[Driver]) -> BaseApp:
        """A program that is not started yet."""
        ...


class Times(NamedTuple):
    """How long desks stay, in seconds."""

    away: float = 30 * 60.0
    """Without a terminal."""
    idle: float = 60 * 60.0
    """With a terminal at which nothing is typed."""
    warning: float = 2 * 60.0
    """Before an idle one is closed, that is said."""


class Note(Protocol):
    """Where to say what an operator wants to know."""

    def __call__(self, kind: str, person: Person, text: str) -> None:
        """Something happened at a person's desk."""
        ...


class Desk:
    """One person's running screen program, with a terminal or without."""

    def __init__(
        self,
        person: Person,
        make: Make,
        terminal: Terminal,
        on_end: Callable[[Desk], None],
        on_slow: Callable[[Person, str], None],
    ) -> None:
        """A desk without a terminal; nothing runs before ``start``."""
        self.person = person
        self.terminal = terminal
        self.parted = asyncio.get_running_loop().time()
        """When it was last without a terminal, in the loop's time."""
        self.is_warned = False
        self.is_ending = False
        """Whether it takes nobody any more."""
        self.why = ""
        """The line its person reads at the end."""
        self.stuck = ""
        """Where it kept everybody waiting, when that is why it must end."""
        self._make = make
        self._on_end = on_end
        self._on_slow = on_slow
        self._has_begun = asyncio.Event()
        self._app: BaseApp | None = None
        self._driver: SshDriver | None = None
        self._wire: Wire | None = None
        self._task: asyncio.Task[None] | None = None

    # -- its life ----------------------------------------------------------------------------------

    @property
    def app(self) -> BaseApp | None:
        """The program, while it runs."""
        return self._app

    @property
    def has_ended(self) -> bool:
        """Whether the program is over."""
        return self._task is None or self._task.done()

    def start(self, wire: Wire) -> None:
        """Begin, at the end of this line."""
        self._wire = wire
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._run(), context=Context(), name="desk")

    async def _run(self) -> None:
        HERE.set(self)
        # Where Python can, Textual makes every task of the loop begin at once, everybody's.
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
        """Run a program with a note on its first screen; what has broken it, if anything has."""
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
        """A trace for the operator, a line for the person."""
        _log.error("the screen of person %s broke", self.person.number, exc_info=fault)
        self.why = self.why or BROKEN

    def _end(self) -> None:
        """Give the terminal back and keep nothing."""
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
        """Close the program; its person reads why."""
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
        """End it where it stands."""
        if self._task is not None and not self._task.done():
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until it is over."""
        if self._task is not None:
            await asyncio.wait([self._task])

    # -- its terminal ------------------------------------------------------------------------------

    @property
    def is_attached(self) -> bool:
        """Whether it has a terminal."""
        return self._wire is not None

    @property
    def heard(self) -> float:
        """When its person last typed something, in the loop's time."""
        return self._driver.heard if self._driver is not None else self.parted

    def take_driver(self, driver: SshDriver) -> None:
        """The program has begun: this is what it writes to."""
        asyncio.get_running_loop().set_task_factory(self._factory)
        self._driver = driver
        driver.on_slow = lambda text: self._on_slow(self.person, text)
        self._has_begun.set()
        if self._wire is not None:
            driver.attach(self._wire)

    async def sit(self, wire: Wire, terminal: Terminal) -> None:
        """Be here until the line is gone, the program is over, or its person sits elsewhere."""
        if self._wire is not None and self._wire is not wire:
            self.part("You went on from another terminal.")
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
                self.part()

    async def _listen(self, wire: Wire) -> None:
        """Pass on what is typed until the line is gone or another one is there."""
        while self._wire is wire:
            data = await wire.read()
            if not data or self._wire is not wire:
                return
            if self._driver is not None:
                await self._driver.hear(data)

    def part(self, why: str = "") -> None:
        """Be without a terminal from now on; who sat here reads why."""
        wire, self._wire = self._wire, None
        self.parted = asyncio.get_running_loop().time()
        if self._driver is not None:
            if why:
                self._driver.farewell(why)
            self._driver.detach()
        if wire is not None:
            wire.close()

    def warn(self, text: str) -> None:
        """Say something over whatever is shown."""
        self.is_warned = True
        if self._app is not None:
            self._app.call_later(self._app.notify, text, timeout=30)


def _wear(app: BaseApp, terminal: Terminal) -> None:
    """Look as another terminal can show it."""
    app.terminal = terminal
    app.apply_settings()


def forget() -> None:
    """Drop what caches of Textual hold: whole programs hang on what was parsed for them."""
    forget_parsed()
    ANSIToTruecolor.truecolor_style.cache_clear()


class Desks:
    """All desks of a host."""

    def __init__(self, make: Make, *, times: Times | None = None, note: Note | None = None) -> None:
        """No desk yet."""
        self._make = make
        self._times = times or Times()
        self._note = note
        self._desks: list[Desk] = []
        self._gone = 0
        """Programs that have ended since the last sweep."""
        self._swept = 0.0

    def __len__(self) -> int:
        return len(self._desks)

    def __iter__(self) -> Iterator[Desk]:
        return iter(tuple(self._desks))

    def of(self, person: Person) -> list[Desk]:
        """The desks of a person, the one to come back to first; guests never come back."""
        if person.is_guest:
            return []
        own = [desk for desk in self._desks if desk.person.number == person.number]
        return sorted(own, key=lambda desk: (desk.is_attached, -max(desk.parted, desk.heard)))

    async def sit(
        self, person: Person, wire: Wire, terminal: Terminal, *, another: bool = False
    ) -> None:
        """Let a person sit at the desk that waits, or at a new one, until the line is gone.

        Args:
            person: who comes.
            wire: the line to the person's terminal.
            terminal: what that can show.
            another: whether the person wants one more desk.
        """
        own = [] if another else [desk for desk in self.of(person) if not desk.is_ending]
        if own:
            desk = own[0]
        else:
            desk = Desk(person, self._make, terminal, self._ended, self._slow)
            self._desks.append(desk)
            desk.start(wire)
        await desk.sit(wire, terminal)
        if person.is_guest and not desk.has_ended:
            desk.end("")

    def tick(self) -> None:
        """Close desks that nobody comes back to, and those that nobody sits at any more."""
        now = asyncio.get_running_loop().time()
        self._sweep(now)
        for desk in self:
            if desk.stuck:
                desk.end(BROKEN)
            elif not desk.is_attached:
                if now - desk.parted >= self._times.away:
                    desk.end("")
            elif now - desk.heard >= self._times.idle:
                self.say("idle", desk.person, "closed")
                desk.end("Nothing was typed for a long time. Come back to go on.")
            elif now - desk.heard >= self._times.idle - self._times.warning and not desk.is_warned:
                desk.warn("Nothing was typed for a long time: this will be closed.")

    def end(self, number: int, why: str) -> None:
        """Close all desks of a person."""
        for desk in self:
            if desk.person.number == number:
                desk.end(why)

    async def close(self, why: str) -> None:
        """Say good-bye to everybody."""
        desks = list(self)
        for desk in desks:
            desk.end(why)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS + 1):
                for desk in desks:
                    await desk.ended()

    def _ended(self, desk: Desk) -> None:
        self._desks.remove(desk)
        self._gone += 1

    def _sweep(self, now: float) -> None:
        """Free what programs that are gone have left: their parts point at each other.

        A process with many of them lets Python look for that but rarely, since each look makes
        everybody wait; some milliseconds for each program that runs.
        """
        if self._gone >= MOST_GONE or (self._gone and now - self._swept >= BETWEEN_SWEEPS):
            self._gone, self._swept = 0, now
            collect_all()

    def _slow(self, person: Person, text: str) -> None:
        self.say("slow reader dropped", person, text)

    def say(self, kind: str, person: Person, text: str) -> None:
        """Tell the operator."""
        if self._note is not None:
            self._note(kind, person, text)
