"""Facts of events, and the odds they had."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given, settings

from engine.core.containers import Roster
from engine.core.dice import Scripted
from engine.core.notation import read
from engine.core.record import replace
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.commands import AnyCommand
from engine.rulesets.weltendaemmerung.events import (
    AnyEvent,
    AttackMade,
    AttacksGiven,
    BuildingBroken,
    PointsRestored,
    UnitDestroyed,
)
from engine.rulesets.weltendaemmerung.fighting import forecast
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.state import Options, Site, State
from engine.rulesets.weltendaemmerung.telling import FACTS, LOSSES
from engine.tabletop.fact import Fact, Odds
from tests.rulesets.weltendaemmerung.small import DUEL, positions, state, unit

BATTLE = replace(
    DUEL, phase=1, units=DUEL.units.put(unit(0, "sword", 0, 0, b=1), unit(1, "axe", 1, 1, v=6))
)


def facts(position: State, line: str, *throws: int) -> list[Fact]:
    """Facts of a command, event by event."""
    command: AnyCommand = read(line, RULES.command_type)  # type: ignore[assignment]  # read() types all commands alike
    found: list[Fact] = []
    for event in RULES.decide(position, position.player, command, Scripted(throws)):
        after = RULES.evolve(position, event)
        found += PRESENTER.facts(event, RULES.view(position, 0), RULES.view(after, 0))
        position = after
    return found


@pytest.mark.rule("WD-MOVE-2")
def test_a_step_is_a_move_with_its_price() -> None:
    assert facts(DUEL, "step unit=0 direction=right") == [
        Fact("move", 0, at=(1, 0), source=(0, 0), piece="sword bearers", amount=1)
    ]


@pytest.mark.rule("WD-ATT-3", "WD-RNG-1")
def test_an_attack_comes_with_the_odds_it_had() -> None:
    (hit,) = facts(BATTLE, "attack unit=0 at=1,1", 2)
    assert hit == Fact(
        "attack",
        seat=0,
        other=1,
        at=(1, 1),
        source=(0, 0),
        piece="sword bearers",
        target="axe men",
        won=False,
        chance=(5, 8),
        amount=5,
        odds=Odds(((4, 1), (5, 2), (6, 2), (7, 2), (8, 1))),
    )
    assert hit.odds is not None
    assert hit.odds.mean == 6
    assert hit.odds.variance == Fraction(3, 2)


def test_the_odds_of_an_old_attack_stand_on_the_value_it_was_made_with() -> None:
    hit = AttackMade(0, 1, 2, modifier=1, damage=21, v_left=0, b_left=0)
    (fact,) = PRESENTER.facts(hit, RULES.view(BATTLE, 0), RULES.view(BATTLE, 0))
    assert fact.odds == Odds(((20, 1), (21, 2), (22, 2), (23, 2), (24, 1)))


@pytest.mark.rule("WD-WIN-2")
def test_a_fatal_attack_is_won_and_leaves_a_loss_and_an_end() -> None:
    hit, loss, end = facts(BATTLE, "attack unit=0 at=1,1", 8)
    assert (hit.won, hit.amount) == (True, 8)
    assert loss == Fact("loss", 1, 0, at=(1, 1), piece="axe men")
    assert end == Fact("end", 0, 1, target="the fall of the last unit")


@pytest.mark.rule("WD-RNG-3")
def test_in_the_fixed_circle_chance_has_one_face() -> None:
    circle = replace(BATTLE, options=Options(chance="c64_cycle"), cycle=(7,) * 256)
    hit, *_ = facts(circle, "attack unit=0 at=1,1")
    assert (hit.chance, hit.odds) == ((1, 1), Odds(((8, 1),)))


@pytest.mark.rule("WD-SIEGE-3")
def test_a_siege_is_a_capture_without_chance() -> None:
    rows = ("G..#",)
    gate = Roster([Site(0, 0, 0)])
    here = state(rows, unit(0, "catapult", 2, 0, b=1), sites=gate, phase=1, player=1, frontier=2)
    assert facts(here, "attack unit=0 at=0,0") == [
        Fact("capture", 1, 0, at=(0, 0), source=(2, 0), piece="catapult", target="gate")
    ]
    (wall,) = facts(here, "attack unit=0 at=3,0")
    assert (wall.other, wall.target, wall.chance) == (1, "wall", None)


@pytest.mark.rule("WD-GATE-3")
def test_a_worked_gate_is_work() -> None:
    assert facts(replace(DUEL, phase=2), "gate at=2,1") == [
        Fact("work", 0, at=(2, 1), target="gate")
    ]


def test_the_events_without_facts_and_with_losses_are_these() -> None:
    assert FACTS.missing(AnyEvent) == (AttacksGiven, PointsRestored)
    assert {UnitDestroyed, BuildingBroken} == set(get_args(AnyEvent)) - set(
        LOSSES.missing(AnyEvent)
    )


@pytest.mark.rule("WD-TURN-1", "WD-TURN-3")
def test_phases_and_rounds_are_told() -> None:
    assert facts(DUEL, "end-phase") == [Fact("phase", 1, target="Bewegungsphase")]
    last = facts(replace(DUEL, phase=2, player=1), "end-phase")
    assert last == [
        Fact("round", target="round 1", amount=1),
        Fact("phase", 0, target="Bewegungsphase"),
    ]


@settings(max_examples=60)
@given(positions())
def test_chance_and_mean_are_those_of_the_forecast(position: State) -> None:
    position = replace(position, phase=1)
    for command in RULES.offers(RULES.view(position, position.player)):
        event, *_ = RULES.decide(position, position.player, command, Scripted([3]))
        if isinstance(event, AttackMade):
            before, after = position, RULES.evolve(position, event)
            (hit,) = PRESENTER.facts(event, RULES.view(before, 0), RULES.view(after, 0))
            victim = position.units[event.victim]
            weighed = forecast(position, position.units[event.unit], victim.x, victim.y)
            assert weighed is not None
            assert hit.chance is not None
            assert hit.odds is not None
            assert Fraction(*hit.chance) == weighed.chance
            assert hit.odds.mean == weighed.mean
