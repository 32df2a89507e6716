"""Drop connections, kill hosts, send nonsense: ``python -m tests.host.soak --drops 1000``.

People play moves in their own games. Again and again a random player loses the connection: the
client is killed, the line falls silent, or the whole host is killed and restarted. Meanwhile
other clients send nonsense. At the end every acknowledged move must be in the saves, the host
must be up, and no client may have seen a traceback.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import perf_counter

import asyncssh

from tests.app.host_program import HostProgram
from tests.app.lines import Line
from tests.app.moves import Moves

PLAYERS = ("Anna", "Bert", "Carl")
VANDAL = "Vera"
WATCHED = "Wim"
"""Person whose keys are timed while others misbehave."""

GONE = (asyncssh.Error, OSError, EOFError, TimeoutError)

BEGIN = "new weltendaemmerung --scenario ford --seat Dailor=person"

_IDLE = 50
"""Maximum connections that a player may lose without a further move."""

SIZES = ((0, 0), (1, 1), (10_000, 10_000), (80, 1), (1, 50), (2**31, 3), (300, 100))

SEQUENCES = (
    b"\x1b[<0;1;",
    b"\x1b[200~",
    b"\x1b[99999999999u",
    b"\x1bP1$r",
    b"\x1b]0;",
    b"\x1b[M\x00",
    b"\xff\xfe\xc3",
    b"\x1b[48;9;9;9;9t",
    b"\x00\x1b\x1b\x1b",
)

WORDS = (
    *(
        "play",
        "--plain",
        "bot",
        "--game",
        "1",
        "--seat",
        "Eldoin",
        "watch",
        "dump",
        "--json",
        "new",
    ),
    *("gd6", "--option", "=", "sit", "stand", "say", "admin", "invite", "help", "--", "-1", "'"),
    *("../../etc/passwd", "$(id)", "\x1b[2J", "é" * 50, "9" * 400, "\x00", "%s%n", "--name"),
)


# -- nonsense --------------------------------------------------------------------------------------


Deed = Callable[[HostProgram, random.Random, bytearray], Awaitable[None]]


async def misuse(host: HostProgram, deed: Deed, chance: random.Random, seen: bytearray) -> None:
    """Misbehave as a client; add the host's output to ``seen``."""
    with contextlib.suppress(*GONE):
        async with asyncio.timeout(20):
            await deed(host, chance, seen)


async def _odd_commands(host: HostProgram, chance: random.Random, seen: bytearray) -> None:
    async with host.line(VANDAL) as line:
        for _ in range(4):
            words = chance.choices(WORDS, k=chance.randrange(1, 6))
            given = chance.randbytes(chance.randrange(400))
            command = b" ".join(word.encode() for word in words)
            done = await line.connection.run(
                command.decode(), input=given, encoding=None, timeout=10, check=False
            )
            for told in (done.stdout, done.stderr):
                seen += told if isinstance(told, bytes) else b""


async def _odd_keys(host: HostProgram, chance: random.Random, seen: bytearray) -> None:
    async with host.line(VANDAL) as line:
        at = await line.screen(command="another")
        await at.until("in the lobby")
        for _ in range(20):
            at.send(chance.choice(SEQUENCES) + chance.randbytes(chance.randrange(60)))
            await asyncio.sleep(0.01)
        seen += at.raw


async def _odd_sizes(host: HostProgram, chance: random.Random, seen: bytearray) -> None:
    async with host.line(VANDAL) as line:
        at = await line.screen(size=chance.choice(SIZES[:3]), command="another")
        for _ in range(12):
            at.process.change_terminal_size(*chance.choice(SIZES))
            await asyncio.sleep(0.02)
        seen += at.raw


async def _flood(host: HostProgram, chance: random.Random, seen: bytearray) -> None:
    async with host.line(VANDAL) as line:
        at = await line.screen(command="another")
        at.send(bytes([chance.randrange(32, 127)]) * 200_000)
        await asyncio.sleep(1)
        seen += at.raw


async def _half_open(host: HostProgram, chance: random.Random, seen: bytearray) -> None:
    """Connect and stay silent, or send nonsense in place of a key exchange."""
    plugs = [await asyncio.open_connection("127.0.0.1", host.port) for _ in range(5)]
    for _, writer in plugs[:3]:
        writer.write(chance.randbytes(300))
    await asyncio.sleep(0.3)
    for reader, writer in plugs:
        with contextlib.suppress(TimeoutError):
            seen += await asyncio.wait_for(reader.read(4096), 0.05)
        writer.transport.abort()


async def _never_read(host: HostProgram, chance: random.Random, seen: bytearray) -> None:
    async with host.line(VANDAL, room=4096) as line:
        process = await line.connection.create_process("play --plain", encoding=None)
        line.pause()
        process.stdin.write(b"games\nhelp\n" * 2000)
        await asyncio.sleep(1)


DEEDS: tuple[Deed, ...] = (_odd_commands, _odd_keys, _odd_sizes, _flood, _half_open, _never_read)


# -- drops -----------------------------------------------------------------------------------------


