"""What a host is known by: a key, made once and kept."""

from __future__ import annotations

import os
from pathlib import Path

import asyncssh

from tui.console.commands import PORT


def host_key(folder: Path) -> asyncssh.SSHKey:
    """The key of the host whose files are in ``folder``; made the first time it is asked for.

    Raises:
        OSError: it can neither be read nor made.
        asyncssh.KeyImportError: the file holds no key.
    """
    path = folder / "host_key"
    if not path.exists():
        _make(path)
    return asyncssh.read_private_key(path)


def _make(path: Path) -> None:
    """Write a new key where nobody else can read it; the file is there as a whole or not at all."""
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
    """What people compare when they come for the first time: ``SHA256:`` and 43 signs."""
    return key.get_fingerprint()


def known_hosts_line(key: asyncssh.SSHKey, host: str, port: int) -> str:
    """A line for the ``known_hosts`` of those who come, so that they need not compare anything."""
    name = host if port == 22 else f"[{host}]:{port}"
    algorithm, data = key.export_public_key().decode("ascii").split()[:2]
    return f"{name} {algorithm} {data}"


def told(folder: Path) -> dict[str, str]:
    """What to tell of the key in a folder, by name."""
    try:
        key = asyncssh.read_private_key(str(folder / "host_key"))
    except (OSError, asyncssh.KeyImportError) as problem:
        return {"host key": f"cannot be read: {problem}"}
    line = known_hosts_line(key, "HOST", PORT)
    return {"host key": fingerprint(key), "known_hosts": line}
