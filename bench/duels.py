"""Strength and cost of computer players: ``python -m bench.duels gd6 --levels hard,normal``.

Every seed is played once with each arrangement of the levels on the seats, so that no level gains
by its seats. It prints the games that each level won, with its share of the seats (a shared victory
counts in parts), and the processor time per plan.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, cast

from engine.core.options import parse_options
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.core.scenarios import fitted
from study.lab.simulate import SimulatedGame, Task, play
from tui.play.scenarios import resolve_scenario


class Timed:
    """A computer player whose plans are counted and timed."""

    def __init__(self, bot: Any) -> None:
        self.plans = 0
        self.seconds = 0.0
        self.longest = 0.0
        self._bot = bot

    def plan(self, *given: Any) -> Any:
        """Return the plan of the player itself."""
        began = time.process_time()
        commands = self._bot.plan(*given)
        spent = time.process_time() - began
        self.plans += 1
        self.seconds += spent
        self.longest = max(self.longest, spent)
        return commands

    def rest(self, *given: Any) -> Any:
        """Return the end of its turn, which is not timed."""
        return self._bot.rest(*given)


class TimedRules:
    """A ruleset whose computer players are timed."""

    def __init__(self, rules: AnyRuleset) -> None:
        """Wrap the computer players of a ruleset."""
        self._rules = rules
        self.bots = {name: Timed(bot) for name, bot in rules.bots.items()}

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the ruleset."""
        return getattr(self._rules, name)


def arrangements(levels: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the ways to seat the levels, each once.

    >>> arrangements(["hard", "normal", "normal"])[:2]
    [('hard', 'normal', 'normal'), ('normal', 'hard', 'normal')]
    """
    return list(dict.fromkeys(permutations(levels)))


def wins(games: Sequence[SimulatedGame]) -> Mapping[str, float]:
    """Return the games won by each level, in parts if several seats share a victory."""
    found: dict[str, float] = {}
    for game in games:
        for seat in game.winners:
            level = game.levels[seat]
            found[level] = found.get(level, 0.0) + 1 / len(game.winners)
    return found


def main() -> int:
    """Play all games and print the two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("--scenario", metavar="NAME|FILE", help="default: the usual one")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--levels", required=True, metavar="LEVEL,…", help="one for each seat")
    parser.add_argument("--seeds", type=int, default=10, help="games of each arrangement")
    parser.add_argument("--seed", type=int, default=1, help="the first of the seeds")
    args = parser.parse_args()
    levels = args.levels.split(",")
    rules = find(args.ruleset)
    timed = TimedRules(rules)
    seats = frozenset(range(len(levels)))
    scenario = fitted(rules, resolve_scenario(rules, args.scenario), len(levels), seats)
    options = parse_options(args.option)
    played: list[SimulatedGame] = []
    for seated in arrangements(levels):
        tasks = [Task(seated, args.seed + number) for number in range(args.seeds)]
        games = [play(cast("AnyRuleset", timed), scenario, options, task) for task in tasks]
        won = Counter(seat for game in games for seat in game.winners)
        told = ", ".join(f"{level} {won[seat]}" for seat, level in enumerate(seated))
        print(f"{told} of {len(games)}", flush=True)
        played += games
    _report(levels, played, timed)
    return 0


def _report(levels: Sequence[str], played: Sequence[SimulatedGame], timed: TimedRules) -> None:
    """Print wins with shares, and the cost of a plan, by level."""
    won, reasons = wins(played), Counter(game.reason for game in played)
    print(f"{len(played)} games: {dict(sorted(reasons.items()))}")
    print(f"{'level':10}{'wins':>8}{'share':>8}{'ms a plan':>11}{'longest':>9}{'plans':>8}")
    for level in dict.fromkeys(levels):
        share = len(played) * levels.count(level) / len(levels)
        bot = timed.bots[level]
        mean = 1000 * bot.seconds / max(1, bot.plans)
        print(
            f"{level:10}{won.get(level, 0.0):8.1f}{share:8.1f}"
            f"{mean:11.0f}{1000 * bot.longest:9.0f}{bot.plans:8}"
        )


if __name__ == "__main__":
    sys.exit(main())
