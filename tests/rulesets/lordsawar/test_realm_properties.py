"""Invariants of cities, money and sides in random games (section 22: 23, 24, 26 and 28).

Plans of computer players and random orders alternate, so that cities are taken, plundered and
razed, and purses run empty.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.codec import plain
from engine.core.dice import Seeded
from engine.core.record import Command, replace
from engine.core.refused import Refused
from engine.rulesets.lordsawar import turns
from engine.rulesets.lordsawar.bot import LEVELS
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.state import State
from engine.strategic import commands as do
from engine.strategic.events import CityTaken
from engine.strategic.pieces import NOBODY, NONE, STACK, TO_FLAG
from tests.contract.walks import examples
from tests.rulesets.lordsawar.realm import levels_hold

_ROUNDS: Final = 10
_SOURCES: Final = 4
_LISTINGS: Final = 2
_ORDERS: Final = 5
"""Number of orders drawn from each list of offers; a random turn lists them twice.

Offers that an earlier order made impossible are refused.
"""

OPTIONS: Final = st.builds(
    Options,
    upkeep_phase=st.sampled_from(["round_end", "turn_start"]),
    neutral_cities=st.sampled_from(["average", "strong", "active", "defensive"]),
    razing_cities=st.sampled_from(["always", "on_capture", "never"]),
    sacking_mode=st.sampled_from(["always", "on_quest", "never"]),
    vectoring_mode=st.sampled_from(["two_turns", "by_distance"]),
    build_production=st.sampled_from(["always", "usually", "seldom", "never"]),
    random_turns=st.sampled_from(["off", "on"]),
    diplomacy=st.sampled_from(["off", "on"]),
)


class Table:
    """A game of two sides that checks the position after every event."""

    def __init__(self, options: Options, seed: int) -> None:
        self._key = b"realm %d" % seed
        self._lot = random.Random(seed)  # noqa: S311 - games by lot
        self.state: State = RULES.empty()
        self.taken = 0
        self._entry = 0
        scene = RULES.scenarios()["border"]
        scene = RULES.with_seats(scene, 2, frozenset({0}))
        told = plain(options)
        self._follow(RULES.begin(scene, told, Seeded(self._key, 0, "decide")))

    def play(self, cities: int = 99) -> None:
        """Play some rounds, or until ``cities`` cities were taken. Every other turn is random."""
        while self.state.reason is None and self.state.turn <= _ROUNDS and self.taken < cities:
            seat = min(RULES.owes(self.state))
            by_lot = (self.state.turn + seat) % 2 == 0
            for _ in range(_LISTINGS if by_lot else 0):
                self._by_lot(seat)
            if seat in RULES.owes(self.state):
                self._plan(seat)

    def _by_lot(self, seat: int) -> None:
        kinds: dict[str, list[Command]] = {}
        for one in RULES.offers(RULES.view(self.state, seat)):
            kinds.setdefault(type(one).__name__, []).append(one)
        names = sorted(kinds.keys() - {"EndTurn", "Resign"}) or ["EndTurn"]
        for _ in range(_ORDERS):
            if seat in RULES.owes(self.state):
                self._give(seat, self._lot.choice(kinds[self._lot.choice(names)]))

    def _plan(self, seat: int) -> None:
        seen = RULES.view(self.state, seat)
        dice = Seeded(self._key, self._entry, f"bot:{seat}")
        for command in LEVELS["hard"].plan(seen, partial(RULES.offers, seen), dice):
            if seat not in RULES.owes(self.state) or not self._give(seat, command):
                return

    def _give(self, seat: int, command: Command) -> bool:
        self._entry += 1
        throws = Seeded(self._key, self._entry, "decide")
        try:
            self._follow(RULES.decide(self.state, seat, command, throws))  # type: ignore[arg-type]
        except Refused:
            return False
        return True

    def _follow(self, events: tuple[Any, ...]) -> None:
        for event in events:
            before, self.state = self.state, RULES.evolve(self.state, event)
            holds(self.state)
            if isinstance(event, CityTaken):
                self.taken += 1
                shares(before, self.state, event)


def holds(state: State) -> None:
    """Check the properties of a position."""
    assert all(side.gold >= 0 for side in state.sides.values())
    assert state.neutral_gold >= 0
    on_tiles = Counter((army.owner, army.at) for army in state.armies.values())
    assert all(count <= STACK for count in on_tiles.values())
    assert levels_hold(state)
    led = Counter((town.owner, town.vector) for town in state.cities.values())
    for (owner, target), count in led.items():
        assert target == NONE or count <= _SOURCES
        if target == TO_FLAG:
            assert state.sides[owner].flag is not None
        elif target != NONE:
            assert state.cities[target].owner == owner
    for town in state.cities.values():
        if town.razed:
            assert (town.owner, town.slots, town.making) == (NOBODY, (), NONE)
            assert (town.vector, town.defence) == (NONE, 0)


def shares(before: State, after: State, event: CityTaken) -> None:
    """Check that the winner of a city gains half of the loser's loss."""
    gained = after.sides[event.city.owner].gold - before.sides[event.city.owner].gold
    assert gained == event.loot
    if event.loser != NOBODY:
        lost = before.sides[event.loser].gold - after.sides[event.loser].gold
        assert 2 * gained == lost
    assert after.neutral_gold == before.neutral_gold


@pytest.mark.rule("LW-22", "LW-13.1", "LW-13.2", "LW-13.3", "LW-17")
@examples(4)
@given(OPTIONS, st.integers(0, 9999))
def test_treasuries_tiles_loot_and_ruins_stay_sound(options: Options, seed: int) -> None:
    Table(options, seed).play()


@pytest.mark.rule("LW-22")
def test_random_games_include_captures() -> None:
    table = Table(Options(), 3)
    table.play(cities=4)
    assert table.taken > 3


@pytest.mark.rule("LW-22", "LW-17.6")
@given(st.integers(0, 5000), st.integers(0, 5000), st.integers(0, 3))
def test_scores_sum_to_at_most_100(one: int, other: int, seed: int) -> None:
    state = Table(Options(), seed).state
    rows = [replace(state.sides[k], gold=gold) for k, gold in enumerate((one, other))]
    state = replace(state, sides=state.sides.put(*rows))
    scores = [turns.score(state, side) for side in state.sides]
    assert all(0 <= score <= 100 for score in scores)
    assert sum(scores) <= 100


@pytest.mark.rule("LW-22", "LW-13.3")
def test_razing_all_own_cities_loses_the_game() -> None:
    state = Table(Options(), 1).state
    for side in (0, 1):
        own = next(town for town in state.cities.values() if town.owner == side)
        for command in (do.Hire(), do.Raze(own.id), do.EndTurn()):
            if isinstance(command, do.Hire) and state.question is None:
                continue
            if state.reason is not None:
                break
            for event in RULES.decide(state, side, command, Seeded(b"raze", side, "decide")):
                state = RULES.evolve(state, event)
                holds(state)
    assert (state.reason, state.winners) == ("conquest", (1,))
