"""Games of computer players of Warlords II."""

from __future__ import annotations

from functools import cache, partial

import pytest

from engine.core.dice import Seeded
from engine.core.refused import Refused
from engine.rulesets.warlords2.bot import LEVELS, TEMPERS
from engine.rulesets.warlords2.events import AnyEvent
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.state import State
from engine.strategic.commands import AnyCommand, EndTurn, Produce, Search
from engine.strategic.events import BattleFought, CityTaken
from tests.strategic.chances import shipped

SEED = b"bots"
ROUNDS = 14


@cache
def played(
    name: str, level: str, rounds: int
) -> tuple[State, tuple[AnyCommand, ...], tuple[AnyEvent, ...]]:
    """Play a game of a level against itself, cached; return last state, commands and events."""
    scene = shipped(name)
    seats = len(scene.sides)
    scene = RULES.with_seats(scene, seats, frozenset(range(seats)))
    state, commands = RULES.empty(), list[AnyCommand]()
    events = list(RULES.begin(scene, {}, Seeded(SEED, 0, "decide")))
    for event in events:
        state = RULES.evolve(state, event)
    while RULES.owes(state) and state.turn <= rounds:
        seat, entry = min(RULES.owes(state)), len(commands) + 1
        seen = RULES.view(state, seat)
        dice = Seeded(SEED, entry, f"bot:{seat}")
        for command in LEVELS[level].plan(seen, partial(RULES.offers, seen), dice):
            if seat not in RULES.owes(state):
                break
            throws = Seeded(SEED, len(commands) + 1, "decide")
            try:
                happened = RULES.decide(state, seat, command, throws)
            except Refused:
                assert len(commands) >= entry, "the first order of a plan is never refused"
                break
            for event in happened:
                state = RULES.evolve(state, event)
            commands.append(command)
            events += happened
    return state, tuple(commands), tuple(events)


@pytest.mark.rule("W2-14.2", "W2-14.5", "W2-14.6")
def test_bots_produce_take_cities_and_search_sites() -> None:
    state, commands, events = played("narrows", "hard", 14)
    assert any(isinstance(command, Produce) for command in commands)
    assert any(isinstance(command, Search) for command in commands)
    taken = [event for event in events if isinstance(event, CityTaken)]
    assert len(taken) >= 4
    owned = [city for city in state.cities.values() if city.owner in state.sides]
    busy = sum(city.making >= 0 for city in owned)  # but for those that were taken just now
    assert 2 * busy > len(owned)


@pytest.mark.rule("W2-14.3")
def test_capitals_are_guarded_while_enemies_are_near() -> None:
    state, _, _ = played("narrows", "normal", 6)
    for side in state.sides.values():
        assert side.capital is not None
        x, y = side.capital
        home = [a for a in state.armies.values() if x <= a.x <= x + 1 and y <= a.y <= y + 1]
        assert home


@pytest.mark.rule("W2-14.4")
def test_bots_attack_where_they_are_likely_to_win() -> None:
    fought = [
        event
        for seedless in ("narrows", "skirmish")
        for event in played(seedless, "normal", ROUNDS)[2]
        if isinstance(event, BattleFought) and event.attacker in (0, 1)
    ]
    assert len(fought) > 10
    won = sum(event.won for event in fought)
    assert won / len(fought) >= TEMPERS["normal"].nerve


@pytest.mark.rule("W2-14")
def test_turn_ends_after_few_plans() -> None:
    _, commands, _ = played("skirmish", "normal", ROUNDS)
    ends = sum(isinstance(command, EndTurn) for command in commands)
    assert ends >= 10
    assert len(commands) / ends < 30
