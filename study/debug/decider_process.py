"""Processes that decide saves with the rules of a tree of sources, one process for each tree."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any, Final

from engine.core.record import Record
from study.debug.trees import SourceTree
from tui.console.lifeline import TiedProcess

PROGRAM: Final = Path(__file__).with_name("decider_program.py")
DEADLINE: Final = 60.0
"""Seconds in which a save has to be decided, and in which a tree has to start."""

_MOST_OUTPUT: Final = 4096
"""Bytes at the end of a process's output in which its last line is sought."""


class Unready(Exception):
    """A tree cannot be started; the text is the reason in one line."""


class Died(Exception):
    """A process ended, or was killed, before it answered; the text is one line."""


class SaveSigns(Record, frozen=True):
    """A save as one side decided it: the signs of each entry, or why there are none.

    ``ended`` says how the process ended, or which event could not be applied, after the signs so
    far.
    """

    layout: str = ""
    decisions: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    fault: str = ""
    ended: str = ""


class Decider:
    """A process that decides with the rules of one tree; started with the first request."""

    def __init__(self, tree: SourceTree, deadline: float = DEADLINE) -> None:
        """Decide with a tree, each answer in at most ``deadline`` seconds."""
        self.tree = tree
        self.deadline = deadline
        self._process: TiedProcess[str] | None = None
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        self._late = self._closed = False

    def signs(self, save: Path) -> SaveSigns:
        """Return the signs of all entries of a save.

        Raises:
            Unready: the tree cannot be started.
        """
        decisions: list[str] = []
        states: list[str] = []
        layout = ended = ""
        try:
            with self._asked({"read": str(save)}) as lines:
                head = json.loads(next(lines))
                if "fault" in head:
                    return SaveSigns(fault=head["fault"])
                layout = head["layout"]
                while len(decisions) < head["entries"] and not ended:
                    sign, _, state = next(lines).rstrip("\n").partition(" ")
                    if sign == "!":
                        ended = f"cannot apply an event, {state}"
                    else:
                        decisions.append(sign)
                        states.append(state)
        except Died as died:
            ended = str(died)
        return SaveSigns(layout, tuple(decisions), tuple(states), ended=ended)

    def ask(self, **request: Any) -> dict[str, Any]:
        """Return an answer of the process about the save that it read last.

        Raises:
            Unready: the tree cannot be started.
            Died: the process ended before it answered.
        """
        with self._asked(request) as lines:
            answer: dict[str, Any] = json.loads(next(lines))
            return answer

    def start(self) -> None:
        """Start the process, if it is not running.

        Raises:
            Unready: it cannot be started.
        """
        if self._process is not None:
            return
        if self._closed:
            raise Unready(f"{self.tree.name} was stopped")
        self._late = False
        self._output.seek(0)
        self._output.truncate()
        self._process = TiedProcess(
            [sys.executable, "-P", "-s", str(PROGRAM), str(self.tree.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            text=True,
            encoding="utf-8",
            cwd=tempfile.gettempdir(),
            env=_environment(self.tree),
            start_new_session=True,  # Ctrl-C is for the one who asks
        )
        try:
            with self._watched() as lines:
                greeting = json.loads(next(lines))
        except Died as died:
            raise Unready(f"{self.tree.name} cannot start: {died}") from None
        if "fault" in greeting:
            self.stop()
            raise Unready(f"{self.tree.name} cannot start: {greeting['fault']}")

    def stop(self) -> None:
        """End the process; the next request starts it again."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def close(self) -> None:
        """End the process permanently."""
        self._closed = True
        self.stop()

    def __enter__(self) -> Decider:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- lines -----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _asked(self, request: dict[str, Any]) -> Iterator[Iterator[str]]:
        """Send a request, and yield the lines of the answer."""
        self.start()
        with self._watched() as lines:
            process = self._running()
            assert process.stdin is not None  # noqa: S101 - tells the type checker
            try:
                process.stdin.write(json.dumps(request) + "\n")
                process.stdin.flush()
            except OSError:
                raise self._end() from None
            yield lines

    @contextlib.contextmanager
    def _watched(self) -> Iterator[Iterator[str]]:
        """Yield the lines of the process, which is killed if they take too long."""
        process = self._running()

        def end() -> None:
            self._late = True
            process.kill()

        timer = Timer(self.deadline, end)
        timer.daemon = True
        timer.start()
        try:
            yield self._lines(process)
        finally:
            timer.cancel()

    def _lines(self, process: TiedProcess[str]) -> Iterator[str]:
        assert process.stdout is not None  # noqa: S101 - tells the type checker
        while True:
            try:
                line = process.stdout.readline()
            except (OSError, ValueError):
                line = ""
            if not line.endswith("\n"):
                raise self._end()
            yield line

    def _running(self) -> TiedProcess[str]:
        if self._process is None:
            raise Died("it was stopped")
        return self._process

    def _end(self) -> Died:
        """Stop the process, and return the reason of its end."""
        process = self._process
        self.stop()
        if self._late:
            return Died(f"no answer in {self.deadline:g} s")
        code = process.returncode if process is not None else 0
        if code < 0:
            with contextlib.suppress(ValueError):
                return Died(f"died: {signal.Signals(-code).name}")
        said = self._last_line()
        return Died(f"died: exit code {code}{f', {said}' if said else ''}")

    def _last_line(self) -> str:
        """Return the last line that the process printed to standard error."""
        length = self._output.seek(0, os.SEEK_END)
        self._output.seek(max(0, length - _MOST_OUTPUT))
        lines = self._output.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:200] if lines else ""


def _environment(tree: SourceTree) -> dict[str, str]:
    """Return an environment in which ``import engine`` finds the tree, without writing into it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    bytecode = {} if tree.is_unpacked else {"PYTHONDONTWRITEBYTECODE": "1"}
    return {**kept, **bytecode, "PYTHONPATH": str(tree.path), "PYTHONHASHSEED": "0"}
