"""Seeking in a long game: ``python -m bench.seek [--save FILE]``.

Any step back and any random seek should take at most 50 ms in 95 of 100 cases: in a replay that
began without stored states, and in one that found the states stored beside the save. The very first
seek, once per opened game, is measured separately: it costs at most a whole fold.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from shutil import copy
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from bench.games import arguments, long_game
from engine.core.registry import find
from engine.core.replay import Cursor, Keyframes, fold
from saves.archive import Folder
from saves.reader import Reading

LONGEST = 0.050
SEEKS = 1000
FRESH = 100
FOLDS = 9

AnyCursor: TypeAlias = Cursor[Any, Any, Any]


def main() -> int:
    """Measure the kinds of seeks; return 1 if a bar is missed."""
    found = long_game(arguments(__doc__))
    rules, line = find(found.header.ruleset), found.log.line()
    chance = random.Random(1)  # noqa: S311 - places to seek
    places = [chance.randrange(len(line)) for _ in range(SEEKS)]
    whole = median(_timed(lambda: fold(rules, line)) for _ in range(FOLDS))
    walked: AnyCursor = Cursor(rules, line)
    print(f"{len(line):,} entries, {sum(len(entry.events) for entry in line):,} events")
    print(f"{'':34}{'median':>9}{'p95':>10}{'worst':>10}   p95 : whole fold   bar")
    tell("whole fold", [whole], whole)
    random_seeks = [_timed(partial(walked.seek, at)) for at in places]
    missed = tell("random seek, nothing remembered", random_seeks, whole, LONGEST)
    missed |= tell("step back, the same replay", _steps_back(walked), whole, LONGEST)
    with TemporaryDirectory() as folder:
        load = _remembered(found, walked, folder)
        loads = [_timed(load) for _ in range(FOLDS)]
        states = load()
        missed |= tell("random seek, states loaded", _seeks(found, states, places), whole, LONGEST)
        second = _cursor(found, states)
        missed |= tell("step back, states loaded", _steps_back(second), whole, LONGEST)
    print("once per game that is opened:")
    tell("loading the states", loads, whole)
    firsts = [_timed(partial(_cursor(found, {}).seek, at)) for at in places[:FRESH]]
    tell("first seek, nothing remembered", firsts, whole)
    firsts = [_timed(partial(_cursor(found, states).seek, at)) for at in places[:FRESH]]
    tell("first seek, states loaded", firsts, whole)
    return int(missed)


def _remembered(found: Reading, walked: AnyCursor, folder: str) -> Callable[[], dict[int, Any]]:
    """Keep the states of a replay beside a copy of its save; return a function that loads them."""
    copy(found.path, folder)
    archive = Folder()
    opened = archive.read(f"{folder}/{found.name}.bnr")
    archive.keep_keyframes(opened, walked.keyframes.states)
    kind = walked.rules.state_type
    return lambda: dict(archive.keyframes(opened, kind))


def _cursor(found: Reading, states: dict[int, Any]) -> AnyCursor:
    keyframes: Keyframes[Any] = Keyframes()
    keyframes.states.update(states)
    return Cursor(find(found.header.ruleset), found.log.line(), keyframes)


def _seeks(found: Reading, states: dict[int, Any], places: list[int]) -> list[float]:
    cursor = _cursor(found, states)
    return [_timed(partial(cursor.seek, at)) for at in places]


def _steps_back(cursor: AnyCursor) -> list[float]:
    cursor.seek(len(cursor.line) - 1)
    return [_timed(lambda: cursor.step(-1)) for _ in cursor.line]


def tell(name: str, times: list[float], whole: float, bar: float | None = None) -> bool:
    """Print a row; return whether it misses the bar."""
    late = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
    row = "".join(f"{took * 1000:7.2f} ms" for took in (median(times), late, max(times)))
    limit = f"   at most {bar * 1000:.0f} ms" if bar is not None else ""
    print(f"{name:33}{row}{late / whole:19.2f}{limit}")
    return bar is not None and late > bar


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
