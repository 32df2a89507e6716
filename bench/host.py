"""Many people at a host at once: how long a key takes, how much memory a session, what is left.

    python -m bench.host --games                         a host of its own with real games
    python -m bench.host --small                         the same with a small screen
    python -m bench.host --port 8022 --key FILE ...      a host that runs; one key for each person
    python -m bench.host --serve 'banneret host ...' --port 8022 --key FILE ...

The clients run in this process and the host in another. A terminal of the clients answers at once
what it is asked. A key's time is from when it is written to the last byte that came of it before
the next key. Memory is the proportional set size of the host's process. Those who only come and go
are guests, of whom the host keeps nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import asyncssh
from textual.app import ComposeResult
from textual.driver import Driver
from textual.widgets import Static

from engine.core.archive import Player
from saves.archive import Folder
from tui.furnished import Furnished
from tui.plain.hosting.people import KeyInfo, Person
from tui.plain.hosting.store import Store
from tui.preferences import Preferences
from tui.setup import NewGame, begin
from tui.ssh.desks import Desks
from tui.ssh.door import Key, Kind
from tui.ssh.probe import Remembered
from tui.ssh.server import Manner, Server
from tui.ssh.watchdog import Watchdog
from tui.terminal import Terminal

ANSWERS: Final = b"\x1b[1;2R\x1bP1$r0;48;2;1;2;3m\x1b\\\x1b[?62;4c"
SIZE: Final = (120, 40)
KEYS: Final = (b"\x1b[C", b"\x1b[D")
COMPUTERS: Final = 4
"""Games that computer players play meanwhile."""
SETTLE: Final = 1.5
"""Seconds at the beginning that are not counted."""


# -- a host with games -----------------------------------------------------------------------------


def prepared(folder: Path, sessions: int) -> list[asyncssh.SSHKey]:
    """A folder of a host with people who sit two by two at large boards; their keys.

    Besides there are games in which two computer players play each other.
    """
    store = Store.open(folder / "host.sqlite3")
    for name in ("connection", "session", "line", "failure"):
        if name in store.limits().texts():
            store.set_limits(name, "100000+100000")
    for name in ("sessions", "games", "games_a_person"):
        store.set_limits(name, "100000")
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(sessions)]
    for number, key in enumerate(keys, 1):
        store.enrol(store.invite(0), f"Player {number}", KeyInfo(key.get_fingerprint()))
    archive = Folder(folder / "games")
    for number in range(0, sessions, 2):
        game = entered(store, archive, f"game {number}", "")
        for seat in (0, 1):
            if number + seat < sessions:
                store.seat(game, seat, number + seat + 1)
                store.keep_place(number + seat + 1, game, seat, 40, 20)
    for number in range(COMPUTERS):
        entered(store, archive, f"computers {number}", "normal")
    store.close()
    return keys


def entered(store: Store, archive: Folder, name: str, level: str) -> int:
    """A game on the largest board, in the book of the host."""
    players = (Player(0, "Eldoin", level), Player(1, "Dailor", level))
    start = NewGame("weltendaemmerung", "thainfal", players=players, name=name)
    table = begin(archive, start, lambda _: None)
    table.close()
    return store.add_game(name, 0, b"")


# -- a host with a small screen --------------------------------------------------------------------


class Small(Furnished):
    """A field of letters with a cursor on it."""

    def __init__(self, person: Person, terminal: Terminal, driver_class: type[Driver]) -> None:
        super().__init__(preferences=Preferences(), terminal=terminal, driver_class=driver_class)
        self.person = person
        self.at = 0

    def compose(self) -> ComposeResult:
        """The field, and where the cursor is."""
        yield Static("\n".join("." * 100 for _ in range(35)))
        yield Static("0", id="at")

    def on_mount(self) -> None:
        """Look as set."""
        self.apply_settings()

    def on_key(self) -> None:
        """Any key goes on by one."""
        self.at += 1
        self.query_one("#at", Static).update(f"step {self.at}")


class Open:
    """A reception that knows everybody."""

    def __init__(self) -> None:
        self.known: dict[str, Person] = {}

    def ask(self, kind: Kind, address: str, fingerprint: str) -> str:  # noqa: ARG002 - a Reception
        """Everything is allowed."""
        return ""

    def note(self, kind: str, address: str, fingerprint: str, text: str) -> None:  # noqa: ARG002
        """Say it."""
        sys.stderr.write(f"{kind}: {text}\n")

    async def person(self, key: Key) -> Person | None:
        """Everybody who comes with a key has an account."""
        number = len(self.known) + 1
        return self.known.setdefault(key.fingerprint, Person(number, f"P{number}"))

    async def ban(self, key: Key) -> str:  # noqa: ARG002 - the same
        """Nobody is banned."""
        return ""

    async def enrol(self, key: Key, code: str, name: str) -> Person | str:  # noqa: ARG002
        """Nobody needs it."""
        return ""

    async def remembered(self, key: Key, term: str) -> Remembered | None:  # noqa: ARG002
        """Nothing is kept."""
        return None

    async def remember(self, key: Key, term: str, told: Remembered) -> None:
        """Nothing is kept."""


async def be_host(port: int) -> None:
    async def nothing(command: str, person: Person, process: Any) -> int:  # noqa: ARG001 - Commands
        return 0

    server = Server(Open(), Desks(Small), nothing, manner=Manner(guests=True))
    await server.start("127.0.0.1", port, asyncssh.generate_private_key("ssh-ed25519"))
    Watchdog().start()
    rarely_collect()
    await asyncio.Event().wait()


def rarely_collect() -> None:
    """Leave what is imported alone, and look rarely for what points at itself."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)


