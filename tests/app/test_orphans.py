"""Processes that the program starts end with it, even if it is killed while they work."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from os import O_ASYNC
from pathlib import Path

import pytest

from tests.patience import PATIENCE, wait_for

_PARENT = """
import asyncio, os, sys, threading, time
from tui.console.lifeline import TiedProcess, completed
from tui.play import players

BUSY = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\\nwhile True: pass"
SHELL = f"{sys.executable} -c 'while True: pass' & echo $! > {sys.argv[1]}; wait"

class Busy:
    def __reduce__(self):
        return sum, (Endless(),)

class Endless:
    def __reduce__(self):
        import itertools
        return itertools.repeat, (1,)

def main():
    workers = players.PlanWorkers()
    worker = workers._started("weltendaemmerung").submit(os.getpid).result()
    workers._pool.submit(id, Busy())  # in code that lets no thread run
    tied = TiedProcess([sys.executable, "-c", BUSY])
    threading.Thread(target=completed, args=[["/bin/sh", "-c", SHELL]], daemon=True).start()
    print(worker, tied.pid, flush=True)
    time.sleep(600)

if __name__ == "__main__":
    main()
"""


def is_running(process: int) -> bool:
    """Return whether a process exists and is no zombie."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}


def is_tied(process: int) -> bool:
    """Return whether the system will end a process, which is arranged just after its start."""
    for file in Path(f"/proc/{process}/fdinfo").iterdir():
        with contextlib.suppress(FileNotFoundError):  # it was closed meanwhile
            lines = file.read_text("utf-8").splitlines()
            flags = (int(line.split()[1], 8) for line in lines if line.startswith("flags:"))
            if any(each & O_ASYNC for each in flags):
                return True
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends busy processes by a pipe")
def test_no_process_survives_a_killed_program(tmp_path: Path) -> None:
    program, note = tmp_path / "parent.py", tmp_path / "pid"
    program.write_text(_PARENT, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(program), str(note)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as parent:
        assert parent.stdout is not None
        assert select.select([parent.stdout], [], [], PATIENCE)[0]
        started = [int(word) for word in parent.stdout.readline().split()]
        wait_for(lambda: note.exists() and note.read_text(encoding="utf-8").endswith("\n"))
        started.append(int(note.read_text(encoding="utf-8")))
        assert all(map(is_running, started))
        wait_for(lambda: is_tied(started[-1]))
        parent.send_signal(signal.SIGKILL)
    wait_for(lambda: not any(map(is_running, started)))
