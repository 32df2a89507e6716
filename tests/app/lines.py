"""A connection to a host, and what goes over it: commands, screens, programs at a seat."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import asyncssh

from tests.app.glass import PATIENCE, AsyncTerminal


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

    async def is_over(self) -> bool:
        """True if the host has said, before the line was gone, that the game is over."""
        with contextlib.suppress(asyncssh.Error, EOFError, OSError):
            await self.until("bye")
        return any(message["type"] == "bye" and "winners" in message for message in self.heard)

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


@contextlib.contextmanager
def _lost_or_open() -> Iterator[None]:
    """A line that is lost while a session is opened is told as such.

    Raises:
        EOFError: it was; asyncssh asserts that it cannot be.
    """
    try:
        yield
    except AssertionError as problem:
        raise EOFError("the line was lost") from problem


class Line:
    """A connection."""

    def __init__(self, connection: asyncssh.SSHClientConnection) -> None:
        self.connection = connection

    async def run(self, command: str, given: str = "") -> str:
        """Carry out a command that must succeed; its output.

        Raises:
            EOFError: the line was lost before it was done.
        """
        done = await self.tried(command, given)
        if done.exit_status is None:
            raise EOFError(command)
        assert done.exit_status == 0, (command, done.stdout, done.stderr)
        assert isinstance(done.stdout, str)
        return done.stdout

    async def tried(self, command: str, given: str = "") -> asyncssh.SSHCompletedProcess:
        """Carry out a command."""
        async with asyncio.timeout(PATIENCE):
            with _lost_or_open():
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
        with _lost_or_open():
            process = await self.connection.create_process(
                command, term_type=term, term_size=size, encoding=None, request_pty="force"
            )
        return AsyncTerminal(process, size)

    async def bot(self, game: int, seat: str) -> Bot:
        """A program at a seat."""
        with _lost_or_open():
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
