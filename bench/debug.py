"""The debugger on a game of 5,000 events: ``python -m bench.debug [--save FILE]``.

Each row is compared with a whole fold of the same game in the same run, in processor time: nothing
here waits. The first search reads the whole game, with facts, rounds and numbers; later queries use
what it has read.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from bench.games import arguments, long_game
from bench.seek import tell
from engine.core.registry import find
from engine.core.replay import fold
from saves.reader import Reading
from study.debug.debugger import Debugger
from study.debug.verbs import answers
from tui.console.exits import Wrong

EVENTS = 5000
TRIES = 200
FOLDS = 9

STEP, SEARCH, VALUES, COMPARE = 0.050, 0.300, 0.100, 0.200
"""Bars in seconds: for a step, a search through the game, a value's changes, two places."""


def main() -> int:
    """Measure the verbs; return 1 if a bar is missed."""
    found = long_game(arguments(__doc__))
    rules, head = find(found.header.ruleset), _head(found)
    line = found.log.line(head)
    whole = median(_timed(partial(fold, rules, line)) for _ in range(FOLDS))
    count = sum(len(entry.events) for entry in line)
    print(f"{rules.name}: {len(line):,} entries, {count:,} events")
    print(f"{'':34}{'median':>9}{'p95':>10}{'worst':>10}   p95 : whole fold   bar")
    tell("whole fold", [whole], whole)
    tell("opening", [_timed(partial(Debugger, found, head=head))], whole)
    bench = Debugger(found, head=head)
    fresh = partial(_search_anew, found, head)
    missed = tell("back until, the first search", [fresh() for _ in range(FOLDS)], whole, SEARCH)
    for name, lines, bar in _rows(bench):
        missed |= tell(name, [_asked(bench, one) for one in lines], whole, bar)
    return int(missed)


def _head(found: Reading) -> int:
    """Return the entry at which the line reaches about 5,000 events."""
    events = 0
    for entry in found.log.line():
        events += len(entry.events)
        if events >= EVENTS:
            return entry.seq
    return found.log.head


def _rows(bench: Debugger) -> list[tuple[str, list[list[str]], float]]:
    """Return the names of the rows, the queries of each, and the bars."""
    chance = random.Random(1)  # noqa: S311 - places to go to
    places = [bench.line.place(chance.randrange(1, len(bench.line))) for _ in range(TRIES)]
    pairs = zip(places, reversed(places), strict=True)
    fields = [["history", name] for name in bench.state.__struct_fields__]
    counted = [
        ["history", f'{name}."{bench.seats[0]}"'] for name in bench.rules.statistics(bench.state)
    ]
    return [
        ("go to a random place", [["go", place] for place in places], STEP),
        ("a step back", [["back"]] * TRIES, STEP),
        ("a step on", [["on"]] * TRIES, STEP),
        ("back until, from the end", [["back", "until", "entry", "=", "1"]] * FOLDS, SEARCH),
        ("last, of each field", [["last", name] for _, name in fields], VALUES),
        ("history, of each field", fields, VALUES),
        ("history, of each statistic", counted, VALUES),
        ("diff of random places", [["diff", *pair] for pair in pairs], COMPARE),
    ]


def _search_anew(found: Reading, head: int) -> float:
    """Return the seconds of a search through a game after reading only its log."""
    bench = Debugger(found, head=head)
    return _asked(bench, ["back", "until", "entry", "=", "1"])


def _asked(bench: Debugger, words: list[str]) -> float:
    """Return the seconds until a verb has answered; a search begins at the end of the game."""
    if words[0] not in {"on", "back"} or "until" in words:
        bench.at = len(bench.line)

    def ask() -> None:
        try:
            for _ in answers(bench, words):
                pass
        except Wrong:
            pass  # a value that never changed: it was looked for

    return _timed(ask)


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    raise SystemExit(main())
