"""Setting up."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.dice import Scripted
from engine.core.options import OptionFault
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from tests.rulesets.toy.places import SEAL, begun, march, now, placed, play
from tests.toy import RULES
from tests.toy.state import Clan, Lost, Order, Placed

DUEL = placed((0, 0, 0, 2), (1, 3, 0, 2))
MET = placed((0, 1, 1, 2), (1, 1, 1, 2), (0, 0, 0, 3), (1, 1, 0, 3))


@pytest.mark.rule("T-SETUP-1")
@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"clans": 1}, "clans"),
        ({"clans": 4}, "clans"),
        ({"rounds": 0}, "rounds"),
        ({"rows": ()}, "rows"),
        ({"rows": ("",)}, "rows[0]"),
        ({"rows": ("..", ".")}, "rows[1]"),
        ({"rows": ("....", ".x..")}, "rows[1]"),
        ({"rows": ("." * 41,)}, "rows[0]"),
        ({"bands": (Placed(0, 0, 0), Placed(1, 2, 1))}, "bands[1]"),
        ({"bands": (Placed(0, 0, 0), Placed(1, 4, 0))}, "bands[1]"),
        ({"bands": (Placed(0, 0, 0), Placed(1, 0, -1))}, "bands[1]"),
        ({"bands": (Placed(0, 0, 0), Placed(1, 0, 0))}, "bands[1]"),
        ({"bands": (Placed(0, 0, 0), Placed(2, 3, 0))}, "bands"),
        ({"bands": (Placed(0, 0, 0), Placed(1, 3, 0), Placed(9, 3, 0))}, "bands[2].clan"),
        ({"bands": (Placed(0, 0, 0),)}, "bands"),
        ({"bands": (Placed(0, 0, 0), Placed(1, 3, 0, alive=False))}, "bands[1].alive"),
    ],
)
def test_a_map_that_cannot_be_played_is_refused(change: dict[str, Any], place: str) -> None:
    with pytest.raises(ScenarioFault) as caught:
        RULES.check(replace(DUEL, **change))
    assert caught.value.place == place


@pytest.mark.rule("T-SETUP-2")
def test_strengths_are_dealt_at_random_among_the_bands_of_each_clan() -> None:
    field = placed((0, 0, 0, 0), (0, 0, 1, 0), (1, 3, 0, 0), (1, 3, 1, 0), strengths=(1, 5))
    dealt = begun(field, throws=[2, 1])
    assert [band.strength for band in dealt.bands.values()] == [1, 5, 5, 1]


@pytest.mark.rule("T-SETUP-2")
def test_a_strength_is_known_to_its_own_clan_only() -> None:
    state = begun(DUEL)
    assert [band.strength for band in RULES.view(state, 0).bands.values()] == [2, 0]
    assert [band.strength for band in RULES.view(state, 1).bands.values()] == [0, 2]
    assert RULES.view(state, 0).strengths == (2,)


@pytest.mark.rule("T-SETUP-2", "T-SETUP-3")
@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"strengths": ()}, "strengths"),
        ({"strengths": (0,)}, "strengths"),
        ({"strengths": (3,)}, "bands"),
        ({"bands": (Placed(0, 0, 0, known=True), Placed(1, 3, 0))}, "bands[0].known"),
    ],
)
def test_strengths_must_be_those_of_the_scenario(change: dict[str, Any], place: str) -> None:
    with pytest.raises(ScenarioFault) as caught:
        RULES.check(replace(DUEL, **change))
    assert caught.value.place == place


@pytest.mark.rule("T-SETUP-3")
def test_strengths_that_are_given_are_not_dealt() -> None:
    field = placed((0, 0, 0, 5), (0, 0, 1, 0), (1, 3, 0, 0), (1, 3, 1, 0), strengths=(1, 5))
    assert [band.strength for band in begun(field, throws=[1]).bands.values()][:2] == [5, 1]


@pytest.mark.rule("T-SETUP-3")
def test_a_position_holds_orders_ranks_and_stakes() -> None:
    clans = (Clan(0, lanterns=3, ranks=(1,)), Clan(1, lanterns=2, stake=2, sealed=True))
    order = Order(1, ((1, 0),))
    field = replace(DUEL, now=replace(now(2), clans=clans, orders=(order,), round=2))
    state = begun(field)
    assert state.clans.rows() == clans
    assert state.orders.rows() == (order,)
    assert state.round == 2
    assert RULES.owes(state) == {0}


@pytest.mark.rule("T-SETUP-3")
@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"round": 4}, "now.round"),
        ({"clans": (Clan(0),)}, "now.clans"),
        ({"clans": (Clan(1), Clan(0))}, "now.clans"),
        ({"clans": (Clan(0), Clan(1, playing=False))}, "now.clans[1].playing"),
        ({"clans": (Clan(0, lanterns=-1), Clan(1))}, "now.clans[0].lanterns"),
        ({"clans": (Clan(0, stake=1), Clan(1))}, "now.clans[0].stake"),
        ({"clans": (Clan(0, ranks=(2,)), Clan(1))}, "now.clans[0].ranks"),
        ({"clans": (Clan(0, ranks=(1, 1)), Clan(1))}, "now.clans[0].ranks"),
        ({"clans": (Clan(0, sealed=True), Clan(1, sealed=True))}, "now.clans"),
        ({"orders": (Order(9, ((1, 0),)),)}, "now.orders"),
        ({"orders": (Order(1, ((3, 0),)),)}, "now.orders"),
        ({"orders": (Order(1, ((1, 0),)),) * 2}, "now.orders"),
        ({"marched": True}, "now.marched"),
        ({"lost": (Lost(0, 1, 0),), "marched": True}, "now.lost"),
        ({"winners": (0,)}, "now.winners"),
        ({"reason": "last"}, "now.winners"),
        ({"reason": "last", "winners": (7,)}, "now.winners"),
    ],
)
def test_a_position_in_which_nobody_can_go_on_is_refused(
    change: dict[str, Any], place: str
) -> None:
    with pytest.raises(ScenarioFault) as caught:
        RULES.check(replace(DUEL, now=replace(now(2), **change)))
    assert caught.value.place == place


@pytest.mark.rule("T-SETUP-3", "T-RETREAT-1")
def test_a_position_may_be_one_of_retreats() -> None:
    field = replace(MET, now=now(2, marched=True, lost=(Lost(0, 1, 1),)))
    state = begun(field)
    assert RULES.owes(state) == {0}
    with pytest.raises(ScenarioFault, match="not settled who holds 1,1"):
        RULES.check(replace(MET, now=now(2)))
    with pytest.raises(ScenarioFault, match="twice"):
        RULES.check(replace(MET, now=now(2, marched=True, lost=(Lost(0, 1, 1),) * 2)))


@pytest.mark.rule("T-SETUP-3", "T-RETREAT-2")
def test_a_retreat_that_is_due_must_be_possible() -> None:
    pressed = replace(MET, rows=("~.~~", "~*~~", "~~~~"), bands=(*MET.bands[:2], *_corner()))
    with pytest.raises(ScenarioFault, match="no way to retreat"):
        RULES.check(replace(pressed, now=now(2, marched=True, lost=(Lost(0, 1, 1),))))


def _corner() -> tuple[Placed, ...]:
    return (Placed(0, 1, 1, 3), Placed(1, 1, 0, 3))


def test_options_override_the_scenario() -> None:
    assert begun(DUEL, rounds=7).rounds == 7
    assert begun(DUEL).options.stakes == "on"
    assert begun(DUEL, stakes="off").options.stakes == "off"
    late = replace(DUEL, now=now(2, round=3))
    with pytest.raises(OptionFault, match="round 3 is being played"):
        RULES.begin(late, {"rounds": 2}, Scripted())


def test_a_position_after_the_end_stays_at_its_end() -> None:
    state, _ = play(begun(replace(DUEL, rounds=1)), (0, march(1, (0, 1))), (0, SEAL), (1, SEAL))
    assert RULES.outcome(begun_again(state)) == RULES.outcome(state) is not None


def begun_again(state: Any) -> Any:
    """The position, taken out and set up again."""
    again = RULES.empty()
    for event in RULES.begin(RULES.position(state), {}, Scripted()):
        again = RULES.evolve(again, event)
    return again
