"""Run the program as its users do."""

from __future__ import annotations

import argparse
import atexit
import contextlib
import fcntl
import io
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO
from unittest.mock import patch

import app
from tests.app.program_client import LOCK, SCREENS, Start
from tests.patience import PATIENCE
from tui.console.commands import PROGRAM, CommandParser, find_command

ROOT = Path(__file__).parents[2]
"""Seconds after which a program counts as hung."""

_PIPE = 16_000
"""Number of characters that fit into a pipe before anyone reads it."""

_AT_START = ("PYTHON", "LC_", "LANG", "TZ")
"""Prefixes of the environment variables that Python reads at its start."""

_HOMES = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")


def banneret(
    *words: str,
    given: str = "",
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a subcommand in ``folder``, which also holds its data; return its output as text.

    The server of programs forks it. A fresh Python runs it if ``env`` has variables that Python
    reads at its start, or if ``given`` may not fit into a pipe.
    """
    if any(name.startswith(_AT_START) for name in env or {}) or len(given) > _PIPE:
        return python("-m", "app", *words, given=given, folder=folder, env=env)
    place = str(folder or ROOT)
    with TemporaryFile() as out, TemporaryFile() as err, _pipe_of(given) as stdin:
        start = Start(
            socket_of_programs(),
            words,
            (stdin.fileno(), out.fileno(), err.fileno()),
            folder=place,
            env={
                **os.environ,
                **dict.fromkeys(_HOMES, place),
                "PYTHONPATH": str(ROOT),
                **(env or {}),
            },
        )
        code = start.wait(PATIENCE)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, code, out.read().decode(), err.read().decode())


def with_screen(
    *words: str, streams: Sequence[int], env: Mapping[str, str], module: str, own_session: bool
) -> Start:
    """Start a program with a screen, or a host, in the checkout; do not wait for its end."""
    return Start(
        f"{socket_of_programs()}{SCREENS}",
        words,
        streams,
        folder=str(ROOT),
        env=env,
        module=module,
        own_session=own_session,
    )


def _pipe_of(text: str) -> IO[bytes]:
    """Return the reading end of a pipe that holds a text."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(text.encode())
    return os.fdopen(reading, "rb")


@cache
def socket_of_programs() -> str:
    """Return the socket of the server of programs; start the server at the first call.

    Test processes of one run share the server. It ends with the last of them.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"of-{os.getpid()}"
    folder = Path(gettempdir()) / f"banneret-{run}"
    give_up = time.monotonic() + PATIENCE
    while True:
        folder.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(FileNotFoundError), (folder / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if (folder / LOCK).samefile(f"/dev/fd/{lock.fileno()}"):  # it was not removed meanwhile
                return _server_in(folder)
        assert time.monotonic() < give_up, "the server of programs does not answer"


def _server_in(folder: Path) -> str:
    """Return the socket of the server of a folder, started if needed; it lives as long as we do."""
    path, users = folder / "socket", folder / "users"
    with contextlib.suppress(OSError):  # there is none yet, or it was killed
        os.open(users, os.O_WRONLY | os.O_NONBLOCK)
        return str(path)
    for left in folder.iterdir():
        if left.name != LOCK:
            left.unlink()
    os.mkfifo(users)
    given = os.open(users, os.O_RDONLY | os.O_NONBLOCK)
    own = os.open(users, os.O_WRONLY)
    server = subprocess.Popen(
        [sys.executable, "-c", f"from tests.app.program_server import serve; serve({str(path)!r})"],
        stdin=given,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    os.close(given)

    def end() -> None:
        os.close(own)
        server.wait(PATIENCE)

    atexit.register(end)
    give_up = time.monotonic() + PATIENCE
    while not path.exists():
        assert server.poll() is None, "the server of programs ended"
        assert time.monotonic() < give_up, "the server of programs does not answer"
        time.sleep(0.02)
    return str(path)


def python(
    *words: str,
    given: str = "",
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run Python in the checkout, with separate folders for data, settings and state."""
    place = str(folder or ROOT)
    own = dict.fromkeys(_HOMES, place)
    return subprocess.run(
        [sys.executable, *words],
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=place,
        env={**os.environ, **own, "PYTHONPATH": str(ROOT), **(env or {})},
        timeout=PATIENCE,
        check=False,
    )


def banneret_here(
    *words: str, given: str = "", folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a subcommand in this process, for faults that end it early.

    A new program costs a third of a second of processor time; a fault in this process costs none.
    """
    place = str(folder or ROOT)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with (
        contextlib.chdir(place),
        patch.dict(os.environ, dict.fromkeys(_HOMES, place)),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode()))),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            code = app.main(words)
        except SystemExit as end:
            code = int(end.code or 0)
    return subprocess.CompletedProcess(words, code, *map(_written, (out, err)))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def arguments(command: str, *words: str) -> argparse.Namespace:
    """Parse the arguments of a subcommand as the program does."""
    spec = find_command(PROGRAM, command)
    assert spec is not None
    return spec.parser(command, CommandParser).parse_args(words)


def is_one_line_fault(text: str) -> bool:
    """Return whether an error output is one line for people, without a traceback."""
    return text.startswith("banneret: ") and text.count("\n") == 1 and "Traceback" not in text


def last_line(text: str) -> str:
    """Return the last line of an output."""
    return text.splitlines()[-1]
