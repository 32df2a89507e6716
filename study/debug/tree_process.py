"""Processes that work with the rules of another tree of sources; ``tree_program`` runs in them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any, Final

import msgspec

from study.debug.tree_program import LENGTH
from tui.console.lifeline import TiedProcess

PROGRAM: Final = Path(__file__).with_name("tree_program.py")
PATIENCE: Final = 600.0
"""Seconds after which a process is killed, if nothing else is said."""

_GRACE: Final = 1.0
"""Seconds for a process that has closed its output to end."""

_MOST_OUTPUT: Final = 4096
"""Bytes at the end of a process's output in which its last line is sought."""


class TreeFault(Exception):
    """The process cannot be started or gave no answer; the text is the reason in one line."""


class TreeProcess:
    """A process with the rules of another tree."""

    def __init__(
        self,
        tree: Path,
        work: str,
        *words: str,
        deadline: float = PATIENCE,
        writes_bytecode: bool = False,
    ) -> None:
        """Start the process, and wait for its greeting.

        Args:
            tree: folder with ``engine``.
            work: name of its work in ``tree_program``.
            words: arguments of the work.
            deadline: seconds for the start, and for the answers to each request.
            writes_bytecode: True if it may write compiled modules into the tree.

        Raises:
            TreeFault: it cannot be started.
        """
        self._deadline, self._is_late = deadline, False
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        self._process: TiedProcess[bytes] = TiedProcess(
            (sys.executable, "-P", str(PROGRAM), str(tree), work, *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            cwd=tempfile.gettempdir(),
            env=_environment(tree, writes_bytecode=writes_bytecode),
            start_new_session=True,  # Ctrl-C is for the parent
        )
        with self._limited():
            greeting = self._next()
        if greeting is None:
            reason = self._reason()
            raise TreeFault(self._last_line() or reason)
        self.greeting: Any = msgspec.msgpack.decode(greeting)
        """First value that the process sent."""

    def ask(self, request: Any) -> Iterator[Any]:
        """Send a request; yield its answers.

        Raises:
            TreeFault: the process ended, or was killed, before the last of them.
        """
        data = msgspec.msgpack.encode(request)
        with self._limited():
            with contextlib.suppress(OSError, ValueError):  # it has ended, which is noticed below
                assert self._process.stdin is not None  # noqa: S101 - it was asked for
                self._process.stdin.write(len(data).to_bytes(LENGTH, "big") + data)
                self._process.stdin.flush()
            while (answer := self._next()) != b"":
                if answer is None:
                    raise TreeFault(self._reason())
                yield msgspec.msgpack.decode(answer)

    def answer(self, request: Any) -> Any:
        """Send a request that has one answer; return the answer.

        Raises:
            TreeFault: the process ended, or was killed, before it answered.
        """
        (answer,) = self.ask(request)
        return answer

    def close(self) -> None:
        """Kill the process."""
        self._process.end()

    def _next(self) -> bytes | None:
        """Return the next value, empty after the last answer, or None if the process has ended."""
        pipe = self._process.stdout
        assert pipe is not None  # noqa: S101 - it was asked for
        with contextlib.suppress(OSError, ValueError):
            length = pipe.read(LENGTH)
            size = int.from_bytes(length, "big")
            data = pipe.read(size)
            return data if len(length) == LENGTH and len(data) == size else None
        return None

    @contextlib.contextmanager
    def _limited(self) -> Iterator[None]:
        """Kill the process if it takes too long."""

        def end() -> None:
            self._is_late = True
            self._process.kill()

        timer = Timer(self._deadline, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _reason(self) -> str:
        """Wait for the end of the process, and say in a line how it ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self.close()
        if self._is_late:
            return f"no answer in {self._deadline:g} s"
        code = self._process.returncode
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"died: {signal.Signals(-code).name}"
        said = self._last_line()
        return f"died: exit code {code}{f', {said}' if said else ''}"

    def _last_line(self) -> str:
        """Return the last line that the process printed to standard error."""
        length = self._output.seek(0, os.SEEK_END)
        self._output.seek(max(0, length - _MOST_OUTPUT))
        lines = self._output.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:200] if lines else ""


def _environment(tree: Path, *, writes_bytecode: bool) -> dict[str, str]:
    """Return an environment in which ``import engine`` finds the tree."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    bytecode = {} if writes_bytecode else {"PYTHONDONTWRITEBYTECODE": "1"}
    return {**kept, **bytecode, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}
