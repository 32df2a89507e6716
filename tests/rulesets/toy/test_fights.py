"""Marches, fights and retreats."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from tests.rulesets.toy.places import SEAL, begun, march, now, placed, play, refused
from tests.toy import RULES
from tests.toy import commands as do
from tests.toy import events as ev
from tests.toy.refusal import Refusal
from tests.toy.state import Clan, Lost

DUEL = begun(placed((0, 0, 0, 2), (0, 0, 2, 3), (1, 2, 0, 3), (1, 3, 2, 2)))
MEET = ((0, march(1, (1, 0))), (1, march(3, (1, 0))), (0, SEAL), (1, SEAL))


def kinds(events: list[ev.AnyEvent], *wanted: type[ev.AnyEvent]) -> list[ev.AnyEvent]:
    """The events of these kinds."""
    return [event for event in events if isinstance(event, wanted)]


@pytest.mark.rule("T-MARCH-1")
def test_all_arrive_at_once_so_that_bands_may_change_places() -> None:
    moves = ((0, march(1, (1, 0), (2, 0))), (1, march(3, (1, 0), (0, 0))), (0, SEAL), (1, SEAL))
    state, events = play(DUEL, *moves)
    assert not kinds(events, ev.FightWon)
    assert (state.bands[1].x, state.bands[3].x) == (2, 0)
    assert not state.orders


@pytest.mark.rule("T-MARCH-1")
def test_stakes_are_shown_and_spent() -> None:
    clans = (Clan(0, lanterns=3), Clan(1, lanterns=1))
    field = placed((0, 0, 0, 2), (1, 3, 0, 2), now=replace(now(2), clans=clans))
    state, events = play(begun(field), (0, do.SealOrders(2)), (1, SEAL))
    assert kinds(events, ev.MarchBegan) == [ev.MarchBegan((2, 0), (1, 1))]
    assert [clan.lanterns for clan in state.clans.values()] == [1, 1]
    assert [clan.stake for clan in state.clans.values()] == [0, 0]


@pytest.mark.rule("T-FIGHT-1")
def test_bands_that_meet_show_their_strengths_for_good() -> None:
    assert RULES.view(DUEL, 0).bands[3].strength == 0
    state, events = play(DUEL, *MEET, throws=[6, 1])
    assert kinds(events, ev.BandsShown) == [ev.BandsShown((1, 3), (2, 3))]
    assert RULES.view(state, 0).bands[3].strength == 3
    assert state.bands[3].known
    assert not state.bands[4].known


@pytest.mark.rule("T-FIGHT-1")
def test_fights_go_from_top_to_bottom() -> None:
    moves = (
        (0, march(1, (1, 0))),
        (1, march(3, (1, 0))),
        (0, march(2, (1, 2))),
        (1, march(4, (2, 2), (1, 2))),
        (1, SEAL),
        (0, SEAL),
    )
    _, events = play(DUEL, *moves, throws=[6, 1, 6, 1])
    where = [(event.x, event.y) for event in events if isinstance(event, ev.FightWon)]
    assert where == [(1, 0), (1, 2)]


@pytest.mark.rule("T-FIGHT-2")
@pytest.mark.parametrize(("throws", "winner"), [([6, 1], 0), ([1, 6], 1), ([3, 2], 0), ([2, 2], 1)])
def test_strength_and_die_decide_and_of_equals_the_first_wins(
    throws: list[int], winner: int
) -> None:
    _, events = play(DUEL, *MEET, throws=throws)
    sums = ((0, 2 + throws[0]), (1, 3 + throws[1]))
    assert kinds(events, ev.FightWon) == [ev.FightWon(1, 0, winner, sums)]


@pytest.mark.rule("T-FIGHT-2")
def test_a_stake_counts_in_every_fight() -> None:
    clans = (Clan(0, lanterns=3), Clan(1))
    field = placed((0, 0, 0, 2), (1, 2, 0, 2), now=replace(now(2), clans=clans))
    moves = ((0, march(1, (1, 0))), (1, march(2, (1, 0))), (0, do.SealOrders(3)), (1, SEAL))
    _, events = play(begun(field), *moves, throws=[1, 3])
    assert kinds(events, ev.FightWon) == [ev.FightWon(1, 0, 0, ((0, 6), (1, 5)))]


STACK = placed((0, 1, 0, 2), (0, 1, 0, 3), (1, 2, 0, 3), (1, 3, 0, 2))
CHARGE = ((1, march(3, (1, 0))), (1, march(4, (2, 0), (1, 0))), (0, SEAL), (1, SEAL))


@pytest.mark.rule("T-FIGHT-3")
@pytest.mark.parametrize(("ranks", "fallen"), [((2, 1), 2), ((1, 2), 1), ((), 1)])
def test_the_foremost_of_a_beaten_clan_falls(ranks: tuple[int, ...], fallen: int) -> None:
    state = begun(replace(STACK, now=replace(now(2), clans=(Clan(0, ranks=ranks), Clan(1)))))
    state, events = play(state, *CHARGE, throws=[1, 6])
    assert kinds(events, ev.BandFell) == [ev.BandFell(fallen)]
    assert [band.id for band in state.bands.values() if not band.alive] == [fallen]


@pytest.mark.rule("T-RETREAT-1")
def test_the_rest_of_a_beaten_clan_retreats_where_it_wants() -> None:
    state, events = play(begun(STACK), *CHARGE, throws=[1, 6])
    assert kinds(events, ev.RetreatDue) == [ev.RetreatDue(0, 1, 0)]
    assert RULES.owes(state) == {0}
    for at in ((2, 1), (3, 0), (1, 0), (1, -1), (0, 2)):
        refused(state, 0, do.Retreat(at), Refusal.NO_WAY, "T-RETREAT-1")
    refused(state, 1, do.Retreat((0, 0)), Refusal.NOT_NOW, "T-RETREAT-1")
    refused(state, 0, SEAL, Refusal.NOT_NOW, "T-SEAL-1")
    state, events = play(state, (0, do.Retreat((1, 1))))
    assert events[0] == ev.BandsRetreated((2,), 1, 1)
    assert state.round == 2


@pytest.mark.rule("T-RETREAT-1")
def test_nobody_retreats_when_nothing_is_due() -> None:
    refused(DUEL, 0, do.Retreat((1, 0)), Refusal.NOT_NOW, "T-RETREAT-1")


@pytest.mark.rule("T-RETREAT-1")
def test_clans_retreat_one_after_the_other() -> None:
    field = placed(
        *((clan, 1, 2, 2) for clan in (0, 0)),
        *((clan, 1, 2, 2) for clan in (1, 1)),
        *((clan, 1, 2, 2) for clan in (2, 2)),
        now=now(3, marched=True, lost=(Lost(1, 1, 2), Lost(0, 1, 2))),
    )
    state = begun(field)
    assert RULES.owes(state) == {1}
    state, _ = play(state, (1, do.Retreat((2, 2))))
    assert RULES.owes(state) == {0}
    refused(state, 0, do.Retreat((2, 2)), Refusal.NO_WAY, "T-RETREAT-1")
    state, _ = play(state, (0, do.Retreat((0, 2))))
    assert state.round == 2


@pytest.mark.rule("T-RETREAT-2")
def test_bands_without_a_refuge_fall() -> None:
    rows = ("~..~", "~~~~", "~~~~")
    field = placed((0, 1, 0, 2), (0, 1, 0, 3), (1, 2, 0, 3), (1, 2, 0, 2), rows=rows)
    moves = ((1, march(3, (1, 0))), (0, SEAL), (1, SEAL))
    state, events = play(begun(field), *moves, throws=[1, 6])
    assert kinds(events, ev.BandFell) == [ev.BandFell(1), ev.BandFell(2)]
    assert kinds(events, ev.BandsRetreated) == [ev.BandsRetreated((), 1, 0)]
    assert state.reason == "last"
    assert state.winners == (1,)
