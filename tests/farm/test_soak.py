"""Farms over a long time: workers are killed repeatedly, and the supervisor stays small."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest

from study.farm.links import Machine
from study.farm.machines import machines_of
from study.farm.runs import Done
from study.farm.supervisor import Farm
from tests.farm import works
from tests.farm.test_endings import workers
from tests.farm.test_remote import Cluster, Server, cluster, server, ssh_clients

__all__ = ["cluster", "server"]

HOME = Path(__file__).parents[2]

MEMORY = """
import sys
from pathlib import Path
from tests.farm import works
from study.farm.checks import Checks
from study.farm.supervisor import Farm

def megabytes():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6

checks = Checks(twice=50, local=True)
with Farm(works.squares, 0, workers=2, checks=checks) as farm:
    for count, result in enumerate(farm.run(range(200_000), ordered=False)):
        if count == 20_000:
            before = megabytes()
print(megabytes() - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize("words", ["local", "ssh", "both", "both and dask"])
def test_results_are_complete_while_workers_are_killed(
    words: str, server: Server, cluster: Cluster
) -> None:
    machines: dict[str, tuple[Machine, ...]] = {
        "local": machines_of(["local*3"]),
        "ssh": server.machines(3),
        "both": server.machines(2, "local*1"),
        "both and dask": server.machines(1, "local*1", cluster.word),
    }
    naps = [0.001 * (number % 7) for number in range(700)]
    turn = cycle([0, 1])
    with Farm(works.naps, 0.0, machines=machines[words]) as farm:
        results = []
        for result in farm.run(naps):
            results.append(result)
            victims = (ssh_clients(), workers(os.getpid()))
            chosen = victims[next(turn)] or victims[next(turn)]
            if result.number % 100 == 50 and chosen:
                os.kill(chosen[-1], signal.SIGKILL)
    assert [each[:3] for each in results if isinstance(each, Done)] == [
        (number, nap, nap) for number, nap in enumerate(naps)
    ]


@pytest.mark.slow
def test_supervisor_memory_does_not_grow_with_the_pieces() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], cwd=HOME, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < 4
