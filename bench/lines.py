"""People who connect to a host over SSH, press keys and leave; the time of each key."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Final

import asyncssh

ANSWERS: Final = b"\x1b[1;2R\x1bP1$r0;48;2;1;2;3m\x1b\\\x1b[?62;4c"
SIZE: Final = (120, 40)
KEYS: Final = (b"\x1b[C", b"\x1b[D")


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
        """Connect, and wait until a screen is painted.

        Raises:
            TimeoutError: nothing was painted.
        """
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
        """Press keys at a rate, and record their times from ``count_from`` on."""
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
        """Cut the connection."""
        if self._connection is not None:
            self._connection.abort()
        if self._reading is not None:
            await asyncio.wait([self._reading], timeout=5)
        self._process = self._connection = None
