"""An SSH server on loopback with the commands and files of a host, and clients for it."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple, cast

import asyncssh

from host.server.game_server import GameServer
from host.server.people import Person
from host.ssh.calls import CommandContext, HostStatus, Process
from host.ssh.files import Files
from host.ssh.ssh_commands import run
from tests.host.fakes import PEOPLE, VISITOR, FakeGameServer
from tests.programs import program
from tui.console.exits import Exit

_CLOSING = 5.0
"""Seconds that a client has to read the last output."""

HOST_KEY = asyncssh.generate_private_key("ssh-ed25519")


class Shell:
    """A server whose users are the people of ``fakes``, by name and without keys."""

    def __init__(self, game_server: FakeGameServer, served: GameServer | None = None) -> None:
        self.game_server = game_server
        self.served = served or cast("GameServer", game_server)
        """The game server in use; a real one for tests of the whole host."""
        self.ports = game_server.ports()
        self.port = 0
        self.faults: list[BaseException] = []
        self.notes: list[str] = []
        self.asked: list[str] = []
        self.refusals: list[str] = []
        """Answers to the next checks of rate limits; empty means allowed."""
        self.most_waiting = 2000
        self.slots = asyncio.Semaphore(9)
        self.administered: list[tuple[Sequence[str], str]] = []

    def around(self) -> CommandContext:
        return CommandContext(
            status=lambda: HostStatus("1.2", 3661.5, 2, ("Anna", "Bert")),
            ask=self._ask,
            note=lambda event, _detail: self.notes.append(event),
            fault=self.faults.append,
            admin=self._admin,
            slots=self.slots,
            most_waiting=self.most_waiting,
        )

    async def process(self, process: Process) -> None:
        person = person_called(process.channel.get_extra_info("username"))
        command = process.command or ""
        code = await run(command, person, self.served, self.ports, process, self.around())
        process.exit(code)
        try:
            async with asyncio.timeout(_CLOSING):
                await process.channel.wait_closed()
        except TimeoutError:  # the other end reads nothing
            process.channel.abort()

    @asynccontextmanager
    async def client(self, name: str) -> AsyncIterator[asyncssh.SSHClientConnection]:
        async with asyncssh.connect(
            "127.0.0.1", self.port, username=name, known_hosts=None, client_keys=None, config=None
        ) as connection:
            yield connection

    async def run(self, name: str, command: str, given: str = "") -> asyncssh.SSHCompletedProcess:
        """Run a command as a person; return its result, with output as text."""
        async with self.client(name) as connection:
            return await connection.run(command, input=given)

    def files(self, channel: asyncssh.SSHServerChannel[bytes]) -> Files:
        """Return the files that the connected person sees."""
        person = person_called(channel.get_connection().get_extra_info("username"))
        return Files(channel, person, self.served, self.ports)

    def _ask(self, kind: str) -> str:
        self.asked.append(kind)
        return self.refusals.pop(0) if self.refusals else ""

    def _admin(self, words: Sequence[str], by: str) -> tuple[Exit, list[str]]:
        self.administered.append((words, by))
        return (Exit.OK, ["done"]) if words else (Exit.USAGE, ["what?"])


class _Door(asyncssh.SSHServer):
    def begin_auth(self, username: str) -> bool:
        return False


def person_called(name: str) -> Person:
    return next((one for one in PEOPLE.values() if one.name == name), VISITOR)


@asynccontextmanager
async def serving(folder: Path, served: GameServer | None = None) -> AsyncIterator[Shell]:
    """Run a server for a test, with saves in ``folder``."""
    shell = Shell(FakeGameServer(folder), served)
    server = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_factory=_Door,
        server_host_keys=[HOST_KEY],
        process_factory=shell.process,
        encoding=None,
        line_editor=False,
        sftp_factory=shell.files,
    )
    shell.port = server.sockets[0].getsockname()[1]
    try:
        yield shell
    finally:
        server.close()
        await server.wait_closed()
        await shell.game_server.close()
    for fault in shell.faults:
        raise fault


class Ended(NamedTuple):
    """Result of a program that has ended."""

    code: int
    out: bytes
    err: bytes


class OpenSSH:
    """The real ``ssh``, ``scp`` and ``sftp``."""

    def __init__(self, shell: Shell, folder: Path) -> None:
        self.shell = shell
        self.key = folder / "key"
        asyncssh.generate_private_key("ssh-ed25519").write_private_key(self.key)
        self.key.chmod(stat.S_IRUSR | stat.S_IWUSR)

    async def run(
        self, tool: str, *words: str, given: bytes = b"", terminal: int | None = None
    ) -> Ended:
        """Run one of the programs, at a terminal if its descriptor is given."""
        port = "-p" if tool == "ssh" else "-P"
        options = ["StrictHostKeyChecking=no", f"UserKnownHostsFile={os.devnull}", "LogLevel=ERROR"]
        process = await asyncio.create_subprocess_exec(
            program(tool),
            *(part for option in options for part in ("-o", option)),
            *("-F", os.devnull, "-i", str(self.key), port, str(self.shell.port)),
            *words,
            stdin=terminal or asyncio.subprocess.PIPE,
            stdout=terminal or asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate(given if terminal is None else None)
        return Ended(process.returncode or 0, out or b"", err)
