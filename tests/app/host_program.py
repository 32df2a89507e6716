"""``banneret host`` as a process of its own, and clients that come to it: ``ssh`` and asyncssh."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import termios
import tty
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import asyncssh
import pyte
import pytest

from engine.core.codec import encode_json
from saves.archive import Folder
from tests.app.cli import ROOT
from tui.plain.hosting.people import KeyInfo
from tui.plain.hosting.store import Store

PATIENCE = 60.0
"""Seconds after which what should happen is missed."""

ANSWERS = b"\x1b[1;2R\x1bP1$r0;48;2;1;2;3m\x1b\\\x1b[?62;4c"
"""What a good terminal says when it is asked what it can show."""

_PROGRAM = (sys.executable, "-m", "app", "host")
_LAST_QUESTION = b"\x1b[c"
_STRANGE_TO_PYTE = re.compile(rb"\x1bP[^\x1b]*\x1b\\|\x1b\[>[\d;]*[a-z]|\x1b\[\?2026\$p")
_OFTEN = "100000+1000000"

SSH = shutil.which("ssh") or "/usr/bin/ssh"

needs_ssh = pytest.mark.skipif(
    not Path(SSH).exists() and not os.environ.get("CI"), reason="ssh is not installed"
)
"""Skips without OpenSSH; where ``CI`` is set a missing ``ssh`` is a failure."""


class HostProgram:
    """A host with people who have keys. The first of them is an administrator."""

    def __init__(self, folder: Path, people: Sequence[str], *words: str) -> None:
        """Put the accounts in; ``start`` starts the program."""
        self.folder = folder
        self.port = 0
        self.words = words
        self.process: subprocess.Popen[str] | None = None
        self._keys = {name: folder / f"key-{name}" for name in people}
        self._known: dict[Path, asyncssh.SSHKey] = {}
        store = Store.open(folder / "host.sqlite3")
        for number, (name, path) in enumerate(self._keys.items()):
            key = asyncssh.generate_private_key("ssh-ed25519")
            key.write_private_key(path)
            path.chmod(0o600)
            info = KeyInfo(key.get_fingerprint(), key.get_algorithm())
            store.enrol(store.invite(0, admin=number == 0), name, info)
            self._known[path] = key
        # All come from one address, and as often as tests want it.
        for limit in ("connection", "auth", "session", "exec", "line"):
            store.set_limits(limit, _OFTEN)
        store.close()

    # -- its life ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Start it and wait until it listens."""
        own = dict.fromkeys(
            ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(self.folder)
        )
        with self._errors.open("a") as errors:
            self.process = subprocess.Popen(
                [*_PROGRAM, "--folder", str(self.folder), "--port", "0", *self.words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=ROOT,
                env={**os.environ, **own},
                text=True,
            )
        assert self.process.stdout is not None
        told = _first_line(self.process.stdout)
        found = re.search(r"port (\d+)", told)
        assert found is not None, (told, self.errors)
        self.port = int(found[1])

    def kill(self) -> None:
        """End it where it stands."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Tell it to end."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(number)
            process.wait(PATIENCE)
            assert process.stdout is not None
            process.stdout.close()

    @property
    def is_up(self) -> bool:
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None

    @property
    def _errors(self) -> Path:
        return self.folder / "stderr"

    @property
    def errors(self) -> str:
        """What it wrote to its standard error, and to its diagnostics, since it was first started.

        Diagnostics count from warnings on.
        """
        logs = [self._errors, *sorted(self.folder.glob("**/*.log*"))]
        return "".join(
            path.read_text(encoding="utf-8", errors="replace")
            for path in logs
            if path.exists() and path.name != "security.log"
        )

    # -- who comes ---------------------------------------------------------------------------------

    def key(self, name: str) -> asyncssh.SSHKey:
        """Somebody's key."""
        return self._known[self._keys[name]]

    def command(self, program: str, name: str, *words: str) -> list[str]:
        """``ssh``, ``scp`` or ``sftp`` with somebody's key and nothing of this machine's set-up."""
        options = [
            "StrictHostKeyChecking=no",
            f"UserKnownHostsFile={os.devnull}",
            "LogLevel=ERROR",
            "IdentitiesOnly=yes",
            "IdentityAgent=none",
        ]
        return [
            shutil.which(program) or program,
            *(part for option in options for part in ("-o", option)),
            *("-F", os.devnull, "-i", str(self._keys[name])),
            *("-p" if program == "ssh" else "-P", str(self.port)),
            *words,
        ]

    @contextlib.asynccontextmanager
    async def line(self, name: str, *, port: int = 0, room: int = 0) -> AsyncIterator[Line]:
        """A connection of asyncssh.

        Args:
            name: whose.
            port: of what stands between, if anything does.
            room: bounds what the system keeps of what is not read.
        """
        plug = socket.socket()
        if room:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        plug.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plug, ("127.0.0.1", port or self.port))
        connection = await asyncssh.connect(
            sock=plug,
            known_hosts=None,
            username="anybody",
            client_keys=[self.key(name)],
            agent_path=None,
            config=None,
        )
        try:
            yield Line(connection)
        finally:
            if not connection.is_closed():
                connection.abort()
            await connection.wait_closed()


