"""Lifelines: processes that this program starts end with it, however it ends.

A process holds the reading end of a pipe, and this one the writing end, which the system closes
when this process is gone. On Linux the system then kills the other process, even in the middle of
code that lets no thread run, and if it leads a group, the whole group. On other systems a thread
has to watch the pipe, or the process ends with its standard input.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, AnyStr


def tie(life: int, process: int) -> bool:
    """Let the system kill a process when a pipe's other end is closed; False if it cannot.

    Args:
        life: reading end of the pipe, which the process holds too; it carries no data.
        process: number of the process; negative for a process group.
    """
    is_able = hasattr(fcntl, "F_SETSIG")
    if is_able:
        fcntl.fcntl(life, fcntl.F_SETOWN, process)
        fcntl.fcntl(life, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(life, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    return is_able


def watch(life: int) -> None:
    """End this process when the other end of a pipe is closed; a thread waits for that."""
    tie(life, os.getpid())

    def wait() -> None:
        hung_up = select.poll()
        hung_up.register(life, select.POLLIN)
        while not hung_up.poll():
            pass
        os._exit(1)

    threading.Thread(target=wait, name="lifeline", daemon=True).start()


class TiedProcess(subprocess.Popen[AnyStr]):
    """Process that ends with this one, or earlier, when this object is dropped."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        pass_fds: Sequence[int] = (),
        start_new_session: bool = False,
        **given: Any,
    ) -> None:
        """Start a process.

        Args:
            words: its command line.
            pass_fds: descriptors that it inherits.
            start_new_session: True if it leads a process group, which ends as a whole.
            given: further arguments of ``Popen``.

        Raises:
            OSError: it cannot be started.
        """
        theirs, self._life = os.pipe()
        self._leads = start_new_session
        try:
            super().__init__(  # the command is that of the caller
                words,
                pass_fds=(*pass_fds, theirs),
                start_new_session=start_new_session,
                **given,
            )
            with contextlib.suppress(OSError):  # it has ended already
                tie(theirs, -self.pid if start_new_session else self.pid)
        finally:
            os.close(theirs)

    def kill(self) -> None:
        """Kill the process, or its whole group if it leads one."""
        if not self._leads:
            super().kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill the process, wait until it has ended, and close its pipes."""
        self.kill()
        self.wait()
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def __del__(self, *given: Any, **named: Any) -> None:
        """Close the lifeline, which ends the process."""
        super().__del__(*given, **named)
        with contextlib.suppress(OSError):
            os.close(self._life)


def completed(
    words: Sequence[str],
    *,
    given: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command and return its output, as ``subprocess.run``; it ends with this process.

    Args:
        words: the command line.
        given: its standard input.
        env: its environment; None for that of this process.
        cwd: its working folder; None for that of this process.
        timeout: seconds after which it is killed.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: it took too long.
    """
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    begun: TiedProcess[bytes] = TiedProcess(
        words, start_new_session=True, env=env, cwd=cwd, **pipes
    )
    with begun as process:
        try:
            output, errors = process.communicate(given, timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(words, process.returncode, output, errors)
