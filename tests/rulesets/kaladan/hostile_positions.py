"""Randomly changed positions: ``python -m tests.rulesets.kaladan.hostile_positions --tries 5000``.

Positions come from random games, preferably from battles. A few values of the moment are changed.
Then either the scenario is refused in one line with a place and a rule, or it can be played: the
invariants hold, every offer is accepted, and all events can be described.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from engine.core.codec import encode, plain
from engine.core.decision import states_around
from engine.core.dice import Seeded
from engine.core.record import tag
from engine.core.ruleset import ScenarioFault
from engine.core.scenarios import parse
from engine.rulesets.kaladan.rules import RULES
from engine.rulesets.kaladan.state import State
from engine.rulesets.kaladan.tables import event_cards, magic_cards
from engine.tabletop.presenter import presenter_of
from tests.rulesets.kaladan import soak
from tests.rulesets.kaladan.invariants import Watch

PRESENTER: Final = presenter_of(RULES)
_WORDS: Final = (
    *("", "?", "in", "out", "magic", "aim", "losses", "after", "invasion", "attacker_wins"),
    *("defender_wins", "both_destroyed", "abandoned", "field", "forest", "mountain", "unit"),
    *("world", "realms", "castles", "deployment", "event", "spawn", "action", "purchase"),
    *("reinforcement", "income", "board", "reserve", "removed", "dead", "fallen", "out"),
    *("sword", "crown", "special", "khalisia", "weald", "last_crown", "no_crown", "round_limit"),
)
_TYPES: Final = ("Expected", "Invalid")
"""First words of messages about values of a wrong type, which cite no rule."""

_NUMBERS: Final = (0, 1, -1, 2, 3, 4, 5, 6, 7, 10, 19, 20, 101, 211, 10**6, 2**40, 2**63 - 1)

_LOOKS: Final = 6
"""Interval of positions that are drawn on a board, counted from the changed position."""

GAMES: Final = 8
COMMANDS: Final = 400
"""Number of games that supply positions, and commands in each; a seed's game is always the same."""


@cache
def _wars() -> tuple[Any, ...]:
    """Return positions of random games as plain data."""
    found: list[Any] = []
    for seed in range(1, GAMES + 1):
        chance = random.Random(f"wars {seed}")  # noqa: S311 - what is tried
        for state in _states(seed):
            battle, event = state.battle is not None, state.event is not None
            if chance.random() < (0.8 if battle or event else 0.06):
                found.append(plain(RULES.position(state)))
    return tuple(found)


@cache
def game_of(seed: int) -> soak.Report:
    """Play the random game of a seed, once."""
    return soak.played(seed, COMMANDS, every=2)


def _states(seed: int) -> Iterator[State]:
    game = game_of(seed).game
    state = RULES.empty()
    for entry in game.log.line():
        for event in entry.events:
            state = RULES.evolve(state, event)
        yield state


def changed(number: int) -> bytes:
    """Return a scenario file with a few values changed; always the same for a number."""

    chance = random.Random(f"hostile {number}")  # noqa: S311 - what is tried
    wars = _wars()
    picked = json.loads(json.dumps(wars[chance.randrange(len(wars))]))
    battle = picked["now"].get("battle")
    for _ in range(chance.choice((1, 1, 2, 3))):
        roots = [picked["now"], picked["now"], picked]
        if battle:
            roots += [battle, battle, battle]
        _change(chance.choice(roots), chance)
    return json.dumps(picked).encode()


def _change(root: Any, chance: random.Random) -> None:
    """Change a random value in a tree."""
    node = root
    while node is not None:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = node[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.85:
            node = inner
            continue
        node[key] = _other(inner, chance)
        if isinstance(node, list) and chance.random() < 0.3:
            if chance.random() < 0.5:
                node.pop(key)
            else:
                node.insert(key, inner)
        return


def _other(value: Any, chance: random.Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return chance.choice((value + 1, value - 1, *_NUMBERS))
        case str():
            return chance.choice((*_WORDS, *magic_cards(), *list(event_cards())[:6]))
        case list():
            rest = [*value]
            chance.shuffle(rest)
            more = chance.choice(_NUMBERS) if not value or isinstance(value[0], int) else value[0]
            return chance.choice(([], rest, rest[1:], [*value, more], [more]))
        case _:
            return None


def tried(number: int) -> str:
    """Try a changed position. Return "refused" or "played".

    Raises soak.Fault if it is neither refused properly nor playable.
    """
    data = changed(number)
    try:
        war = parse(RULES, data)
        events = RULES.begin(war, {}, Seeded(b"hostile", 0, "begin"))
    except ScenarioFault as fault:
        said = str(fault)
        if "\n" in said or not said:
            raise soak.Fault(f"refused with {said!r}") from None
        if not fault.place or not (fault.rule or said.split(": ")[1].startswith(_TYPES)):
            raise soak.Fault(f"refused without place or rule: {said!r}") from None
        return "refused"
    state = RULES.empty()
    for event in events:
        state = RULES.evolve(state, event)
    _play_on(state, random.Random(f"play {number}"))  # noqa: S311 - what is tried
    return "played"


def _play_on(state: State, chance: random.Random, most: int = 60) -> None:
    watch = Watch(state)
    for fault in watch.entry((), state):
        raise soak.Fault(fault)
    for number in range(most):
        owing = sorted(RULES.owes(state))
        if not owing:
            if not state.reason:
                raise soak.Fault("19: nobody is asked")
            break
        view = RULES.view(state, owing[0])
        _look(view, number)
        kinds: dict[str, list[Any]] = {}
        for offer in RULES.offers(view):
            kinds.setdefault(tag(offer), []).append(offer)
        if not kinds:
            raise soak.Fault(f"19: nothing is offered in phase {state.phase}")
        command = chance.choice(kinds[chance.choice(list(kinds))])
        events = RULES.decide(state, owing[0], command, Seeded(b"hostile", number, "decide"))
        around = states_around(RULES, state, events)
        for event, before, after in zip(events, around, around[1:], strict=False):
            for fault in watch.event(before, event, after):
                raise soak.Fault(f"{tag(event)}: {fault}")
            seen = RULES.view(after, owing[0])
            told = RULES.redact(event, before, after, owing[0])
            PRESENTER.tell(told, seen)
            PRESENTER.facts(told, RULES.view(before, owing[0]), seen)
        state = around[-1]
        for fault in watch.entry(events, state):
            raise soak.Fault(fault)
    encode(state)


def _look(view: Any, number: int) -> None:
    """Draw the board of every ``_LOOKS``-th position at all zooms."""
    for zoom in PRESENTER.zooms if number % _LOOKS == 0 else ():
        PRESENTER.board(view, zoom)


def main() -> int:
    """Try positions; return 1 if there was any fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    found, known = Counter[str](), Counter[str]()
    for number in range(args.first, args.first + args.tries):
        try:
            found[tried(number)] += 1
        except Exception as problem:  # noqa: BLE001 - whatever goes wrong is what is looked for
            found["faults"] += 1
            where = traceback.extract_tb(problem.__traceback__)[-1]
            key = f"{type(problem).__name__} {where.filename[-40:]}:{where.lineno}"
            key += f" {str(problem)[:60]}" if isinstance(problem, soak.Fault) else ""
            known[key] += 1
            if known[key] == 1:
                sys.stdout.write(f"{number}: {key}: {problem}\n")
    sys.stdout.write(f"{dict(found)}\n")
    return 1 if found["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
