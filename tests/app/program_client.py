"""Start the program through the server of ``program_server``, from tests and from shells.

As a script, ``python program_client.py SOCKET WORDS...`` asks the server at a socket for a start
and ends as the program did. Shells in tests use it as ``banneret``. It imports little, so a start
costs a tenth of a real one.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LENGTH = 8
"""Bytes of a number in messages to the server."""

LOCK = "lock"
"""Name of the file beside the socket that is locked while a server starts or ends."""

SCREENS = ".screens"
"""Suffix of the socket for programs with a screen and for hosts."""


class Start:
    """A started program: its process and its exit code."""

    def __init__(
        self,
        server: str,
        words: Sequence[str],
        streams: Sequence[int],
        *,
        folder: str,
        env: Mapping[str, str],
        module: str = "app",
        own_session: bool = False,
    ) -> None:
        request = {
            "words": list(words),
            "folder": folder,
            "env": dict(env),
            "module": module,
            "own_session": own_session,
        }
        text = json.dumps(request).encode()
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._line.connect(server)
        socket.send_fds(self._line, [len(text).to_bytes(LENGTH)], streams)
        self._line.sendall(text)
        self.pid = self._number()
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit code, in the form of ``subprocess``; kill the program after ``timeout``
        seconds.
        """
        if self.returncode is None:
            self._line.settimeout(timeout)
            try:
                self.returncode = self._number()
            except TimeoutError:
                os.kill(self.pid, signal.SIGKILL)
                raise
            finally:
                self._line.close()
        return self.returncode

    def poll(self) -> int | None:
        """Return the exit code, or None while the program runs."""
        if self.returncode is None and select.select([self._line], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the program has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the program with SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def _number(self) -> int:
        return int.from_bytes(received(self._line, LENGTH), signed=True)


def received(line: socket.socket, length: int) -> bytes:
    text = b""
    while len(text) < length:
        part = line.recv(length - len(text))
        if not part:
            raise ConnectionError("the server of programs is gone")
        text += part
    return text


def main() -> None:
    """Start the program with this process's arguments and streams; exit with its code."""
    start = Start(sys.argv[1], sys.argv[2:], (0, 1, 2), folder=os.getcwd(), env=os.environ)  # noqa: PTH109
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda number, _: os.kill(start.pid, number))
    code = start.wait()
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