@contextlib.contextmanager
def hosting(folder: Path, *people: str) -> Iterator[HostProgram]:
    """A host that runs as long as it is needed; it must not have met a fault."""
    host = HostProgram(folder, people)
    host.start()
    try:
        yield host
        assert host.is_up, host.errors
    finally:
        host.stop()
    assert "Traceback" not in host.errors, host.errors


def _first_line(stream: IO[str]) -> str:
    ready, _, _ = select.select([stream], [], [], PATIENCE)
    return stream.readline() if ready else ""


# -- terminals -------------------------------------------------------------------------------------


class Glass:
    """What a terminal shows, and every byte that it was sent."""

    def __init__(self, size: tuple[int, int] = (80, 24)) -> None:
        self.raw = b""
        self.is_over = False
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._news = asyncio.Event()
        self._left = b""

    def send(self, data: bytes) -> None:
        """Type."""
        raise NotImplementedError

    def press(self, keys: str) -> None:
        """Type keys."""
        self.send(keys.encode())

    def show(self, data: bytes) -> None:
        """Something was sent to the terminal."""
        asked = self.raw[-3:] + data
        self.raw += data
        if _LAST_QUESTION in asked:
            self.send(ANSWERS)
        self._stream.feed(_STRANGE_TO_PYTE.sub(b"", data))
        self._news.set()

    def ended(self) -> None:
        """Nothing more will come."""
        self.is_over = True
        self._news.set()

    @property
    def text(self) -> str:
        """What is shown."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def cursor(self) -> tuple[int, int] | None:
        """Where the terminal's cursor stands; None if it is hidden."""
        if self._screen.cursor.hidden:
            return None
        return self._screen.cursor.x, self._screen.cursor.y

    def back(self, x: int, y: int) -> str:
        """The colour behind a cell."""
        return str(self._screen.buffer[y][x].bg)

    async def until(self, *wanted: str | Callable[[str], bool]) -> str:
        """Wait until all of this is shown; what is shown then."""

        def is_so() -> bool:
            text = self.text
            return all(one in text if isinstance(one, str) else one(text) for one in wanted)

        try:
            async with asyncio.timeout(PATIENCE):
                while not is_so():
                    await self.news()
        except TimeoutError:
            message = f"waited for {wanted}; {self.raw[-300:]!r}\n{self.text}"
            raise AssertionError(message) from None
        return self.text

    async def news(self) -> None:
        """Wait for whatever comes next."""
        self._news.clear()
        await self._news.wait()

    async def over(self) -> None:
        """Wait until nothing more will come."""
        async with asyncio.timeout(PATIENCE):
            while not self.is_over:
                await self.news()


