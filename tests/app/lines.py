"""Use a connection to a host: run commands, open screens, play seats by program."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import asyncssh

from tests.app.glass import AsyncTerminal
from tests.patience import PATIENCE


class Bot:
    """A program that plays a seat by the bot protocol."""

    def __init__(self, process: asyncssh.SSHClientProcess[str]) -> None:
        self.process = process
        self.heard: list[dict[str, Any]] = []
        self._number = 0

    async def take(self) -> dict[str, Any]:
        """Return the next message."""
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
        """Return whether the host announced the end of the game before the connection broke."""
        with contextlib.suppress(asyncssh.Error, EOFError, OSError):
            await self.until("bye")
        return any(message["type"] == "bye" and "winners" in message for message in self.heard)

    async def ask(self, **fields: Any) -> dict[str, Any]:
        """Send a request; return its answer."""
        self._number += 1
        number = self._number
        self.process.stdin.write(json.dumps({"id": number, **fields}) + "\n")
        while True:
            message = await self.take()
            if message.get("id") == number:
                return message

    async def ready(self) -> Mapping[str, Any]:
        """Begin; return the view."""
        view: Mapping[str, Any] = (await self.ask(type="ready"))["view"]
        return view

    async def act(self, line: str) -> dict[str, Any]:
        """Give a command; return the answer, ``done`` or ``error``."""
        return await self.ask(type="act", command=line)


@contextlib.contextmanager
def _lost_or_open() -> Iterator[None]:
    """Report a connection that breaks while a session opens as EOFError.

    asyncssh asserts that this cannot happen.
    """
    try:
        yield
    except AssertionError as problem:
        raise EOFError("the line was lost") from problem


class Line:
    """A connection of one person to a host."""

    def __init__(self, connection: asyncssh.SSHClientConnection) -> None:
        self.connection = connection

    async def run(self, command: str, given: str = "") -> str:
        """Run a command that must succeed; return its output.

        Raises:
            EOFError: the connection broke before the command was done.
        """
        done = await self.tried(command, given)
        if done.exit_status is None:
            raise EOFError(command)
        assert done.exit_status == 0, (command, done.stdout, done.stderr)
        assert isinstance(done.stdout, str)
        return done.stdout

    async def tried(self, command: str, given: str = "") -> asyncssh.SSHCompletedProcess:
        """Run a command; return its result, even if it failed."""
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
        """Open a session with a terminal."""
        with _lost_or_open():
            process = await self.connection.create_process(
                command, term_type=term, term_size=size, encoding=None, request_pty="force"
            )
        return AsyncTerminal(process, size)

    async def bot(self, game: int, seat: str) -> Bot:
        """Play a seat by program."""
        with _lost_or_open():
            process = await self.connection.create_process(
                f"bot --game {game} --seat {seat}", encoding="utf-8"
            )
        return Bot(process)

    def pause(self) -> None:
        """Stop reading."""
        transport = getattr(self.connection, "_transport", None)
        if transport is not None:
            transport.pause_reading()

    def drop(self) -> None:
        """Abort the connection without saying goodbye."""
        if not self.connection.is_closed():
            self.connection.abort()
