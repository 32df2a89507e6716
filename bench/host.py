"""Many people at a host at once: response time of keys, memory per session, and remains.

    python -m bench.host --games                         a host of its own with real games
    python -m bench.host --small                         the same with a small screen
    python -m bench.host --port 8022 --key FILE ...      a running host; one key for each person
    python -m bench.host --serve 'banneret host ...' --port 8022 --key FILE ...

The clients run in this process and the host in another. A client's terminal answers queries at
once. The time of a key is from its writing to the last byte of its output before the next key.
Memory is the proportional set size of the host's process. With ``--come-and-go`` the sessions are
guests, whom the host does not store. Games are compared with the small screen (``bench/small.py``),
with the same number of people and keys, in the same run; the ratio depends less on the machine than
the figures do.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import asyncssh

from bench.lines import Client
from bench.small import rarely_collect
from engine.core.archive import SeatPlayer
from host.server.people import KeyInfo
from host.server.store import Store
from saves.archive import Folder
from tui.play.setup import NewGame, begin

COMPUTERS: Final = 4
"""Number of games of computer players that run at the same time."""
SETTLE: Final = 1.5
"""Seconds at the beginning that are not counted."""


# -- a host with games -----------------------------------------------------------------------------


def prepared(folder: Path, sessions: int) -> list[asyncssh.SSHKey]:
    """Set up a host folder with pairs of people at large boards; return the people's keys.

    In addition there are games between two computer players.
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
    """Add a game on the largest board to the host; return its number."""
    players = (SeatPlayer(0, "Eldoin", level), SeatPlayer(1, "Dailor", level))
    start = NewGame("weltendaemmerung", "thainfal", players=players, name=name)
    table = begin(archive, start, lambda _: None)
    table.close()
    return store.add_game(name, 0, b"")


# -- measurements ----------------------------------------------------------------------------------


