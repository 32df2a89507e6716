"""Games per second of a run, and its memory: ``python -m bench.lab [--games N] [--rounds N]``.

A run in the manner of ``banneret lab run`` (rows on the disk, keys, times, a watcher), with one and
two workers and, alternating with it, the same games in a ``multiprocessing.Pool`` of the same
number of processes, which stores nothing. The clock runs from the end of the first game to the end
of the last, so the start of the processes does not count. It also prints the peak memory of the
supervisor over 2,000 games.

The bars: two workers play 1.8 times the games of one, if they have two processors to themselves;
100 MB.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from saves.archive import Folder
from study.lab.games import ReportedGame, play_games
from study.lab.live import LiveWatcher
from study.lab.plans import GameTask, LabPlan, LabSetup, meetings, schedule, setup_of
from study.lab.progress import RunStatus
from study.lab.running import Workers, play_run
from study.lab.store import RunFolder
from study.lab.verbs import LabPorts

WORKERS = (1, 2)
LEAST_TWICE = 1.8
MOST_MEMORY = 100.0
MEMORY_GAMES = 2000

_function: list[Callable[[GameTask], ReportedGame]] = []
"""Function for the games in a process of the pool."""


class Nobody:
    """Display of a run that shows nothing."""

    def show(self, status: Callable[[], RunStatus], now: float, *, at_once: bool) -> None:
        """Do nothing."""

    def pressed(self) -> str:
        """Return no keys."""
        return ""

    def end(self, status: RunStatus) -> None:
        """Do nothing."""


class TimedWatcher(LiveWatcher):
    """Watcher that records the times of the first and the last game."""

    first = last = 0.0
    count = 0

    def played(self, game: ReportedGame) -> None:
        """Record the time of a finished game."""
        super().played(game)
        self.last = time.perf_counter()
        self.first = self.first or self.last
        self.count += 1


def plan_for(games: int, seed: int) -> LabPlan:
    """Return a plan of small games."""
    return LabPlan(
        "weltendaemmerung",
        ("easy", "normal"),
        scenarios=("ford",),
        pairs=games // 2,
        seed=seed,
    )


@contextmanager
def fresh_folder(plan: LabPlan) -> Iterator[RunFolder]:
    """Yield a new run folder, which is removed after the ``with`` block."""
    with TemporaryDirectory() as home, RunFolder.create(Path(home) / "run", plan) as folder:
        yield folder


def run_rate(plan: LabPlan, setup: LabSetup, workers: int) -> float:
    """Return the games per second of a run."""
    with fresh_folder(plan) as folder:
        watcher = TimedWatcher(folder, setup, Nobody())
        if not play_run(folder, setup, Workers(workers), watcher, LabPorts(Folder, "bench")):
            raise SystemExit("the run was stopped")
        return (watcher.count - 1) / (watcher.last - watcher.first)


def begin(setup: LabSetup) -> None:
    """Set up a process of the pool."""
    _function.append(play_games(setup))


def played(task: GameTask) -> ReportedGame:
    """Play a game in a process of the pool."""
    return _function[0](task)


def pool_rate(plan: LabPlan, setup: LabSetup, workers: int) -> float:
    """Return the games per second of a pool."""
    tasks = list(schedule(plan, setup, meetings(plan.format, len(setup.bots), setup.seats)))
    with get_context("spawn").Pool(workers, begin, (setup,)) as own:
        results = own.imap_unordered(played, tasks)
        next(results)
        began = time.perf_counter()
        count = sum(1 for _ in results)
        return count / (time.perf_counter() - began)


def rates(games: int, rounds: int) -> dict[tuple[str, int], float]:
    """Return the median of games per second by kind and number of processes.

    All of them are measured in turns.
    """
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    setup = setup_of(plan_for(games, 1))
    for number in range(rounds):
        plan = plan_for(games, 1 + number * games)
        for workers in WORKERS:
            found["run", workers].append(run_rate(plan, setup, workers))
            found["pool", workers].append(pool_rate(plan, setup, workers))
    return {name: median(each) for name, each in found.items()}


def peak_memory() -> float:
    """Return the peak memory of this process in MB."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in text.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1000


def measure_memory() -> None:
    """Print the peak memory of this process before and after a run."""
    plan = plan_for(MEMORY_GAMES, 1)
    setup = setup_of(plan)
    before = peak_memory()
    run_rate(plan, setup, 2)
    print(f"{before:.1f} {peak_memory():.1f}")


def main() -> None:
    """Measure in turns; print medians and ratios."""
    parser = argparse.ArgumentParser(description="games a second of a run")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.memory:
        measure_memory()
        return
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {args.rounds} rounds")
    found = rates(args.games, args.rounds)
    print(f"\n{'games a second':28}{'1 worker':>12}{'2 workers':>12}{'2 : 1':>8}")
    for kind in ("run", "pool"):
        one, two = (found[kind, workers] for workers in WORKERS)
        bar = f"   (at least {LEAST_TWICE})" if kind == "run" else ""
        print(f"  {kind:26}{one:12.1f}{two:12.1f}{two / one:8.2f}{bar}")
    one, two = (found["run", workers] / found["pool", workers] for workers in WORKERS)
    print(f"  {'run : pool':26}{one:12.2f}{two:12.2f}")
    told = subprocess.run(
        [sys.executable, "-m", "bench.lab", "--memory"], capture_output=True, text=True, check=True
    ).stdout.split()
    print(
        f"\nmemory of the supervisor: {told[0]} MB before, at most {told[1]} MB"
        f" over {MEMORY_GAMES:,} games (at most {MOST_MEMORY:.0f} MB)"
    )


if __name__ == "__main__":
    main()
