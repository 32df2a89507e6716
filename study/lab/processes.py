"""Processes of bots: started in their own sessions, read within limits, killed with descendants.

Nothing here waits without a limit, or keeps more of a bot's output than a line and the end of its
standard error.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from typing import IO, Final

from study.lab import keeper
from study.lab.bots import FaultKind
from study.lab.families import BotFamily, bot_keeper, process_row
from tui.console.lifeline import TiedProcess
from tui.headless.bot_protocol import LONGEST

MOST_KEPT: Final = 1 << 16
"""Maximum bytes of a bot's standard error to keep, from the end."""

LOOK: Final = 0.2
"""Seconds between two counts of a bot's processes."""

GRACE: Final = 0.5
"""Seconds that a bot has to end on its own after the game, or after it has closed its output."""

_CHUNK: Final = 1 << 16
_MOST_DRAINED: Final = 16
"""Maximum reads after a process has ended, since others may go on writing to its pipe."""

_MOST_WAITING: Final = 1 << 20
"""Unsent bytes above which nothing is read from a bot."""

_MOST_UNSENT: Final = 1 << 26
"""Unsent bytes above which a bot counts as not reading at all."""

_SPINNING: Final = 0.1
"""Share of a wait, in processor time, above which a process is reported as busy."""

_LAST_WORDS: Final = 4096
"""Bytes of standard error that may explain why a process has ended."""

_OUT_OF_MEMORY: Final = re.compile(
    rb"MemoryError|bad_alloc|[Oo]ut of memory|OutOfMemory|heap limit|annot allocate memory"
)


class ProcessFault(Exception):
    """A bot's process cannot continue: the kind of the fault, and a text in one line."""

    def __init__(self, kind: FaultKind, text: str) -> None:
        super().__init__(text)
        self.kind: FaultKind = kind
        self.text = text


