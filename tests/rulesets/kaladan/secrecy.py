"""Search for anything that reveals another seat's secrets to a viewer while that seat acts.

``python -m tests.rulesets.kaladan.secrecy --pairs 20000 [--seed 1] [--minutes 10]``

Along random games, a second position is made that looks the same to a viewer but has other hands,
committed cards and decks. The acting seat then acts in both, with a card that it holds there if its
command names one. The events that the viewer sees, their texts and their number must be equal until
something is revealed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import takewhile
from time import perf_counter
from typing import Any, Final

from engine.core.decision import states_around
from engine.core.dice import Seeded
from engine.core.feed import AnyChange, Change
from engine.core.game import Game
from engine.core.ids import PUBLIC, ROOT
from engine.core.log import AnyEntry, Entry
from engine.core.record import tag
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.commands import AnyCommand
from engine.rulesets.kaladan.rules import RULES
from engine.rulesets.kaladan.state import State
from engine.tabletop.presenter import presenter_of
from tests.contract.veils import look_alike
from tests.contract.walks import grounds

PRESENTER: Final = presenter_of(RULES)
_COMMANDS: Final = 200
"""Maximum number of commands in a game."""

_OPEN: Final = (
    *(ev.MagicRevealed, ev.AfterMagicPlayed, ev.EventDrawn, ev.EventDeckShuffled),
    *(ev.TileDrawn, ev.TilePlaced, ev.GameEnded),
)
"""Events that reveal something hidden; after them, two positions may differ."""


def search(pairs: int, seed: int = 1, until: float = 0) -> tuple[int, list[str]]:
    """Return the number of pairs tried, and a sentence for each that a viewer can tell apart."""
    done, faults, number = 0, list[str](), seed
    while done < pairs and not (until and perf_counter() > until):
        for fault in _game(random.Random(f"secrets {number}")):  # noqa: S311 - what is tried
            done += 1
            if fault:
                faults.append(f"game {number}: {fault}")
        number += 1
    return done, faults


def _game(chance: random.Random) -> Iterator[str]:
    """Yield a fault, or "" if there is none, for each pair of positions along a game."""
    game = Game.begin(RULES, chance.choice(grounds(RULES)), {}, bytes([chance.randrange(256)]) * 8)
    for _ in range(_COMMANDS):
        owing = sorted(RULES.owes(game.state))
        if not owing:
            return
        seat = owing[0]
        command = _by_lot(game.state, seat, chance)
        for viewer in {PUBLIC, *game.state.players} - {seat}:
            twin = look_alike(RULES, game.state, viewer, chance)
            other = _same(twin, seat, command, chance)
            if twin is not game.state and other is not None:
                yield _told_apart((game.state, twin), seat, (command, other), viewer)
        game.submit(seat, command)


def _card(command: AnyCommand) -> str:
    """Return the Magic card that a command names, or ""."""
    named: str = getattr(command, "card", "")
    return named


def _by_lot(state: State, seat: int, chance: random.Random) -> AnyCommand:
    kinds: dict[str, list[AnyCommand]] = {}
    for command in RULES.offers(RULES.view(state, seat)):
        kinds.setdefault(tag(command), []).append(command)
    if len(kinds) > 1:
        kinds.pop("resign", None)
    if "attack" in kinds and chance.random() < 0.6:
        return chance.choice(kinds["attack"])
    listed = kinds[chance.choice(list(kinds))]
    named = [command for command in listed if _card(command)]
    return chance.choice(named or listed) if chance.random() < 0.7 else chance.choice(listed)


def _same(twin: State, seat: int, command: AnyCommand, chance: random.Random) -> AnyCommand | None:
    """Return the same command for the other position, with another card if it names one."""
    if not _card(command):
        return command
    fitting = [
        other
        for other in RULES.offers(RULES.view(twin, seat))
        if type(other) is type(command) and _card(other)
    ]
    return chance.choice(fitting) if fitting else None


def _told_apart(
    states: tuple[State, State],
    seat: int,
    commands: tuple[AnyCommand, AnyCommand],
    viewer: int,
) -> str:
    one, other = (
        list(_told(state, seat, command, viewer))
        for state, command in zip(states, commands, strict=True)
    )
    if one == other:
        return ""
    first = next((pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]), None)
    what = first or (len(one), len(other))
    texts = "\n    or\n    ".join(str(told)[:600] for told in what)
    return f"{commands[0]} of seat {seat} looks to {viewer} as\n    {texts}"


def _told(state: State, seat: int, command: AnyCommand, viewer: int) -> Iterator[Any]:
    """Yield all that a viewer sees of a command, in all forms, until something is revealed."""
    events = RULES.decide(state, seat, command, Seeded(b"secrets", 0, "decide"))
    entry: AnyEntry = Entry(0, ROOT, seat, None, events)
    change: AnyChange = Change(RULES, entry, states_around(RULES, state, events))
    heard = change.events(viewer)
    for known in takewhile(lambda one: not isinstance(one.event, _OPEN), heard):
        yield known.event, known.after
        yield PRESENTER.tell(known.event, known.after)
        yield PRESENTER.facts(known.event, known.before, known.after)
        yield PRESENTER.losses(known.event, known.before, known.after)
        yield RULES.owes(known.after)
    if len(heard) != len(events):
        yield f"{len(events) - len(heard)} events are not told"


def main() -> int:
    """Search; return 1 if a viewer could tell two positions apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="begin no game after so long")
    args = parser.parse_args()
    until = perf_counter() + 60 * args.minutes if args.minutes else 0.0
    done, faults = search(args.pairs, args.seed, until)
    for fault in faults[:5]:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(f"{done} pairs of positions, {len(faults)} told apart\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
