"""A host with only a small screen, in one process with its clients."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import asyncssh
import pyte
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.driver import Driver
from textual.events import Resize
from textual.geometry import Size
from textual.widgets import Static

from host.server.cleaning import BadName
from host.server.people import Person
from host.ssh.probe import Remembered
from host.ssh.server import Server, ServerSettings
from host.ssh.ssh_connection import AccessControl, Key, LimitKind
from host.ssh.terminal_session import SessionTimes, TerminalSessions
from tests.patience import PATIENCE
from tui.app.base import BaseApp
from tui.settings.preferences import Preferences
from tui.terminal.capabilities import Terminal

ADA = Person(1, "Ada", is_admin=True)
BEN = Person(2, "Ben")

DEVICE = b"\x1b[?62;4c"
"""Last reply of a terminal."""


class Small(BaseApp):
    """A screen that can count, fail, and hang."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("a", "count", "Count"),
        ("b", "break", "Break"),
        ("s", "stick", "Get stuck"),
        ("f", "flood", "Fill the screen for ever"),
        ("q", "quit", "Leave"),
    ]
    CSS = "#big { height: 1fr; width: 1fr; }"

    def __init__(self, person: Person, terminal: Terminal, driver_class: type[Driver]) -> None:
        super().__init__(preferences=Preferences(), terminal=terminal, driver_class=driver_class)
        self.person = person
        self.counted = 0
        self.keys = 0
        self.names: list[str] = []
        self.told_size = Size(0, 0)

    def compose(self) -> ComposeResult:
        yield Static(f"{self.person.name}: 0", id="count")
        yield Static("", id="heard")
        yield Static("", id="big")

    def on_mount(self) -> None:
        self.apply_settings()

    def on_resize(self, event: Resize) -> None:
        self.told_size = event.size
        self._tell()

    def apply_settings(self) -> None:
        super().apply_settings()
        self._tell()

    def _tell(self) -> None:
        width, height = self.told_size
        self.query_one("#heard", Static).update(f"{width}x{height} {self.terminal.depth}")

    def on_key(self, event: Any) -> None:
        self.keys += 1
        self.names.append(event.key)
        self.query_one("#big", Static).update(f"key {event.key}")

    def on_paste(self, event: Any) -> None:
        self.query_one("#big", Static).update(f"pasted {len(event.text)}")

    def action_count(self) -> None:
        self.counted += 1
        self.query_one("#count", Static).update(f"{self.person.name}: {self.counted}")

    def action_break(self) -> None:
        message = "a secret of the program"
        raise RuntimeError(message)

    def action_stick(self) -> None:
        while True:
            self.counted += 1

    def action_flood(self) -> None:
        self.set_interval(0.01, self._fill)

    def _fill(self) -> None:
        self.counted += 1
        sign = chr(33 + self.counted % 90)
        self.query_one("#big", Static).update(Text(sign * 20_000))
        self.query_one("#count", Static).update(f"{self.person.name}: {self.counted}")


class Hall(AccessControl):
    """An access control that knows two keys and records its notes."""

    def __init__(self) -> None:
        self.people: dict[str, Person] = {}
        self.codes: dict[str, Person] = {}
        self.notes: list[tuple[str, str]] = []
        self.refused: set[str] = set()
        self.told: dict[tuple[str, str], Remembered] = {}
        self.bans: dict[str, str] = {}

    def ask(self, kind: LimitKind, address: str, fingerprint: str) -> str:
        return f"Too many of {kind}, wait a minute." if kind in self.refused else ""

    def note(self, kind: str, address: str, fingerprint: str, text: str) -> None:
        self.notes.append((kind, text))

    async def person(self, key: Key) -> Person | None:
        return self.people.get(key.fingerprint)

    async def ban(self, key: Key) -> str:
        return self.bans.get(key.fingerprint, "")

    async def check_code(self, code: str) -> str:
        return "" if code in self.codes else "There is no such invitation."

    async def enrol(self, key: Key, code: str, name: str) -> Person | str:
        if code not in self.codes:
            return "There is no such invitation."
        if name in (person.name for person in self.people.values()):
            raise BadName(f"Somebody is called {name} already.")
        person = self.people[key.fingerprint] = Person(self.codes.pop(code).number, name)
        return person

    async def remembered(self, key: Key, term: str) -> Remembered | None:
        return self.told.get((key.fingerprint, term))

    async def remember(self, key: Key, term: str, told: Remembered) -> None:
        self.told[key.fingerprint, term] = told