# -- clients ---------------------------------------------------------------------------------------


class Client:
    """One person at a terminal."""

    def __init__(self, port: int, key: asyncssh.SSHKey | None) -> None:
        self._port, self._key = port, key
        self._connection: asyncssh.SSHClientConnection | None = None
        self._process: asyncssh.SSHClientProcess[bytes] | None = None
        self._reading: asyncio.Task[None] | None = None
        self.last = 0.0
        self.came = 0
        self.times: list[float] = []
        self.painted = 0.0

    async def come(self) -> None:
        """Connect, and wait until a screen is painted."""
        begun = time.perf_counter()
        self._connection = await asyncssh.connect(
            "127.0.0.1",
            self._port,
            known_hosts=None,
            username="guest" if self._key is None else "person",
            client_keys=[self._key] if self._key is not None else None,
            agent_path=None,
            config=None,
        )
        self._process = await self._connection.create_process(
            term_type="xterm-256color", term_size=SIZE, encoding=None
        )
        self._reading = asyncio.create_task(self._read())
        while self.came < 2000:
            await asyncio.sleep(0.01)
            if time.perf_counter() - begun > 60:
                message = "nothing was painted"
                raise TimeoutError(message)
        self.painted = self.last - begun

    async def _read(self) -> None:
        process = self._process
        assert process is not None  # noqa: S101 - it is there by now
        try:
            while data := await process.stdout.read(65536):
                self.last = time.perf_counter()
                self.came += len(data)
                if b"\x1b[c" in data:
                    process.stdin.write(ANSWERS)
        except (asyncssh.Error, OSError):
            pass

    async def play(self, rate: float, until: float, count_from: float) -> None:
        """Press keys at a rate, and note how long each took from some time on."""
        await asyncio.sleep(random.random() / rate)  # noqa: S311 - only spreads the keys
        number = 0
        process = self._process
        while time.perf_counter() < until and process is not None:
            number += 1
            before, pressed = self.came, time.perf_counter()
            process.stdin.write(KEYS[number % 2])
            await asyncio.sleep(1 / rate)
            if pressed >= count_from:
                late = self.came == before
                self.times.append(1000 / rate if late else (self.last - pressed) * 1000)

    async def leave(self) -> None:
        """Drop the line."""
        if self._connection is not None:
            self._connection.abort()
        if self._reading is not None:
            await asyncio.wait([self._reading], timeout=5)
        self._process = self._connection = None


