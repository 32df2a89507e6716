"""Speed of worker processes: ``python -m bench.farm [--games N] [--rounds N] [--dask]``.

Prints pieces per second for small games (Weltendämmerung, ``ford``, easy against easy) and for
pieces without work, in a farm with one and two workers and, alternating with it, in a
``multiprocessing.Pool`` of the same number of processes. All processes are set up before the clock
runs. The pool gets its pieces one by one: with chunks it would report nothing before a whole chunk
is done, and a crash would lose the chunk. Its speed with chunks of the size of the farm's largest
batch is printed for pieces without work. ``--dask`` adds a farm on a Dask cluster with the same
number of workers.

The bar: two workers play 1.8 times the games of one, if they have two processors to themselves.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from multiprocessing import get_context
from statistics import median
from typing import Any

from engine.core.codec import encode_json
from engine.core.registry import find
from study.farm.dispatch import MOST_BATCH
from study.farm.machines import machines_of
from study.farm.runs import Done
from study.farm.supervisor import Farm
from study.lab.simulate import Task, TournamentSetup, played
from tui.play.players import LONGEST

NOTHINGS = 20_000
WORKERS = (1, 2)

Runner = Callable[[Sequence[Any]], int]
"""Carries out pieces and returns their number."""

_function: list[Callable[[Any], Any]] = []
"""Function for the pieces in a process of a pool."""


def nothing(setup: int) -> Callable[[int], int]:
    """Return a work function that does nothing, to measure the transport alone."""
    return lambda piece: piece + setup


def begin(work: Callable[[Any], Callable[[Any], Any]], setup: Any) -> None:
    """Set up a process of a pool."""
    _function.append(work(setup))


def carried_out(piece: Any) -> Any:
    """Do a piece in a process of a pool."""
    return _function[0](piece)


@contextmanager
def farm(work: Any, setup: Any, workers: int) -> Iterator[Runner]:
    """Yield a runner that gives pieces to a farm."""
    with Farm(work, setup, workers=workers) as own:
        yield lambda pieces: sum(isinstance(each, Done) for each in own.run(pieces, ordered=False))


@contextmanager
def pool(work: Any, setup: Any, workers: int, chunk: int = 1) -> Iterator[Runner]:
    """Yield a runner that gives pieces to a pool, ``chunk`` at a time."""
    with get_context("spawn").Pool(workers, begin, (work, setup)) as own:
        yield lambda pieces: sum(1 for _ in own.imap_unordered(carried_out, pieces, chunk))


@contextmanager
def dask(work: Any, setup: Any, workers: int) -> Iterator[Runner]:
    """Yield a runner that gives pieces to a farm on a Dask cluster of this machine."""
    distributed = import_module("distributed")
    with (
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=":0",
            silence_logs=50,
        ) as cluster,
        Farm(
            work, setup, machines=machines_of([cluster.scheduler_address.replace("tcp", "dask")])
        ) as own,
    ):
        yield lambda pieces: sum(isinstance(each, Done) for each in own.run(pieces, ordered=False))


def per_second(run: Runner, pieces: Sequence[Any]) -> float:
    """Return the pieces per second of processes that are running."""
    began = time.perf_counter()
    count = run(pieces)
    if count != len(pieces):
        raise SystemExit(f"{len(pieces) - count} pieces are missing")
    return count / (time.perf_counter() - began)


def measured(
    work: Any,
    setup: Any,
    pieces: Sequence[Any],
    *,
    rounds: int,
    chunks: Sequence[int],
    with_dask: bool,
) -> dict[tuple[str, int], float]:
    """Return the median of pieces per second by kind and number of processes.

    All of them are measured in turns.
    """
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    with ExitStack() as open_ones:
        runners: dict[tuple[str, int], Runner] = {}
        for workers in WORKERS:
            own = farm(work, setup, workers)
            runners["farm", workers] = open_ones.enter_context(own)
            for chunk in chunks:
                peer = pool(work, setup, workers, chunk)
                runners[f"pool, by {chunk}", workers] = open_ones.enter_context(peer)
            if with_dask:
                runners["farm on dask", workers] = open_ones.enter_context(
                    dask(work, setup, workers)
                )
        for run in runners.values():
            run(pieces)
        for _ in range(rounds):
            for name, run in runners.items():
                found[name].append(per_second(run, pieces))
    return {name: median(rates) for name, rates in found.items()}


def report(name: str, rates: dict[tuple[str, int], float]) -> None:
    """Print pieces per second, and ratios to the pools."""
    print(f"\n{name}, a second{'':12}{'1 worker':>12}{'2 workers':>12}{'2 : 1':>8}")
    for kind in dict.fromkeys(kind for kind, _ in rates):
        one, two = (rates[kind, workers] for workers in WORKERS)
        print(f"  {kind:28}{one:12,.1f}{two:12,.1f}{two / one:8.2f}")
    for kind in dict.fromkeys(kind for kind, _ in rates if kind != "farm"):
        one, two = (rates["farm", workers] / rates[kind, workers] for workers in WORKERS)
        print(f"  {'farm : ' + kind:28}{one:12.2f}{two:12.2f}")


def main() -> None:
    """Measure in turns; print medians and ratios."""
    parser = argparse.ArgumentParser(description="pieces a second in worker processes")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--dask", action="store_true", help="with a Dask cluster")
    args = parser.parse_args()
    options: dict[str, Any] = {"rounds": args.rounds, "with_dask": args.dask}
    scenario = find("weltendaemmerung").scenarios()["ford"]
    setup = TournamentSetup("weltendaemmerung", encode_json(scenario), {}, LONGEST)
    games = [Task(("easy", "easy"), seed) for seed in range(args.games)]
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {args.rounds} rounds")
    report("games", measured(played, setup, games, chunks=(1,), **options))
    chunks = (1, MOST_BATCH)
    report("nothings", measured(nothing, 1, range(NOTHINGS), chunks=chunks, **options))


if __name__ == "__main__":
    main()
