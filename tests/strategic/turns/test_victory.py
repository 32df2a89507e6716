"""Victory and surrender (section 13.3)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.warlords2 import rule_settings
from engine.rulesets.warlords2.state import State
from engine.strategic import events as ev
from engine.strategic import turns, victory
from engine.strategic.commands import AnswerYield
from engine.strategic.refusal import Refusal
from tests.strategic.turns.realm import at_desk, realm, sides

MAN, MACHINE = True, False


def round_ended(
    owned: Sequence[int], humans: Sequence[bool], neutral: int = 0
) -> tuple[State, tuple[ev.AnyEvent, ...]]:
    """End the last turn of a round; return state and events."""
    state = realm(owned, sides(*humans), neutral, at=len(owned) - 1)
    work, settings = at_desk(state)
    turns.end_turn(work, settings, state.current)
    assert isinstance(work.state, State)
    return work.state, work.events


@pytest.mark.rule("W2-13.3")
@pytest.mark.parametrize(
    ("owned", "humans", "neutral", "winners", "reason"),
    [
        ((3, 0), (MAN, MAN), 2, (0,), "conquest"),
        ((3, 0), (MAN, MACHINE), 0, (0,), "conquest"),
        ((0, 1, 0), (MACHINE, MACHINE, MACHINE), 9, (1,), "conquest"),
        ((0, 1), (MAN, MACHINE), 9, (1,), "conquest"),
        ((0, 2, 2), (MAN, MACHINE, MACHINE), 0, (1, 2), "humans_out"),
        ((0, 0), (MAN, MACHINE), 2, (), "all_out"),
        ((0, 0), (MACHINE, MACHINE), 2, (), "all_out"),
    ],
)
def test_game_is_over(
    owned: tuple[int, ...],
    humans: tuple[bool, ...],
    neutral: int,
    winners: tuple[int, ...],
    reason: str,
) -> None:
    state, events = round_ended(owned, humans, neutral)
    assert (state.winners, state.reason) == (winners, reason)
    assert isinstance(events[-1], ev.GameEnded)


@pytest.mark.rule("W2-13.3")
@pytest.mark.parametrize(
    ("owned", "humans", "neutral"),
    [
        ((3, 0), (MAN, MAN), 3),
        ((3, 1), (MAN, MAN), 0),
        ((2, 2), (MACHINE, MACHINE), 0),
        ((0, 1, 2), (MACHINE, MACHINE, MACHINE), 0),
        ((0, 1, 2), (MAN, MAN, MACHINE), 0),
    ],
)
def test_game_continues(owned: tuple[int, ...], humans: tuple[bool, ...], neutral: int) -> None:
    state, events = round_ended(owned, humans, neutral)
    assert (state.reason, state.turn, state.question) == (None, 4, None)
    assert any(isinstance(event, ev.TurnBegan) for event in events)


@pytest.mark.rule("W2-13.3")
def test_razed_cities_do_not_count() -> None:
    state = realm((3, 0), sides(MAN, MAN), 3, at=1)
    assert not victory.has_most(state, 0)
    ruin = replace(state.cities[6], razed=True)
    assert victory.has_most(replace(state, cities=state.cities.put(ruin)), 0)


@pytest.mark.rule("W2-13.3")
@pytest.mark.parametrize(
    ("owned", "humans", "neutral", "asked"),
    [
        ((5, 2), (MAN, MACHINE), 2, 0),
        ((9, 7), (MAN, MACHINE), 0, None),
        ((7, 5), (MAN, MACHINE), 1, 0),
        ((10, 7), (MAN, MACHINE), 0, 0),
        ((5, 2), (MAN, MACHINE), 3, None),
        ((5, 2), (MAN, MAN), 2, None),
        ((2, 5), (MAN, MACHINE), 0, None),
        ((2, 5), (MACHINE, MAN), 0, 1),
        ((9, 1, 1), (MAN, MAN, MACHINE), 0, None),
        ((9, 0, 1), (MAN, MAN, MACHINE), 0, 0),
        ((5, 2), (MACHINE, MACHINE), 0, None),
    ],
)
def test_computers_surrender_to_a_single_human_far_ahead(
    owned: tuple[int, ...], humans: tuple[bool, ...], neutral: int, asked: int | None
) -> None:
    state, _ = round_ended(owned, humans, neutral)
    question = None if state.question is None else (state.question.kind, state.question.side)
    assert question == (None if asked is None else ("yield", asked))
    assert state.turn == (4 if asked is None else 3)


def answered(accept: bool) -> State:
    waiting, _ = round_ended((5, 2), (MAN, MACHINE))
    work, settings = at_desk(waiting)
    victory.answer_yield(work, settings, 0, AnswerYield(accept))
    assert isinstance(work.state, State)
    return work.state


@pytest.mark.rule("W2-13.3")
def test_an_accepted_surrender_ends_the_game() -> None:
    state = answered(accept=True)
    assert (state.winners, state.reason, state.question) == ((0,), "surrender", None)


@pytest.mark.rule("W2-13.3")
def test_refused_surrender_starts_another_round() -> None:
    state = answered(accept=False)
    assert (state.reason, state.question) == (None, None)
    assert (state.turn, state.current, state.stage) == (4, 0, "orders")


@pytest.mark.rule("W2-13.3")
@pytest.mark.parametrize(("owned", "asked"), [(9, None), (10, 0), (4, None)])
def test_surrender_is_offered_again_with_a_quarter_more_cities(
    owned: int, asked: int | None
) -> None:
    refused = answered(accept=False).sides[0].deeds.refused
    assert refused == 5
    person, computer = sides(MAN, MACHINE)
    had_eight = replace(person, deeds=replace(person.deeds, refused=8))
    assert rule_settings.yields(realm((owned, 2), (had_eight, computer))) == asked


@pytest.mark.rule("W2-13.3")
def test_answer_without_an_offered_surrender_is_refused() -> None:
    work, settings = at_desk(realm((5, 2), sides(MAN, MACHINE)))
    with pytest.raises(Refused) as refused:
        victory.answer_yield(work, settings, 0, AnswerYield())
    assert refused.value.code is Refusal.NO_QUESTION
