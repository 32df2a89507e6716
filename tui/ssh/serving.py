"""``banneret host``: games, accounts and the SSH server, put together."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import asyncssh
from textual.driver import Driver

from tui.app.base import BaseApp
from tui.app.remote import RemoteApp
from tui.console import diagnostics
from tui.console.exits import Exit, Wrong
from tui.host.admin import admin
from tui.host.database import StoreFault
from tui.host.folder import folder_of
from tui.host.game_server import GameHouse
from tui.host.people import Person
from tui.host.ports import Ports
from tui.host.rate_limits import Gate
from tui.host.security import SecurityLog
from tui.host.store import Order, Store
from tui.settings.preferences import Preferences
from tui.ssh import commands
from tui.ssh.calls import Around, Standing
from tui.ssh.files import Files
from tui.ssh.garbage import tidy
from tui.ssh.here import Sitter
from tui.ssh.hostkey import PORT, fingerprint, host_key, known_hosts_line
from tui.ssh.reception import Counter
from tui.ssh.server import Manner, Server
from tui.ssh.terminal_session import Desks, Make, Note, Times
from tui.ssh.watchdog import Watchdog
from tui.ssh.wire import Session, Wire
from tui.terminal.capabilities import Terminal

EXAMPLE: Final = """example:
  banneret host
  banneret host --listen 0.0.0.0 --port 7022 --guests watch
  banneret host admin invite --hours 24"""

_ANYWHERE: Final = {"", "0.0.0.0", "::"}  # noqa: S104 - not to listen there, but to know it
"""Addresses that mean all addresses of this machine."""

_IN_LINES: Final = 50
"""People who may play in lines at the same time."""

_ORDERS: Final = 1.0
"""Seconds between two looks for orders of the operator."""

_GOODBYE: Final = "The host is being shut down. Your games are kept; come back later."

_FORCED: Final = {"output": "cells"}
"""Settings that nobody can change on a host: Textual's own output keeps one depth of colours."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--listen", default="127.0.0.1", metavar="ADDRESS", help="default: loopback"
    )
    parser.add_argument("--port", type=int, default=PORT, help=f"default {PORT}; 0: any free one")
    parser.add_argument(
        "--guests",
        choices=("no", "watch", "play"),
        default="no",
        help="who comes as 'guest' without a key: nobody, to watch, or to play",
    )
    parser.add_argument("--folder", metavar="DIR", help="where games and accounts are kept")
    parser.add_argument(
        "--away", type=float, default=30.0, metavar="MIN", help="minutes a screen waits; 30"
    )
    parser.add_argument(
        "--idle", type=float, default=60.0, metavar="MIN", help="minutes without a key; 60"
    )
    parser.add_argument("--thinkers", type=int, default=1, help="processes for computer players")


class Rooms(Desks):
    """Desks whose people are here as long as they sit there."""

    def __init__(self, house: GameHouse, make: Make, *, times: Times, note: Note) -> None:
        """No desk yet."""
        super().__init__(make, times=times, note=note)
        self._house = house

    async def sit(
        self, person: Person, wire: Wire, terminal: Terminal, *, another: bool = False
    ) -> None:
        """As usual, and everybody sees that the person is here."""
        self._house.come(person)
        for app in self._apps(person):
            app.call_later(app.come_back)
        try:
            await super().sit(person, wire, terminal, another=another)
        finally:
            self._house.go(person)
            for app in self._apps(person):
                app.go_away()

    def _apps(self, person: Person) -> list[RemoteApp]:
        """The programs of a person that nobody sits at."""
        idle = [desk for desk in self.of(person) if not desk.is_attached and not desk.is_ending]
        return [desk.app for desk in idle if isinstance(desk.app, RemoteApp)]


