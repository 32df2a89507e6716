"""Process cleanup: no process outlives its farm, after its end, Ctrl-C, or a killed program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from study.farm.runs import Done
from study.farm.supervisor import Farm
from tests.farm import works
from tests.farm.works import Order
from tests.patience import PATIENCE, wait_for
from tests.programs import needs_proc

HOME = Path(__file__).parents[2]

pytestmark = needs_proc

PROGRAM = """
import sys
from tests.farm import works
from tests.farm.works import Order
from study.farm.supervisor import Farm

folder, *deeds = sys.argv[1:]
pieces = [Order(deed, number) for number, deed in enumerate(deeds)]
with Farm(works.deeds, folder, workers=2) as farm:
    try:
        for result in farm.run(pieces, progress=lambda pace: print("pace", pace.done, flush=True)):
            print("result", result.number, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(130)
"""
"""Program that runs the given deeds and prints its progress and results."""


def is_alive(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def children(parent: int) -> list[int]:
    """Return the child processes of a process."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def marked(folder: Path) -> list[int]:
    """Return the processes started by pieces, from the marks in ``folder``."""
    return [int(mark.name.partition("-")[2]) for mark in folder.glob("child-*")]


def workers(parent: int) -> list[int]:
    """Return the workers of a process."""
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children(parent)}
    return [pid for pid, line in lines.items() if b"study.farm.worker" in line]


def started(folder: Path, *deeds: str) -> subprocess.Popen[str]:
    """Start the program with these deeds."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), *deeds],
        cwd=HOME,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_closed_farm_leaves_no_process_of_its_pieces(tmp_path: Path) -> None:
    deeds = [Order("start", 0), Order("fork", 1), Order("start-hang", 2), Order("start", 3)]
    own: set[int] = set()
    with Farm(works.deeds, str(tmp_path), workers=2, deadline=3) as farm:
        list(farm.run(deeds, progress=lambda _: own.update(workers(os.getpid()))))
        list(farm.run([Order("", 0)]))
        own.update(workers(os.getpid()))
    assert len(own) > 1
    assert len(marked(tmp_path)) >= 4
    wait_for(lambda: not any(map(is_alive, [*own, *marked(tmp_path)])))


def test_killed_worker_takes_its_child_processes_along(tmp_path: Path) -> None:
    with Farm(works.deeds, str(tmp_path), workers=1) as farm:
        run = farm.run([Order("start", 0), Order("", 1)])
        next(run)
        os.kill(workers(os.getpid())[0], signal.SIGKILL)
        assert [each.number for each in run] == [1]
        wait_for(lambda: not any(map(is_alive, marked(tmp_path))))


@pytest.mark.parametrize("deed", ["start-hang", "deaf"])
def test_killed_program_leaves_no_process(deed: str, tmp_path: Path) -> None:
    with started(tmp_path, deed, deed, "hang", "hang") as program:
        wait_for(lambda: len(marked(tmp_path)) == 2)
        processes = [*workers(program.pid), *marked(tmp_path)]
        assert len(processes) == 4
        program.kill()
    wait_for(lambda: not any(map(is_alive, processes)))


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Program whose first piece hangs while two other pieces are done."""
    with started(tmp_path, "start-hang", "", "") as program:
        assert program.stdout is not None
        assert [program.stdout.readline() for _ in range(2)] == ["pace 1\n", "pace 2\n"]
        wait_for(lambda: len(marked(tmp_path)) == 1)
        yield program


def test_ctrl_c_delivers_done_results_and_leaves_no_process(
    hanging: subprocess.Popen[str], tmp_path: Path
) -> None:
    processes = [*workers(hanging.pid), *marked(tmp_path)]
    assert len(processes) == 3
    hanging.send_signal(signal.SIGINT)
    out, err = hanging.communicate(timeout=PATIENCE)
    assert out.splitlines() == ["result 1", "result 2", "interrupted"]
    assert err == ""
    assert hanging.returncode == 130
    wait_for(lambda: not any(map(is_alive, processes)))


def test_worker_ignores_ctrl_c() -> None:
    with Farm(works.naps, 0.0, workers=1) as farm:
        run = farm.run([0.0, 0.5, 0.0])
        next(run)
        (own,) = workers(os.getpid())
        os.kill(own, signal.SIGINT)
        assert [each.number for each in run if isinstance(each, Done)] == [1, 2]
        assert workers(os.getpid()) == [own]


def test_ctrl_c_handler_is_restored_after_a_run() -> None:
    with Farm(works.squares, 0, workers=1) as farm:
        run = farm.run([1, 2])
        before = signal.getsignal(signal.SIGINT)
        assert next(run).number == 0
        assert signal.getsignal(signal.SIGINT) is not before
        run.close()  # type: ignore[attr-defined]  # it is a generator
        assert signal.getsignal(signal.SIGINT) is before
        list(farm.run([3]))
    assert signal.getsignal(signal.SIGINT) is before


def test_daemon_of_a_worker_ends_with_it(tmp_path: Path) -> None:
    with Farm(works.daemons, str(tmp_path), workers=1) as farm:
        found = [result.value for result in farm.run([1, 2]) if isinstance(result, Done)]
        assert all(Path(f"/proc/{process}").exists() for process in found)
    assert len(found) == 2
    wait_for(lambda: not any(is_alive(process) for process in found))
