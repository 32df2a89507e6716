"""Random games for tests, with a given number of seats and played by numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.core.decision import states_around
from engine.core.dice import Seeded
from engine.core.record import tag
from engine.rulesets.kaladan import rules
from engine.rulesets.kaladan.commands import AnyCommand
from engine.rulesets.kaladan.events import AnyEvent
from engine.rulesets.kaladan.offers import offers
from engine.rulesets.kaladan.state import State, War
from engine.rulesets.kaladan.turns import owing
from engine.rulesets.kaladan.view import view
from tests.rulesets.kaladan.positions import folded

Step = tuple[State, int, AnyCommand, tuple[AnyEvent, ...], tuple[State, ...]]
"""State before, seat, command, events, and the states around the events."""


def begun(
    seats: int, world: str = "dealt", seed: bytes = b"kaladan", **options: int | str
) -> State:
    """Return the state at the start of a new game."""
    war = War("test", "Test", "", seats=seats)
    dice = Seeded(seed, seats, "begin")
    events = rules.RULES.begin(war, {"world_building": world, **options}, dice)
    return folded(rules.RULES.empty(), events)


def walk(state: State, choices: Iterable[int], seed: bytes = b"walk") -> Iterator[Step]:
    """Play one command for each number until the game is over.

    A number picks a kind of command and then one of its offers. Resigning is possible only with
    numbers divisible by 7, so that games are long enough.
    """
    for number, choice in enumerate(choices):
        if not (asked := owing(state)):
            return
        (seat,) = asked
        kinds: dict[str, list[AnyCommand]] = {}
        for command in offers(view(state, seat)):
            kinds.setdefault(tag(command), []).append(command)
        if choice % 7 and len(kinds) > 1:
            kinds.pop("resign", None)
        rest, which = divmod(choice, len(kinds))
        command = _at(list(kinds.values())[which], rest)
        dice = Seeded(seed, number, "dice")
        events = rules.RULES.decide(state, seat, command, dice)
        around = states_around(rules.RULES, state, events)
        yield state, seat, command, events, around
        state = around[-1]


def _at(listed: Sequence[AnyCommand], number: int) -> AnyCommand:
    return listed[number % len(listed)]