class RealTerminal(Glass):
    """The ``ssh`` of OpenSSH in a pseudo-terminal."""

    def __init__(self, command: Sequence[str], size: tuple[int, int], term: str) -> None:
        super().__init__(size)
        self._end, other = pty.openpty()
        tty.setraw(other)
        self._set_size(*size)
        self.process = subprocess.Popen(
            command,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            env={**os.environ, "TERM": term},
        )
        os.close(other)
        os.set_blocking(self._end, False)
        asyncio.get_running_loop().add_reader(self._end, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._end, 65536)
        except BlockingIOError:
            return
        except OSError:  # the program has closed its side
            data = b""
        if data:
            self.show(data)
        else:
            asyncio.get_running_loop().remove_reader(self._end)
            self.ended()

    def send(self, data: bytes) -> None:
        """Type."""
        os.write(self._end, data)

    def resize(self, columns: int, rows: int) -> None:
        """Make the terminal larger or smaller."""
        self._screen.resize(rows, columns)
        self._set_size(columns, rows)
        self.process.send_signal(signal.SIGWINCH)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def close(self) -> None:
        """End the program, if it runs."""
        asyncio.get_running_loop().remove_reader(self._end)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self._end)


@contextlib.asynccontextmanager
async def real_terminal(
    host: HostProgram,
    name: str,
    *words: str,
    size: tuple[int, int] = (80, 24),
    term: str = "xterm-256color",
) -> AsyncIterator[RealTerminal]:
    """``ssh`` from a terminal; what it was sent holds no trace of a fault."""
    command = host.command("ssh", name, "-tt", "127.0.0.1", *words)
    terminal = RealTerminal(command, size, term)
    try:
        yield terminal
    finally:
        terminal.close()
    assert b"Traceback" not in terminal.raw


class AsyncTerminal(Glass):
    """A terminal at a session of asyncssh."""

    def __init__(self, process: asyncssh.SSHClientProcess[bytes], size: tuple[int, int]) -> None:
        super().__init__(size)
        self.process = process
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while data := await self.process.stdout.read(65536):
                self.show(data)
        except (asyncssh.Error, OSError):
            pass
        self.ended()

    def send(self, data: bytes) -> None:
        """Type."""
        if not self.process.channel.is_closing():
            self.process.stdin.write(data)

    def resize(self, columns: int, rows: int) -> None:
        """Say another size; only a possible one changes what is shown here."""
        if 0 < columns <= 500 and 0 < rows <= 200:
            self._screen.resize(rows, columns)
        self.process.change_terminal_size(columns, rows)


# -- connections -----------------------------------------------------------------------------------


class Bot:
    """A program at a seat, by the bot protocol."""

    def __init__(self, process: asyncssh.SSHClientProcess[str]) -> None:
        self.process = process
        self.heard: list[dict[str, Any]] = []
        self._number = 0

    async def take(self) -> dict[str, Any]:
        """The next message."""
        async with asyncio.timeout(PATIENCE):
            line = await self.process.stdout.readline()
        if not line:
            raise EOFError((await self.process.stderr.read()) or "no more messages")
        message: dict[str, Any] = json.loads(line)
        self.heard.append(message)
        return message

    async def until(self, *kinds: str) -> dict[str, Any]:
        """Read on to a message of one of these types."""
        while True:
            message = await self.take()
            if message["type"] in kinds:
                return message

    async def ask(self, **fields: Any) -> dict[str, Any]:
        """Send a request, read on to its answer."""
        self._number += 1
        number = self._number
        self.process.stdin.write(json.dumps({"id": number, **fields}) + "\n")
        while True:
            message = await self.take()
            if message.get("id") == number:
                return message

    async def ready(self) -> Mapping[str, Any]:
        """Begin; the view."""
        view: Mapping[str, Any] = (await self.ask(type="ready"))["view"]
        return view

    async def act(self, line: str) -> dict[str, Any]:
        """Do something; the answer, which is ``done`` or ``error``."""
        return await self.ask(type="act", command=line)