class Ground:
    """A server, its access control, and keys to connect with."""

    def __init__(self, times: SessionTimes | None = None, *, guests: bool = False) -> None:
        self.hall = Hall()
        self.noted: list[tuple[str, str]] = []
        self.apps: list[Small] = []
        self.watch: Callable[[Any], object] = lambda process: None
        self.terminals = TerminalSessions(
            self._make,
            times=times,
            note=lambda kind, person, text: self.noted.append((kind, text)),
        )
        self.server = Server(
            self.hall,
            self.terminals,
            self._command,
            settings=ServerSettings(guests=guests, login=PATIENCE),
        )
        self.host_key = asyncssh.generate_private_key("ssh-ed25519")
        self.ada = self._key(ADA)
        self.ben = self._key(BEN)

    def _key(self, person: Person) -> asyncssh.SSHKey:
        key = asyncssh.generate_private_key("ssh-ed25519")
        self.hall.people[key.get_fingerprint()] = person
        return key

    def _make(self, person: Person, terminal: Terminal, driver_class: type[Driver]) -> Small:
        app = Small(person, terminal, driver_class)
        self.apps.append(app)
        return app

    async def _command(self, command: str, person: Person, process: Any) -> int:
        if command == "raise":
            message = "a secret of the command"
            raise RuntimeError(message)
        self.watch(process)
        process.stdout.write(f"{person.name} said {command}\n".encode())
        return 3

    @contextlib.asynccontextmanager
    async def connection(
        self, key: asyncssh.SSHKey | None, user: str = "anybody", *, room: int = 0
    ) -> AsyncIterator[asyncssh.SSHClientConnection]:
        """Connect; ``room`` bounds the receive buffer of the client, 0 for the default."""
        line = socket.socket()
        if room:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        line.setblocking(False)
        await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", self.server.port))
        async with asyncssh.connect(
            sock=line,
            known_hosts=None,
            username=user,
            client_keys=[key] if key is not None else None,
            agent_path=None,
            config=None,
        ) as connection:
            yield connection


class Screen:
    """A client with a terminal that shows output and answers questions."""

    def __init__(self, process: asyncssh.SSHClientProcess[bytes], answers: bytes) -> None:
        self.process = process
        self.raw = b""
        self.is_over = False
        self._answers = answers
        width, height = process.channel.get_extra_info("size", (80, 24))
        self._screen = pyte.Screen(width, height)
        self._stream = pyte.ByteStream(self._screen)
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while data := await self.process.stdout.read(65536):
            self.raw += data
            self._stream.feed(data.replace(b"\x1b[>0q", b""))
            if b"\x1b[c" in data and self._answers:
                self.process.stdin.write(self._answers)
        self.is_over = True

    def press(self, keys: str | bytes) -> None:
        self.process.stdin.write(keys if isinstance(keys, bytes) else keys.encode())

    def resize(self, width: int, height: int) -> None:
        self._screen.resize(height, width)
        self.process.change_terminal_size(width, height)

    @property
    def has_rung(self) -> bool:
        """True if the bell rang. Bells that end escape sequences do not count."""
        return b"\a" in re.sub(rb"\x1b\][^\a]*\a", b"", self.raw)

    @property
    def number(self) -> int:
        """Counter on the screen; -1 without one."""
        found = re.search(r": (\d+)", self.text)
        return int(found[1]) if found else -1

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    async def until(self, seen: str | Callable[[], bool]) -> None:
        """Wait until a text is on the screen, or a condition holds."""

        looked = -1

        def is_so() -> bool:
            nonlocal looked
            if not isinstance(seen, str):
                return seen()
            before, looked = looked, len(self.raw)
            return looked != before and seen in self.text

        try:
            async with asyncio.timeout(PATIENCE):
                while not is_so():
                    await asyncio.sleep(0.02)
        except TimeoutError:
            message = f"{seen} is not so; {self.raw[-300:]!r}\n{self.text}"
            raise AssertionError(message) from None

    async def over(self) -> None:
        await self.until(lambda: self.is_over)
        await self._reading


@contextlib.asynccontextmanager
async def hosting(
    times: SessionTimes | None = None, *, guests: bool = False
) -> AsyncIterator[Ground]:
    """Run a host in a ``with`` block."""
    ground = Ground(times, guests=guests)
    await ground.server.start("127.0.0.1", 0, ground.host_key)
    try:
        yield ground
    finally:
        await ground.server.close("")


async def screen(
    connection: asyncssh.SSHClientConnection,
    *,
    size: tuple[int, int] = (80, 24),
    term: str = "xterm-256color",
    answers: bytes = b"\x1b[1;2R\x1bP1$r0;48;2;1;2;3m\x1b\\" + DEVICE,
    command: str | None = None,
) -> Screen:
    """Open a session with a terminal."""
    process = await connection.create_process(
        command, term_type=term, term_size=size, encoding=None, request_pty="force"
    )
    process.channel.set_extra_info(size=size)
    return Screen(process, answers)


@contextlib.asynccontextmanager
async def alone(times: SessionTimes | None = None) -> AsyncIterator[tuple[Ground, Screen]]:
    """Run a host with Ada at her screen."""
    async with hosting(times) as ground, ground.connection(ground.ada) as line:
        at = await screen(line)
        await at.until("Ada: 0")
        yield ground, at


@contextlib.asynccontextmanager
async def together() -> AsyncIterator[tuple[Screen, Screen]]:
    """Run a host with Ada and Ben, each at a screen."""
    async with alone() as (ground, ada), ground.connection(ground.ben) as line:
        ben = await screen(line)
        await ben.until("Ben: 0")
        yield ada, ben
