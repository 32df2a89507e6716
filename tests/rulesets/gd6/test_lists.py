"""Lists of orders: writing, sealing, unsealing, closing."""

from __future__ import annotations

import pytest

from engine.core import notation
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import Move, Spawn
from engine.rulesets.gd6.lists import WHOLE, project
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.picture import PRESENTER
from tests.rulesets.gd6.table import HOUSE, Play, begin, land, of_kind, player, refused, say, seal


def owes(game: Play) -> set[int]:
    return set(game.rules.owes(game.state))


BORDER = """
options = { domination = 0 }
borders = [[1, 2], [2, 3], [3, 4], [4, 5]]
players = [{ id = 0, ip = 30, dynamite = 1 }, { id = 1 }]
territories = [
  { id = 1, owner = 0, army = 4, hq = 0 },
  { id = 2, owner = 0 },
  { id = 4, owner = 1, army = 3, hq = 1 },
]
"""


@pytest.mark.rule("GD-LIST-1")
def test_lines_are_added_dropped_moved_and_changed() -> None:
    game = begin(BORDER)
    say(game, 0, "spawn at=1 count=2", "move path=1>2 count=3", "move path=1>2>3 count=1")
    say(game, 0, "shift place=2 to=0", "change place=2 count=2")
    assert player(game, 0).orders == (Move((1, 2, 3), 1), Spawn(1, 2), Move((1, 2), 2))
    say(game, 0, "drop places=0>1")
    assert player(game, 0).orders == (Move((1, 2), 2),)


@pytest.mark.rule("GD-LIST-1")
@pytest.mark.parametrize(
    "line",
    [
        "drop places=-",
        "drop places=1",
        "drop places=0>0",
        "shift place=0 to=1",
        "change place=3 count=1",
    ],
)
def test_missing_lines_are_refused(line: str) -> None:
    game = begin(BORDER)
    say(game, 0, "spawn at=1 count=1")
    assert refused(game, 0, line).code == "no_such_line"


@pytest.mark.rule("GD-LIST-1")
def test_order_without_a_count_cannot_be_changed() -> None:
    game = begin(BORDER)
    say(game, 0, "build at=1 construct=library")
    assert refused(game, 0, "change place=0 count=2").code == "no_such_line"


@pytest.mark.rule("GD-LIST-1", "GD-NUM-1")
def test_list_has_a_maximum_length() -> None:
    game = begin(BORDER)
    lines = ">".join(['"hq at=3"'] * numbers().longest_list.value)
    say(game, 0, f"list lines={lines}")
    assert refused(game, 0, "hq at=3").code == "list_too_long"


@pytest.mark.rule("GD-LIST-2", "GD-CHECK-2")
def test_whole_list_may_hold_orders_that_cannot_be_sealed() -> None:
    game = begin(BORDER)
    say(game, 0, 'list lines="spawn at=1 count=2">"spawn at=2 count=1">"move path=1>2 count=1"')
    assert len(player(game, 0).orders) == 3
    problem = refused(game, 0, "seal")
    assert problem.code == "spawn_too_many"
    assert problem.rule == "GD-SPAWN-1"
    assert problem.text == ("Line 1, spawn at=1 count=2: Armies to be spawned: 3; allowed: 2.")
    say(game, 0, "drop places=1", "seal")
    assert player(game, 0).sealed


@pytest.mark.rule("GD-LIST-3", "GD-LIST-6", "GD-CHECK-2", "GD-HQ-7")
def test_closing_seals_the_list_without_its_refused_orders() -> None:
    game = begin(BORDER)
    assert PRESENTER.closing(game.view(0)) == ()
    say(game, 0, 'list lines="spawn at=1 count=2">"spawn at=2 count=1">"move path=1>2 count=1"')
    say(game, 0, *PRESENTER.closing(game.view(0)))
    kept = [notation.write(order) for order in player(game, 0).orders]
    assert kept == ["move path=1>2 count=1"]
    assert player(game, 0).sealed
    assert PRESENTER.closing(game.view(0)) == ()
    say(game, 0, "unseal")
    assert PRESENTER.closing(game.view(0)) == ("seal",)


@pytest.mark.rule("GD-LIST-2")
@pytest.mark.parametrize("line", ["seal", "fly", "spawn at=x count=1", ""])
def test_whole_list_accepts_only_orders(line: str) -> None:
    game = begin(BORDER)
    assert refused(game, 0, f'list lines="{line}"').code == "malformed_order"


@pytest.mark.rule("GD-CHECK-1", "GD-REFUSE-2")
def test_order_that_would_be_refused_is_not_added() -> None:
    game = begin(BORDER)
    problem = refused(game, 0, "move path=4>3 count=1")
    assert problem.code == "origin_not_owned"
    assert problem.text == "Line 1, move path=4>3 count=1: 4 is not yours."
    assert player(game, 0).orders == ()


