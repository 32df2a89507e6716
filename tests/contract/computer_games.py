"""Play games of computer players: ``python -m tests.contract.computer_games --games 300``.

Ruleset, scenario, players, levels and options are drawn at random; fog, treaties and quests are
turned on and off in turn. It reports games that did not end, and refused commands: by reason, and
whether the player could foresee the refusal from its view. A seed always gives the same game, so
``--games 1 --seed N`` plays it again.
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
"""Options that are turned on and off in turn, if the ruleset has them."""

USUAL: Final = 40
"""Default weight of a scenario; long scenarios have less."""

_SIZES: Final = ((28, 28), (28, 28), (28, 40), (40, 40))
"""Columns and rows of generated maps."""

_GUESSES: Final = 40
"""Number of imagined positions in which a refused plan is tried again."""

_RARE: Final = 0.2
"""Probability that any other option is set."""


class Drawn(Record, frozen=True):
    """A game to play."""

    ruleset: str
    scenario: str
    options: Mapping[str, Value]
    levels: tuple[str, ...]
    seed: int

    def __str__(self) -> str:
        said = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.ruleset} {self.scenario} {','.join(self.levels)} {said} seed {self.seed}"


class Refusal(Record, frozen=True):
    """A refused command of a plan; ``known`` is True if the player could foresee the refusal."""

    command: str
    code: str
    known: bool


class Done(Record, frozen=True):
    """A finished game; ``stuck`` is the reason why it did not end, or empty."""

    drawn: Drawn
    reason: str
    turns: int
    refusals: tuple[Refusal, ...]
    stuck: str


def drawn(seed: int) -> Drawn:
    """Return the game of a seed."""
    known = [registry.find(name) for name in names()]
    listed = [rules for rules in known for _ in range(aids_of(rules).share)]
    return drawn_of(listed[seed % len(listed)], seed)


def drawn_of(rules: AnyRuleset, seed: int, level: str = "") -> Drawn:
    """Return a ruleset's game of a seed; ``level`` replaces the drawn levels of all players."""
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
    """Return the options with which a scenario can begin.

    If the scenario lacks something that they need, only those in ``SECRETIVE`` are kept. Options
    that the scenario cannot have are dropped one by one.
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
    """Return whether a game of a scenario can begin with an option."""
    try:
        rules.begin(scenario, {name: word}, Seeded(b"", 0, "decide"))
    except OptionFault:
        return False
    return True


def _options(rules: AnyRuleset, chance: random.Random, seed: int) -> dict[str, Value]:
    """Draw options; those that are numbers keep the scenario's values."""
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
    """Play a game, and check each refusal with ``could_know``."""
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
    """Return whether a refused plan is refused in every imagined position for the view.

    The plan is executed in each position, with other dice. The refusal counts as foreseeable too if
    an earlier command of the plan is refused there.
    """
    for number in range(_GUESSES):
        state = rules.imagine(view, Seeded(b"guess", number, "imagine"))
        if _is_allowed(rules, state, seat, plan, number):
            return False
    return why.code is not None


def _is_allowed(
    rules: AnyRuleset, state: Any, seat: Seat, plan: Iterable[Command], number: int
) -> bool:
    """Return whether a plan is accepted in a position, up to the end of the seat's turn."""
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
    """Return the work function of a farm: play a game of at most ``longest`` turns."""
    return lambda game: played(game, longest)


def all_played(games: Sequence[Drawn], processes: int, longest: int) -> Iterator[Done]:
    """Yield the games as they finish; one that a worker cannot play is reported as stuck."""
    with Farm(playing, longest, workers=processes) as farm:
        for result in farm.run(games, ordered=False):
            if isinstance(result, Lost):
                yield Done(result.piece, result.kind, 0, (), result.cause)
            else:
                yield result.value


def summary(done: Sequence[Done]) -> str:
    """Return the results as text, a fact per line."""
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
    """Play the games; return 1 if one did not end, or if a plan ran into a foreseeable refusal."""
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
