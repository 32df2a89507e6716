"""Machines of a farm, as a user names them: ``local``, ``ssh:USER@HOST``, ``dask://HOST:PORT``.

A machine behind ``ssh`` has Banneret installed and lets this user in. The system's client starts
the command of a worker there, with the user's own configuration, agent and known hosts. It never
prompts, so a host that wants a password is refused.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from study.farm.dask_workers import DaskCluster
from study.farm.links import LocalMachine, Machine, WorkerLink, WorkerProcess
from study.farm.protocol import Assignment, Ended, WorkerAnswer
from tui.console.exits import Wrong

MOST_WORKERS: Final = 1024
"""Maximum number of workers on a machine."""

REMOTE_COMMAND: Final = "banneret lab worker --stdio"
"""Command for the shell of the other machine; serves pieces on standard input and output."""

SSH_OPTIONS: Final = (
    "-T",
    "-o BatchMode=yes",
    "-o ConnectTimeout=15",
    "-o ServerAliveInterval=5",
    "-o ServerAliveCountMax=3",
    "-o LogLevel=ERROR",
)
"""Options of each connection: never prompt, and notice a dead link within 20 seconds."""

_LONGEST_SAID: Final = 2000
"""Bytes of standard error to keep, the newest."""

_HOST: Final = r"(?P<host>[A-Za-z0-9_][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])"
_PORT: Final = r":(?P<port>[0-9]{1,5})"
_COUNT: Final = r"(?:\*(?P<count>[0-9]{1,6}))?"
_LOCAL: Final = re.compile(rf"local{_COUNT}")
_SSH: Final = re.compile(rf"ssh:(?P<user>[A-Za-z0-9_][A-Za-z0-9._-]*@)?{_HOST}(?:{_PORT})?{_COUNT}")
_DASK: Final = re.compile(rf"dask://{_HOST}{_PORT}")


def machines_of(
    words: Iterable[str],
    *,
    workers: int | None = None,
    command: str = REMOTE_COMMAND,
    client: Sequence[str] = ("ssh",),
) -> tuple[Machine, ...]:
    """Return the machines named by the words after ``--on``, or this one if there are no words.

    Args:
        words: ``local``, ``ssh:USER@HOST[:PORT]`` or ``dask://HOST:PORT``. The first two may end in
            ``*N``, a number of workers.
        workers: number of workers of ``local`` without ``*N``; None means one per processor.
        command: command of a worker, for the shell of a machine behind ``ssh``.
        client: program that connects, with options.

    Raises:
        Wrong: a word is none of these, names a machine again, or needs a client that is not
            installed.
    """
    machines: dict[str, Machine] = {}
    for word in words or ("local",):
        machine = _machine(word, workers, command, client)
        if machine.name in machines:
            raise Wrong(f"--on {word}: {machine.name} is named twice; *N says how many workers")
        machines[machine.name] = machine
    return tuple(machines.values())


def _machine(word: str, workers: int | None, command: str, client: Sequence[str]) -> Machine:
    if match := _LOCAL.fullmatch(word):
        return LocalMachine(_count(word, match, workers))
    if match := _SSH.fullmatch(word):
        count = _count(word, match, 1) or 1
        if shutil.which(client[0]) is None:
            raise Wrong(f"--on {word}: this needs the program {client[0]}, which is not installed")
        host = (match["user"] or "") + match["host"]
        return SshMachine(host, _port(word, match), count, command=command, client=client)
    if match := _DASK.fullmatch(word):
        return DaskCluster(f"{match['host']}:{_port(word, match)}")
    raise Wrong(
        f"--on {word}: no such machine; it is local, ssh:USER@HOST[:PORT] or dask://HOST:PORT, "
        "and *N after the first two says how many workers"
    )


def _count(word: str, match: re.Match[str], default: int | None) -> int | None:
    if match["count"] is None:
        return default
    count = int(match["count"])
    if not 1 <= count <= MOST_WORKERS:
        raise Wrong(f"--on {word}: {count} workers are not 1 to {MOST_WORKERS}")
    return count


def _port(word: str, match: re.Match[str]) -> int | None:
    if match["port"] is None:
        return None
    port = int(match["port"])
    if not 1 <= port <= 65535:
        raise Wrong(f"--on {word}: {port} is no port; it is 1 to 65535")
    return port


# -- ssh ---------------------------------------------------------------------------------------


class SshMachine(Machine):
    """Machine that workers are started on through ``ssh``."""

    patience = 60.0

    def __init__(
        self,
        host: str,
        port: int | None = None,
        workers: int = 1,
        *,
        command: str = REMOTE_COMMAND,
        client: Sequence[str] = ("ssh",),
    ) -> None:
        """Remember the address without connecting.

        Args:
            host: name of the host, as ``ssh`` knows it; may begin with a user.
            port: number of the port; None means as configured.
            workers: number of processes there.
            command: for the shell there.
            client: program that connects, with the user's own options, which come first.
        """
        self.name = f"ssh:{host}" if port is None else f"ssh:{host}:{port}"
        where = () if port is None else ("-p", str(port))
        self.command = (*client, *SSH_OPTIONS, *where, "--", re.sub(r"[\[\]]", "", host), command)
        self._count = workers

    def names(self) -> Sequence[str]:
        """Return the names of its workers."""
        return [f"{self.name} {number + 1}" for number in range(self._count)]

    def start(self, name: str, first: Assignment) -> WorkerLink:
        """Connect, and start a worker there.

        Raises:
            OSError: the system refuses another process, or has no ``ssh``.
        """
        return SshWorker(name, self.command, first)


class SshWorker(WorkerProcess):
    """Link to a worker through the client that has connected to its machine."""

    def __init__(self, name: str, command: Sequence[str], first: Assignment) -> None:
        """Connect by running ``command``, and send the worker its assignment.

        Raises:
            OSError: the system refuses another process, or has no such program.
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
        """True if the worker has ended; False if only its connection is known to be lost."""
        return self._end is not None

    def received(self) -> Iterator[WorkerAnswer]:
        """Yield the messages that have arrived; set ``has_hung_up`` if no more will come."""
        self._listen_to_complaints()
        for answer in super().received():
            if isinstance(answer, Ended):
                self._end = answer.end
            yield answer

    def is_gone(self) -> bool:
        """Return whether the connection has ended."""
        self._listen_to_complaints()
        return super().is_gone()

    def kill(self) -> None:
        """Cut the connection; the worker there ends with it."""
        super().kill()
        if self._process.stderr is not None and not self._process.stderr.closed:
            self._listen_to_complaints()

    def _listen_to_complaints(self) -> None:
        """Keep the newest part of standard error; neither the pipe nor the memory may fill up."""
        try:
            while data := os.read(self._stderr, _LONGEST_SAID):
                self._said = (self._said + data)[-_LONGEST_SAID:]
        except BlockingIOError:
            pass

    def end(self) -> str:
        """Describe how the worker ended, or the connection with its last line of standard error."""
        if self._end is not None:
            return self._end
        if self._is_garbled:
            return "something else than a worker writes to standard output there"
        lines = self._said.decode("utf-8", "replace").split("\n")
        said = [" ".join(line.split()) for line in lines if line.strip()]
        return f"the connection ended: {said[-1]}" if said else "the connection ended"
