"""Run ``banneret host`` as a separate process, and connect to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import select
import signal
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import IO

import asyncssh

from host.server.people import KeyInfo
from host.server.store import Store
from tests.app.cli import with_screen
from tests.app.glass import RealTerminal
from tests.app.lines import Line
from tests.app.program_client import Start
from tests.patience import PATIENCE
from tests.programs import program

_OFTEN = "100000+1000000"


class HostProgram:
    """A host whose people have keys. The first person is an administrator."""

    def __init__(
        self,
        folder: Path,
        people: Sequence[str],
        *words: str,
        module: str = "tests.app.patient_host",
    ) -> None:
        """Create the accounts. ``start`` later runs the program of ``module``."""
        self.folder = folder
        self.port = 0
        self._module = module
        self._words = ("host", "--folder", str(folder), "--port", "0", *words)
        self.process: Start | None = None
        self.last_words = ""
        """What it wrote on standard output as it ended."""
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
        # Tests connect from one address, as often as they like.
        for limit in ("connection", "auth", "session", "exec", "line"):
            store.set_limits(limit, _OFTEN)
        store.close()

    # -- its life ----------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the host and wait until it listens."""
        own = dict.fromkeys(
            ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(self.folder)
        )
        reading, writing = os.pipe()
        self._output = os.fdopen(reading)
        with (
            self._errors.open("a") as errors,
            Path(os.devnull).open() as nothing,
            os.fdopen(writing, "w") as output,
        ):
            self.process = with_screen(
                *self._words,
                streams=[nothing.fileno(), output.fileno(), errors.fileno()],
                env={**os.environ, **own},
                module=self._module,
                own_session=False,
            )
        told = _first_line(self._output)
        found = re.search(r"port (\d+)", told)
        assert found is not None, (told, self.errors)
        self.port = int(found[1])

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop it with SIGTERM."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(number)
            process.wait(PATIENCE)
            os.set_blocking(self._output.fileno(), False)
            with contextlib.suppress(BlockingIOError):
                self.last_words = os.read(self._output.fileno(), 65536).decode()
            self._output.close()

    @property
    def is_up(self) -> bool:
        """True if it runs."""
        return self.process is not None and self.process.poll() is None

    @property
    def _errors(self) -> Path:
        return self.folder / "stderr"

    @property
    def errors(self) -> str:
        """Its standard error and diagnostics since its first start, from warnings up."""
        logs = [self._errors, *sorted(self.folder.glob("**/*.log*"))]
        return "".join(
            path.read_text(encoding="utf-8", errors="replace")
            for path in logs
            if path.exists() and path.name != "security.log"
        )

    # -- connections -------------------------------------------------------------------------------

    def key(self, name: str) -> asyncssh.SSHKey:
        """Return a person's key."""
        return self._known[self._keys[name]]

    def command(self, tool: str, name: str, *words: str) -> list[str]:
        """Return a command line of ``ssh``, ``scp`` or ``sftp`` with a person's key and no local
        settings.
        """
        options = [
            "StrictHostKeyChecking=no",
            f"UserKnownHostsFile={os.devnull}",
            "LogLevel=ERROR",
            "IdentitiesOnly=yes",
            "IdentityAgent=none",
        ]
        return [
            program(tool),
            *(part for option in options for part in ("-o", option)),
            *("-F", os.devnull, "-i", str(self._keys[name])),
            *("-p" if tool == "ssh" else "-P", str(self.port)),
            *words,
        ]

    @contextlib.asynccontextmanager
    async def line(self, name: str, *, port: int = 0, room: int = 0) -> AsyncIterator[Line]:
        """Connect with asyncssh as a person.

        Args:
            name: the person.
            port: of a proxy in between; 0 for the host itself.
            room: size of the receive buffer, which bounds unread data; 0 for the default.

        Raises:
            asyncssh.Error, OSError: the host is down, or the connection broke at once.
        """
        plug = socket.socket()
        if room:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        plug.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plug, ("127.0.0.1", port or self.port))
        connection = await _connected(plug, self.key(name))
        try:
            yield Line(connection)
        finally:
            if not connection.is_closed():
                connection.abort()
            await connection.wait_closed()


async def _connected(plug: socket.socket, key: asyncssh.SSHKey) -> asyncssh.SSHClientConnection:
    try:
        return await asyncssh.connect(
            sock=plug,
            known_hosts=None,
            username="anybody",
            client_keys=[key],
            agent_path=None,
            config=None,
        )
    except TypeError as problem:
        # asyncssh asks a socket for its peer, and fails with a TypeError if the peer is gone.
        raise ConnectionResetError(str(problem)) from problem


@contextlib.contextmanager
def hosting(folder: Path, *people: str) -> Iterator[HostProgram]:
    """Run a host in a ``with`` block; fail if it crashed or logged a traceback."""
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


@contextlib.asynccontextmanager
async def real_terminal(
    host: HostProgram,
    name: str,
    *words: str,
    size: tuple[int, int] = (80, 24),
    term: str = "xterm-256color",
) -> AsyncIterator[RealTerminal]:
    """Run ``ssh`` in a terminal; fail if it received a traceback."""
    command = host.command("ssh", name, "-tt", "127.0.0.1", *words)
    terminal = RealTerminal(command, size, term)
    try:
        yield terminal
    finally:
        terminal.close()
    assert b"Traceback" not in terminal.raw
