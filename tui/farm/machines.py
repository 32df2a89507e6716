"""Machines of a farm by the words of a user: ``local``, ``ssh:USER@HOST``, ``dask://HOST:PORT``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tui.console.exits import Wrong
from tui.farm.dask_workers import DaskCluster
from tui.farm.links import LocalMachine, Machine
from tui.farm.ssh_workers import REMOTE_COMMAND, SshMachine

MOST_WORKERS: Final = 1024
"""Most workers on a machine."""

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
    """Machines of the words after ``--on``; this one if there are none.

    Args:
        words: ``local``, ``ssh:USER@HOST[:PORT]`` or ``dask://HOST:PORT``. The first two may end in
            ``*N``, a number of workers.
        workers: number of workers of ``local`` without one; None: as many as there are processors.
        command: command of a worker, for the shell of a machine behind ``ssh``.
        client: program that connects, with options.

    Raises:
        Wrong: a word is none of these, or names a machine again.
    """
    machines: dict[str, Machine] = {}
    for word in words or ("local",):
        machine = _machine(word, workers, command, client)
        if machine.name in machines:
            raise Wrong(f"--on {word}: {machine.name} is named twice; *N says how many workers")
        machines[machine.name] = machine
    return tuple(machines.values())


def _machine(word: str, workers: int | None, command: str, client: Sequence[str]) -> Machine:
    """Machine of a word."""
    if match := _LOCAL.fullmatch(word):
        return LocalMachine(_count(word, match, workers))
    if match := _SSH.fullmatch(word):
        count = _count(word, match, 1) or 1
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