class Soak:
    """A host, its players, and the drops and misuse that they suffer."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.host = HostProgram(folder, (*PLAYERS, VANDAL, WATCHED))
        self.moves = {name: Moves(seed + at) for at, name in enumerate(PLAYERS)}
        self.seen = bytearray()
        """Output of the host to misbehaving clients."""
        self.echoes: list[float] = []
        """Seconds from a key to its effect on the screen."""
        self.drops: dict[str, int] = {"client": 0, "silent": 0, "host": 0}
        self._chance = random.Random(seed)  # noqa: S311 - who is dropped when
        self._games: dict[str, int] = {}
        self._lines: dict[str, Line] = {}
        self._played = dict.fromkeys(PLAYERS, (0, 0))
        """By player: moves at the last drop, and drops since the number last grew."""

    async def run(self, drops: int, misuses: int) -> None:
        """Drop ``drops`` connections while ``misuses`` clients at a time misbehave."""
        self.host.start()
        done = asyncio.Event()
        tasks = [asyncio.create_task(self._plays(name, done)) for name in PLAYERS]
        tasks += [asyncio.create_task(self._misuses(done)) for _ in range(misuses)]
        tasks.append(asyncio.create_task(self._times(done)))
        try:
            while sum(self.drops.values()) < drops:
                await asyncio.sleep(self._chance.uniform(0.05, 0.8))
                _all_go_on(tasks)
                self._drop()
            await asyncio.sleep(0.5)
            _all_go_on(tasks)
        finally:
            done.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _drop(self) -> None:
        kind = self._chance.choices(("client", "silent", "host"), (10, 5, 1))[0]
        if kind == "host":
            self.host.kill()
            self.host.start()
        elif not self._lose(self._chance.choice(PLAYERS), silent=kind == "silent"):
            return
        self.drops[kind] += 1

    def _lose(self, name: str, *, silent: bool) -> bool:
        """Cut a player's connection; return whether there was one."""
        line = self._lines.pop(name, None)
        if line is None:
            return False
        self._must_play(name)
        if silent:
            line.pause()
            asyncio.get_running_loop().call_later(1.0, line.drop)
        else:
            line.drop()
        return True

    def _must_play(self, name: str) -> None:
        """Check that a player makes moves between drops: without them the drops test nothing."""
        before, times = self._played[name]
        now = self.moves[name].acknowledged
        self._played[name] = (now, times + 1 if now == before else 0)
        if times > _IDLE:
            message = f"{name} has not got to play in {times} connections"
            raise AssertionError(message)

    async def _plays(self, name: str, done: asyncio.Event) -> None:
        while not done.is_set():
            with contextlib.suppress(*GONE):
                async with asyncio.timeout(20), self.host.line(name) as line:
                    self._lines[name] = line
                    await self._play_on(name, line)
            await asyncio.sleep(0.02)

    async def _play_on(self, name: str, line: Line) -> None:
        while True:
            if name not in self._games:
                told = await line.run(f"{BEGIN} --name {name}")
                self._games[name] = int(told.split()[1].rstrip(","))
            with contextlib.suppress(AssertionError):  # the seat is one's own already
                await line.run(f"sit {self._games[name]} Dailor")
            if not await self.moves[name].play(line, self._games[name], 500):
                del self._games[name]

    async def _misuses(self, done: asyncio.Event) -> None:
        while not done.is_set():
            await misuse(self.host, self._chance.choice(DEEDS), self._chance, self.seen)
            await asyncio.sleep(0.05)

    async def _times(self, done: asyncio.Event) -> None:
        while not done.is_set():
            with contextlib.suppress(*GONE, AssertionError):
                async with self.host.line(WATCHED) as line:
                    at = await line.screen()
                    await at.until("in the lobby")
                    while not at.is_over and not done.is_set():
                        began = perf_counter()
                        at.press("?")
                        await asyncio.wait_for(at.until("IN THE LOBBY OF A HOST"), 20)
                        self.echoes.append(perf_counter() - began)
                        at.press("q")
                        await asyncio.wait_for(at.until("in the lobby"), 20)
                        await asyncio.sleep(0.1)
            await asyncio.sleep(0.1)

    def faults(self) -> list[str]:
        """Return the faults found at the end; stop the host."""
        wrong = [] if self.host.is_up else ["the host is down"]
        self.host.stop()
        for name, moves in self.moves.items():
            wrong += [] if moves.acknowledged else [f"{name} has made no move"]
            wrong += [f"{save} of {name} lacks moves" for save in moves.lost(self.host)]
        if b"Traceback" in self.seen:
            wrong.append("a client was shown a traceback")
        if "Traceback" in self.host.errors:
            wrong.append("the host met a fault: see its standard error and its log")
        return wrong

    @property
    def acknowledged(self) -> int:
        """Acknowledged moves of all players."""
        return sum(moves.acknowledged for moves in self.moves.values())


def _all_go_on(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Check that all tasks still run; raise the exception of one that has ended."""
    for task in tasks:
        if task.done():
            task.result()
            message = f"{task} has ended"
            raise AssertionError(message)


def main() -> int:
    """Run the soak; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drops", type=int, default=1000)
    parser.add_argument("--misuses", type=int, default=2, help="clients at a time")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    soak = Soak(folder, args.seed)
    try:
        asyncio.run(soak.run(args.drops, args.misuses))
    except BaseException:
        soak.host.kill()
        raise
    wrong = soak.faults()
    echoes = sorted(soak.echoes)
    told = f"{soak.drops}, {soak.acknowledged} moves acknowledged, {len(soak.seen)} odd bytes"
    if len(echoes) > 1:
        ninety = echoes[int(len(echoes) * 0.95)] * 1000
        told += (
            f"; key to echo of another: median {statistics.median(echoes) * 1000:.0f} ms, "
            f"95 % below {ninety:.0f} ms, longest {echoes[-1] * 1000:.0f} ms ({len(echoes)})"
        )
    sys.stdout.write(f"{told}\n" + "".join(f"WRONG: {one}; in {folder}\n" for one in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