class LineBuffer:
    """Lines from a pipe. A line that is too long is skipped as it arrives, and becomes None."""

    def __init__(self) -> None:
        self._lines: deque[bytes | None] = deque()
        self._rest = b""
        self._is_skipping = False

    @property
    def is_in_a_line(self) -> bool:
        """True if the last line has no end yet."""
        return bool(self._rest) or self._is_skipping

    def __bool__(self) -> bool:
        """Return whether a line is available."""
        return bool(self._lines)

    def feed(self, data: bytes) -> None:
        """Add bytes from the pipe."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            self._add(part)
            self._lines.append(None if self._is_skipping else self._rest)
            self._rest, self._is_skipping = b"", False
        self._add(rest)

    def pop(self) -> str | None:
        """Remove and return the next line; None for one that was too long.

        Bytes that are not UTF-8 become surrogates.
        """
        line = self._lines.popleft()
        text = None if line is None else line.decode("utf-8", "surrogateescape")
        return None if text is None or len(text) >= LONGEST else text

    def clear(self) -> None:
        """Drop the lines that are available."""
        self._lines.clear()

    def _add(self, part: bytes) -> None:
        if self._is_skipping or len(self._rest) + len(part) > 4 * LONGEST:
            self._rest, self._is_skipping = b"", True
        else:
            self._rest += part


class BotProcess:
    """The program of a bot, with its pipes and its limits."""

    def __init__(self, words: Sequence[str], *, memory: int, processes: int) -> None:
        """Start the program.

        Args:
            words: its command line.
            memory: limit of its memory in MiB.
            processes: maximum number of its simultaneous processes.

        Raises:
            OSError: it cannot be started.
        """
        self._memory, self._processes = memory << 20, processes
        mark = bot_keeper().begin()
        try:
            self._process: TiedProcess[bytes] = TiedProcess(  # the bot of the user
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env={"PYTHONHASHSEED": "0", **os.environ, keeper.MARK: mark},
            )
        except BaseException:
            bot_keeper().end(None)
            raise
        self._family = BotFamily(self._process.pid, mark)
        self._family.limit(self._memory)
        bot_keeper().watch(self._process.pid)
        self._buffer, self._unsent, self._said = LineBuffer(), bytearray(), bytearray()
        self._is_closed = self._has_ended = self._is_deaf = False
        self._closed_at: float | None = None
        """Time at which its output was found closed."""
        self._looked_at = time.monotonic()
        self.largest = self.longest = self.left_behind = 0
        """Maximum bytes of memory at a check, characters of the longest line, and number of
        processes left after its own end."""
        self._patience = self._until = self._worked = 0.0
        self._selector = selectors.DefaultSelector()
        self._handle = _handle_of(self._process.pid)
        self._register()

    @property
    def said(self) -> str:
        """The end of its standard error."""
        return self._said.decode("utf-8", "replace")

    @property
    def has_ended(self) -> bool:
        """True if it was found to have ended on its own."""
        return self._has_ended

    def send(self, data: bytes) -> None:
        """Send bytes, now or as soon as it reads; once it counts as not reading, send nothing."""
        if not self._is_deaf:
            self._unsent += data
            self._flush()
        if len(self._unsent) > _MOST_UNSENT:
            self._is_deaf = True
            self._unsent.clear()

    def begin_wait(self, patience: float) -> None:
        """Begin to wait up to ``patience`` seconds for an answer, and measure the work on it."""
        row = process_row(self._process.pid)
        self._patience, self._until = patience, time.monotonic() + patience
        self._worked = row.seconds if row is not None else 0.0
        self.largest = max(self.largest, row.memory if row is not None else 0)

    def next_line(self) -> str | None:
        """Return the next line; None for a line that was too long.

        Raises:
            ProcessFault: no line came in time, the process has ended, or it passed a limit.
        """
        while True:
            now, until = time.monotonic(), self._until
            if self._is_deaf:
                raise ProcessFault("hang", "it does not read what it is sent")
            if self._buffer and now < until and len(self._unsent) <= _MOST_WAITING:
                return self._popped()
            if self._has_ended:
                raise self._end()
            if self._closed_at is not None and now >= min(until, self._closed_at + GRACE):
                raise ProcessFault("closed", "it closed its standard output and lives on")
            if now >= until:
                self._look(now)
                raise ProcessFault("hang", self._late())
            if now >= self._looked_at + LOOK:
                self._look(now)
            self._wait(min(until - now, LOOK))

    def end_by_itself(self) -> None:
        """Send what is left, close its input, and wait a little for its end."""
        until = time.monotonic() + GRACE
        while not self._has_ended and (left := until - time.monotonic()) > 0:
            if not self._unsent:
                self._forget(self._stdin)
            self._wait(min(left, LOOK))
            self._buffer.clear()

    def close(self) -> None:
        """Kill it and everything that it has started."""
        if self._is_closed:
            return
        self._is_closed = True
        others = self._family.kill()
        self.left_behind = others if self._has_ended else 0
        self._process.wait()
        for pipe in (self._stdin, self._stdout, self._stderr):
            self._forget(pipe)
        self._selector.close()
        if self._handle >= 0:
            os.close(self._handle)
        bot_keeper().end(self._process.pid)

    # -- pipes ---------------------------------------------------------------------------------

    @property
    def _stdin(self) -> IO[bytes]:
        return _pipe(self._process.stdin)

    @property
    def _stdout(self) -> IO[bytes]:
        return _pipe(self._process.stdout)

    @property
    def _stderr(self) -> IO[bytes]:
        return _pipe(self._process.stderr)

    def _register(self) -> None:
        """Watch all three pipes, without blocking, and the end of the process."""
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        self._selector.register(self._stdout, selectors.EVENT_READ, self._read)
        self._selector.register(self._stderr, selectors.EVENT_READ, self._read_errors)
        if self._handle >= 0:
            self._selector.register(self._handle, selectors.EVENT_READ, self._note_end)

    def _wait(self, patience: float) -> None:
        """Wait until a pipe is ready or the process ends, and handle that.

        A bot that does not read is not read from either, or its questions would fill the memory.
        """
        is_full = bool(self._unsent) and not self._stdin.closed
        is_behind = len(self._unsent) > _MOST_WAITING and self._closed_at is None
        if is_full:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._flush)
        if is_behind:
            self._selector.unregister(self._stdout)
        ready = [key.data for key, _ in self._selector.select(patience)]
        if is_full:
            self._selector.unregister(self._stdin)
        if is_behind:
            self._selector.register(self._stdout, selectors.EVENT_READ, self._read)
        for deed in ready:
            deed()
        if self._handle < 0:
            self._note_end()

    def _popped(self) -> str | None:
        line = self._buffer.pop()
        self.longest = max(self.longest, len(line) if line is not None else LONGEST)
        return line

    def _flush(self) -> None:
        """Write as much unsent input as the process accepts."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self._stdin.fileno(), self._unsent[:_CHUNK])]
        except BlockingIOError:
            pass
        except (OSError, ValueError):  # it reads no more
            self._unsent.clear()

    def _read(self) -> None:
        """Read a part of its standard output."""
        data = _read_some(self._stdout)
        if data:
            self._buffer.feed(data)
        elif data is not None:
            self._forget(self._stdout)
            self._closed_at = time.monotonic()

    def _read_errors(self) -> None:
        """Read a part of its standard error, and keep only the end."""
        data = _read_some(self._stderr)
        if data:
            self._said += data
            del self._said[:-MOST_KEPT]
        elif data is not None:
            self._forget(self._stderr)

    def _forget(self, pipe: IO[bytes]) -> None:
        """Close a pipe and stop watching it."""
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(pipe)
        with contextlib.suppress(OSError):
            pipe.close()

    # -- limits and the end --------------------------------------------------------------------

    def _note_end(self) -> None:
        """If the process has ended, read the rest of its output."""
        if self._has_ended or self._code() is None:
            return
        self._has_ended = True
        if self._handle >= 0:
            self._selector.unregister(self._handle)
        for read in (self._read, self._read_errors):
            for _ in range(_MOST_DRAINED):
                read()

    def _code(self) -> int | None:
        """Return its exit code, or minus a signal number; None while it runs.

        The process is not reaped before ``close``, so that its number is not reused.
        """
        if not hasattr(os, "waitid"):
            return self._process.poll()
        found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def _end(self) -> ProcessFault:
        """Return the fault of a process that has ended."""
        code = self._code() or 0
        was_large = code == -signal.SIGKILL and self.largest > self._memory // 2
        if was_large or _OUT_OF_MEMORY.search(self._said[-_LAST_WORDS:]):
            return ProcessFault("memory", f"it got no more than {self._memory >> 20} MiB of memory")
        where = " in the middle of a line" if self._buffer.is_in_a_line else ""
        if code < 0:
            return ProcessFault("crash", f"it died of {_signal_name(-code)}{where}")
        return ProcessFault("exit", f"it left with code {code}{where}")

    def _late(self) -> str:
        """Describe a late answer: whether the bot worked or slept."""
        waited, rows = self._patience, self._family.living()
        worked = max(0.0, sum(row.seconds for row in rows) - self._worked)
        is_busy = worked > _SPINNING * waited or any(row.is_running for row in rows)
        how = f"it worked for {worked:.1f} s of them" if is_busy else "it slept"
        return f"no answer within {waited:g} s; {how}"

    def _look(self, now: float) -> None:
        """Check its number of processes and their memory.

        Raises:
            ProcessFault: one of them is above the limit.
        """
        self._looked_at = now
        rows = self._family.living()
        memory = sum(row.memory for row in rows)
        self.largest = max(self.largest, memory)
        if len(rows) > self._processes:
            text = f"{len(rows)} processes at once; {self._processes} are allowed"
            raise ProcessFault("processes", text)
        if memory > self._memory:
            text = f"its processes use {memory >> 20} MiB; {self._memory >> 20} are allowed"
            raise ProcessFault("memory", text)


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # noqa: S101 - all three were asked for
    return pipe


def _read_some(pipe: IO[bytes]) -> bytes | None:
    """Read bytes from a pipe; b"" at its end, None if nothing is available now."""
    try:
        return os.read(pipe.fileno(), _CHUNK)
    except BlockingIOError:
        return None
    except (OSError, ValueError):
        return b""


def _handle_of(process: int) -> int:
    """Return a descriptor that becomes readable when a process ends; -1 if unsupported."""
    try:
        return os.pidfd_open(process)
    except (AttributeError, OSError):
        return -1


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
