"""Elimination, victory and concession."""

from __future__ import annotations

import pytest

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.numbers import numbers
from tests.rulesets.gd6.table import Play, begin, land, of_kind, player, refused, say, seal

LINE = "borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 8], [8, 9], [9, 10]]\n"


def ended(game: Play) -> tuple[str, tuple[int, ...]]:
    return game.state.reason, game.state.winners


@pytest.mark.rule("GD-END-1", "GD-END-3")
def test_last_seat_with_land_wins() -> None:
    game = begin(
        LINE
        + """
players = [{ id = 0 }, { id = 1 }]
territories = [{ id = 1, owner = 0, army = 5, hq = 0 }, { id = 2, owner = 1, army = 2 }]
"""
    )
    say(game, 0, "move path=1>2 count=5")
    events = seal(game, 0, 1)
    assert of_kind(events, ev.Eliminated) == [ev.Eliminated(1, "no_land")]
    assert ended(game) == ("last_standing", (0,))
    outcome = game.rules.outcome(game.state)
    assert outcome is not None
    assert outcome.winners == (0,)
    assert refused(game, 0, "seal").code == "game_over"


@pytest.mark.rule("GD-END-3")
def test_no_last_seat_wins_while_another_is_unsettled() -> None:
    game = begin(
        LINE + "players = [{ id = 0 }, { id = 1 }]\nterritories = [{ id = 1, owner = 0, hq = 0 }]"
    )
    seal(game, 0, 1)
    assert ended(game) == ("", ())


@pytest.mark.rule("GD-END-2")
def test_game_without_landowners_has_no_winner() -> None:
    game = begin(
        LINE
        + """
players = [{ id = 0 }, { id = 1 }]
territories = [
  { id = 1, owner = 0, army = 1, wasteland = true },
  { id = 2, owner = 1, army = 1, wasteland = true },
]
"""
    )
    seal(game, 0, 1)
    assert ended(game) == ("mutual_elimination", ())


@pytest.mark.rule("GD-END-4", "GD-OPT-1")
@pytest.mark.parametrize(("percent", "reason"), [(60, "domination"), (61, ""), (0, "")])
def test_six_of_ten_territories_are_sixty_percent(percent: int, reason: str) -> None:
    game = begin(
        LINE
        + """
players = [{ id = 0 }, { id = 1 }]
territories = [
  { id = 1, owner = 0 }, { id = 2, owner = 0 }, { id = 3, owner = 0 }, { id = 4, owner = 0 },
  { id = 5, owner = 0 }, { id = 6, owner = 0 }, { id = 9, owner = 1 },
]
""",
        {"domination": percent},
    )
    seal(game, 0, 1)
    assert ended(game) == (reason, (0,) if reason else ())


LIMIT = LINE + "turn = 30\nplayers = [{ id = 0, ip = 5 }, { id = 1, ip = 5 }]\n"


@pytest.mark.rule("GD-END-5", "GD-NUM-1")
@pytest.mark.parametrize(
    ("territories", "winners"),
    [
        ("{ id = 1, owner = 0 }, { id = 3, owner = 1 }, { id = 4, owner = 1 }", (1,)),
        ("{ id = 1, owner = 0, hq = 0 }, { id = 4, owner = 1, army = 9 }", (0,)),
        ("{ id = 1, owner = 0, army = 1 }, { id = 4, owner = 1, army = 2 }", (1,)),
        ("{ id = 1, owner = 0, construct = 'library' }, { id = 4, owner = 1 }", (0,)),
        ("{ id = 1, owner = 0 }, { id = 4, owner = 1 }", (0, 1)),
    ],
    ids=["territories", "headquarters", "units", "ip", "shared"],
)
def test_best_seats_win_after_thirty_turns(territories: str, winners: tuple[int, ...]) -> None:
    assert numbers().turn_limit.value == 30
    game = begin(LIMIT + f"territories = [{territories}]")
    seal(game, 0, 1)
    assert ended(game) == ("turn_limit", winners)


