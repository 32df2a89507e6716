"""Proposals, treaties, opinions and titles (section 16)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.ids import PUBLIC, REFEREE
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.lordsawar import RULES, diplomacy
from engine.rulesets.lordsawar import events as ev
from engine.rulesets.lordsawar.commands import Propose
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.scene import CityPlaced, Map, Now, SidePlaced
from engine.rulesets.lordsawar.state import NO_PROPOSAL, State
from engine.rulesets.lordsawar.turns import scores
from engine.rulesets.lordsawar.view import redact, view
from engine.strategic import diplomacy as layer
from engine.strategic.commands import March, SetStance, Settle
from engine.strategic.decision import new_ids
from engine.strategic.pieces import Army
from engine.strategic.world import HOSTILE, PEACE, WAR

SIDES = 4
SCENE = Map(
    "table",
    "The table",
    "Four sides.",
    rows=("..............",) * 6,
    sides=tuple(SidePlaced(f"Side {n}", (3 * n, 0), 50, human=n != 1) for n in range(SIDES)),
    cities=tuple(
        CityPlaced(3 * n, 0, f"City {n}", slots=("scouts", "archers"), owner=n)
        for n in range(SIDES)
    ),
    now=Now((0, 1, 2, 3), ((PEACE,) * SIDES,) * SIDES, next_id=10),
)


def beginning(treaties: Any = None, **options: str) -> State:
    """Return the first state of four sides at peace, or with other treaties."""
    rows = tuple("cc.cc.cc.cc..." if y < 2 else "." * 14 for y in range(6))
    scene = replace(SCENE, rows=rows, options={"diplomacy": "on", **options})
    (event,) = RULES.begin(scene, {}, Scripted([]))
    assert isinstance(event, ev.GameSet)
    state = event.start
    return replace(state, treaties=treaties) if treaties else state


def decision_on(state: State) -> BaseDecision[Any, Any]:
    """Return a decision on a state, without dice."""
    return BaseDecision(state, evolve, Scripted([]))


def proposed(state: State, *told: tuple[int, int, int]) -> State:
    """Return the state after proposals (side, other, treaty)."""
    for side, other, treaty in told:
        decision = decision_on(state)
        diplomacy.propose(decision, settings_of(state.options), side, Propose(other, treaty))
        state = decision.state
    return state


def settled_state(state: State) -> State:
    """Return the state after the end of the round."""
    decision = decision_on(state)
    diplomacy.settle(decision, settings_of(state.options))
    found: State = decision.state
    return found


@pytest.mark.rule("LW-16.2")
@pytest.mark.parametrize(
    ("now", "first", "second", "agreed"),
    [
        (PEACE, NO_PROPOSAL, NO_PROPOSAL, PEACE),
        (WAR, NO_PROPOSAL, NO_PROPOSAL, WAR),
        (PEACE, WAR, NO_PROPOSAL, WAR),
        (PEACE, HOSTILE, NO_PROPOSAL, HOSTILE),
        (PEACE, HOSTILE, WAR, WAR),
        (WAR, PEACE, NO_PROPOSAL, WAR),
        (WAR, PEACE, PEACE, PEACE),
        (WAR, PEACE, HOSTILE, HOSTILE),
        (HOSTILE, PEACE, PEACE, PEACE),
    ],
)
def test_equal_proposals_hold_or_else_the_more_violent_one(
    now: int, first: int, second: int, agreed: int
) -> None:
    rows = tuple(tuple(now if {a, b} == {0, 2} else 0 for b in range(4)) for a in range(4))
    state = beginning(rows)
    told = [(a, b, c) for a, b, c in ((0, 2, first), (2, 0, second)) if c != NO_PROPOSAL]
    after = settled_state(proposed(state, *told))
    assert after.treaties[0][2] == after.treaties[2][0] == agreed
    assert set(map(tuple, after.proposals)) <= {(NO_PROPOSAL,) * 4} or not told


@pytest.mark.rule("LW-16.2")
def test_round_end_without_proposals_emits_no_event() -> None:
    decision = decision_on(beginning())
    diplomacy.settle(decision, settings_of(decision.state.options))
    assert decision.events == ()


@pytest.mark.rule("LW-16.3")
def test_opinions_begin_at_eight_and_follow_war_and_peace() -> None:
    state = beginning()
    assert diplomacy.opinions(state) == ((8,) * 4,) * 4
    war = settled_state(proposed(state, (0, 1, WAR)))
    # The opinion of the partner and its friends falls by one (2 and 3 are at peace with both).
    assert [war.opinions[n][0] for n in (1, 2, 3)] == [7, 7, 7]
    assert [war.opinions[n][1] for n in (0, 2, 3)] == [7, 7, 7]
    assert war.opinions[0][2] == 8
    peace = settled_state(proposed(war, (0, 1, PEACE), (1, 0, PEACE)))
    assert [peace.opinions[n][0] for n in (1, 2, 3)] == [8, 8, 8]


@pytest.mark.rule("LW-16.3")
def test_opinions_of_the_partners_enemies_change_the_opposite_way() -> None:
    rows = tuple(tuple(WAR if {a, b} == {1, 3} else 0 for b in range(4)) for a in range(4))
    war = settled_state(proposed(beginning(rows), (0, 1, WAR)))
    assert [war.opinions[n][0] for n in (1, 2, 3)] == [7, 7, 9]


@pytest.mark.rule("LW-16.7")
def test_computers_declare_war_in_round_nine_on_the_cusp_of_war() -> None:
    state = replace(beginning(cusp_of_war="on"), turn=9)
    after = settled_state(state)
    assert [after.treaties[1][n] for n in (0, 2, 3)] == [WAR] * 3
    assert after.treaties[0][2] == PEACE
    for other in (replace(state, turn=8), replace(beginning(), turn=9)):
        assert settled_state(other).treaties == other.treaties


@pytest.mark.rule("LW-16.2")
@pytest.mark.parametrize(
    ("side", "command", "code"),
    [
        (0, Propose(0, WAR), "NO_SUCH_SIDE"),
        (0, Propose(7, WAR), "NO_SUCH_SIDE"),
        (0, Propose(1, 3), "NOT_ALLOWED"),
        (0, Propose(1, -2), "NOT_ALLOWED"),
        (0, Propose(1, NO_PROPOSAL), "NOTHING_TO_DO"),
    ],
)
def test_impossible_proposals_are_refused(side: int, command: Propose, code: str) -> None:
    state = beginning()
    with pytest.raises(Refused) as refused:
        RULES.decide(state, side, command, Scripted([]))
    assert (refused.value.code, refused.value.rule) == (code, "LW-16")


@pytest.mark.rule("LW-16.1")
def test_sides_are_at_war_without_proposals_if_diplomacy_is_off() -> None:
    state = beginning(((0, 2, 2, 2), (2, 0, 2, 2), (2, 2, 0, 2), (2, 2, 2, 0)), diplomacy="off")
    with pytest.raises(Refused):
        RULES.decide(state, 0, Propose(1, PEACE), Scripted([]))
    assert settled_state(state) == state
    assert layer.may_attack(state, settings_of(state.options), 0, (3, 0))


@pytest.mark.rule("LW-16.2")
def test_a_stance_is_a_proposal() -> None:
    state = beginning()
    (event,) = RULES.decide(state, 0, SetStance(2, WAR), Scripted([]))
    assert event == ev.ProposalSet(0, (-1, -1, WAR, -1), (0, 0, WAR, 0))
    assert evolve(state, event).sides[0].stances == (0, 0, WAR, 0)


def with_army(state: State) -> State:
    """Return the state with a strong army of side 0 beside the city of side 1."""
    (number,) = new_ids(state, 1)
    army = Army(number, 0, 12, 5, 1, 9, 20, 20, 4)
    return replace(state, armies=state.armies.put(army), next_id=state.next_id + 1)


@pytest.mark.rule("LW-16.4")
def test_treachery_needs_confirmation_and_costs_five_opinions() -> None:
    state = with_army(beginning())
    (army,) = state.armies
    with pytest.raises(Refused) as refused:
        RULES.decide(state, 0, March((army,), (4, 1)), Scripted([]))
    assert refused.value.code == "TREACHERY"
    decision = decision_on(state)
    layer.betray(decision, settings_of(state.options), 0, 1)
    after = decision.state
    assert after.treaties[0][1] == after.treaties[1][0] == WAR
    assert [after.opinions[n][0] for n in (1, 2, 3)] == [3, 3, 3]
    assert [after.opinions[n][1] for n in (0, 2, 3)] == [10, 10, 10]
    assert after.sides[0].rating == 0


@pytest.mark.rule("LW-16.4")
def test_cities_may_be_attacked_only_at_full_war() -> None:
    rows = tuple(tuple(HOSTILE if a != b else 0 for b in range(4)) for a in range(4))
    state, settings = beginning(rows), settings_of(beginning().options)
    assert not layer.may_attack(state, settings, 0, (3, 0))
    at_war = replace(state, treaties=tuple(tuple(2 * n for n in row) for row in rows))
    assert layer.may_attack(at_war, settings, 0, (3, 0))


@pytest.mark.rule("LW-16.5")
@pytest.mark.parametrize(("thought", "shift"), [(12, -2), (2, 2)])
def test_taking_the_last_city_changes_opinions_by_rank(thought: int, shift: int) -> None:
    rows = [[8] * 4 for _ in range(4)]
    for other in (0, 2, 3):
        rows[other][1] = thought
    state = replace(beginning(), opinions=tuple(map(tuple, rows)))
    decision = decision_on(state)
    diplomacy.last_taken(decision, settings_of(state.options), 0, 1)
    assert [decision.state.opinions[n][0] for n in (1, 2, 3)] == [8 + shift] * 3


@pytest.mark.rule("LW-16.5")
def test_razing_a_taken_city_costs_five_opinions() -> None:
    rows = tuple(tuple(WAR if a != b else 0 for b in range(4)) for a in range(4))
    state = with_army(beginning(rows))
    (army,) = state.armies
    events = RULES.decide(state, 0, March((army,), (4, 1)), Scripted([]))
    for event in events:
        state = evolve(state, event)
    # It was the last city of side 1, whose rank was worse: opinions rise by two, then fall by five.
    assert [state.opinions[n][0] for n in (2, 3)] == [10, 10]
    for event in RULES.decide(state, 0, Settle("raze"), Scripted([])):
        state = evolve(state, event)
    assert [state.opinions[n][0] for n in (2, 3)] == [5, 5]


@pytest.mark.rule("LW-16.6")
def test_titles_follow_the_sum_of_opinions() -> None:
    rows = ((8, 9, 3, 8), (8, 8, 3, 8), (8, 9, 8, 8), (8, 9, 3, 8))
    state = replace(beginning(), opinions=rows)
    called = layer.titles(state, settings_of(state.options))
    assert called == {
        1: layer.TITLES[0],
        0: layer.TITLES[1],
        3: layer.TITLES[6],
        2: layer.TITLES[7],
    }
    assert diplomacy.ranked(state) == (1, 0, 3, 2)


@pytest.mark.rule("LW-16")
def test_proposals_are_visible_to_both_parties_only() -> None:
    state = beginning()
    (event,) = RULES.decide(state, 0, Propose(2, WAR), Scripted([]))
    after = evolve(state, event)
    known = {seat: redact(event, state, after, seat) for seat in (*range(4), PUBLIC)}
    assert known[0] == event
    assert known[2] == ev.ProposalSet(0, (-1, -1, WAR, -1))
    assert known[1] is known[3] is known[PUBLIC] is None
    told = {seat: view(after, seat).proposals[0][2] for seat in (*range(4), PUBLIC, REFEREE)}
    assert told == {0: WAR, 1: -1, 2: WAR, 3: -1, PUBLIC: -1, REFEREE: WAR}


@pytest.mark.rule("LW-16")
def test_failed_proposal_is_reported_to_both_parties_only() -> None:
    rows = tuple(tuple(WAR if a != b else 0 for b in range(4)) for a in range(4))
    state = proposed(beginning(rows), (0, 2, PEACE))
    decision = decision_on(state)
    diplomacy.settle(decision, settings_of(state.options))
    (event,) = decision.events
    told = [redact(event, state, decision.state, seat) is not None for seat in (*range(4), PUBLIC)]
    assert told == [True, False, True, False, False]


PAIRS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2))


@pytest.mark.rule("LW-16.3")
@settings(max_examples=60, deadline=None)
@given(rounds=st.lists(st.lists(PAIRS, max_size=6), max_size=6))
def test_treaties_stay_mutual_and_opinions_in_bounds(
    rounds: list[list[tuple[int, int, int]]],
) -> None:
    state = beginning()
    for told in rounds:
        last = {(a, b): c for a, b, c in told if a != b}
        state = proposed(state, *((a, b, c) for (a, b), c in last.items()))
        state = settled_state(state)
        for a in range(4):
            for b in range(4):
                assert state.treaties[a][b] == state.treaties[b][a]
                assert 0 <= diplomacy.opinions(state)[a][b] <= 15
        assert sorted(diplomacy.ranked(state)) == [0, 1, 2, 3]


@pytest.mark.rule("LW-17.6")
def test_scores_are_shares_of_cities_gold_and_armies() -> None:
    state = with_army(beginning())
    # One city of four, a quarter of the gold, and the only army.
    assert scores(state) == (17 + 2 + 20 + 1, 20, 20, 20)
