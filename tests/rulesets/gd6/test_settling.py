"""Settling rounds: seats that choose again, seats that wait, and the end of a stand-off."""

from __future__ import annotations

import pytest

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.numbers import numbers
from tests.rulesets.gd6.table import HOUSE, begin, land, of_kind, player, refused, say, seal

COAST = """
borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 8], [8, 9], [9, 10]]
seats = 3
"""


@pytest.mark.rule("GD-HQ-5")
def test_failed_seats_choose_again_while_the_others_wait() -> None:
    game = begin(COAST)
    say(game, 0, "hq at=1", "spawn at=2 count=2", "seal")
    say(game, 1, "hq at=5", "spawn at=5 count=2", "seal")
    say(game, 2, "hq at=4", "spawn at=4 count=2")
    events = seal(game, 2)
    failed = of_kind(events, ev.HqRoundFailed)
    assert failed == [ev.HqRoundFailed(((0, 1), (2, 4), (1, 5)), (1, 2), 1)]
    assert events[-1] is failed[0]
    assert land(game, 1).hq == 0
    assert land(game, 2).owner == -1, "nothing after settling has happened"
    assert game.state.turn == 1
    assert game.rules.owes(game.state) == {1, 2}
    assert refused(game, 0, "unseal").code == "list_fixed"
    assert len(player(game, 1).orders) == 2, "the list is there to be rewritten"
    say(game, 1, "drop places=0>1", "hq at=7", "spawn at=7 count=1", "seal")
    say(game, 1, "unseal", "seal")
    say(game, 2, 'list lines="hq at=10">"spawn at=9 count=2"')
    events = seal(game, 2)
    assert [event.phase for event in of_kind(events, ev.PhaseBegan)] == [
        "inventory",
        "movement",
        "final",
    ]
    assert (land(game, 2).army, land(game, 7).army, land(game, 9).army) == (2, 1, 2)
    assert game.state.turn == 2
    assert game.state.failed_rounds == 0
    assert game.state.choosing == ()


@pytest.mark.rule("GD-HQ-5")
def test_natural_phase_and_snapshot_are_not_repeated() -> None:
    game = begin(
        COAST.replace("seats = 3", "players = [{ id = 0 }, { id = 1 }, { id = 2 }]")
        + "territories = [{ id = 1, owner = 0, army = 5, wasteland = true, hq = 0 }]"
    )
    say(game, 1, "hq at=5")
    say(game, 2, "hq at=6")
    seal(game, 0, 1, 2)
    assert land(game, 1).army == 4
    say(game, 1, "drop places=0")
    seal(game, 1, 2)
    assert land(game, 1).army == 4
    assert land(game, 6).hq == 2
    assert player(game, 1).status == "unsettled", "may settle later"


@pytest.mark.rule("GD-HQ-5", "GD-HQ-1")
def test_order_of_a_settled_seat_is_refused_once() -> None:
    game = begin(
        COAST.replace(
            "seats = 3",
            "players = [{ id = 0, sealed = true, orders = ['hq at=9'] }, { id = 1 }, { id = 2 }]",
        )
        + "territories = [{ id = 1, owner = 0, hq = 0 }]"
    )
    say(game, 1, "hq at=5")
    say(game, 2, "hq at=6")
    first = seal(game, 1, 2)
    assert [event.codes for event in of_kind(first, ev.OrderRefused) if event.seat == 0] == [
        ("hq_already_built",)
    ]
    say(game, 1, "drop places=0", "hq at=9")
    second = seal(game, 1, 2)
    assert of_kind(second, ev.OrderRefused) == []
    assert (land(game, 9).hq, land(game, 6).hq) == (1, 2)


@pytest.mark.rule("GD-HQ-6", "GD-NUM-1")
def test_lower_seat_keeps_its_site_after_five_failed_rounds() -> None:
    game = begin(COAST)
    say(game, 0, "hq at=1", "seal")
    say(game, 1, "hq at=5")
    say(game, 2, "hq at=6")
    for number in range(1, numbers().hq_max_rounds.value + 1):
        failed = of_kind(seal(game, 1, 2), ev.HqRoundFailed)
        assert [event.rounds for event in failed] == [number]
        assert [event.failed for event in failed] == [(1, 2)]
    assert numbers().hq_max_rounds.value == 5
    events = seal(game, 1, 2)
    assert of_kind(events, ev.HqBuilt) == [ev.HqBuilt(1, 5)]
    assert [event.failed for event in of_kind(events, ev.HqRoundFailed)] == [(2,)]
    assert refused(game, 2, "seal").code == "hq_too_close_to_existing"
    say(game, 2, "drop places=0", "hq at=8", "seal")
    assert game.state.turn == 2


@pytest.mark.rule("GD-HQ-6")
def test_seat_keeps_its_site_if_its_rival_loses_to_another() -> None:
    game = begin(COAST + "failed_rounds = 5\nchoosing = [0, 1, 2]\nphase = 'construction'")
    say(game, 0, "hq at=1")
    say(game, 1, "hq at=3")
    say(game, 2, "hq at=5")
    events = seal(game, 0, 1, 2)
    assert of_kind(events, ev.HqBuilt) == [ev.HqBuilt(0, 1), ev.HqBuilt(2, 5)]


@pytest.mark.rule("GD-HQ-7")
def test_seat_without_a_site_is_out_when_the_next_turn_opens() -> None:
    game = begin("borders = [[1, 2], [2, 3], [3, 4], [4, 5]]\nseats = 3")
    say(game, 0, "hq at=1")
    say(game, 1, "hq at=4")
    events = seal(game, 0, 1, 2)
    assert of_kind(events, ev.Eliminated) == [ev.Eliminated(2, "no_site")]
    assert game.rules.owes(game.state) == {0, 1}


@pytest.mark.rule("GD-HQ-7")
def test_seat_without_an_order_may_settle_later() -> None:
    game = begin(COAST)
    say(game, 0, "hq at=1")
    seal(game, 0, 1, 2)
    assert game.state.turn == 2
    say(game, 1, "hq at=5")
    seal(game, 0, 1, 2)
    assert player(game, 1).status == "active"


@pytest.mark.rule("GD-HQ-5", "GD-LIST-5")
def test_house_can_end_a_settling_round() -> None:
    game = begin(COAST)
    say(game, 0, "hq at=1", "spawn at=1 count=2")
    say(game, 1, "hq at=5")
    say(game, 2, "hq at=6")
    seal(game, 0, 1, 2)
    say(game, HOUSE, "seal")
    assert game.state.turn == 2
    assert land(game, 1).army == 2
    assert player(game, 1).status == "unsettled"


@pytest.mark.rule("GD-HQ-4")
def test_clash_names_the_rival_site() -> None:
    game = begin(COAST)
    say(game, 0, "hq at=5")
    say(game, 1, "hq at=6")
    refusals = of_kind(seal(game, 0, 1, 2), ev.OrderRefused)
    assert [event.text for event in refusals] == [
        "5 is too near to 6, where another wants to settle.",
        "6 is too near to 5, where another wants to settle.",
    ]
