"""Reading and folding a log: ``python -m bench.log [--save FILE]``.

Reading, checking and typing a save should take at most 3 times the time in which ``msgpack`` alone
unpacks its frames and payloads; folding should process at least 50,000 events per second. The same
log repeated four times shows whether a longer log costs more per entry.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import msgpack

from bench.games import arguments, long_game
from engine.core.record import replace
from engine.core.registry import find
from engine.core.replay import fold
from saves.archive import Folder
from saves.reader import Reading, read

ROUNDS = 15
TIMES = 4
WORST_RATIO = 3.0
FEWEST_EVENTS = 50_000


def main() -> int:
    """Measure a whole game and its repetition; return 1 if a bar is missed."""
    found = long_game(arguments(__doc__))
    print(f"{'':40}{'ratio':>7}   bar")
    with tempfile.TemporaryDirectory() as folder:
        missed = [measure(found), measure(repeated(found, Path(folder)))]
    return int(any(missed))


def measure(found: Reading) -> bool:
    """Measure a log in turns, so that load affects all alike; return whether a bar is missed."""
    path = Path(found.path)
    rules, line = find(found.header.ruleset), found.log.line()
    events = sum(len(entry.events) for entry in line)
    bare, whole, folds = [], [], []
    for _ in range(ROUNDS):
        bare.append(_timed(lambda: unpacked(path)))
        whole.append(_timed(lambda: read(path)))
        folds.append(_timed(lambda: fold(rules, line)))
    ratio, slower = _ratio(whole, bare), _ratio(folds, bare)
    speed = events / median(folds)
    print(f"{len(found.log):,} entries, {events:,} events, {path.stat().st_size:,} bytes")
    print(f"{'  read, check and type : unpack alone':40}{ratio:7.2f}   at most {WORST_RATIO:.0f}")
    print(f"{'  fold : unpack alone':40}{slower:7.2f}")
    per_second = speed / FEWEST_EVENTS
    print(f"{'  events folded a second : bar':40}{per_second:7.2f}   at least 1 ({speed:,.0f}/s)")
    return ratio > WORST_RATIO or speed < FEWEST_EVENTS


def repeated(found: Reading, folder: Path) -> Reading:
    """Return the played line of a save several times in sequence, as a save in a folder."""
    line = found.log.line()
    archive = Folder(folder)
    file = archive.create("repeated", found.header)
    file.patient = True
    for number in range(TIMES * len(line)):
        file.entry(replace(line[number % len(line)], seq=number, parent=number - 1))
    file.close()
    return archive.read("repeated")


def unpacked(path: Path) -> int:
    """Return the number of frames that msgpack alone unpacks with payloads, all kept in memory."""
    unpacker = msgpack.Unpacker()
    unpacker.feed(path.read_bytes())
    kept = [msgpack.unpackb(frame[4]) for frame in unpacker]
    return len(kept)


def _ratio(ones: list[float], others: list[float]) -> float:
    return median(one / other for one, other in zip(ones, others, strict=True))


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
