"""Cost of exact losses of dice pools: ``python -m bench.dice_pools``."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any, Final

from engine.kit import dice_pools
from engine.kit.dice_pools import DicePool, pair_losses

DICE: Final = 9
SIZES: Final = (6, 8, 10, 12)
CALLS: Final = 10_000


def uncached(*pools: DicePool, **advantages: Any) -> float:
    """Return the milliseconds of processor time of a first call."""
    dice_pools._losses.cache_clear()  # noqa: SLF001 - the work behind the cache is measured
    dice_pools._levels.cache_clear()  # noqa: SLF001 - the same
    return spent(lambda: pair_losses(pools[0], pools[1], **advantages)) * 1000


def spent(work: Callable[[], object]) -> float:
    """Return the seconds of processor time of a call."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Measure, and print a row for each kind of call."""
    parser = argparse.ArgumentParser(prog="python -m bench.dice_pools", description=__doc__)
    parser.add_argument("--pools", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    lot = random.Random(given.seed)  # noqa: S311 - nothing secret
    drawn = [tuple(tuple(lot.choices(SIZES, k=DICE)) for _ in range(2)) for _ in range(given.pools)]
    largest = [(12,) * DICE] * 2
    kinds: dict[str, dict[str, Any]] = {
        "plain": {},
        "ties win": {"ties_win": (True, False)},
        "a die dropped": {"drop": (1, 0)},
        "one side rerolls": {"reroll": (2, 0)},
    }
    print(f"{DICE} against {DICE}, ms: median and slowest of {given.pools} pools by lot; all d12")
    for name, advantages in kinds.items():
        times = [uncached(*pools, **advantages) for pools in drawn]
        most = median(uncached(*largest, **advantages) for _ in range(9))
        print(f"{name:17} {median(times):7.2f} {max(times):7.2f} {most:7.2f}")
    attack, defence = drawn[0]
    again = spent(lambda: [pair_losses(attack, defence) for _ in range(CALLS)]) / CALLS
    print(f"from the cache    {again * 1e6:7.2f} microseconds")


if __name__ == "__main__":
    main()
