"""Seeking in a long game: ``python -m bench.seek [--save FILE]``.

Any step back and any random seek should take at most 50 ms in 95 of 100 cases. The random seeks
begin with nothing remembered. What the very first seek costs, once per game that is opened, stands
beside it: at most a whole fold.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median, quantiles
from typing import Any

from bench.games import arguments, long_game
from engine.core.registry import find
from engine.core.replay import Cursor, fold

LONGEST = 0.050
SEEKS = 1000
FRESH = 100
FIRST = "first seek of all"


def main() -> int:
    """Measure the kinds of seeks; 1 if a bar is missed."""
    found = long_game(arguments(__doc__))
    rules, line = find(found.header.ruleset), found.log.line()
    chance = random.Random(1)  # noqa: S311 - places to seek
    places = [chance.randrange(len(line)) for _ in range(SEEKS)]
    whole = _timed(lambda: fold(rules, line))
    cursor: Cursor[Any, Any, Any] = Cursor(rules, line)
    print(f"{len(line)} entries, {sum(len(entry.events) for entry in line)} events")
    print(f"a whole fold   {whole * 1000:.1f} ms")
    missed = False
    kinds: dict[str, Callable[[], list[float]]] = {
        "random seek": lambda: [_timed(partial(cursor.seek, at)) for at in places],
        "step back": lambda: _steps_back(cursor),
        FIRST: lambda: _first_seeks(rules, line, places[:FRESH]),
    }
    for name, measure in kinds.items():
        times = measure()
        late = quantiles(times, n=20)[-1]
        missed |= late > LONGEST and name != FIRST
        print(
            f"{name}   median {median(times) * 1000:.2f} ms, p95 {late * 1000:.2f} ms,"
            f" worst {max(times) * 1000:.2f} ms; p95 / whole fold {late / whole:.2f}"
        )
    return int(missed)


def _first_seeks(rules: Any, line: list[Any], places: list[int]) -> list[float]:
    cursors: list[Cursor[Any, Any, Any]] = [Cursor(rules, line) for _ in places]
    pairs = zip(cursors, places, strict=True)
    return [_timed(partial(cursor.seek, at)) for cursor, at in pairs]


def _steps_back(cursor: Cursor[Any, Any, Any]) -> list[float]:
    cursor.seek(len(cursor.line) - 1)
    return [_timed(lambda: cursor.step(-1)) for _ in cursor.line]


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
