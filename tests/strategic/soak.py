"""Play random games: ``python -m tests.strategic.soak --games 100 --turns 200 [--seed 1]``.

With ``--switches`` scenarios and options are not random: the games of ``chances.covered``, which
contain each pair of values of two switches, are played in turn. The report then names the effects
of switches that no game reached.

Scenario, size, sides, options and orders are random, and many orders are plainly wrong. After every
order all invariants of the rule book are checked. At every round the log must fold to the position,
and hidden data must stay hidden. In the first ten rounds, in every tenth after them and at the end,
the save must open to the same game. The game of a seed is always the same, so ``--games 1 --seed
N`` repeats a faulty one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from tests.strategic import switched
from tests.strategic.chances import covered, game
from tests.strategic.playing import Fault, Report, play


def main() -> int:
    """Play the games; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--turns", type=int, default=200, help="rounds of a game")
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    parser.add_argument("--minutes", type=float, default=0, help="begin no game after so long")
    parser.add_argument("--switches", action="store_true", help="play every value of every switch")
    args = parser.parse_args()
    began, reports, faults = perf_counter(), list[Report](), 0
    for seed in range(args.seed, args.seed + args.games):
        if args.minutes and perf_counter() - began > 60 * args.minutes:
            break
        drawn = covered()[seed % len(covered())] if args.switches else game(seed)
        try:
            with tempfile.TemporaryDirectory() as folder:
                reports.append(play(drawn, seed, args.turns, Path(folder)))
        except Fault as fault:
            faults += 1
            again = f"python -m tests.strategic.soak --games 1 --turns {args.turns} --seed {seed}"
            again += " --switches" if args.switches else ""
            sys.stdout.write(f"seed {seed}, turn {fault.turn}: {fault}\n  {drawn}\n  {again}\n")
            sys.stdout.flush()
    orders, refused = sum(one.orders for one in reports), sum(one.refused for one in reports)
    sys.stdout.write(
        f"{len(reports) + faults} games, {sum(one.turns for one in reports)} rounds, "
        f"{sum(one.ended for one in reports)} ended, {orders} orders, {refused} refused, "
        f"{sum(one.events for one in reports)} events, {faults} games with a fault\n"
    )
    came = frozenset[str]().union(*(one.came for one in reports))
    missing = [what for what in switched.ALL if what not in came] if args.switches else []
    for what in missing:
        sys.stdout.write(f"in no game {what}\n")
    return 1 if faults or missing else 0


if __name__ == "__main__":
    sys.exit(main())
