"""Status, summary and end of a game, and the places to search for."""

from __future__ import annotations

import pytest

from engine.core.ids import PUBLIC
from engine.core.record import replace
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import Buy, UseCrop
from engine.rulesets.gd6.state import End
from engine.rulesets.gd6.summaries import finds, introduction, status, summary
from engine.tabletop.board import NOBODY
from tests.rulesets.gd6.sentence_cases import INVASION, QUIET
from tests.rulesets.gd6.table import begin, say, seal
from tests.rulesets.gd6.words_table import BLUE, GREEN, MIDDLE, RED, walked


def test_status_names_seats_that_owe_a_list() -> None:
    game = begin(MIDDLE)
    seal(game, RED)
    shown = status(game.view(GREEN))
    assert (shown.round, shown.rounds, shown.phase, shown.seat) == (1, 30, "Orders", GREEN)
    assert shown.text == "Turn 1 of 30. Waiting for orders of blue (A) and C (you)."
    assert shown.todo == 4, "of five, the wasteland kills one before they could go"
    assert status(game.view(RED)).todo == 0
    assert status(game.view(PUBLIC)).seat == BLUE


def test_status_without_a_limit_counts_the_current_turn_as_last() -> None:
    game = begin(MIDDLE, {"turn_limit": 0})
    shown = status(game.view(BLUE))
    assert (shown.round, shown.rounds) == (1, 1)
    assert shown.text.startswith("Turn 1. ")


def test_units_with_orders_are_not_counted_as_idle() -> None:
    game = begin(MIDDLE)
    before = status(game.view(BLUE)).todo
    say(game, BLUE, "move path=1>2 count=3")
    assert status(game.view(BLUE)).todo == before - 3


@pytest.mark.rule("GD-HQ-2")
@pytest.mark.parametrize(
    ("scenario", "is_asked"),
    [(MIDDLE, False), ("borders = [[1, 2], [2, 3], [3, 4], [4, 5]]\nseats = 2", True)],
)
def test_introduction_asks_to_settle_only_where_that_is_to_do(
    scenario: str, is_asked: bool
) -> None:
    game = begin(scenario)
    for viewer in (BLUE, PUBLIC):
        told = [line.text for line in introduction(game.view(viewer))]
        assert ("First settle, 3 borders away from all others." in told) == is_asked


@pytest.mark.rule("GD-HQ-5")
def test_unsettled_seat_has_one_thing_to_do() -> None:
    game = begin("borders = [[1, 2], [2, 3], [3, 4], [4, 5]]\nseats = 2")
    assert status(game.view(0)).left == "1 site to choose"
    say(game, 0, "hq at=2")
    say(game, 1, "hq at=3")
    assert status(game.view(0)).left == "2 armies to raise"
    say(game, 0, "spawn at=2 count=1")
    assert status(game.view(0)).left == "1 unit to send"
    seal(game, 0, 1)
    shown = status(game.view(1))
    assert (shown.phase, shown.text) == (
        "Settling",
        "Turn 1 of 30. Waiting for a new site of A and B (you).",
    )


def test_status_names_the_movement_step() -> None:
    sealed = [replace(player, sealed=True) for player in INVASION.players.rows()]
    shown = status(RULES.view(replace(INVASION, players=INVASION.players.put(*sealed)), PUBLIC))
    assert (shown.phase, shown.seat, shown.over) == ("Movement Phase, step 1", NOBODY, False)


def test_summary_counts_only_visible_things() -> None:
    said = [line.text for line in summary(RULES.view(QUIET, RED))]
    assert said == [
        "Turn 1 of 30.",
        "6 of 9 territories (60 %) win.",
        "After turn 30 the most territories win.",
        "The last one with land wins.",
        "Blue (A): 2 territories (22 %), 1 headquarters, 7 units.",
        "Red (B): 2 territories (22 %), 1 headquarters, 5 units, 40 IP.",
        "C: 1 territory (11 %), 1 headquarters, 5 units.",
    ]


@pytest.mark.parametrize(
    ("reason", "winners", "wanted", "rule"),
    [
        ("mutual_elimination", (), ("Nobody wins", "Nobody owns land any more."), "GD-END-2"),
        ("last_standing", (RED,), ("Red (B) wins", "Nobody else owns land."), "GD-END-3"),
        (
            "domination",
            (BLUE,),
            ("Blue (A) wins", "Blue (A) owns 2 of 9 territories; 6 were needed."),
            "GD-END-4",
        ),
        (
            "turn_limit",
            (BLUE,),
            (
                "Blue (A) wins",
                "The last turn is over. 2 territories each; units decide: 8 against 5.",
            ),
            "GD-END-5",
        ),
        (
            "turn_limit",
            (BLUE, RED, GREEN),
            (
                "Blue (A), red (B) and C share the victory",
                "The last turn is over. Everything that counts is equal.",
            ),
            "GD-END-5",
        ),
    ],
)
@pytest.mark.rule("GD-END-2", "GD-END-3", "GD-END-4", "GD-END-5")
def test_end_names_the_winner_and_the_reason(
    reason: End, winners: tuple[int, ...], wanted: tuple[str, str], rule: str
) -> None:
    over = RULES.evolve(QUIET, ev.GameOver(reason, winners))
    seen = RULES.view(over, PUBLIC)
    first, second, *_ = summary(seen)
    assert (first.text, second.text) == (f"{wanted[0]} in turn 1.", wanted[1])
    assert {first.rule, second.rule} == {rule}
    shown = status(seen)
    assert (shown.phase, shown.seat, shown.over) == ("End", NOBODY, True)


def test_every_territory_can_be_found() -> None:
    found = finds(walked("west", 0).view(PUBLIC))
    assert len(found) == 16
    assert found[13].text == "14 Eastfen (neutral)"
    assert {find.kind for find in found} == {"territory"}
    assert finds(RULES.view(QUIET, RED))[3].text == "territory 4 (red)"
    assert finds(RULES.view(QUIET, RED))[6].text == "territory 7 (C)"


@pytest.mark.rule("GD-SECRET-2")
def test_texts_for_others_do_not_depend_on_secrets() -> None:
    rich = replace(QUIET.players[BLUE], ip=999, crop=4, orders=(Buy("crop"), UseCrop(((1, 2),))))
    hidden = replace(QUIET.territories[1], spy=7)
    twin = replace(
        QUIET, players=QUIET.players.put(rich), territories=QUIET.territories.put(hidden)
    )
    for viewer in (RED, PUBLIC):
        seen = [RULES.view(state, viewer) for state in (QUIET, twin)]
        assert summary(seen[0]) == summary(seen[1])
        assert status(seen[0]) == status(seen[1])


TWO_HOMES = """
borders = [[1, 2], [2, 3], [3, 4]]
players = [{ id = 0 }, { id = 1 }]
territories = [
  { id = 1, owner = 0, army = 3, hq = 0 },
  { id = 4, owner = 1, army = 1, hq = 1 },
]
"""


def test_status_uses_the_singular_for_one_unit() -> None:
    game = begin(TWO_HOMES)
    assert status(game.view(0)).left == "3 units to send"
    assert status(game.view(1)).left == "1 unit to send"
