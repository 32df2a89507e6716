"""Losses with their causes as rows, and lists in the order language line by line."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core.ids import PUBLIC, REFEREE
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.list_dialogues import listed, unlisted
from engine.rulesets.gd6.picture import PRESENTER
from engine.rulesets.gd6.state import Loss, State
from engine.tabletop.board import NOBODY
from tests.rulesets.gd6.sentence_cases import INVASION, QUIET, SWAP
from tests.rulesets.gd6.words_table import BLUE, GREEN, RED

Row = tuple[int, str, str, int, int]
"""A loss as seat, thing lost, cause, number of pieces, and other seat."""

ARMY: Final = Loss(1, BLUE, "army", 2, 4)
SPY: Final = Loss(2, BLUE, "spy", 1, 0)

CASES: Final[list[tuple[State, ev.AnyEvent, list[Row]]]] = [
    (
        SWAP,
        ev.Skirmish(
            "loop",
            (3, 4),
            2,
            ((BLUE, 6, 4), (RED, 2, 0)),
            (ARMY, Loss(2, RED, "army", 2, 0)),
        ),
        [(BLUE, "2 armies", "loop", 2, RED), (RED, "2 armies", "loop", 2, BLUE)],
    ),
    (
        SWAP,
        ev.Skirmish("target", (3,), 2, ((BLUE, 6, 6), (RED, 0, 0)), ()),
        [],
    ),
    (INVASION, ev.SpiesCaught(4, (SPY,)), [(BLUE, "1 spy", "caught", 1, RED)]),
    (INVASION, ev.PenaltyPaid(4, BLUE, 2, (ARMY,)), [(BLUE, "2 armies", "penalty", 2, RED)]),
    (INVASION, ev.PenaltyPaid(4, BLUE, 0, ()), []),
    (
        INVASION,
        ev.WatchtowerHeld(4, BLUE, 2, True, (ARMY,)),
        [
            (BLUE, "2 armies", "watchtower", 2, RED),
            (RED, "watchtower", "invasion", 0, BLUE),
        ],
    ),
    (
        INVASION,
        ev.Defended(4, BLUE, RED, 2, (ARMY,), (1, 1, 0, 0), ()),
        [
            (BLUE, "2 armies", "invasion", 2, RED),
            (RED, "1 army and 1 cavalry", "invasion", 2, BLUE),
        ],
    ),
    (INVASION, ev.Neutralised(4, None), [(RED, "territory", "invasion", 0, BLUE)]),
    (
        QUIET,
        ev.MinesExploded(5, BLUE, 2, 0, (), 2),
        [(BLUE, "2 armies", "mines", 2, NOBODY)],
    ),
    (QUIET, ev.WastelandLoss(7, "army", 4), [(GREEN, "1 army", "wasteland", 1, NOBODY)]),
    (
        QUIET,
        ev.Neutralised(5, "bivouac"),
        [
            (RED, "territory", "wasteland", 0, NOBODY),
            (RED, "bivouac", "wasteland", 0, NOBODY),
        ],
    ),
    (
        QUIET,
        ev.DynamiteUsed(BLUE, 3, 4, "army", 2, "watchtower"),
        [(RED, "1 army", "dynamite", 1, BLUE), (RED, "watchtower", "dynamite", 0, BLUE)],
    ),
    (
        QUIET,
        ev.Disbanded(GREEN, 7, (5, 0, 0, 0)),
        [(GREEN, "5 armies", "given up", 5, NOBODY)],
    ),
    (QUIET, ev.PhaseBegan("final"), []),
]


@pytest.mark.parametrize(("state", "event", "rows"), CASES, ids=lambda part: type(part).__name__)
def test_event_gives_these_loss_rows(state: State, event: ev.AnyEvent, rows: list[Row]) -> None:
    before, after = (RULES.view(one, PUBLIC) for one in (state, RULES.evolve(state, event)))
    found = PRESENTER.losses(event, before, after)
    assert [(row.seat, row.what, row.cause, row.pieces, row.other) for row in found] == rows
    assert all(row.place.startswith(("territory", "3 and 4")) and row.at for row in found)


@pytest.mark.rule("GD-GDL-3", "GD-GDL-4")
def test_each_line_of_a_list_is_read_or_refused_separately() -> None:
    view = RULES.view(QUIET, BLUE)
    text = (
        "// mine\nCon 2 3A\n\nMov 2->99 1A\nSet blue\nmove path=2>3 count=1\nbuy item=gold\nCon 1 Q"
    )
    found = unlisted(view, text)
    assert [(each.number, each.line) for each in found] == [
        (2, "spawn at=2 count=3"),
        (4, ""),
        (5, ""),
        (6, "move path=2>3 count=1"),
        (7, ""),
        (8, ""),
    ]
    assert found[1].fault == "'99' is no territory; there are 1 to 9"
    assert found[2].fault.endswith("begin with Con, Buy, Use, Mov")
    assert "gold" in found[4].fault


@pytest.mark.rule("GD-GDL-5", "GD-SECRET-2")
def test_only_the_own_list_can_be_copied() -> None:
    assert listed(RULES.view(QUIET, BLUE)) == "Con 2 1A\n"
    assert listed(RULES.view(QUIET, RED)) == ""
    assert listed(RULES.view(QUIET, PUBLIC)) == ""
    assert listed(RULES.view(QUIET, REFEREE)) == ""
