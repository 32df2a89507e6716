"""Questions to the debugger: ``python -m bench.why [--entries 300] [--questions 100]``.

For a game of computer players of each ruleset the debugger is asked why values are so; the values
are drawn at random from those that changed. A question should take at most 0.5 s of processor time
in 95 of 100 cases, although the entry may be decided again up to 2,000 times. It is compared with a
verification of the whole game in the same run, and with the same verification with a trace of the
rules.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median, quantiles

from engine.core.log import EventLog
from engine.core.replay import verify
from engine.debug.causes import CauseSearch
from engine.debug.history import followed
from engine.debug.line import GameLine, line_of
from engine.debug.paths import StatePath, write
from engine.debug.tracing import trace_of
from tests.debug.recorded import SMALL, recorded
from tests.debug.test_causes import changed_paths

LONGEST = 0.5
SEED = b"bench"


def main() -> int:
    """Measure questions to a game of each ruleset; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--questions", type=int, default=100)
    args = parser.parse_args()
    missed = False
    print(
        f"{'':18}{'verify':>9}{'traced':>9}  ratio{'median':>9}{'p95':>9}{'worst':>9}  p95 : verify"
    )
    for ruleset in SMALL:
        line = recorded(ruleset, SEED, args.entries)
        whole = _timed(partial(_verified, line))
        traced = _timed(partial(_traced, line))
        asked = [_timed(partial(_asked, line, *one)) for one in _drawn(line, args.questions)]
        p95 = quantiles(asked, n=20)[-1]
        missed |= p95 > LONGEST
        print(
            f"{ruleset:18}{whole:8.3f}s{traced:8.3f}s{traced / whole:7.1f}"
            f"{median(asked):8.3f}s{p95:8.3f}s{max(asked):8.3f}s{p95 / whole:9.2f}"
        )
    print(f"bar of p95: {LONGEST} s{', missed' if missed else ''}")
    return int(missed)


def _timed(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def _verified(line: GameLine) -> None:
    log: EventLog[object, object] = EventLog()
    for entry in line.entries:
        log.append(entry)
    if verify(line.rules, log).divergence is not None:
        raise SystemExit("the game is not decided as it was recorded")


def _traced(line: GameLine) -> None:
    fresh = line_of(line.rules, line.entries)
    for index in range(len(line.entries)):
        trace_of(fresh, index)


def _drawn(line: GameLine, count: int) -> list[tuple[int, StatePath]]:
    """Return random steps after the setup and values that changed there."""
    chance = random.Random(1)  # noqa: S311 - questions to measure
    found: list[tuple[int, StatePath]] = []
    while len(found) < count:
        step = chance.randrange(line.starts[1] + 1, len(line) + 1)
        paths = sorted(changed_paths(line.state(step - 1), line.state(step)), key=str)
        if paths:
            found.append((step, chance.choice(paths)))
    return found


def _asked(line: GameLine, step: int, path: StatePath) -> None:
    search = CauseSearch(line, followed(line.rules, line.states(), write(path)), step)
    search.origin()
    list(search.throw_causes())
    list(search.premise_causes())


if __name__ == "__main__":
    sys.exit(main())
