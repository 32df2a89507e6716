"""An SSH server on loopback that runs commands in a shell, like ``sshd``.

Run it as ``python -m tests.farm.ssh_server FOLDER``. It writes the keys ``host`` and ``user`` to
the folder, prints its port, and ends when its standard input ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import asyncssh

HERE = "127.0.0.1"


async def serve(folder: Path) -> None:
    """Serve until standard input ends."""
    keys = {name: asyncssh.generate_private_key("ssh-ed25519") for name in ("host", "user")}
    for name, key in keys.items():
        key.write_private_key(folder / name)
        (folder / name).chmod(0o600)
    keys["user"].write_public_key(folder / "authorized")
    server = await asyncssh.listen(
        HERE,
        0,
        server_host_keys=[keys["host"]],
        authorized_client_keys=str(folder / "authorized"),
        process_factory=_run,
        encoding=None,
    )
    async with server:
        print(server.get_port(), flush=True)  # noqa: T201 - the tests wait for it
        await asyncio.to_thread(sys.stdin.read)


async def _run(process: asyncssh.SSHServerProcess[bytes]) -> None:
    child = await asyncio.create_subprocess_exec(
        "/bin/sh", "-c", process.command or "", stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    feeding = asyncio.create_task(_pass_on(process.stdin, child.stdin))
    await asyncio.gather(
        _pass_on(child.stdout, process.stdout), _pass_on(child.stderr, process.stderr)
    )
    code = await child.wait()
    feeding.cancel()
    process.exit(code if code >= 0 else 128 - code)


async def _pass_on(source: Any, sink: Any) -> None:
    """Copy bytes until one end closes, then close a child's input so that it reads its end."""
    with contextlib.suppress(OSError, asyncssh.Error):
        while data := await source.read(1 << 16):
            sink.write(data)
            await sink.drain()
    if isinstance(sink, asyncio.StreamWriter):
        sink.close()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
