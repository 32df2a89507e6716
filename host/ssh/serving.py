"""``banneret host``: games, accounts and the SSH server, put together."""

from __future__ import annotations

import argparse
import asyncio
import logging
import resource
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import asyncssh
from textual.driver import Driver

from engine.core.archive import SaveFault
from engine.core.printable import harmless
from host.screens.remote import RemoteApp
from host.server.admin import admin
from host.server.database import STORE, StoreFault, folder_of
from host.server.folder_lock import only_host
from host.server.game_server import GameServer
from host.server.people import Person
from host.server.ports import Ports
from host.server.rate_limits import SHARE, RateLimiter, Taken
from host.server.security import SecurityLog
from host.server.store import OperatorOrder, Store
from host.ssh import ssh_commands
from host.ssh.calls import CommandContext, HostStatus
from host.ssh.driver import CurrentSession
from host.ssh.files import Files
from host.ssh.hostkey import fingerprint, host_key, known_hosts_line, note_port
from host.ssh.responsiveness import Watchdog, tidy
from host.ssh.server import Server, ServerSettings
from host.ssh.shutdown import Shutdown
from host.ssh.ssh_connection import AccessControl
from host.ssh.terminal_session import MakeProgram, NoteEvent, SessionTimes, TerminalSessions
from host.ssh.wire import SshSession, Wire
from tui.app.base import BaseApp
from tui.console import diagnostics
from tui.console.exits import Exit, Wrong
from tui.console.printing import Unwritable, let_go
from tui.settings.preferences import Preferences
from tui.terminal.capabilities import Terminal

_ANYWHERE: Final = {"", "0.0.0.0", "::"}  # noqa: S104 - not to listen there, but to know it
"""Addresses that mean all addresses of this machine."""

_IN_LINES: Final = 50
"""Maximum concurrent games in lines."""

_OPEN_FILES: Final = 16_384
"""Files that a host may have open: saves of games, and connections."""

_ORDERS: Final = 1.0
"""Seconds between two checks for orders of the operator."""

_GOODBYE: Final = "The host is being shut down. Your games are kept; come back later."

_FORCED: Final = {"output": "cells"}
"""Settings that are fixed on a host: Textual's own output has one depth of colour per process."""


class HostSessions(TerminalSessions):
    """Terminal sessions that count their people as present while a terminal is attached."""

    def __init__(
        self, game_server: GameServer, make: MakeProgram, *, times: SessionTimes, note: NoteEvent
    ) -> None:
        super().__init__(make, times=times, note=note)
        self._house = game_server

    async def attach(
        self, person: Person, wire: Wire, terminal: Terminal, *, another: bool = False
    ) -> None:
        """Attach a person, who is shown as present until the connection is lost."""
        self._house.come(person)
        for app in self._apps(person):
            app.call_later(app.come_back)
        try:
            await super().attach(person, wire, terminal, another=another)
        finally:
            self._house.go(person)
            for app in self._apps(person):
                app.go_away()

    def _apps(self, person: Person) -> list[RemoteApp]:
        """Return the programs of a person that have no terminal attached."""
        idle = [desk for desk in self.of(person) if not desk.is_attached and not desk.is_ending]
        return [desk.app for desk in idle if isinstance(desk.app, RemoteApp)]