@pytest.mark.rule("GD-END-5")
def test_game_without_a_limit_continues() -> None:
    game = begin(
        LINE
        + "turn = 30\nplayers = [{ id = 0 }, { id = 1 }]\n"
        + "territories = [{ id = 1, owner = 0 }, { id = 4, owner = 1 }]",
        {"turn_limit": 0},
    )
    seal(game, 0, 1)
    assert ended(game) == ("", ())


THREE = (
    LINE
    + """
players = [{ id = 0 }, { id = 1 }, { id = 2 }]
territories = [
  { id = 1, owner = 0, army = 3, hq = 0, loyalty = 2, construct = "bivouac" },
  { id = 5, owner = 1, army = 2, hq = 1 },
  { id = 9, owner = 2, army = 2, hq = 2 },
]
"""
)


@pytest.mark.rule("GD-END-6")
def test_conceding_seat_plays_the_turn_and_then_leaves() -> None:
    game = begin(THREE)
    say(game, 0, "move path=1>2 count=1", "seal", "concede")
    assert refused(game, 0, "concede").code == "already_conceded"
    events = seal(game, 1, 2)
    assert of_kind(events, ev.Claimed) == [ev.Claimed(0, 2)]
    assert of_kind(events, ev.Disbanded) == [
        ev.Disbanded(0, 1, (3, 0, 0, 0)),
        ev.Disbanded(0, 2, (1, 0, 0, 0)),
    ]
    assert of_kind(events, ev.Eliminated) == [ev.Eliminated(0, "conceded")]
    left = land(game, 1)
    assert (left.owner, left.army, left.loyalty, left.construct, left.hq) == (-1, 0, 0, None, 0)
    assert game.rules.owes(game.state) == {1, 2}
    assert events[-1] == ev.TurnOpened(2, ((0, 0, 0, 0), (1, 1, 0, 0), (2, 1, 0, 0)))


@pytest.mark.rule("GD-END-6", "GD-LIST-3")
def test_concession_can_complete_the_turn() -> None:
    game = begin(THREE)
    seal(game, 1, 2)
    say(game, 0, "move path=1>2 count=1")
    events = say(game, 0, "concede").events
    assert of_kind(events, ev.TurnClosed) == [ev.TurnClosed(1, (0,))]
    assert of_kind(events, ev.LiftedOff) == [], "the list was not sealed"
    assert player(game, 0).status == "eliminated"


@pytest.mark.rule("GD-END-7")
def test_last_seat_wins_after_concessions() -> None:
    game = begin(THREE)
    say(game, 0, "concede")
    say(game, 1, "concede")
    seal(game, 2)
    assert ended(game) == ("last_standing", (2,))


@pytest.mark.rule("GD-END-7", "GD-HQ-7")
def test_missing_site_can_end_the_game() -> None:
    game = begin("borders = [[1, 2], [2, 3]]\nseats = 2")
    say(game, 0, "hq at=2")
    seal(game, 0, 1)
    assert player(game, 1).status == "eliminated"
    assert ended(game) == ("last_standing", (0,))


@pytest.mark.rule("GD-END-2", "GD-END-6")
def test_game_has_no_winner_if_all_concede() -> None:
    game = begin(THREE)
    for seat in range(3):
        say(game, seat, "concede")
    assert ended(game) == ("mutual_elimination", ())


@pytest.mark.rule("GD-END-5", "GD-HQ-5")
def test_game_that_ends_after_a_settling_round_is_a_valid_position() -> None:
    game = begin(LINE + "seats = 2", {"turn_limit": 1})
    say(game, 0, "hq at=1")
    say(game, 1, "hq at=2")
    seal(game, 0, 1)
    say(game, 1, "drop places=0", "hq at=9")
    seal(game, 0, 1)
    assert ended(game)[0] == "turn_limit"
    assert game.state.failed_rounds == 1
    game.rules.check(game.rules.position(game.state))


@pytest.mark.rule("GD-SECRET-2")
def test_everything_is_visible_after_the_end() -> None:
    game = begin(THREE.replace("{ id = 0 }", "{ id = 0, ip = 7 }"))
    say(game, 0, "concede")
    assert game.view(2).players[0].ip == 0
    say(game, 1, "concede")
    seal(game, 2)
    assert game.view(2).players[0].ip > 7