def memory(pid: int) -> float:
    """Proportional set size in MiB; 0 if it cannot be read."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def work(pid: int) -> float:
    """Seconds of CPU that a process has taken; 0 if it cannot be read."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


async def work_meanwhile(pid: int, seconds: float) -> float:
    """Seconds of CPU that a process takes while keys are counted."""
    await asyncio.sleep(SETTLE)
    before = work(pid)
    await asyncio.sleep(seconds)
    return work(pid) - before


def files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - only their number


async def load(
    port: int, keys: Sequence[asyncssh.SSHKey], args: argparse.Namespace, pid: int
) -> None:
    clients = [Client(port, key) for key in keys]
    base = memory(pid)
    for client in clients:
        await client.come()
    full = memory(pid)
    now = time.perf_counter()
    plays = [c.play(args.rate, now + args.seconds + SETTLE, now + SETTLE) for c in clients]
    busy = asyncio.create_task(work_meanwhile(pid, args.seconds))
    await asyncio.gather(*plays)
    worked = await busy
    times = sorted(taken for client in clients for taken in client.times)
    at = [times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.95, 0.99)]
    print(f"{len(clients)} sessions, {len(times)} keys")
    print("key to last byte: p50 {:.1f} ms, p95 {:.1f} ms, p99 {:.1f} ms".format(*at))
    print(f"work of the host: {worked * 1000 / max(1, len(times)):.2f} ms of CPU a key")
    print(f"first painting: {statistics.median(c.painted for c in clients) * 1000:.0f} ms median")
    print(f"memory: {base:.0f} MiB, {full:.0f} MiB, {(full - base) / len(clients):.2f} a session")
    for client in clients:
        await client.leave()


async def come_and_go(port: int, rounds: int, pid: int) -> None:
    told = max(1, rounds // 10)
    for number in range(rounds):
        client = Client(port, None)
        await client.come()
        await client.leave()
        if number % told == 0 or number == rounds - 1:
            print(
                f"{number + 1} came and went: {memory(pid):.1f} MiB, {files(pid)} files", flush=True
            )


async def measure(args: argparse.Namespace) -> None:
    """Start a host if wanted, and measure it."""
    rarely_collect()  # else the clients' own pauses would be taken for the host's
    port, process = args.port, None
    folder = tempfile.TemporaryDirectory()
    keys = prepared(Path(folder.name), args.sessions) if args.games else []
    if args.games:
        command = [sys.executable, "app.py", "host", "--folder", folder.name, "--port", str(port)]
    elif args.small:
        command = [sys.executable, "-m", "bench.host", "--be-host", "--port", str(port)]
    else:
        command = shlex.split(args.serve)
    if command:
        process = await asyncio.create_subprocess_exec(*command)
    pid = process.pid if process is not None else args.pid
    try:
        await listening(port)
        keys = keys or [asyncssh.read_private_key(path) for path in args.key]
        if args.small:
            keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(args.sessions)]
        if args.come_and_go:
            await come_and_go(port, args.come_and_go, pid)
        else:
            await load(port, keys[: args.sessions], args, pid)
    finally:
        if process is not None:
            process.terminate()
            await process.wait()
        folder.cleanup()


async def listening(port: int) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.host", description=__doc__)
    parser.add_argument("--port", type=int, default=8922)
    parser.add_argument("--small", action="store_true", help="a host of its own, a small screen")
    parser.add_argument("--games", action="store_true", help="a host of its own, real games")
    parser.add_argument("--serve", default="", help="the command that starts the host")
    parser.add_argument("--pid", type=int, default=0, help="of a host that runs already")
    parser.add_argument("--key", nargs="*", default=[], help="files with private keys")
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=2.0, help="keys a second of each person")
    parser.add_argument("--come-and-go", type=int, default=0, help="so many sessions, one by one")
    parser.add_argument("--be-host", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    asyncio.run(be_host(args.port) if args.be_host else measure(args))


if __name__ == "__main__":
    main()
