"""Fate of a whole game on one core: ``python -m bench.debug_fate``.

The first 13 points of a curve, with 40 games each, should take at most 15 s (on the ford of
weltendaemmerung, between two normal computer players). The same run also measures a verification of
the game, a game of the same two players from its beginning, and the whole search with its
refinement.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from engine.core.archive import Header, Opened, SeatPlayer
from engine.core.feed import AnyChange
from engine.core.log import EventLog
from engine.core.registry import find
from engine.core.replay import fold, verify
from study.debug.debugger import Debugger
from study.debug.turning_points import FateQuestion, end_sought, fate_curve, spread
from tui.play.continuation import Continuation
from tui.play.scenarios import seed_bytes
from tui.play.table import Table

RULESET, SCENARIO, LEVEL = "weltendaemmerung", "ford", "normal"
SEEDS = (1, 2, 3)
MOST = 15.0
"""Maximum seconds of the 13 x 40 games of one curve."""


def played(seed: int) -> Opened:
    """Return a whole game of two computer players."""
    rules = find(RULESET)
    scenario = rules.scenarios()[SCENARIO]
    players = tuple(
        SeatPlayer(seat, name, LEVEL) for seat, name in enumerate(rules.seat_names(scenario))
    )
    header = Header(RULESET, rules.schema, seed_bytes(seed), players)
    log: EventLog[Any, Any] = Table.begin(rules, scenario, {}, header).game.log

    def keep(change: AnyChange) -> None:
        assert change.entry is not None  # noqa: S101 - tells the type checker
        log.append(change.entry)

    begun = fold(rules, log.line())
    Continuation(rules, begun, (LEVEL, LEVEL), header.seed, 1, booked=keep).play()
    return Opened("bench", header, log)


def seconds(act: Callable[[], object]) -> float:
    """Return the processor time of a call in seconds."""
    start = time.process_time()
    act()
    return time.process_time() - start


def again(opened: Opened) -> str:
    """Play the recorded game's players from the beginning; return why they got stuck, if so."""
    rules = find(RULESET)
    begun = fold(rules, opened.log.line(0))
    return Continuation(rules, begun, (LEVEL, LEVEL), b"again", 1).play()


def main() -> None:
    """Measure each game; print seconds and ratios."""
    print(f"{'seed':>4}{'entries':>9}{'13 x 40':>10}{': a game':>10}{': verify':>10}{'whole':>9}")
    for seed in SEEDS:
        opened = played(seed)
        bench = Debugger(opened)
        end = end_sought(bench)
        steps = tuple(bench.line.starts[index + 1] for index in spread(bench.line))
        points = seconds(partial(fate_curve, bench, FateQuestion(end, LEVEL, 40, 1, steps)))
        whole = seconds(partial(fate_curve, bench, FateQuestion(end, LEVEL)))
        one = seconds(partial(again, opened))
        checked = seconds(partial(verify, bench.rules, opened.log))
        print(
            f"{seed:4}{len(opened.log):9}{points:8.1f} s{points / one:10.0f}"
            f"{points / checked:10.0f}{whole:7.1f} s{'' if points <= MOST else '  too long'}"
        )
    print(f"13 x 40 games should take at most {MOST:.0f} s")


if __name__ == "__main__":
    main()