@pytest.mark.rule("GD-CHECK-1")
def test_draft_includes_its_own_earlier_stages() -> None:
    game = begin(BORDER)
    say(game, 0, "spawn at=2 count=2", "dynamite source=2 target=3", "move path=2>3 count=2")
    say(game, 0, "buy item=dynamite", "build at=2 construct=library")
    projection = project(game.view(0))
    assert projection.refused == ()
    assert projection.before["move"].territories[2].army == 2
    assert projection.before["move"].players[0].ip == 0


@pytest.mark.rule("GD-CHECK-1", "GD-NATURAL-1")
def test_draft_includes_wasteland_losses() -> None:
    game = begin(BORDER.replace("army = 4, hq", "army = 1, wasteland = true, hq"))
    assert refused(game, 0, "move path=1>2 count=1").code == "origin_not_owned"


@pytest.mark.rule("GD-CHECK-2", "GD-BIND-1")
def test_reduced_order_only_warns() -> None:
    game = begin(BORDER)
    say(game, 0, "move path=1>2 count=3", "move path=1>2>3 count=3")
    judged = project(game.view(0)).judged
    assert [line.kept for line in judged] == [WHOLE, 1]
    assert refused(game, 0, "move path=1>2 count=1").code == "insufficient_units"
    seal(game, 0)
    events = seal(game, 1)
    assert [(event.place, event.kept) for event in of_kind(events, ev.OrderReduced)] == [(1, 1)]
    assert land(game, 3).army == 1


@pytest.mark.rule("GD-LIST-3")
def test_turn_runs_when_the_last_seat_has_sealed() -> None:
    game = begin(BORDER)
    say(game, 0, "move path=1>2 count=2")
    assert owes(game) == {0, 1}
    assert of_kind(seal(game, 0), ev.TurnClosed) == []
    assert owes(game) == {1}
    assert of_kind(seal(game, 1), ev.TurnClosed) == [ev.TurnClosed(1, ())]
    assert game.state.turn == 2
    assert owes(game) == {0, 1}
    assert player(game, 0).orders == ()
    assert player(game, 0).last == (Move((1, 2), 2),)


@pytest.mark.rule("GD-LIST-4")
def test_sealed_list_is_fixed_until_unsealed() -> None:
    game = begin(BORDER)
    assert refused(game, 0, "unseal").code == "list_not_sealed"
    seal(game, 0)
    for line in ("spawn at=1 count=1", "drop places=0", "list lines=-", "seal"):
        assert refused(game, 0, line).code == "list_sealed"
    say(game, 0, "unseal", "spawn at=1 count=1", "seal")
    assert player(game, 0).sealed


@pytest.mark.rule("GD-LIST-5")
def test_house_closes_the_turn_and_ignores_drafts() -> None:
    game = begin(BORDER)
    say(game, 0, "move path=1>2>3 count=2", "seal")
    say(game, 1, "move path=4>3 count=3")
    events = say(game, HOUSE, "seal").events
    assert of_kind(events, ev.TurnClosed) == [ev.TurnClosed(1, (1,))]
    assert land(game, 3).owner == 0
    assert land(game, 4).army == 3
    assert player(game, 1).last == ()
    assert refused(game, HOUSE, "concede").code == "not_for_the_house"


@pytest.mark.rule("GD-REFUSE-4")
def test_turn_does_not_wait_for_an_eliminated_seat() -> None:
    game = begin(BORDER.replace("{ id = 1 }", '{ id = 1 }, { id = 2, status = "eliminated" }'))
    assert not game.rules.may(game.state, 2)
    seal(game, 0, 1)
    assert game.state.turn == 2


@pytest.mark.rule("GD-TURN-1", "GD-TURN-2")
def test_phases_come_in_order_and_ownership_is_counted() -> None:
    game = begin(BORDER)
    say(game, 0, "move path=1>2>3 count=2", "build at=2 construct=library", "seal")
    events = seal(game, 1)
    phases = [event.phase for event in of_kind(events, ev.PhaseBegan)]
    assert phases == ["natural", "construction", "inventory", "movement", "final"]
    assert events[-1] == ev.TurnOpened(2, ((0, 3, 0, 1), (1, 1, 0, 0)))
    assert of_kind(events, ev.IncomeEarned)[0] == ev.IncomeEarned(0, 3, 6, 2, 0, 31)


@pytest.mark.rule("GD-BIND-2")
def test_arriving_units_cannot_be_sent_on_by_another_order() -> None:
    game = begin(BORDER)
    say(game, 0, "move path=1>2 count=4")
    assert refused(game, 0, "move path=2>3 count=1").code == "insufficient_units"
