"""Orders, ranks, cries and seals."""

from __future__ import annotations

import pytest

from engine.core.ids import PUBLIC
from engine.core.record import replace
from tests.rulesets.toy.places import SEAL, begun, march, now, placed, play, refused
from tests.toy import RULES
from tests.toy import commands as do
from tests.toy import events as ev
from tests.toy.refusal import Refusal
from tests.toy.state import Clan

FIELD = placed((0, 0, 0, 2), (0, 0, 0, 3), (1, 3, 0, 2), (1, 3, 2, 3))
START = begun(FIELD)


@pytest.mark.rule("T-ORDER-1")
def test_an_order_leads_one_or_two_hexes_over_land() -> None:
    for path in (((1, 0),), ((0, 1),), ((1, 0), (2, 0)), ((0, 1), (1, 1)), ((1, 0), (0, 0))):
        state, _ = play(START, (0, march(1, *path)))
        assert state.orders[1].path == path


@pytest.mark.rule("T-ORDER-1")
@pytest.mark.parametrize(
    "path",
    [(), ((0, 0),), ((2, 0),), ((1, 0), (2, 0), (3, 0)), ((1, 0), (3, 0)), ((-1, 0),), ((1, 1),)],
)
def test_an_order_that_leads_elsewhere_is_refused(path: tuple[tuple[int, int], ...]) -> None:
    refused(START, 0, march(1, *path), Refusal.NO_WAY, "T-ORDER-1")


@pytest.mark.rule("T-ORDER-1")
def test_nobody_marches_into_water() -> None:
    state = begun(placed((0, 1, 1, 2), (1, 3, 0, 2)))
    refused(state, 0, march(1, (2, 1)), Refusal.NO_WAY, "T-ORDER-1")


@pytest.mark.rule("T-ORDER-1")
def test_only_ones_own_living_bands_take_orders() -> None:
    refused(START, 0, march(3, (2, 0)), Refusal.NOT_YOURS, "T-ORDER-1")
    refused(START, 0, march(9, (2, 0)), Refusal.NO_SUCH_BAND, "T-ORDER-1")


@pytest.mark.rule("T-ORDER-1")
def test_orders_are_secret() -> None:
    state, events = play(START, (0, march(1, (1, 0))))
    assert RULES.view(state, 0).orders.keys() == {1}
    for viewer in (1, PUBLIC):
        assert not RULES.view(state, viewer).orders
        assert RULES.redact(events[0], START, state, viewer) is None


@pytest.mark.rule("T-ORDER-2")
def test_a_new_order_replaces_the_old_one() -> None:
    state, _ = play(START, (0, march(1, (1, 0))), (0, march(1, (0, 1))))
    assert state.orders[1].path == ((0, 1),)
    assert len(state.orders) == 1


@pytest.mark.rule("T-ORDER-3")
def test_orders_can_be_dropped() -> None:
    state, _ = play(START, (0, march(1, (1, 0))), (0, march(2, (1, 0))))
    dropped, events = play(state, (0, do.DropOrders((2, 1))))
    assert not dropped.orders
    assert events == [ev.OrdersDropped((1, 2))]
    assert RULES.redact(events[0], state, dropped, 1) is None
    for bands in ((), (1, 1), (1, 9)):
        code = Refusal.NO_SUCH_BAND if 9 in bands else Refusal.NO_ORDER
        rule = "T-ORDER-1" if 9 in bands else "T-ORDER-3"
        refused(state, 0, do.DropOrders(bands), code, rule)
    refused(dropped, 0, do.DropOrders((1,)), Refusal.NO_ORDER, "T-ORDER-3")


@pytest.mark.rule("T-RANK-1")
def test_ranks_name_every_living_band_and_stay_secret() -> None:
    state, events = play(START, (0, do.SetRanks((2, 1))))
    assert RULES.view(state, 0).clans[0].ranks == (2, 1)
    assert RULES.view(state, 1).clans[0].ranks == ()
    assert RULES.redact(events[0], START, state, 1) is None
    for ranks in ((), (1,), (1, 1), (1, 2, 3)):
        refused(START, 0, do.SetRanks(ranks), Refusal.BAD_RANKS, "T-RANK-1")


@pytest.mark.rule("T-CRY-1")
def test_a_cry_is_heard_by_all_once_a_round() -> None:
    state, events = play(START, (0, do.RaiseCry("Käse " * 8)))
    assert RULES.redact(events[0], START, state, 1) == events[0]
    refused(state, 0, do.RaiseCry("Again"), Refusal.BAD_CRY, "T-CRY-1")
    later, _ = play(state, (0, SEAL), (1, SEAL))
    assert play(later, (0, do.RaiseCry("Again")))[1]


@pytest.mark.rule("T-CRY-1")
@pytest.mark.parametrize("text", ["", "x" * 41, "two\nlines", "\x1b[2J"])
def test_a_cry_is_one_line_of_forty_signs(text: str) -> None:
    refused(START, 0, do.RaiseCry(text), Refusal.BAD_CRY, "T-CRY-1")


@pytest.mark.rule("T-SEAL-1")
def test_after_the_seal_there_are_no_more_orders() -> None:
    state, _ = play(START, (0, march(1, (1, 0))), (0, SEAL))
    commands: list[do.AnyCommand] = [
        march(1, (0, 1)),
        do.DropOrders((1,)),
        do.SetRanks((2, 1)),
        do.RaiseCry("Late"),
        SEAL,
    ]
    for command in commands:
        refused(state, 0, command, Refusal.NOT_NOW, "T-SEAL-1")
    assert RULES.owes(state) == {1}


@pytest.mark.rule("T-SEAL-1")
def test_a_clan_stakes_lanterns_it_has_and_nobody_sees_it() -> None:
    rich = begun(replace(FIELD, now=replace(now(2), clans=(Clan(0, lanterns=2), Clan(1)))))
    for stake in (-1, 3):
        refused(rich, 0, do.SealOrders(stake), Refusal.BAD_STAKE, "T-SEAL-1")
    state, events = play(rich, (0, do.SealOrders(2)))
    assert state.clans[0].stake == RULES.view(state, 0).clans[0].stake == 2
    assert RULES.view(state, 1).clans[0].stake == 0
    told = [RULES.redact(event, rich, state, 1) for event in events]
    assert told == [None, ev.OrdersSealed(0)]


@pytest.mark.rule("T-SEAL-1")
def test_there_are_no_stakes_where_the_option_says_so() -> None:
    field = replace(FIELD, now=replace(now(2), clans=(Clan(0, lanterns=2), Clan(1))))
    refused(begun(field, stakes="off"), 0, do.SealOrders(1), Refusal.BAD_STAKE, "T-SEAL-1")


@pytest.mark.rule("T-SEAL-2")
def test_all_march_when_the_last_has_sealed() -> None:
    state, _ = play(START, (1, SEAL), (0, march(1, (1, 0))))
    assert state.round == 1
    state, events = play(state, (0, SEAL))
    assert events[1] == ev.MarchBegan((0, 0), (0, 0))
    assert state.round == 2
    assert RULES.owes(state) == {0, 1}