@dataclass
class Figures:
    """Measurements of one host; times in milliseconds, memory in MiB."""

    sessions: int
    keys: list[float] = field(default_factory=list)
    """Time of each key to the last byte of its output."""
    paintings: list[float] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Before all people came, and with all people."""
    work: list[float] = field(default_factory=list)
    """CPU seconds of the host while keys were pressed."""

    @property
    def told(self) -> dict[str, float]:
        """The figures by name."""
        keys = sorted(self.keys)
        parts = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
        told = {
            f"key to last byte, {name}, ms": keys[min(len(keys) - 1, int(len(keys) * part))]
            for name, part in parts.items()
        }
        told["first painting, median, ms"] = statistics.median(self.paintings)
        told["work of the host for a key, CPU ms"] = sum(self.work) * 1000 / max(1, len(keys))
        each = [(full - base) / self.sessions for base, full in self.memory]
        told["memory without anybody, MiB"] = statistics.median(base for base, _ in self.memory)
        told["memory of each person, MiB"] = statistics.median(each)
        return told


def report(figures: Figures, peer: Figures | None) -> str:
    """Return the figures in lines, with those of a peer if there is one."""
    lines = [f"{figures.sessions} sessions, {len(figures.keys)} keys"]
    if peer is not None:
        lines[0] += f"; the small screen: {len(peer.keys)} keys"
    for name, value in figures.told.items():
        line = f"{name:<30}{value:9.2f}"
        if peer is not None:
            beside = peer.told[name]
            line += f"   small screen {beside:9.2f}"
            line += f"   ratio {value / beside:6.2f}" if beside else ""
        lines.append(line)
    return "\n".join(lines)


def memory(pid: int) -> float:
    """Return the proportional set size in MiB; 0 if it cannot be read."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def work(pid: int) -> float:
    """Return the CPU seconds of a process; 0 if they cannot be read."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


async def work_meanwhile(pid: int, seconds: float) -> float:
    """Wait ``SETTLE`` seconds; return the CPU seconds that a process uses in ``seconds`` more."""
    await asyncio.sleep(SETTLE)
    before = work(pid)
    await asyncio.sleep(seconds)
    return work(pid) - before


def files(pid: int) -> int:
    """Return the number of open files of a process."""
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - only their number


async def load(
    figures: Figures, at: At, keys: Sequence[asyncssh.SSHKey], *, seconds: float, rate: float
) -> None:
    """Let all people connect, play and leave; add the measurements to ``figures``."""
    clients = [Client(at.port, key) for key in keys]
    base = memory(at.pid)
    for client in clients:
        await client.come()
    figures.memory.append((base, memory(at.pid)))
    now = time.perf_counter()
    plays = [client.play(rate, now + seconds + SETTLE, now + SETTLE) for client in clients]
    busy = asyncio.create_task(work_meanwhile(at.pid, seconds))
    await asyncio.gather(*plays)
    figures.work.append(await busy)
    for client in clients:
        figures.keys += client.times
        figures.paintings.append(client.painted * 1000)
        await client.leave()


async def come_and_go(at: At, rounds: int) -> None:
    """Let ``rounds`` guests come and go one by one; print what the host keeps of them."""
    told = max(1, rounds // 10)
    for number in range(rounds):
        client = Client(at.port, None)
        await client.come()
        await client.leave()
        if number % told == 0 or number == rounds - 1:
            mib, open_files = memory(at.pid), files(at.pid)
            print(f"{number + 1} came and went: {mib:.1f} MiB, {open_files} files", flush=True)


# -- hosts -----------------------------------------------------------------------------------------


class At(NamedTuple):
    """Port and process number of a host."""

    port: int
    pid: int


@asynccontextmanager
async def started(command: Sequence[str], port: int, pid: int = 0) -> AsyncIterator[At]:
    """Run a host during a ``with`` block; without a command, use a running one."""
    process = await asyncio.create_subprocess_exec(*command) if command else None
    try:
        await _listening(port)
        yield At(port, process.pid if process is not None else pid)
    finally:
        if process is not None:
            process.terminate()
            await process.wait()


async def _listening(port: int) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    message = f"nothing listens on port {port}"
    raise TimeoutError(message)


def small(port: int) -> list[str]:
    """Return the command of the host with a small screen."""
    return [sys.executable, "-m", "bench.small", "--port", str(port)]


async def with_games(args: argparse.Namespace) -> None:
    """Measure a host with games, with half of the small screen's time before it and half after.

    The load of the machine changes with time; this order measures both around the same moment.
    """
    figures, peer = Figures(args.sessions), Figures(args.sessions)
    strangers = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(args.sessions)]

    async def beside() -> None:
        async with started(small(args.port), args.port) as at:
            await load(peer, at, strangers, seconds=args.seconds / 2, rate=args.rate)

    await beside()
    with tempfile.TemporaryDirectory() as folder:
        keys = prepared(Path(folder), args.sessions)
        own = ("host", "--folder", folder, "--port", str(args.port))
        async with started([sys.executable, "app.py", *own], args.port) as at:
            await load(figures, at, keys, seconds=args.seconds, rate=args.rate)
    await beside()
    print(report(figures, peer))


async def measure(args: argparse.Namespace) -> None:
    """Start a host if the arguments ask for one, and measure it."""
    rarely_collect()  # else the clients' own pauses would be taken for the host's
    if args.games:
        await with_games(args)
        return
    command = small(args.port) if args.small else shlex.split(args.serve)
    async with started(command, args.port, args.pid) as at:
        if args.come_and_go:
            await come_and_go(at, args.come_and_go)
            return
        keys = [asyncssh.read_private_key(path) for path in args.key][: args.sessions]
        if args.small:
            keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(args.sessions)]
        figures = Figures(len(keys))
        await load(figures, at, keys, seconds=args.seconds, rate=args.rate)
        print(report(figures, None))


def main() -> None:
    """Measure a host; the options are in the module's text."""
    parser = argparse.ArgumentParser(prog="python -m bench.host", description=__doc__)
    parser.add_argument("--port", type=int, default=8922)
    parser.add_argument("--small", action="store_true", help="a host of its own, a small screen")
    parser.add_argument(
        "--games",
        action="store_true",
        help="a host of its own, real games, and the small screen beside it",
    )
    parser.add_argument("--serve", default="", help="the command that starts the host")
    parser.add_argument("--pid", type=int, default=0, help="of a host that runs already")
    parser.add_argument("--key", nargs="*", default=[], help="files with private keys")
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=2.0, help="keys a second of each person")
    parser.add_argument("--come-and-go", type=int, default=0, help="so many sessions, one by one")
    args = parser.parse_args()
    if args.games and args.come_and_go:
        parser.error("--come-and-go is for guests; a host with games has none")
    asyncio.run(measure(args))


if __name__ == "__main__":
    main()
