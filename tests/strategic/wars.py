"""Assaults, heroes, quests and pauses in wars of computer players.

``python -m tests.strategic.wars --games 20 --scenario narrows --levels hard,hard,hard,hard
[--seed 1] [--rounds 300] [--option quests=on]``

An assault is a battle for a city of another side; its chance is exact, from the strengths in the
battle. The games are those of ``banneret simulate`` with the same seeds.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from time import process_time

from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.options import Value, parse_options
from engine.core.record import Record
from engine.core.refused import Refused
from engine.core.scenarios import fitted
from engine.rulesets.warlords2.events import AnyEvent
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.state import State, View
from engine.strategic.commands import AnyCommand
from engine.strategic.duels import odds
from engine.strategic.events import (
    Answered,
    BattleFought,
    CityRazed,
    CityTaken,
    QuestSet,
    SiteSearched,
)
from engine.strategic.pieces import NOBODY, NONE

HOPELESS = 0.2
"""Chance below which an assault is hopeless."""

STRONG = 4
"""Minimum number of defenders of a strong city."""

LARGE = 6
"""Minimum number of armies in a large stack."""

MOST_REFUSED = 50
"""Number of successive plans with a refused first order after which a game is stopped."""

Warring = Game[State, AnyCommand, AnyEvent, View]


class Assault(Record, frozen=True):
    """A battle for a city of another side.

    ``armies`` and ``defenders`` count both lines; ``led`` is True if a hero attacked.
    """

    turn: int
    side: int
    city: int
    armies: int
    defenders: int
    chance: float
    led: bool
    won: bool


class War(Record, frozen=True):
    """Counts of a game: rounds, assaults and more.

    ``quiet`` is the longest run of rounds without an assault or a change of a city's owner while
    more than one side lives; ``fixed`` is the longest run without a change of owner. ``quests``
    counts quests taken, done and void, in this order; ``asked`` counts the wishes to sages.
    """

    rounds: int
    ended: bool
    winners: tuple[int, ...]
    refused: int
    assaults: tuple[Assault, ...]
    taken: int
    quiet: int
    fixed: int
    quests: tuple[int, int, int]
    asked: Mapping[str, int]
    searches: int
    seconds: float


class Chronicle:
    """Counts that are kept while a game is played."""

    def __init__(self) -> None:
        """Start with all counts at zero."""
        self.assaults: list[Assault] = []
        self.quests: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.taken = self.searches = 0
        self._last_change = self._last_deed = 1
        self.quiet = self.fixed = 0

    def note(self, state: State, event: AnyEvent) -> None:
        """Count an event that happened in a position."""
        match event:
            case BattleFought() if event.city != NONE and event.defender != NOBODY:
                self.assaults.append(_assault(state, event))
                self._last_deed = state.turn
            case CityTaken() | CityRazed():
                self.taken += isinstance(event, CityTaken) and event.loser != NOBODY
                self._last_deed = self._last_change = state.turn
            case QuestSet():
                self.quests[event.what] += 1
            case Answered(kind="sage"):
                self.asked[event.answer] += 1
            case SiteSearched():
                self.searches += 1
            case _:
                pass

    def pass_round(self, turn: int) -> None:
        """Measure the pauses up to a round that has been played."""
        self.quiet = max(self.quiet, turn - self._last_deed)
        self.fixed = max(self.fixed, turn - self._last_change)


def _assault(state: State, battle: BattleFought) -> Assault:
    lines = battle.attackers, battle.defenders
    first, second = (tuple(fighter.strength for fighter in line) for line in lines)
    dice = settings_of(state.options).fighting.dice
    return Assault(
        state.turn,
        battle.attacker,
        battle.city,
        len(first),
        len(second),
        odds(first, second, (False,) * len(first), dice).chance,
        any("hero" in state.types[fighter.type].traits for fighter in battle.attackers),
        battle.won,
    )


def war(
    scenario: str, levels: Sequence[str], options: Mapping[str, Value], seed: int, rounds: int
) -> War:
    """Play the game of a seed between computer players, for up to ``rounds`` rounds."""
    scene = RULES.scenarios()[scenario]
    seated = fitted(RULES, scene, len(levels), frozenset(range(len(levels))))
    key, told = str(seed).encode(), Chronicle()
    game: Warring = Game.begin(RULES, seated, options, key)
    began, refused, stuck = process_time(), 0, 0
    while RULES.owes(game.state) and game.state.turn <= rounds and stuck < MOST_REFUSED:
        done, fault = _turn(game, levels, key, told)
        stuck = 0 if done else stuck + 1
        refused += fault
    outcome = RULES.outcome(game.state)
    return War(
        rounds=min(game.state.turn, rounds),
        ended=outcome is not None,
        winners=() if outcome is None else outcome.winners,
        refused=refused,
        assaults=tuple(told.assaults),
        taken=told.taken,
        quiet=told.quiet,
        fixed=told.fixed,
        quests=(told.quests["taken"], told.quests["done"], told.quests["void"]),
        asked=told.asked,
        searches=told.searches,
        seconds=process_time() - began,
    )


def _turn(game: Warring, levels: Sequence[str], key: bytes, told: Chronicle) -> tuple[int, bool]:
    """Play one plan of the seat to act.

    Return the number of executed orders and whether one was refused.
    """
    seat, entry = min(RULES.owes(game.state)), len(game.log)
    view = game.view(seat)
    dice = Seeded(key, entry, f"bot:{seat}")
    plan = RULES.bots[levels[seat]].plan(view, partial(RULES.offers, view), dice)
    for done, command in enumerate(plan):
        if seat not in RULES.owes(game.state):
            return done, False
        before = game.state
        try:
            played = game.submit(seat, command)
        except Refused:
            return done, True
        for event in played.events:
            told.note(before, event)
        if game.state.turn > before.turn:
            told.pass_round(before.turn)
    return len(plan), False


# -- the report ------------------------------------------------------------------------------------


def report(wars: Sequence[War]) -> str:
    """Return the totals of some games as text, one line each."""
    fought = [assault for game in wars for assault in game.assaults]
    strong = [assault for assault in fought if assault.defenders >= STRONG]
    quests = [sum(game.quests[k] for game in wars) for k in range(3)]
    asked = sum((Counter(game.asked) for game in wars), Counter[str]())
    wins = Counter(seat for game in wars for seat in game.winners)
    lines = (
        (
            f"{len(wars)} games, {sum(game.ended for game in wars)} ended, "
            f"{_mean([game.rounds for game in wars]):.1f} rounds, "
            f"{_mean([game.seconds for game in wars]):.2f} s, "
            f"{_mean([game.refused for game in wars]):.1f} refused orders a game"
        ),
        "won by seat: " + " ".join(f"{seat}:{wins[seat]}" for seat in sorted(wins)),
        (
            f"assaults on cities of sides: {len(fought)}, "
            f"{_part([one.won for one in fought])} won, "
            f"below {HOPELESS:.0%}: {_part([one.chance < HOPELESS for one in fought])}, "
            f"below 50%: {_part([one.chance < 0.5 for one in fought])}, "
            f"mean chance {_mean([one.chance for one in fought]):.2f}"
        ),
        f"led by a hero: {_part([one.led for one in fought])}",
        (
            f"on {STRONG} defenders and more: {len(strong)}, "
            f"{_part([one.won for one in strong])} won, "
            f"{_mean([one.armies for one in strong]):.1f} armies, {LARGE} and more: "
            f"{_part([one.armies >= LARGE for one in strong])}, "
            f"below {HOPELESS:.0%}: {_part([one.chance < HOPELESS for one in strong])}"
        ),
        f"cities taken from sides: {sum(game.taken for game in wars)}",
        (
            f"sites searched: {sum(game.searches for game in wars)}; quests taken, done, void: "
            f"{quests}; sages asked for: {dict(sorted(asked.items()))}"
        ),
        (
            f"longest pause without an assault: {max(game.quiet for game in wars)} rounds, "
            f"{sum(game.quiet >= 10 for game in wars)} games with ten or more; "
            f"without a city taken: {max(game.fixed for game in wars)}, "
            f"{sum(game.fixed >= 10 for game in wars)}"
        ),
    )
    return "\n".join(lines)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / max(1, len(numbers))


def _part(found: Sequence[bool]) -> str:
    return f"{_mean(found):.1%}"


def main() -> int:
    """Play the games and print what was counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    parser.add_argument("--scenario", default="narrows")
    parser.add_argument("--levels", default="hard,hard,hard,hard", help="one for each seat")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--rounds", type=int, default=300, help="most rounds of a game")
    parser.add_argument("--each", action="store_true", help="tell of each game, too")
    args = parser.parse_args()
    options, wars = parse_options(args.option), list[War]()
    for seed in range(args.seed, args.seed + args.games):
        wars.append(war(args.scenario, args.levels.split(","), options, seed, args.rounds))
        if args.each:
            sys.stdout.write(f"--- seed {seed}\n{report(wars[-1:])}\n")
            sys.stdout.flush()
    sys.stdout.write(report(wars) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
