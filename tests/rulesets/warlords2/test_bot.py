"""The computer players make legal, repeatable, progressing and sensible plans."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.codec import decoder, encode
from engine.core.dice import Seeded
from engine.core.options import Value
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.scenarios import fitted
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.state import State, View
from engine.strategic.commands import (
    AnyCommand,
    Bless,
    EndTurn,
    Produce,
    Search,
    SetStance,
    Settle,
    StopProduction,
    Walk,
)
from engine.strategic.pieces import NONE, Question
from tests.strategic import ground

LEVELS = tuple(RULES.bots)
SEARCHING = ("normal", "hard")

SEED = b"bots"

MOST_PLANS = 60
"""Maximum number of plans in a turn; more means that a player loops."""

OPTIONS: tuple[dict[str, Value], ...] = (
    {},
    {"hidden_map": "on", "random_turns": "on"},
    {"diplomacy": "on", "quests": "on", "neutral_strength": "strong"},
    {"column": "classic", "quick_start": "on", "classic_navy": "on"},
)


def plan(
    state: State, level: str, seat: int = 0, entry: int = 1, seed: bytes = SEED
) -> tuple[AnyCommand, ...]:
    """Return the commands that a level plans in a position."""
    return thought(RULES.view(state, seat), level, entry, seed)


def thought(view: View, level: str, entry: int = 1, seed: bytes = SEED) -> tuple[AnyCommand, ...]:
    """Return the commands that a level plans for a view."""
    dice = Seeded(seed, entry, f"bot:{view.viewer}")
    return tuple(RULES.bots[level].plan(view, partial(RULES.offers, view), dice))


def begun(scenario: str, seats: int, seed: int, options: dict[str, Value]) -> State:
    """Begin a game of computers; return its first turn."""
    scene = fitted(RULES, RULES.scenarios()[scenario], seats, frozenset(range(seats)))
    state = RULES.empty()
    for event in RULES.begin(scene, options, Seeded(str(seed).encode(), 0, "decide")):
        state = RULES.evolve(state, event)
    return state


def played(
    state: State,
    levels: tuple[str, ...],
    rounds: int,
    look: Callable[[State, tuple[AnyCommand, ...]], None] = lambda _state, _plan: None,
    seed: bytes = SEED,
) -> State:
    """Play some rounds; check that each plan makes progress and turns end. Return the state."""
    last, plans, entry = (0, 0), 0, 1
    while (seat := min(RULES.owes(state), default=None)) is not None and state.turn <= rounds:
        plans = plans + 1 if last == (state.turn, seat) else 0
        last = state.turn, seat
        assert plans < MOST_PLANS
        commands = plan(state, levels[seat], seat, entry, seed)
        look(state, commands)
        state, done = carried_out(state, seat, commands, entry, seed)
        assert done
        entry += done
    return state


def carried_out(
    state: State, seat: int, commands: tuple[AnyCommand, ...], entry: int, seed: bytes = SEED
) -> tuple[State, int]:
    """Execute commands until one is refused; return the state and their number."""
    for done, command in enumerate(commands):
        if seat not in RULES.owes(state):
            return state, done
        try:
            dice = Seeded(seed, entry + done, "decide")
            events = RULES.decide(state, seat, command, dice)
        except Refused:
            return state, done
        for event in events:
            state = RULES.evolve(state, event)
    return state, len(commands)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "+".join(options) or "usual")
def test_whole_games_progress_with_any_options(options: dict[str, Value]) -> None:
    state = played(begun("skirmish", 2, 1, options), ("hard", "normal"), 14)
    assert state.turn > 14 or state.reason is not None


@settings(max_examples=4, deadline=None)
@given(
    st.integers(0, 1000),
    st.sampled_from(OPTIONS),
    st.tuples(st.sampled_from(LEVELS), st.sampled_from(LEVELS)),
)
def test_every_plan_begins_with_a_legal_command(
    seed: int, options: dict[str, Value], levels: tuple[str, str]
) -> None:
    played(begun("skirmish", 2, seed, options), levels, 7)


def test_three_sides_in_the_mist_explore() -> None:
    known: list[int] = []

    def look(state: State, _commands: tuple[AnyCommand, ...]) -> None:
        known.append(int((state.discovered.cells & 1).sum()))

    played(begun("mist", 3, 1, {}), ("hard", "normal", "easy"), 6, look)
    assert known[-1] > known[0]


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_gives_the_same_plan_in_another_process(level: str) -> None:
    state = played(begun("skirmish", 2, 1, {}), (level, level), 2)
    seat = min(RULES.owes(state))
    view = RULES.view(state, seat)
    copied = decoder(RULES.view_type).decode(encode(view))
    assert thought(view, level) == thought(copied, level)


EMPTY_CITY = ("..........", "..........", "..........", "..........")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("W2-14")
def test_empty_neutral_city_is_taken(level: str) -> None:
    state = ground.world(
        EMPTY_CITY,
        armies=[ground.army(1, 1, 1), ground.army(2, 1, 1)],
        cities=[ground.city(0, 0, 0, owner=0), ground.city(1, 6, 1)],
    )
    walks = [command for command in plan(state, level) if isinstance(command, Walk)]
    assert any(walk.path[-1] in state.cities[1].tiles for walk in walks)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("W2-14")
def test_strongly_held_city_is_not_attacked(level: str) -> None:
    foes = [ground.army(10 + k, 6, 1, ground.DRAGONS, owner=1) for k in range(8)]
    state = ground.world(
        EMPTY_CITY,
        armies=[ground.army(1, 1, 1), ground.army(2, 1, 1), *foes],
        cities=[ground.city(0, 0, 0, owner=0), ground.city(1, 6, 1, owner=1)],
    )
    walks = [command for command in plan(state, level) if isinstance(command, Walk)]
    assert not any(walk.path[-1] in state.cities[1].tiles for walk in walks)


@pytest.mark.rule("W2-14", "W2-6.6")
def test_armies_board_ships_if_no_target_is_in_reach_on_land() -> None:
    rows = ["...ww....", "...ww....", "...ww....", "...ww...."]
    state = ground.world(
        rows,
        armies=[ground.army(k, 1, 1, ground.DEVILS) for k in range(1, 5)],
        cities=[ground.city(0, 1, 1, owner=0), ground.city(1, 5, 1)],
    )
    walks = [command for command in plan(state, "hard") if isinstance(command, Walk)]
    aboard = [walk for walk in walks if walk.path[-1][0] in (3, 4)]
    assert aboard


@pytest.mark.parametrize("level", SEARCHING)
@pytest.mark.rule("W2-14")
def test_hero_searches_the_site_on_its_tile(level: str) -> None:
    state = ground.world(
        EMPTY_CITY,
        armies=[ground.army(1, 4, 2, ground.HERO)],
        cities=[ground.city(0, 0, 0, owner=0)],
        sites=[ground.site(1, 4, 2)],
    )
    assert Search(1) in plan(state, level)


@pytest.mark.parametrize("level", LEVELS)
def test_temple_blesses_the_armies_there(level: str) -> None:
    state = ground.world(
        EMPTY_CITY,
        armies=[ground.army(1, 4, 2), ground.army(2, 4, 2, blessed=(1,))],
        cities=[ground.city(0, 0, 0, owner=0)],
        sites=[ground.site(1, 4, 2, "temple")],
    )
    assert Bless((1,)) in plan(state, level)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.rule("W2-14.5", "W2-9.3")
def test_cities_produce_and_stop_without_gold(level: str) -> None:
    idle = ground.world(EMPTY_CITY, cities=[ground.city(0, 0, 0, owner=0)])
    assert Produce(0, 0) in plan(idle, level)
    armies = [ground.army(k, 4 + k % 3, k // 3, ground.DRAGONS) for k in range(1, 10)]
    poor = ground.world(
        EMPTY_CITY,
        armies=armies,
        cities=[ground.city(0, 0, 0, owner=0, making=0, left=1)],
        sides=[ground.side(0, gold=10), ground.side(1)],
    )
    assert StopProduction(0) in plan(poor, level)
    assert not any(isinstance(command, Produce) for command in plan(poor, level))


@pytest.mark.parametrize("level", LEVELS)
def test_fate_of_a_taken_city_is_decided(level: str) -> None:
    asked = ground.world(
        EMPTY_CITY,
        cities=[ground.city(0, 0, 0, owner=0), ground.city(1, 6, 1, owner=0)],
        question=Question("fate", 0, city=1),
    )
    (answer,) = plan(asked, level)
    assert isinstance(answer, Settle)


@pytest.mark.rule("W2-12.1")
def test_side_at_peace_with_all_declares_war_on_one_rival() -> None:
    sides = [ground.side(k) for k in range(3)]
    at_peace = ground.world(
        EMPTY_CITY,
        cities=[
            ground.city(0, 0, 0, owner=0),
            ground.city(1, 3, 1, owner=1),
            ground.city(2, 8, 1, owner=2),
        ],
        sides=sides,
        peace=True,
    )
    treating = replace(at_peace, options=replace(at_peace.options, diplomacy="on"))
    wars = [command for command in plan(treating, "hard") if isinstance(command, SetStance)]
    assert wars == [SetStance(1, 2)]


@pytest.mark.parametrize("level", LEVELS)
def test_a_side_with_nothing_to_do_ends_its_turn(level: str) -> None:
    state = ground.world(
        EMPTY_CITY, cities=[ground.city(0, 0, 0, owner=0, making=0, left=1, vector=NONE)]
    )
    assert plan(state, level)[-1] == EndTurn()


def test_hard_beats_easy_on_the_small_map() -> None:
    for seed, levels in ((1, ("hard", "easy")), (2, ("easy", "hard"))):
        state = played(begun("narrows", 2, seed, {}), levels, 120, seed=str(seed).encode())
        assert [levels[seat] for seat in state.winners] == ["hard"]
