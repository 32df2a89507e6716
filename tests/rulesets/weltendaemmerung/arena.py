"""A small map on which all events happen soon, and random walks over its offers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from hypothesis import strategies as st

from engine.core.dice import Scripted, Seeded
from engine.core.options import Value
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.commands import AnyCommand, EndPhase
from engine.rulesets.weltendaemmerung.events import AnyEvent
from engine.rulesets.weltendaemmerung.state import Map, Placed, SitePlaced, State

ARENA: Final = Map(
    name="arena",
    title="The Arena",
    about="Everything on 45 tiles.",
    frontier=6,
    rounds=3,
    cursor=(0, 1),
    rows=(
        "..#.~~f.^",
        "..G.~s.G.",
        ".8#.~~...",
        "..H.ff...",
        "E.G.~~.^.",
    ),
    units=(
        Placed("lord_e", 0, 1),
        Placed("sword", 1, 1),
        Placed("bow_e", 3, 1),
        Placed("eagle", 3, 3),
        Placed("ship", 4, 0),
        Placed("horse", 1, 3),
        Placed("axe", 6, 1),
        Placed("wolf", 6, 2),
        Placed("catapult", 7, 2),
        Placed("ram", 6, 3),
        Placed("wyrm", 7, 3),
        Placed("blood", 8, 0),
        Placed("wagon", 8, 2),
    ),
    sites=(SitePlaced(2, 1), SitePlaced(2, 4), SitePlaced(7, 1)),
)

CHOICES: Final = st.lists(st.integers(0, 400), min_size=60, max_size=120)
"""Choices of a walk: indices into the offers; multiples of seven end the phase."""

CYCLE: Final = tuple((5 * place) % 8 for place in range(256))

OPTIONS: Final = st.fixed_dictionaries(
    {
        "price_tile": st.sampled_from(["origin", "destination"]),
        "last_step": st.sampled_from(["always", "must_afford"]),
        "reach": st.sampled_from(["floor", "exact"]),
        "chance": st.sampled_from(["uniform8", "c64_weights"]),
        "west_edge_win": st.sampled_from(["on", "off"]),
        "steps": st.sampled_from(["four", "eight"]),
    }
)


class Move(NamedTuple):
    """An accepted command with its events and the states around it."""

    before: State
    command: AnyCommand
    events: tuple[AnyEvent, ...]
    after: State


def begun(options: Mapping[str, Value] | None = None, scenario: Map = ARENA) -> State:
    """Begin a new game on the map."""
    return fold(RULES.empty(), RULES.begin(scenario, options or {}, Scripted()))


def fold(state: State, events: tuple[AnyEvent, ...]) -> State:
    """Return the state after events."""
    for event in events:
        state = RULES.evolve(state, event)
    return state


def walk(state: State, choices: list[int]) -> Iterator[Move]:
    """Play offers until the choices are used up or the game is over."""
    for seq, choice in enumerate(choices):
        offered = list(RULES.offers(RULES.view(state, state.player)))
        if not offered:
            return
        command = EndPhase() if choice % 7 == 0 else offered[choice % len(offered)]
        events = RULES.decide(state, state.player, command, Seeded(b"walk", seq, "decide"))
        after = fold(state, events)
        yield Move(state, command, events, after)
        state = after
