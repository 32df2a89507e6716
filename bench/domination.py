"""Large games of Global Domination: ``python -m bench.domination``.

A game of seven normal computer players on the board of 64 territories, until one of them is left or
30 turns are over, should take at most 30 s of processor time; it is compared with a Python that
only imports ``textual.app``. One turn of thirteen seats with 507 orders should take at most 60 ms;
it is compared with the naive Movement Phase of the tests, which has no other phase.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from bench.headless import TEXTUAL, processor
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.territories import Decision
from engine.rulesets.gd6.turns import close
from tests.rulesets.gd6 import naive
from tests.rulesets.gd6.crowds import crowded
from tests.rulesets.gd6.engine_movement import plain

SEATS = 7
GAMES = 3
STARTS = 5
TURNS = 9
MOST_GAME = 30.0
MOST_TURN = 0.060


def game(seed: int) -> Sequence[str]:
    """Return the command that plays a whole game that cannot be won by owning most of the land."""
    options = ("--scenario", "world", "--option", "domination=0", "--games", "1")
    levels = ("--levels", "normal") * SEATS
    command = (sys.executable, "-m", "app", "simulate", "gd6", "--json")
    return (*command, *options, "--seed", str(seed), *levels)


def turn(seed: int) -> tuple[float, float]:
    """Return the seconds of a whole turn, and of a naive version of its Movement Phase."""
    state = crowded(seed)
    problem = plain(state)
    decision: Decision = BaseDecision(state, evolve, Scripted())
    return _timed(partial(close, decision)), _timed(partial(naive.resolve, **problem))


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> int:
    """Measure in turns, print medians and ratios; return 1 if a bar is missed."""
    games, imports = [], []
    for seed in range(1, GAMES + 1):
        games.append(processor(game(seed)))
        imports += [processor(TEXTUAL) for _ in range(STARTS)]
    unit = median(imports)
    print(f"{'':38}{'ratio':>8}")
    print(
        f"{'a game of seven : import textual.app':38}{median(games) / unit:8.1f}"
        f"   {median(games):.1f} s, the longest {max(games):.1f} s of processor time"
        f" (at most {MOST_GAME:.0f} s), {unit:.3f} s"
    )
    turns, naively = zip(*(turn(seed) for seed in range(TURNS)), strict=True)
    whole, moves = median(turns), median(naively)
    print(
        f"{'a turn of 507 orders : naive movement':38}{whole / moves:8.3f}"
        f"   {1000 * whole:.0f} ms (at most {1000 * MOST_TURN:.0f} ms), {1000 * moves:.0f} ms"
    )
    return int(max(games) > MOST_GAME or whole > MOST_TURN)


if __name__ == "__main__":
    sys.exit(main())
