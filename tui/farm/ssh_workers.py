"""Workers behind OpenSSH: a machine that has Banneret installed and lets this user in.

The system's ``ssh`` starts the command of a worker there. Its configuration, agent and known hosts
are the user's; nothing is asked, so a host that wants a password is refused.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import Final

from tui.farm.links import Machine, WorkerLink, WorkerProcess
from tui.farm.protocol import Assignment, Ended, WorkerAnswer

REMOTE_COMMAND: Final = "banneret lab worker --stdio"
"""Command that the other machine's shell runs; it serves pieces on standard input and output."""

SSH_OPTIONS: Final = (
    "-T",
    "-o BatchMode=yes",
    "-o ConnectTimeout=15",
    "-o ServerAliveInterval=5",
    "-o ServerAliveCountMax=3",
    "-o LogLevel=ERROR",
)
"""Options of each connection: nothing is asked, and a dead link is noticed within 20 seconds."""

_LONGEST_SAID: Final = 2000
"""Bytes of standard error that are kept, the newest."""


class SshMachine(Machine):
    """Machine that is reached by ``ssh``."""

    def __init__(
        self,
        host: str,
        port: int | None = None,
        workers: int = 1,
        *,
        command: str = REMOTE_COMMAND,
        client: Sequence[str] = ("ssh",),
    ) -> None:
        """Name it; nothing is reached yet.

        Args:
            host: name of the host, as ``ssh`` knows it, perhaps with a user before it.
            port: number of the port; None: as configured.
            workers: number of processes there.
            command: for the shell there.
            client: program that connects, with options of the user's own, which come first.
        """
        self.name = f"ssh:{host}" if port is None else f"ssh:{host}:{port}"
        where = () if port is None else ("-p", str(port))
        self.command = (*client, *SSH_OPTIONS, *where, "--", re.sub(r"[\[\]]", "", host), command)
        self._count = workers

    def names(self) -> Sequence[str]:
        """Names of its workers."""
        return [f"{self.name} {number + 1}" for number in range(self._count)]

    def start(self, name: str, first: Assignment) -> WorkerLink:
        """Connect, and have a worker started there.

        Raises:
            OSError: the system gives no process, or has no ``ssh``.
        """
        return SshWorker(name, self.command, first)


class SshWorker(WorkerProcess):
    """Link to a worker by the client that has connected to its machine."""

    def __init__(self, name: str, command: Sequence[str], first: Assignment) -> None:
        """Connect.

        Raises:
            OSError: the system gives no process, or has no such program.
        """
        super().__init__(name, command, stderr=subprocess.PIPE)
        assert self._process.stderr is not None  # noqa: S101 - for the type checker
        self._stderr = self._process.stderr.fileno()
        os.set_blocking(self._stderr, False)
        self._said = b""
        self._end: str | None = None
        self.send(first)

    @property
    def has_ended_itself(self) -> bool:
        """True if the worker has ended; False if only the way to it is known to be cut."""
        return self._end is not None

    def received(self) -> Iterator[WorkerAnswer]:
        """Messages that have come in; ``has_hung_up`` afterwards if no more will come."""
        self._listen_to_complaints()
        for answer in super().received():
            if isinstance(answer, Ended):
                self._end = answer.end
            yield answer

    def is_gone(self) -> bool:
        """True if the connection has ended."""
        self._listen_to_complaints()
        return super().is_gone()

    def kill(self) -> None:
        """Cut the connection; the worker there ends with it."""
        super().kill()
        if self._process.stderr is not None and not self._process.stderr.closed:
            self._listen_to_complaints()

    def _listen_to_complaints(self) -> None:
        """Keep the newest of standard error, so that it neither fills the pipe nor the memory."""
        try:
            while data := os.read(self._stderr, _LONGEST_SAID):
                self._said = (self._said + data)[-_LONGEST_SAID:]
        except BlockingIOError:
            pass

    def end(self) -> str:
        """The end of the worker, or of the connection with the last line that was said."""
        if self._end is not None:
            return self._end
        if self._is_garbled:
            return "something else than a worker writes to standard output there"
        lines = self._said.decode("utf-8", "replace").split("\n")
        said = [" ".join(line.split()) for line in lines if line.strip()]
        return f"the connection ended: {said[-1]}" if said else "the connection ended"
