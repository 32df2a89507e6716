"""Phases and turns, income, rounds, and the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.dice import Seeded
from engine.core.record import replace
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import living
from engine.rulesets.kaladan.offers import offers
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.rounds import end_turn, judge, leaders, score
from engine.rulesets.kaladan.rules import RULES
from engine.rulesets.kaladan.state import NOBODY, SETUP_PHASES, TURN_PHASES, Options, State
from engine.rulesets.kaladan.turns import go_on, has_choice, income_of, owing, statistics
from engine.rulesets.kaladan.view import view
from tests.rulesets.kaladan.positions import (
    DUEL,
    after,
    army,
    decided,
    folded,
    pad,
    position,
    refusal,
)
from tests.rulesets.kaladan.walks import begun

QUIET = Options(events="off")
THREE = """
FF WFM FF
A1 0 # crown sword
B3 1 # crown sword
C1 2 # crown sword
"""
TWO_OF_THREE = THREE.replace("B3 1 # crown sword", "B3 1 #")


def phases(events: tuple[ev.AnyEvent, ...]) -> list[tuple[str, int]]:
    """Return the phases that began, with their seats."""
    return [(event.phase, event.seat) for event in events if isinstance(event, ev.PhaseBegan)]


# -- phases ----------------------------------------------------------------------------------------


@pytest.mark.rule("KA-6")
def test_turn_goes_through_its_phases_and_on_to_the_next_seat() -> None:
    state = position(DUEL + "B1 0 archer\nB3 1 archer", gold=(1, 1), phase="spawn", options=QUIET)
    seen: list[tuple[str, int]] = []
    for _ in range(8):
        (seat,) = owing(state)
        events = decided(state, seat, do.EndPhase())
        seen += phases(events)
        state = folded(state, events)
    turn = ["event", "income", "spawn", "action", "purchase", "reinforcement"]
    assert seen[:3] == [("action", 0), ("purchase", 0), ("reinforcement", 0)]
    assert seen[3:9] == [(phase, 1) for phase in turn]
    assert seen[9:12] == [("event", 0), ("income", 0), ("spawn", 0)]


@pytest.mark.rule("KA-6")
def test_phases_without_a_choice_are_skipped() -> None:
    state = position(DUEL, options=QUIET)
    events = decided(state, 0, do.EndPhase())
    assert phases(events) == [("event", 1), ("income", 1), ("spawn", 1)]
    no_more = DUEL + "dead 1" + 3 * " sword" + 4 * " archer" + 4 * " shield"
    events = decided(position(no_more, options=QUIET), 0, do.EndPhase())
    assert phases(events) == [("event", 1), ("income", 1), ("action", 1)]


@pytest.mark.rule("KA-6")
def test_phase_ends_automatically_only_after_irreversible_moves() -> None:
    """After a spawn, a move or a purchase of a unit, the seat can still undo."""
    state = after(position(phase="spawn"), 0, do.Spawn("A1", "archer"))
    assert state.phase == "spawn"
    assert owing(state) == {0}
    shopping = position(phase="purchase", gold=(4, 0))
    assert after(shopping, 0, do.UpgradeUnit(11)).phase == "purchase"
    assert after(shopping, 0, do.BuyCard()).active == 1


@pytest.mark.rule("KA-6", "KA-6.4")
def test_action_phase_ends_when_nothing_is_left_to_do() -> None:
    text = """
    FF WFM FF
    A1 0 # crown*
    A2 1 archer
    B1 1 archer
    B2 1 archer
    C2 1 # crown
    """
    state = position(text, options=QUIET)
    assert has_choice(state, 0, "action")
    assert not has_choice(replace(state, battle_used=True), 0, "action")
    decision = pad(replace(state, battle_used=True, players=position(text, gold=(0, 0)).players))
    go_on(decision)
    assert decision.state.active == 1


@pytest.mark.rule("KA-13")
@pytest.mark.parametrize("phase", ["event", "income"])
def test_event_and_income_cannot_be_ended_by_a_seat(phase: Any) -> None:
    assert refusal(position(phase=phase), 0, do.EndPhase())[0] == Refusal.WRONG_PHASE


@pytest.mark.rule("KA-13", "KA-6")
def test_only_the_asked_seat_may_act() -> None:
    state = position()
    assert owing(state) == {0}
    assert refusal(state, 1, do.EndPhase()) == (Refusal.NOT_YOUR_TURN, "KA-6")
    assert owing(RULES.empty()) == frozenset()
    assert owing(replace(state, reason="last_crown")) == frozenset()
    over = replace(state, reason="last_crown", winners=(0,))
    assert refusal(over, 0, do.EndPhase()) == (Refusal.GAME_OVER, "KA-17.1")


# -- income ----------------------------------------------------------------------------------------


@pytest.mark.rule("KA-6.2")
@pytest.mark.parametrize(
    ("text", "seat", "tiles", "built"),
    [
        (DUEL, 0, 1, 1),
        (DUEL + "B1 0 archer", 0, 2, 1),
        (DUEL + "B1 0 archer\nC1 0 #2 archer", 0, 3, 2),
        (DUEL.replace("# crown", "crown"), 0, 1, 0),
    ],
)
def test_income_is_one_gold_per_tile_and_per_castle(
    text: str, seat: int, tiles: int, built: int
) -> None:
    state = position(text, phase="income", gold=(7, 7))
    assert income_of(state, seat) == (tiles, built)
    decision = pad(state)
    go_on(decision)
    told = next(event for event in decision.events if isinstance(event, ev.IncomeReceived))
    assert told == ev.IncomeReceived(seat, tiles, built, 7 + tiles + built)
    assert decision.state.phase == ("spawn" if built else "action")


# -- turns and rounds ------------------------------------------------------------------------------


def passed(state: State) -> tuple[int, int, tuple[ev.AnyEvent, ...]]:
    """End a turn. Return the next seat, its round, and the events."""
    decision = pad(state)
    end_turn(decision)
    return decision.state.active, decision.state.round, decision.events


@pytest.mark.rule("KA-16", "KA-6")
@pytest.mark.parametrize(
    ("text", "first", "active", "after_", "number"),
    [
        (THREE, 0, 0, 1, 1),
        (THREE, 0, 2, 0, 2),
        (THREE, 1, 2, 0, 1),
        (THREE, 1, 0, 1, 2),
        (TWO_OF_THREE, 0, 0, 2, 1),
        (TWO_OF_THREE, 0, 2, 0, 2),
        (TWO_OF_THREE, 1, 2, 0, 1),
        (TWO_OF_THREE, 1, 0, 2, 2),
        (TWO_OF_THREE, 0, 1, 2, 1),
        (TWO_OF_THREE, 2, 1, 2, 2),
    ],
)
def test_round_increases_when_the_turn_order_wraps(
    text: str, first: int, active: int, after_: int, number: int
) -> None:
    state = position(text, first=first, active=active, seats=3)
    seat, count, events = passed(state)
    assert (seat, count) == (after_, number)
    assert (ev.RoundEnded(1) in events) == (number == 2)


@pytest.mark.rule("KA-6", "KA-6.6")
def test_new_turn_resets_battle_spawns_and_units() -> None:
    state = position(DUEL.replace("sword", "sword*"), battle_used=True, spawned=(1,))
    decision = pad(state)
    end_turn(decision)
    now = decision.state
    assert (now.battle_used, now.spawned) == (False, ())
    assert not any(unit.done for unit in now.units.values())


# -- the end ---------------------------------------------------------------------------------------


@pytest.mark.rule("KA-17", "KA-17.1")
def test_last_crown_wins_in_mid_turn() -> None:
    state = after(position(), 0, do.Resign())
    assert (state.reason, state.winners) == ("last_crown", (1,))
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert outcome.winners == (1,)


@pytest.mark.rule("KA-17.2", "KA-8.2")
def test_last_two_seats_fallen_in_one_battle_share_the_game() -> None:
    decision = pad(position(THREE.replace("C1 2 # crown sword", "C1 2 #"), seats=3))
    for seat in (1, 0):
        decision.emit(ev.SeatEliminated(seat, NOBODY))
    assert judge(decision)
    assert decision.state.reason == "no_crown"
    assert decision.state.winners == (0, 1)


@pytest.mark.rule("KA-17.3", "KA-0")
@pytest.mark.parametrize(("limit", "over"), [(0, False), (3, False), (2, True), (1, True)])
def test_game_is_scored_after_the_last_round(limit: int, over: bool) -> None:
    state = position(DUEL, active=1, round=2, options=Options(round_limit=limit))
    _, _, events = passed(state)
    assert any(isinstance(event, ev.GameEnded) for event in events) == over
    if over:
        assert events[-1] == ev.GameEnded("round_limit", (0, 1))


@pytest.mark.rule("KA-17.3")
def test_round_is_not_over_before_all_have_played() -> None:
    state = position(DUEL, active=0, round=2, options=Options(round_limit=2))
    _, _, events = passed(state)
    assert not any(isinstance(event, ev.GameEnded) for event in events)


@pytest.mark.rule("KA-17.3")
@pytest.mark.parametrize(
    ("more", "gold", "winners"),
    [
        ("", (0, 0, 0), (0, 1, 2)),
        ("", (0, 2, 2), (1, 2)),
        ("", (9, 0, 0), (0,)),
        ("A1 1 shield", (9, 0, 0), (1,)),
        ("A2 2 archer", (9, 0, 0), (2,)),
        ("A2 2 archer\nB3 1 shield shield", (0, 0, 0), (2,)),
        ("A2 2 #0 archer\nB2 1 shield\nC2 1 shield", (0, 0, 0), (2,)),
    ],
)
def test_score_counts_castles_then_tiles_units_and_gold(
    more: str, gold: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    text = more.replace("A1 1", "B3 1") + "\n"
    state = position(THREE + text, gold=gold)
    assert leaders(state) == winners


@pytest.mark.rule("KA-17.3")
def test_statistics_are_the_parts_of_the_score() -> None:
    state = position(DUEL + "B1 0 archer", gold=(3, 4))
    assert score(state, 0) == (1, 2, 3, 3)
    assert statistics(state) == {
        "castles": (1, 1),
        "tiles": (2, 1),
        "units": (3, 2),
        "gold": (3, 4),
    }


def test_turn_has_six_phases() -> None:
    assert len(TURN_PHASES) == 6
    assert len(army(0)) == 17


# -- resigning before the first turn ---------------------------------------------------------------


@pytest.mark.rule("KA-8.4", "KA-5")
@pytest.mark.parametrize("phase", ["world", "realms", "castles", "deployment"])
def test_seat_may_resign_in_the_setup_and_the_others_continue(phase: str) -> None:
    state = begun(3, "drawn")
    gone: int | None = None
    for number in range(60):
        (seat,) = owing(state)
        assert seat != gone
        if state.phase == phase and gone is None:
            gone = seat
        resigns = gone == seat
        command = do.Resign() if resigns else next(offers(view(state, seat)))
        state = after(state, seat, command, Seeded(b"set-up", number, "dice"))
        if state.phase not in SETUP_PHASES:
            break
    assert state.phase in TURN_PHASES
    assert sorted(living(state)) == sorted({0, 1, 2} - {gone})
    assert state.active in living(state)


@pytest.mark.rule("KA-8.4", "KA-17.1")
def test_other_of_two_seats_wins_if_one_resigns_in_the_setup() -> None:
    state = begun(2, "drawn")
    (seat,) = owing(state)
    state = after(state, seat, do.Resign())
    assert (state.reason, state.winners) == ("last_crown", (1 - seat,))
