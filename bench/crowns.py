"""Computer games of Generals of Kaladan: ``python -m bench.crowns``.

A game of four normal computer players should take at most 3 s of processor time, and every game
should end without a limit of rounds. For each level and number of seats it prints the reasons of
the ends, the rounds (median, 95th percentile, maximum), the games won by place in the turn order,
and the processor time of a game.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.registry import find

RULES = find("kaladan")
MOST_GAME = 3.0
MOST_ROUNDS = 400


class Played(NamedTuple):
    """A game: the reason of its end, its rounds, the winners' places in turn order, its time."""

    reason: str
    rounds: int
    places: tuple[int, ...]
    seconds: float


def play(level: str, seats: int, seed: int) -> Played:
    """Play a game in which all seats have the same level."""
    began = time.process_time()
    war = RULES.with_seats(RULES.scenarios()["crowns"], seats, frozenset())
    game: Any = Game.begin(RULES, war, {}, seed.to_bytes(16, "big"))
    bot = RULES.bots[level]
    while (owing := RULES.owes(game.state)) and game.state.round <= MOST_ROUNDS:
        seat = min(owing)
        seen = RULES.view(game.state, seat)
        dice = Seeded(seed.to_bytes(16, "big"), len(game.log), f"bot:{seat}")
        for command in bot.plan(seen, partial(RULES.offers, seen), dice):
            if seat not in RULES.owes(game.state):
                break
            game.submit(seat, command)
    state = game.state
    places = tuple((seat - state.first) % seats for seat in state.winners)
    return Played(state.reason or "open", state.round, places, time.process_time() - began)


def report(level: str, seats: int, games: Sequence[Played]) -> None:
    """Print a line for a level and a number of seats."""
    rounds = sorted(game.rounds for game in games)
    won = Counter(place for game in games for place in game.places)
    places = "-".join(str(won[place]) for place in range(seats))
    late = rounds[int(len(rounds) * 0.95)]
    mean = sum(game.seconds for game in games) / len(games)
    reasons = ", ".join(
        f"{name} {n}" for name, n in sorted(Counter(g.reason for g in games).items())
    )
    print(
        f"{level:8}{seats:3} seats {len(games):5} games  {reasons:28}"
        f" rounds {median(rounds):.0f}, {late}, {rounds[-1]}  by place {places}"
        f"  {mean:.2f} s, longest {max(game.seconds for game in games):.2f} s",
        flush=True,
    )


def main() -> int:
    """Play the games; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", default="normal", help="one after the other, as normal,hard")
    parser.add_argument("--seats", default="4", help="numbers of seats, as 2,3,4")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    missed = False
    for level in args.levels.split(","):
        for seats in map(int, args.seats.split(",")):
            seeds = range(args.seed, args.seed + args.games)
            games = [play(level, seats, seed) for seed in seeds]
            report(level, seats, games)
            missed |= any(game.reason == "open" for game in games)
            slow = max(game.seconds for game in games) > MOST_GAME
            missed |= slow and (level, seats) == ("normal", 4)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
