"""Host key: created once and stored in the host's folder."""

from __future__ import annotations

import argparse
import contextlib
import os
from pathlib import Path
from typing import Final

import asyncssh

from tui.console.commands import PORT
from tui.console.commands import port as port_number

_PORT_FILE: Final = "port"


def host_key(folder: Path) -> asyncssh.SSHKey:
    """Return the key of the host whose files are in ``folder``; the first call creates it.

    Raises:
        OSError: the key can neither be read nor created.
        asyncssh.KeyImportError: the file contains no key.
    """
    path = folder / "host_key"
    if not path.exists():
        _make(path)
    return asyncssh.read_private_key(path)


def _make(path: Path) -> None:
    """Write a new key atomically, readable only by its owner."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    made = asyncssh.generate_private_key("ssh-ed25519", comment="banneret")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(made.export_private_key())
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def fingerprint(key: asyncssh.SSHKey) -> str:
    """Return the SHA-256 fingerprint of a key as ``ssh-keygen -l`` writes it."""
    return key.get_fingerprint()


def known_hosts_line(key: asyncssh.SSHKey, host: str, port: int) -> str:
    """Return a line for the ``known_hosts`` of clients."""
    name = host if port == 22 else f"[{host}]:{port}"
    algorithm, data = key.export_public_key().decode("ascii").split()[:2]
    return f"{name} {algorithm} {data}"


def note_port(folder: Path, port: int) -> None:
    """Store the port on which the host of a folder listens, for the report of ``doctor``."""
    with contextlib.suppress(OSError):
        (folder / _PORT_FILE).write_text(f"{port}\n", encoding="ascii")


def _last_port(folder: Path) -> int:
    """Return the port on which the host of a folder listened last, or the usual one."""
    try:
        return port_number((folder / _PORT_FILE).read_text(encoding="ascii"))
    except (OSError, ValueError, argparse.ArgumentTypeError):
        return PORT


def told(folder: Path) -> dict[str, str]:
    """Return facts about the host key in a folder: name to value."""
    try:
        key = asyncssh.read_private_key(str(folder / "host_key"))
    except (OSError, asyncssh.KeyImportError) as problem:
        return {"host key": f"cannot be read: {problem}"}
    line = known_hosts_line(key, "HOST", _last_port(folder))
    return {"host key": fingerprint(key), "known_hosts": line}