class Host:
    """Everything that runs. Make it in the loop."""

    def __init__(self, folder: Path, ports: Ports, args: argparse.Namespace) -> None:
        """It does not listen yet.

        Raises:
            Wrong: its accounts cannot be opened.
        """
        try:
            self.store = Store.open(folder / "host.sqlite3")
        except StoreFault as fault:
            raise Wrong(str(fault)) from None
        self.folder = folder
        self.began = time.time()
        self.done = asyncio.Event()
        self.slots = asyncio.Semaphore(_IN_LINES)
        self.gate = Gate(self.store.limits())
        self.log = SecurityLog(folder / "security.log")
        self.house = GameHouse(
            ports, self.store, limits=lambda: self.gate.limits, processes=args.thinkers
        )
        times = Times(away=args.away * 60, idle=args.idle * 60)
        self.desks = Rooms(self.house, self._visitor, times=times, note=self._note)
        self.server = Server(
            Counter(self.store, self.gate, self.log),
            self.desks,
            self.carry_out,
            files=self.shelf,
            full=self._full,
            manner=Manner(guests=args.guests != "no", guests_play=args.guests == "play"),
        )

    # -- what the server asks for ------------------------------------------------------------------

    def _visitor(self, person: Person, terminal: Terminal, driver_class: type[Driver]) -> BaseApp:
        own = self.folder / "people" / str(max(0, person.number))
        visitor = RemoteApp(
            self.house,
            person,
            self.store,
            preferences=Preferences(own, _FORCED),
            terminal=terminal,
            driver_class=driver_class,
        )
        visitor.ask = lambda kind: self.gate.ask(kind, f"person {person.number}")
        return visitor

    def _note(self, kind: str, person: Person, text: str) -> None:
        self.log.note(kind, text, person=max(0, person.number), name=person.name)

    def _full(self, every: int, own: int) -> str:
        limits = self.gate.limits
        return limits.full("sessions", every) or limits.full("sessions_a_person", own)

    # -- without a screen --------------------------------------------------------------------------

    async def carry_out(self, command: str, person: Person, process: Session) -> int:
        """``ssh HOST COMMAND``."""
        return await commands.run(
            command, person, self.house, self.house.ports, process, self._around(person)
        )

    def shelf(self, person: Person, channel: Any) -> Files:
        """What somebody may fetch."""
        return Files(channel, person, self.house, self.house.ports)

    def _around(self, person: Person) -> Around:
        who = f"person {person.number}"
        return Around(
            standing=self.standing,
            ask=lambda kind: self.gate.ask(kind, who),  # type: ignore[arg-type]  # the same words
            note=lambda kind, text: self.log.note(kind, text, name=person.name),
            fault=_report,
            admin=(lambda words, by: admin(words, self.store, by, self.log))
            if person.is_admin
            else None,
            slots=self.slots,
        )

    def standing(self) -> Standing:
        """How the host is, for everybody."""
        return Standing(
            version=self.house.ports.versions.get("banneret", ""),
            uptime=time.time() - self.began,
            sessions=self.server.connections,
            people=tuple(sorted(self.house.name_of(number) for number in self.house.here)),
        )

    # -- its life ----------------------------------------------------------------------------------

    async def run(self, listen: str, port: int, say: Callable[[str], None]) -> None:
        """Serve until it is told to stop.

        Raises:
            OSError: the address cannot be had.
        """
        key = host_key(self.folder)
        await self.house.open_all()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self.done.set)
        watchdog = Watchdog(self._stuck)
        await self.server.start(listen, port, key)
        watchdog.start()
        obeying = asyncio.create_task(self._obey(), name="orders")
        logging.getLogger("asyncssh").setLevel(logging.WARNING)  # it tells of every channel
        self._greet(listen, key, say)
        self.log.note("began", f"port {self.server.port}")
        tidying = asyncio.create_task(tidy(), name="garbage")
        try:
            await self.done.wait()
        finally:
            obeying.cancel()
            tidying.cancel()
            watchdog.stop()
            await self.server.close(_GOODBYE)
            await self.house.close()
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
        """Carry out what the operator wants by ``banneret host admin``."""
        while True:
            await asyncio.sleep(_ORDERS)
            try:
                orders: Sequence[Order] = await asyncio.to_thread(self.store.take_orders)
            except StoreFault as fault:
                logging.getLogger(__name__).warning("%s", fault)
                continue
            for order in orders:
                # Sessions that were to end have ended with an earlier host; games have not.
                if order.made >= self.began or order.kind == "close":
                    await self._do(order)

    async def _do(self, order: Order) -> None:
        match order.kind:
            case "kick":
                self.server.kick(order.number, "The operator sent you away.")
                self.log.note("kicked", person=max(0, order.number))
            case "limits":
                self.gate.hold_to(await asyncio.to_thread(self.store.limits))
            case "close":
                await self.house.remove(order.number)
            case "stop":
                self.done.set()

    def _stuck(self, sitter: Sitter, where: str) -> None:
        person = getattr(sitter, "person", None)
        name = person.name if isinstance(person, Person) else ""
        self.log.note("stuck-session", where, name=name)


def _report(problem: BaseException) -> None:
    logging.getLogger(__name__).error("a command failed", exc_info=problem)


def main(args: argparse.Namespace, ports: Ports) -> Exit:
    """Serve until a signal comes.

    Raises:
        Wrong: it cannot listen or its folder cannot be used.
    """
    diagnostics.start()
    folder = folder_of(args.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        asyncio.run(_main(folder, args, ports))
    except OSError as problem:
        raise Wrong(f"{problem.strerror or problem}") from None
    except asyncssh.KeyImportError as problem:
        raise Wrong(f"{folder / 'host_key'}: {problem}") from None
    return Exit.OK


def order(words: Sequence[str]) -> Exit:
    """``banneret host admin ...``: the operator's commands, also while the host runs.

    Raises:
        Wrong: the folder of the host cannot be used.
    """
    wanted: str | None = None
    if words[:1] == ["--folder"] and len(words) > 1:
        wanted, words = words[1], words[2:]
    folder = folder_of(wanted)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        store = Store.open(folder / "host.sqlite3")
    except OSError as problem:
        raise Wrong(f"{folder}: {problem.strerror}") from None
    except StoreFault as fault:
        raise Wrong(str(fault)) from None
    try:
        code, lines = admin(words, store, "", SecurityLog(folder / "security.log"))
    finally:
        store.close()
    stream = sys.stdout if code is Exit.OK else sys.stderr
    stream.write("".join(f"{line}\n" for line in lines))
    return code


async def _main(folder: Path, args: argparse.Namespace, ports: Ports) -> None:
    host = Host(folder, ports, args)

    def say(text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    await host.run(args.listen, args.port, say)
