"""Start programs by forking a server that has imported everything, instead of starting Python.

Python and the modules of the program need a fifth of a second of processor time at each start, and
tests start the program some hundred times. The processes of a test run share one server, started on
first use. For each start the server forks. The fork takes the folder, environment and standard
streams of the client and runs ``app`` or another module like ``python -m``: pipes, files,
terminals, exit codes and signals are real. Variables that Python or Textual reads before the
program does need a real start.

Programs with a screen, and hosts, need half a second. They use a second socket: at the first such
request the server forks another server, which also imports Textual and SSH and serves all later
ones.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import gc
import importlib
import io
import json
import locale
import os
import pkgutil
import runpy
import select
import selectors
import shutil
import signal
import socket
import sys
import threading
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.app.program_client import LENGTH, LOCK, SCREENS, received

_PACKAGES = (
    *("engine", "saves", "tui.console", "study.debug", "study.farm", "tui.headless"),
    *("study.lab", "tui.linemode", "tui.play", "tui.replay"),
)
"""Packages without a screen. Their import reads nothing from the environment."""

_WITH_SCREENS = (
    *("host.screens", "host.server", "host.ssh", "study.screens", "tui.app", "tui.screens"),
    *("tui.settings", "tui.style", "tui.terminal", "tui.widgets"),
)
_DRIVER = "textual.drivers.linux_driver"
"""Module that Textual imports when a screen is started."""


def serve(path: str) -> None:
    """Fork for each request at a socket, until the standard input is closed."""
    _load(_PACKAGES)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with_screens = _listener(f"{path}{SCREENS}")
    listener = _listener(f"{path}.new")
    os.rename(f"{path}.new", path)  # noqa: PTH104
    server = _Server(listener, with_screens)
    folder = Path(path).parent
    while True:
        server.run()
        with (folder / LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if server.is_unused:
                shutil.rmtree(folder)
                break
    server.end()


def _listener(path: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(16)
    return listener


def _load(packages: Sequence[str]) -> None:
    for name in packages:
        for found in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
            importlib.import_module(found.name)
    gc.collect()
    gc.freeze()


class _Server:
    """A socket for requests, and the client connections of running programs by process id."""

    def __init__(self, listener: socket.socket, with_screens: socket.socket | None = None) -> None:
        self._listener = listener
        self._with_screens = with_screens
        self._other = self._life_of_other = 0
        self._running: dict[int, socket.socket] = {}
        self._ended, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector = selectors.DefaultSelector()
        for each in (listener, self._ended, sys.stdin, with_screens):
            if each is not None:
                self._selector.register(each, selectors.EVENT_READ)

    def run(self) -> None:
        """Serve until the standard input is closed."""
        while True:
            ready = [key.fileobj for key, _ in self._selector.select()]
            if self._ended in ready:
                os.read(self._ended, 4096)
                self._tell_ends()
            if sys.stdin in ready:
                return
            if self._with_screens is not None and self._with_screens in ready:
                self._serve_screens(self._with_screens)
            if self._listener in ready:
                line, _ = self._listener.accept()
                with contextlib.suppress(ConnectionError):  # whoever asked was killed
                    self._start(line)

    @property
    def is_unused(self) -> bool:
        """True if the standard input is still closed."""
        return bool(select.select([sys.stdin], [], [], 0)[0])

    def end(self) -> None:
        """End the server for screens too."""
        if self._other:
            os.close(self._life_of_other)
            os.waitpid(self._other, 0)

    def _tell_ends(self) -> None:
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            if pid == self._other:
                self._other = 0
                continue
            with self._running.pop(pid) as line:
                code = os.waitstatus_to_exitcode(status)
                with contextlib.suppress(ConnectionError):
                    line.sendall(code.to_bytes(LENGTH, signed=True))

    def _serve_screens(self, listener: socket.socket) -> None:
        """Fork a second server that takes over all requests of a socket."""
        self._with_screens = None
        given, life = os.pipe()
        self._other = os.fork()
        if self._other == 0:
            self._leave()
            os.close(life)
            os.dup2(given, sys.stdin.fileno())
            os.close(given)
            _load(_WITH_SCREENS)
            importlib.import_module(_DRIVER)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            _Server(listener).run()
            os._exit(0)
        os.close(given)
        self._life_of_other = life
        self._selector.unregister(listener)
        listener.close()

    def _start(self, line: socket.socket) -> None:
        head, streams, _, _ = socket.recv_fds(line, LENGTH, 3)
        request = json.loads(received(line, int.from_bytes(head)))
        pid = os.fork()
        if pid == 0:
            self._leave()
            line.close()
            _become(request, streams)
        for each in streams:
            os.close(each)
        self._running[pid] = line
        line.sendall(pid.to_bytes(LENGTH, signed=True))

    def _leave(self) -> None:
        """Release everything that the fork inherited from the server."""
        os.close(signal.set_wakeup_fd(-1))
        os.close(self._ended)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._selector.close()
        self._listener.close()
        if self._with_screens is not None:
            self._with_screens.close()
        if self._life_of_other:
            os.close(self._life_of_other)
        for each in self._running.values():
            each.close()


def _become(request: dict[str, Any], streams: Sequence[int]) -> None:
    """Run the program as a process with these streams; never return."""
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    if request["own_session"]:
        os.setsid()
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["env"])
    locale.setlocale(locale.LC_CTYPE, "")
    _open_streams()
    sys.argv = [request["module"], *request["words"]]
    sys.path[0] = request["folder"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    code: object = 1
    try:
        runpy._run_module_as_main(request["module"])  # type: ignore[attr-defined]
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - it is the end of a program
        sys.excepthook(*sys.exc_info())
    _end(code)


def _open_streams() -> None:
    """Open standard streams as Python does when it starts."""
    coding = sys.stdin.encoding, sys.stdin.errors
    for name, number, errors in (
        ("stdin", 0, coding[1]),
        ("stdout", 1, coding[1]),
        ("stderr", 2, "backslashreplace"),
    ):
        raw = os.fdopen(number, "wb" if number else "rb", closefd=False)
        stream = io.TextIOWrapper(
            raw,
            encoding=coding[0],
            errors=errors,
            newline="\n",
            line_buffering=number == 2 or raw.isatty(),
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _end(code: object) -> None:
    """Exit as Python does, but leave the teardown of modules to the system."""
    if code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError:
        code = 120
    if not sys.stderr.closed:
        sys.stderr.flush()
    os._exit((code or 0) & 255)