class Host:
    """All parts of a running host; must be made in the event loop."""

    def __init__(self, folder: Path, ports: Ports, args: argparse.Namespace) -> None:
        """Make a host that does not listen yet.

        Args:
            folder: folder of its accounts and logs.
            ports: functions that the program plugs in.
            args: options from the command line.

        Raises:
            Wrong: the accounts cannot be opened.
        """
        try:
            self.store = Store.open(folder / STORE)
        except StoreFault as fault:
            raise Wrong(str(fault)) from None
        self.folder = folder
        self.began = time.time()
        self.done = asyncio.Event()
        self.slots = asyncio.Semaphore(_IN_LINES)
        self.guest_slots = asyncio.Semaphore(_IN_LINES // SHARE)
        self.rate_limiter = RateLimiter(self.store.limits())
        self.log = SecurityLog(folder / "security.log")
        self.game_server = GameServer(
            ports, self.store, limits=lambda: self.rate_limiter.limits, processes=args.thinkers
        )
        times = SessionTimes(away=args.away * 60, idle=args.idle * 60)
        self.terminals = HostSessions(self.game_server, self._visitor, times=times, note=self._note)
        self.server = Server(
            AccessControl(self.store, self.rate_limiter, self.log),
            self.terminals,
            self.carry_out,
            files=self.shelf,
            full=self._full,
            settings=ServerSettings(guests=args.guests != "no", guests_play=args.guests == "play"),
        )
        self.server.on_gone = self.game_server.let_go

    # -- requests of the server --------------------------------------------------------------------

    def _visitor(self, person: Person, terminal: Terminal, driver_class: type[Driver]) -> BaseApp:
        own = self.folder / "people" / str(max(0, person.number))
        visitor = RemoteApp(
            self.game_server,
            person,
            preferences=Preferences(own, _FORCED),
            terminal=terminal,
            driver_class=driver_class,
        )
        visitor.ask = lambda kind: self.rate_limiter.ask(kind, *person.counted_as)
        return visitor

    def _note(self, kind: str, person: Person, text: str) -> None:
        self.log.note(kind, text, person=max(0, person.number), name=person.name)

    def _full(self, taken: Taken) -> str:
        return self.rate_limiter.limits.full_session(taken)

    # -- without a screen --------------------------------------------------------------------------

    async def carry_out(self, command: str, person: Person, process: SshSession) -> int:
        """Run ``ssh HOST COMMAND``; return its exit code."""
        return await ssh_commands.run(
            command,
            person,
            self.game_server,
            self.game_server.ports,
            process,
            self._context(person),
        )

    def shelf(self, person: Person, channel: Any) -> Files:
        """Return an SFTP server for a person."""
        return Files(channel, person, self.game_server, self.game_server.ports)

    def _context(self, person: Person) -> CommandContext:
        return CommandContext(
            status=self.status,
            ask=lambda kind: self.rate_limiter.ask(kind, *person.counted_as),  # type: ignore[arg-type]  # the same words
            note=lambda kind, text: self.log.note(kind, text, name=person.name),
            fault=_report,
            admin=(lambda words, by: admin(words, self.store, by, self.log))
            if person.is_admin
            else None,
            slots=self.guest_slots if person.is_guest else self.slots,
        )

    def status(self) -> HostStatus:
        """Return the public status of the host."""
        return HostStatus(
            version=self.game_server.ports.versions.get("banneret", ""),
            uptime=time.time() - self.began,
            sessions=self.server.connections,
            people=tuple(
                sorted(self.game_server.name_of(number) for number in self.game_server.here)
            ),
        )

    # -- life cycle --------------------------------------------------------------------------------

    async def run(self, listen: str, port: int, say: Callable[[str], None]) -> None:
        """Serve until the host must stop.

        Raises:
            Wrong: the address is not available.
        """
        key = host_key(self.folder)
        await self.game_server.open_all()
        shutdown = Shutdown(self.done)
        shutdown.listen()
        watchdog = Watchdog(self._stuck)
        try:
            await self.server.start(listen, port, key)
        except OSError as problem:
            why = str(problem.strerror or problem).rpartition(": ")[2]
            raise Wrong(f"cannot listen on {listen}, port {port}: {why}") from None
        note_port(self.folder, self.server.port)
        watchdog.start()
        obeying = asyncio.create_task(self._obey(), name="orders")
        logging.getLogger("asyncssh").setLevel(logging.WARNING)  # it logs every channel
        self._greet(listen, key, say)
        self.log.note("began", f"port {self.server.port}")
        tidying = asyncio.create_task(tidy(), name="garbage")
        try:
            await self.done.wait()
        finally:
            shutdown.begin()
            obeying.cancel()
            tidying.cancel()
            watchdog.stop()
            await shutdown.step("the connections", self.server.close(_GOODBYE))
            if await shutdown.step("the games", self.game_server.close()):
                with suppress(OSError, Unwritable):  # the terminal may be gone
                    say("The host stops; all games are saved.")
                let_go(sys.stdout)
            await shutdown.step("the accounts", asyncio.to_thread(self._close_files), 1.0)

    def _close_files(self) -> None:
        self.log.note("ended")
        self.store.close()

    def _greet(self, listen: str, key: Any, say: Callable[[str], None]) -> None:
        port = self.server.port
        name = socket.gethostname() if listen in _ANYWHERE else listen
        say(f"Listening on {listen}, port {port}: ssh -p {port} {name}")
        say(f"Host key {fingerprint(key)}")
        say(f"For known_hosts: {known_hosts_line(key, name, port)}")
        say(f"Games and accounts are in {self.folder}")
        if code := self.store.first_invite():
            say(f"There is no administrator yet. Whoever comes with this code becomes one: {code}")

    async def _obey(self) -> None:
        """Execute orders given by ``banneret host admin``."""
        while True:
            await asyncio.sleep(_ORDERS)
            try:
                orders: Sequence[OperatorOrder] = await asyncio.to_thread(self.store.take_orders)
            except StoreFault as fault:
                logging.getLogger(__name__).warning("%s", fault)
                continue
            for order in orders:
                # Orders from before the start: sessions are gone anyway, but games are not.
                if order.made >= self.began or order.kind in ("close", "rename"):
                    await self._try(order)

    async def _try(self, order: OperatorOrder) -> None:
        """Carry out an order; one that fails is logged and stops no other."""
        try:
            await self._do(order)
        except (StoreFault, SaveFault) as fault:
            logging.getLogger(__name__).warning("order %s: %s", order.kind, fault)

    async def _do(self, order: OperatorOrder) -> None:
        match order.kind:
            case "kick":
                self.server.kick(order.number, "The operator sent you away.")
                self.log.note("kicked", person=max(0, order.number))
            case "rename" | "rights":
                await self.game_server.renew(order.number)
            case "limits":
                self.rate_limiter.hold_to(await asyncio.to_thread(self.store.limits))
            case "close":
                await self.game_server.remove(order.number)
            case "stop":
                self.done.set()

    def _stuck(self, session: CurrentSession, where: str) -> None:
        person = getattr(session, "person", None)
        name = person.name if isinstance(person, Person) else ""
        self.log.note("stuck-session", where, name=name)


class _OneLine(logging.Formatter):
    """Format of an error on the console: one line; the log has the trace as well."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message, with its exception and the notes of that."""
        parts = [record.getMessage()]
        if record.exc_info and (problem := record.exc_info[1]) is not None:
            parts += [*getattr(problem, "__notes__", ()), str(problem) or type(problem).__name__]
        return harmless(f"banneret: {' '.join(': '.join(parts).split())}")


@contextmanager
def _errors_on_console() -> Iterator[None]:
    """Write the host's errors to standard error too, since an operator looks there first."""
    console = logging.StreamHandler()
    console.setLevel(logging.ERROR)
    console.setFormatter(_OneLine())
    logger = logging.getLogger("host")
    logger.addHandler(console)
    try:
        yield
    finally:
        logger.removeHandler(console)


def _report(problem: BaseException) -> None:
    logging.getLogger(__name__).error("a command failed", exc_info=problem)


def main(args: argparse.Namespace, ports: Ports) -> Exit:
    """Serve until a signal arrives.

    Raises:
        Wrong: it cannot listen or its folder cannot be used.
    """
    diagnostics.start()
    folder = folder_of(args.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _allow_open_files()
        with only_host(folder), _errors_on_console():
            asyncio.run(_main(folder, args, ports))
    except OSError as problem:
        raise Wrong(f"{problem.filename or folder}: {problem.strerror or problem}") from None
    except asyncssh.KeyImportError as problem:
        raise Wrong(f"{folder / 'host_key'}: {problem}") from None
    return Exit.OK


def _allow_open_files() -> None:
    """Raise the limit of open files as far as allowed: each game needs one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def _main(folder: Path, args: argparse.Namespace, ports: Ports) -> None:
    host = Host(folder, ports, args)

    def say(text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    await host.run(args.listen, args.port, say)
