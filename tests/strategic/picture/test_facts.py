"""Facts of events for statistics, and losses."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.rulesets.warlords2.evolve import evolve
from engine.strategic import events as ev
from engine.strategic.pieces import NOBODY as NOBODY_OWNS
from engine.tabletop.board import NOBODY
from engine.tabletop.fact import Fact, LossRow
from tests.strategic.picture.sentence_cases import BATTLE, LAND, SAID, STORMHEIM
from tests.strategic.picture.stage import PICTURE, shown


def facts(event: ev.AnyEvent) -> tuple[Fact, ...]:
    return PICTURE.facts(event, shown(LAND, -3), shown(evolve(LAND, event), -3))


def losses(event: ev.AnyEvent) -> tuple[LossRow, ...]:
    return PICTURE.losses(event, shown(LAND, -3), shown(evolve(LAND, event), -3))


def test_march_is_a_move_from_its_start() -> None:
    (fact,) = facts(ev.GroupMoved((1, 2), ((4, 2), (4, 1)), (8, 6), (False, False)))
    assert (fact.kind, fact.seat, fact.source, fact.at) == ("move", 0, (4, 3), (4, 1))
    assert (fact.piece, fact.amount) == ("hero 1 and Archers", 2)


@pytest.mark.rule("W2-8.5")
def test_a_battle_is_an_attack_with_its_chance_and_its_losses() -> None:
    attack, mine, theirs = facts(BATTLE)
    assert (attack.kind, attack.seat, attack.other, attack.won) == ("attack", 0, 1, True)
    assert attack.chance is not None
    won, of = attack.chance
    # A duel of 4 against 2; if it is lost, a duel of 6 against 2. The second hero is shielded.
    first = 4 * 18 / (4 * 18 + 2 * 16)
    assert won / of > first**2 * (3 - 2 * first)
    assert (mine.kind, mine.seat, mine.other, mine.piece) == ("loss", 0, 1, "Archers")
    assert (theirs.kind, theirs.seat, theirs.other, theirs.amount) == ("loss", 1, 0, 1)


def test_won_battle_has_a_positive_chance() -> None:
    hopeless = replace(
        BATTLE,
        attackers=(ev.Fighter(2, 6, 1),),
        defenders=tuple(ev.Fighter(9, 2, 15) for _ in range(1)),
        duels=(ev.Duel(2, 9, (16, 1, 16, 1), won=True),),
    )
    (attack, _) = facts(hopeless)
    assert attack.chance is not None
    assert 0 < attack.chance[0] < attack.chance[1]


def test_losses_in_a_battle_are_not_counted_twice() -> None:
    assert facts(ev.ArmiesRemoved((2,), "battle")) == ()
    (fact,) = facts(ev.ArmiesRemoved((2,), "disbanded"))
    assert (fact.kind, fact.seat, fact.piece, fact.amount) == ("loss", 0, "Archers", 1)


def test_taken_city_is_a_capture() -> None:
    taken = ev.CityTaken(replace(STORMHEIM, owner=0), 1, 50, ((0, 150), (1, 0)), (0, 0, 0, 0))
    (fact,) = facts(taken)
    assert (fact.kind, fact.seat, fact.other, fact.target) == ("capture", 0, 1, "Stormheim")
    (loss,) = losses(taken)
    assert (loss.seat, loss.other, loss.what, loss.cause, loss.pieces) == (
        1,
        0,
        "Stormheim",
        "taken",
        0,
    )


def razed_by(side: int) -> Fact:
    """Return the fact of a side razing Stormheim, which belonged to side 1."""
    ruin = replace(STORMHEIM, owner=NOBODY_OWNS, razed=True)
    (fact,) = facts(ev.CityRazed(ruin, side, 0, (0, 0, 0, 0)))
    return fact


def test_razing_is_a_capture_from_the_former_owner() -> None:
    theirs, own = razed_by(0), razed_by(1)
    assert (theirs.kind, theirs.seat, theirs.other) == ("capture", 0, 1)
    assert theirs.target == "Stormheim (razed)"
    assert (own.seat, own.other) == (1, NOBODY)


def test_losses_of_a_battle_have_a_row_for_each_side() -> None:
    rows = losses(BATTLE)
    assert [(row.seat, row.other, row.what, row.cause, row.pieces) for row in rows] == [
        (0, 1, "Archers", "battle", 1),
        (1, 0, "Light Infantry", "battle", 1),
    ]


def test_a_search_with_a_guardian_is_an_attack_with_a_chance() -> None:
    (fact,) = facts(ev.SiteSearched(1, LAND.sites[1], 1, 99, 81, died=True))
    assert (fact.kind, fact.won, fact.chance) == ("attack", False, (81, 100))


@pytest.mark.parametrize("event", [row[1] for row in SAID if row[0] is LAND])
def test_facts_and_losses_agree_about_every_event(event: ev.AnyEvent) -> None:
    """Both count the same number of lost pieces, and no side loses to itself."""
    found, rows = facts(event), losses(event)
    for seat in (0, 1):
        lost = [fact for fact in found if fact.kind == "loss" and fact.seat == seat]
        pieces = sum(row.pieces for row in rows if row.seat == seat)
        assert pieces == sum(fact.amount or 1 for fact in lost)
    assert all(row.other != row.seat for row in rows)
    assert all(fact.seat != fact.other or fact.seat == NOBODY for fact in found)
