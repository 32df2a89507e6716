"""Long walks with every value of every option.

``python -m tests.contract.option_soak [--ruleset NAME] [--orders 150] [--rounds 3] [--first 1]``

Each round walks every game of ``option_games`` on another path, checks all promises of rulesets
after each order, and ends with a turn of computer players of all levels.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from time import perf_counter

from engine.core import registry
from tests import toy
from tests.contract.option_games import option_games, play


def main() -> int:
    """Walk all games; return 1 if a promise was broken."""
    registry.register(toy.RULES)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", action="append", choices=registry.names(), default=[])
    parser.add_argument("--orders", type=int, default=150, help="of a walk")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1, help="the number of the first round")
    parser.add_argument("--minutes", type=float, default=0, help="begin no game after so long")
    args = parser.parse_args()
    began, games, entries, faults = perf_counter(), 0, 0, 0
    for turn in range(args.first, args.first + args.rounds):
        for name in args.ruleset or registry.names():
            for number in range(len(option_games(name))):
                if args.minutes and perf_counter() - began > 60 * args.minutes:
                    break
                games += 1
                try:
                    levels = registry.find(name).bots
                    entries += len(play(name, number, args.orders, levels, f"{turn}").log)
                except Exception:  # noqa: BLE001 - whatever goes wrong is what is looked for
                    faults += 1
                    drawn = option_games(name)[number]
                    sys.stdout.write(f"{name} {number}, round {turn}: {drawn}\n")
                    sys.stdout.write(traceback.format_exc())
                    sys.stdout.flush()
    sys.stdout.write(f"{games} games, {entries} entries, {faults} games with a fault\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
