"""Reading and folding a log: ``python -m bench.log [--save FILE]``.

Reading, checking and typing a save should take at most 3 times what ``msgpack`` alone takes to
unpack its frames and payloads; folding should do at least 50,000 events a second.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import msgpack

from bench.games import arguments, long_game
from engine.core.registry import find
from engine.core.replay import fold
from saves.reader import read

ROUNDS = 15
WORST_RATIO = 3.0
FEWEST_EVENTS = 50_000


def main() -> int:
    """Measure in turns, so that a busy machine slows all alike; 1 if a bar is missed."""
    found = long_game(arguments(__doc__))
    path = Path(found.path)
    rules, line = find(found.header.ruleset), found.log.line()
    events = sum(len(entry.events) for entry in line)
    runs: dict[str, list[float]] = {"unpack": [], "read": [], "fold": []}
    for _ in range(ROUNDS):
        runs["unpack"].append(_timed(lambda: unpacked(path)))
        runs["read"].append(_timed(lambda: read(path)))
        runs["fold"].append(_timed(lambda: fold(rules, line)))
    ratio = median(read / bare for read, bare in zip(runs["read"], runs["unpack"], strict=True))
    speed = events / median(runs["fold"])
    print(f"{len(found.log)} entries, {events} events, {path.stat().st_size} bytes")
    print(f"read, check and type / unpack alone   {ratio:.2f}   (at most {WORST_RATIO:.0f})")
    print(f"events folded a second   {speed:,.0f}   (at least {FEWEST_EVENTS:,})")
    return int(ratio > WORST_RATIO or speed < FEWEST_EVENTS)


def unpacked(path: Path) -> int:
    """What msgpack alone does with the frames and their payloads, keeping everything."""
    unpacker = msgpack.Unpacker()
    unpacker.feed(path.read_bytes())
    kept = [msgpack.unpackb(frame[4]) for frame in unpacker]
    return len(kept)


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()
    try:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began
    finally:
        gc.enable()


if __name__ == "__main__":
    sys.exit(main())
