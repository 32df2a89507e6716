"""Play games of computer players: ``python -m tests.contract.computer_games --games 300``.

Ruleset, scenario, players, levels and options are drawn by lot; fog, treaties and quests are on and
off in turn. Reported are games that did not end by themselves, and commands that were refused: by
reason, and whether the player could know of it from what it saw. The game of a seed is always the
same one, so ``--games 1 --seed N`` plays it again.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.core import registry
from engine.core.dice import Seeded
from engine.core.ids import Seat
from engine.core.notation import write
from engine.core.options import OptionFault, Value
from engine.core.record import Command, Record, tag
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.scenarios import fitted
from study.farm.runs import Lost
from study.farm.supervisor import Farm
from study.lab.simulate import Task, play
from tests.contract.aids import aids_of
from tests.contract.chosen import names
from tui.play.players import LONGEST

SECRETIVE: Final = ("hidden_map", "diplomacy", "quests")
"""Options that are on and off in turn, wherever there are such."""

USUAL: Final = 40
"""Weight of a scenario; those that take long to play have less."""

_SIZES: Final = ((28, 28), (28, 28), (28, 40), (40, 40))
"""Tiles of new maps."""

_GUESSES: Final = 40
"""Positions that are imagined to find out whether a refusal could be foreseen."""

_RARE: Final = 0.2
"""Chance that an option is set that hides and forbids nothing."""


class Drawn(Record, frozen=True):
    """A game to be played."""

    ruleset: str
    scenario: str
    options: Mapping[str, Value]
    levels: tuple[str, ...]
    seed: int

    def __str__(self) -> str:
        said = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.ruleset} {self.scenario} {','.join(self.levels)} {said} seed {self.seed}"


class Refusal(Record, frozen=True):
    """A command of a plan that was refused; ``known``: by what the player saw when it planned."""

    command: str
    code: str
    known: bool


class Done(Record, frozen=True):
    """A game that was played; ``stuck`` says why it did not end."""

    drawn: Drawn
    reason: str
    turns: int
    refusals: tuple[Refusal, ...]
    stuck: str


def drawn(seed: int) -> Drawn:
    """The game of a seed."""
    known = [registry.find(name) for name in names()]
    listed = [rules for rules in known for _ in range(aids_of(rules).share)]
    return drawn_of(listed[seed % len(listed)], seed)


def drawn_of(rules: AnyRuleset, seed: int, level: str = "") -> Drawn:
    """The game of a ruleset and a seed; ``level``: of all players."""
    chance = random.Random(f"game {seed}")  # noqa: S311 - what is played
    listed = list(rules.scenarios())
    (name,) = chance.choices(listed, [aids_of(rules).weights.get(one, USUAL) for one in listed])
    options = _options(rules, chance, seed)
    if name != "new":
        options = _fitting(rules, rules.scenarios()[name], options)
    least, most = rules.seat_range(rules.scenarios()[name])
    if "map_width" in (option.name for option in rules.options) and name == "new":
        width, height = chance.choice(_SIZES)
        options |= {"map_width": width, "map_height": height, "map_seed": chance.randrange(1000)}
        most = max(least, min(most, width * height // 400))
    seats = chance.randint(least, min(most, 4))
    levels = tuple(level or chance.choice(list(rules.bots)) for _ in range(seats))
    return Drawn(rules.name, name, options, levels, seed)


def _fitting(rules: AnyRuleset, scenario: Scenario, options: dict[str, Value]) -> dict[str, Value]:
    """The options, without those by lot if the scenario lacks what one of them needs.

    Options that are of no use with the scenario are left out one by one.
    """
    try:
        rules.begin(scenario, options, Seeded(b"", 0, "decide"))
    except ScenarioFault:
        return {name: value for name, value in options.items() if name in SECRETIVE}
    except OptionFault:
        known = {
            name: word for name, word in options.items() if _is_of_use(rules, scenario, name, word)
        }
        return _fitting(rules, scenario, known)
    return options


def _is_of_use(rules: AnyRuleset, scenario: Scenario, name: str, word: Value) -> bool:
    """True if a game of a scenario can begin with an option."""
    try:
        rules.begin(scenario, {name: word}, Seeded(b"", 0, "decide"))
    except OptionFault:
        return False
    return True


def _options(rules: AnyRuleset, chance: random.Random, seed: int) -> dict[str, Value]:
    """Options by lot; those that say how long a game is stay as the scenario has them."""
    found: dict[str, Value] = {}
    for option in rules.options:
        if option.name in SECRETIVE:
            turn = seed // 10 >> SECRETIVE.index(option.name)
            words = ("off", "on") if "on" in option.choices else option.choices
            found[option.name] = words[turn % len(words)]
        elif option.choices and chance.random() < _RARE:
            found[option.name] = chance.choice(option.choices)
    return found


def played(game: Drawn, longest: int = LONGEST) -> Done:
    """Play a game, and look into whatever is refused."""
    rules = registry.find(game.ruleset)
    count = len(game.levels)
    scenario = fitted(rules, rules.scenarios()[game.scenario], count, frozenset(range(count)))
    refusals: list[Refusal] = []

    def watch(view: Any, seat: Seat, plan: Sequence[Command], why: Refused) -> None:
        known = could_know(rules, view, seat, plan, why)
        refusals.append(Refusal(tag(plan[-1]), str(why.code), known))
        if known:
            sys.stderr.write(f"{game}: {write(plan[-1])}: {why.text}\n")

    task = Task(game.levels, game.seed)
    result = play(rules, scenario, game.options, task, longest=longest, watch=watch)
    return Done(game, result.reason, result.closed, tuple(refusals), result.stuck)


def could_know(
    rules: AnyRuleset, view: Any, seat: Seat, plan: Sequence[Command], why: Refused
) -> bool:
    """True if the last command of a plan is refused in every position that looks like the view.

    The plan is carried out in positions that are imagined, with dice of their own. A command whose
    turn comes in none of them was planned for something that could not happen.
    """
    for number in range(_GUESSES):
        state = rules.imagine(view, Seeded(b"guess", number, "imagine"))
        if _is_allowed(rules, state, seat, plan, number):
            return False
    return why.code is not None


def _is_allowed(
    rules: AnyRuleset, state: Any, seat: Seat, plan: Iterable[Command], number: int
) -> bool:
    """True if nothing of a plan is refused in a position."""
    for place, command in enumerate(plan):
        try:
            events = rules.decide(state, seat, command, Seeded(b"guess", number, f"plan:{place}"))
        except Refused:
            return False
        for event in events:
            state = rules.evolve(state, event)
        if seat not in rules.owes(state):
            return True
    return True


def playing(longest: int) -> Callable[[Drawn], Done]:
    """Work of a farm: play games of at most so many turns."""
    return lambda game: played(game, longest)


def all_played(games: Sequence[Drawn], processes: int, longest: int) -> Iterator[Done]:
    """The games, in the order they are finished. One that cannot be played is stuck."""
    with Farm(playing, longest, workers=processes) as farm:
        for result in farm.run(games, ordered=False):
            if isinstance(result, Lost):
                yield Done(result.piece, result.kind, 0, (), result.cause)
            else:
                yield result.value


def summary(done: Sequence[Done]) -> str:
    """Results, a fact a line."""
    reasons = Counter(f"{one.drawn.ruleset} {one.reason}" for one in done)
    refused = Counter(refusal for one in done for refusal in one.refusals)
    lines = [f"{len(done)} games, {sum(not one.stuck for one in done)} ended by themselves"]
    lines += [f"  {count:5} {reason}" for reason, count in sorted(reasons.items())]
    longest = max(done, key=lambda one: one.turns)
    lines.append(f"the longest: {longest.turns} turns: {longest.drawn}")
    known = sum(count for refusal, count in refused.items() if refusal.known)
    lines.append(f"{refused.total()} refusals, {known} that could be known")
    lines += [
        f"  {count:5} {refusal.command}: {refusal.code}{', known' if refusal.known else ''}"
        for refusal, count in refused.most_common()
    ]
    return "\n".join(lines)


def main() -> int:
    """Play the games; 1 if one did not end or a plan was refused for something that was known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    parser.add_argument("--processes", type=int, default=1, help="0: in this one")
    parser.add_argument("--longest", type=int, default=LONGEST, help="turns of a game")
    parser.add_argument("--ruleset", help="only games of this one")
    args = parser.parse_args()
    games = [drawn(seed) for seed in range(args.seed, args.seed + args.games)]
    games = [game for game in games if args.ruleset in (None, game.ruleset)]
    done = []
    for one in all_played(games, args.processes, args.longest):
        done.append(one)
        if one.stuck:
            sys.stdout.write(f"{one.drawn}: {one.stuck}\n")
        sys.stderr.write(f"\r{len(done)}/{len(games)} ")
        sys.stderr.flush()
    sys.stdout.write(f"{summary(done)}\n")
    return int(any(one.stuck or any(r.known for r in one.refusals) for one in done))


if __name__ == "__main__":
    sys.exit(main())