class Line:
    """A connection."""

    def __init__(self, connection: asyncssh.SSHClientConnection) -> None:
        self.connection = connection

    async def run(self, command: str, given: str = "") -> str:
        """Carry out a command that must succeed; its output."""
        done = await self.tried(command, given)
        assert done.exit_status == 0, (command, done.stdout, done.stderr)
        assert isinstance(done.stdout, str)
        return done.stdout

    async def tried(self, command: str, given: str = "") -> asyncssh.SSHCompletedProcess:
        """Carry out a command."""
        async with asyncio.timeout(PATIENCE):
            done = await self.connection.run(command, input=given, encoding="utf-8")
        assert "Traceback" not in f"{done.stdout!s}{done.stderr!s}"
        return done

    async def screen(
        self,
        *,
        size: tuple[int, int] = (80, 24),
        term: str = "xterm-256color",
        command: str | None = None,
    ) -> AsyncTerminal:
        """A session with a terminal."""
        process = await self.connection.create_process(
            command, term_type=term, term_size=size, encoding=None, request_pty="force"
        )
        return AsyncTerminal(process, size)

    async def bot(self, game: int, seat: str) -> Bot:
        """A program at a seat."""
        process = await self.connection.create_process(
            f"bot --game {game} --seat {seat}", encoding="utf-8"
        )
        return Bot(process)

    def pause(self) -> None:
        """Read nothing any more."""
        transport = getattr(self.connection, "_transport", None)
        if transport is not None:
            transport.pause_reading()

    def drop(self) -> None:
        """Cut the line without a word."""
        if not self.connection.is_closed():
            self.connection.abort()


# -- moves that are counted ------------------------------------------------------------------------


class Moves:
    """What one person has done in games alone at both seats, as far as the person knows."""

    def __init__(self, seed: int) -> None:
        self.acknowledged = 0
        self._chance = random.Random(seed)  # noqa: S311 - which moves are made
        self._done: dict[int, list[tuple[bool, tuple[int, Any]]]] = {}
        """By game: what was wanted, and whether it was acknowledged."""

    async def play(self, line: Line, game: int, most: int) -> bool:
        """Make so many moves, or as many as the line lasts; whether the game goes on."""
        bots = [await line.bot(game, seat) for seat in ("Eldoin", "Dailor")]
        for bot in bots:
            await bot.ready()
        for _ in range(most):
            for seat, bot in enumerate(bots):
                offers = (await bot.ask(type="offers")).get("commands", ())
                if offers:
                    await self._make(game, seat, bot, self._chance.choice(offers))
                    break
            else:
                return False
        return True

    async def _make(self, game: int, seat: int, bot: Bot, command: Any) -> None:
        done = self._done.setdefault(game, [])
        done.append((False, (seat, command)))
        answer = await bot.ask(type="act", command=command)
        if answer["type"] == "done":
            done[-1] = True, done[-1][1]
            self.acknowledged += 1
        else:
            done.pop()

    def lost(self, host: HostProgram) -> list[str]:
        """The games whose saves lack something that was acknowledged, or hold what nobody did."""
        archive = Folder(host.folder / "games")
        store = Store.open(host.folder / "host.sqlite3")
        saves = {row.number: row.save for row in store.games()}
        store.close()
        wrong = []
        for game, done in self._done.items():
            entries = [
                (entry.seat, json.loads(encode_json(entry.command)))
                for entry in archive.read(saves[game]).log.line()
                if entry.seat >= 0
            ]
            if not _agree(entries, done):
                wrong.append(saves[game])
        return wrong


def _agree(entries: list[tuple[int, Any]], done: list[tuple[bool, tuple[int, Any]]]) -> bool:
    """Whether entries are all that was acknowledged, and perhaps some of what was only wanted."""
    places = {0}
    for was_told, deed in done:
        after = {at + 1 for at in places if at < len(entries) and entries[at] == deed}
        places = after if was_told else places | after
    return len(entries) in places
