"""Lanterns, beaten clans, the end."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.core.ruleset import Outcome
from tests.rulesets.toy.places import SEAL, begun, march, now, placed, play, refused
from tests.toy import RULES
from tests.toy import commands as do
from tests.toy import events as ev
from tests.toy.refusal import Refusal
from tests.toy.state import Clan, Lost

THREE = placed((0, 0, 0, 2), (1, 3, 0, 2), (2, 3, 2, 2))


@pytest.mark.rule("T-SHRINE-1")
def test_who_stands_on_a_shrine_gets_a_lantern_at_the_end_of_each_round() -> None:
    state = begun(placed((0, 1, 1, 2), (1, 3, 0, 2)))
    state, events = play(state, (0, SEAL), (1, SEAL))
    assert ev.LanternLit(0, 1, 1, 1) in events
    state, events = play(state, (0, SEAL), (1, SEAL))
    assert ev.LanternLit(0, 1, 1, 2) in events
    assert RULES.statistics(state) == {"lanterns": (2, 0), "bands": (1, 1)}


@pytest.mark.rule("T-OUT-1", "T-WIN-1")
def test_a_clan_without_bands_is_out_and_the_last_one_wins() -> None:
    state = begun(THREE)
    moves = ((0, march(1, (1, 0), (2, 0))), (1, march(2, (2, 0))), (0, SEAL), (1, SEAL), (2, SEAL))
    state, events = play(state, *moves, throws=[6, 1])
    assert ev.ClanLeft(1, resigned=False) in events
    assert not RULES.may(state, 1)
    assert RULES.owes(state) == {0, 2}
    refused(state, 1, SEAL, Refusal.GAME_OVER, "T-OUT-1")
    state, events = play(state, (2, do.Resign()))
    assert events[-1] == ev.GameEnded("last", (0,))
    assert RULES.outcome(state) == Outcome("last", (0,))
    refused(state, 0, SEAL, Refusal.GAME_OVER, "T-OUT-1")


@pytest.mark.rule("T-OUT-2")
def test_a_clan_that_has_sealed_may_still_resign_and_shows_nothing() -> None:
    state, _ = play(begun(THREE), (1, march(2, (2, 0))), (1, SEAL))
    state, events = play(state, (1, do.Resign()))
    assert events == [ev.BandFell(2), ev.ClanLeft(1, resigned=True)]
    assert not state.orders
    assert RULES.view(state, 0).bands[2].strength == 0
    assert RULES.owes(state) == {0, 2}


@pytest.mark.rule("T-OUT-2", "T-SEAL-2")
def test_all_march_if_the_one_they_waited_for_resigns() -> None:
    state, _ = play(begun(THREE), (0, SEAL), (2, SEAL))
    state, events = play(state, (1, do.Resign()))
    assert ev.MarchBegan((0, 0, 0), (0, 0, 0)) in events
    assert state.round == 2


@pytest.mark.rule("T-OUT-2", "T-RETREAT-1")
def test_a_retreat_that_is_due_is_over_with_a_resignation() -> None:
    field = placed(
        (0, 1, 2, 2), (1, 1, 2, 2), (2, 3, 2, 2), now=now(3, marched=True, lost=(Lost(0, 1, 2),))
    )
    state, _ = play(begun(field), (0, do.Resign()))
    assert not state.lost
    assert state.round == 2


@pytest.mark.rule("T-WIN-2")
@pytest.mark.parametrize(
    ("lanterns", "winners"), [((0, 0, 0), (0, 1, 2)), ((0, 2, 1), (1,)), ((2, 0, 2), (0, 2))]
)
def test_after_the_last_round_the_most_lanterns_win(
    lanterns: tuple[int, int, int], winners: tuple[int, ...]
) -> None:
    clans = tuple(Clan(number, lanterns=count) for number, count in enumerate(lanterns))
    state = begun(replace(THREE, now=replace(now(3), clans=clans, round=3)))
    state, events = play(state, (0, SEAL), (1, SEAL), (2, SEAL))
    assert events[-1] == ev.GameEnded("lanterns", winners)
    assert RULES.owes(state) == frozenset()


@pytest.mark.rule("T-WIN-2")
def test_a_clan_that_is_out_does_not_win_by_lanterns() -> None:
    clans = (Clan(0), Clan(1, lanterns=5), Clan(2, lanterns=1))
    state = begun(replace(THREE, now=replace(now(3), clans=clans, round=3)))
    state, events = play(state, (1, do.Resign()), (0, SEAL), (2, SEAL))
    assert events[-1] == ev.GameEnded("lanterns", (2,))
