"""Play games by lot: ``python -m tests.strategic.soak --games 100 --turns 200 [--seed 1]``.

Scenario, size, sides and options are drawn, and so is what everybody tries, much of it plainly
wrong. After every order all invariants of the rule book are checked; at every round, that the log
folds to the position and that what is hidden stays hidden; and that the save opens to the very game
in the first ten rounds, in every tenth after them and at the end.
The game of a seed is always the same one, so ``--games 1 --seed N`` plays a faulty one again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from tests.strategic.chances import game
from tests.strategic.playing import Fault, Report, play


def main() -> int:
    """Play the games; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--turns", type=int, default=200, help="rounds of a game")
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    parser.add_argument("--minutes", type=float, default=0, help="begin no game after so long")
    args = parser.parse_args()
    began, reports, faults = perf_counter(), list[Report](), 0
    for seed in range(args.seed, args.seed + args.games):
        if args.minutes and perf_counter() - began > 60 * args.minutes:
            break
        drawn = game(seed)
        try:
            with tempfile.TemporaryDirectory() as folder:
                reports.append(play(drawn, seed, args.turns, Path(folder)))
        except Fault as fault:
            faults += 1
            again = f"python -m tests.strategic.soak --games 1 --turns {args.turns} --seed {seed}"
            sys.stdout.write(f"seed {seed}, turn {fault.turn}: {fault}\n  {drawn}\n  {again}\n")
            sys.stdout.flush()
    orders, refused = sum(one.orders for one in reports), sum(one.refused for one in reports)
    sys.stdout.write(
        f"{len(reports) + faults} games, {sum(one.turns for one in reports)} rounds, "
        f"{sum(one.ended for one in reports)} ended, {orders} orders, {refused} refused, "
        f"{sum(one.events for one in reports)} events, {faults} games with a fault\n"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
