"""Events as facts: counts add up, and secrets are not counted for others."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given

from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import Buy, Move, Spawn
from engine.rulesets.gd6.picture import PRESENTER
from engine.rulesets.gd6.state import Hop, Loss, State, View
from engine.rulesets.gd6.territories import owned, strength
from engine.rulesets.gd6.words import spot
from engine.tabletop.board import NOBODY
from engine.tabletop.fact import Fact
from tests.rulesets.gd6.sentence_cases import INVASION, QUIET, SAID, SWAP
from tests.rulesets.gd6.turn_positions import turns
from tests.rulesets.gd6.words_table import (
    BLUE,
    EVERYBODY,
    GREEN,
    RED,
    middle,
    squad,
    told,
    told_of_turn,
    walked,
)


def counted(state: State, event: ev.AnyEvent, viewer: Viewer = REFEREE) -> tuple[Fact, ...]:
    """Return the facts of an event for a viewer; () if the event is hidden from it."""
    after = RULES.evolve(state, event)
    seen = RULES.redact(event, state, after, viewer)
    if seen is None:
        return ()
    return PRESENTER.facts(seen, RULES.view(state, viewer), RULES.view(after, viewer))


def cell(at: int) -> tuple[int, int]:
    found = spot(RULES.view(QUIET, PUBLIC), at)
    assert found is not None
    return found


WON: Final = Fact("attack", BLUE, RED, at=cell(4), source=cell(3), target="invasion", won=True)

CASES: Final[list[tuple[State, ev.AnyEvent, tuple[Fact, ...]]]] = [
    (
        QUIET,
        ev.OrderAdded(BLUE, Move((1, 2, 3), 2)),
        (Fact("order", BLUE, at=cell(3), source=cell(1), piece="army", amount=2),),
    ),
    (
        QUIET,
        ev.OrderAdded(BLUE, Spawn(1, 2)),
        (Fact("order", BLUE, at=cell(1), target="spawn", amount=2),),
    ),
    (QUIET, ev.OrderAdded(BLUE, Buy("crop")), (Fact("order", BLUE, target="buy"),)),
    (QUIET, ev.ListWritten(BLUE, ()), (Fact("order", BLUE, target="list", amount=0),)),
    (QUIET, ev.Spawned(BLUE, 1, 2, 6), (Fact("work", BLUE, at=cell(1), target="army", amount=2),)),
    (
        QUIET,
        ev.ConstructBuilt(RED, 5, "library"),
        (Fact("work", RED, at=cell(5), target="library"),),
    ),
    (QUIET, ev.HqBuilt(GREEN, 9), (Fact("work", GREEN, at=cell(9), target="headquarters"),)),
    (QUIET, ev.Claimed(BLUE, 3), (Fact("capture", BLUE, NOBODY, at=cell(3), target="territory"),)),
    (QUIET, ev.Neutralised(5, "bivouac"), (Fact("other", RED, at=cell(5), target="neutralised"),)),
    (
        QUIET,
        ev.DynamiteUsed(BLUE, 3, 4, "army", 2, "watchtower"),
        (
            Fact("attack", BLUE, RED, at=cell(4), source=cell(3), piece="dynamite"),
            Fact("loss", RED, BLUE, at=cell(4), piece="army", amount=1),
            Fact("capture", BLUE, RED, at=cell(4), target="watchtower"),
        ),
    ),
    (
        SWAP,
        ev.LiftedOff((Hop(1, BLUE, "army", 2, 2, 3),)),
        (Fact("move", BLUE, at=cell(3), source=cell(2), piece="army", amount=2),),
    ),
    (
        SWAP,
        ev.Skirmish(
            "loop",
            (2, 4),
            2,
            ((BLUE, 6, 4), (RED, 2, 0)),
            (Loss(1, BLUE, "army", 2, 4), Loss(2, RED, "army", 2, 0)),
        ),
        (
            Fact("attack", BLUE, RED, at=cell(2), target="skirmish", won=True, amount=2),
            Fact("loss", BLUE, RED, at=cell(2), piece="army", amount=2),
            Fact("attack", RED, BLUE, at=cell(2), target="skirmish", won=False, amount=2),
            Fact("loss", RED, BLUE, at=cell(2), piece="army", amount=2),
        ),
    ),
    (
        INVASION,
        ev.PenaltyPaid(4, BLUE, 2, (Loss(1, BLUE, "army", 2, 4),)),
        (Fact("loss", BLUE, RED, at=cell(4), piece="army", amount=2),),
    ),
    (
        INVASION,
        ev.WatchtowerHeld(4, BLUE, 2, True, (Loss(1, BLUE, "army", 2, 4),)),
        (
            Fact("loss", BLUE, RED, at=cell(4), piece="army", amount=2),
            Fact("capture", BLUE, RED, at=cell(4), target="watchtower"),
        ),
    ),
    (
        INVASION,
        ev.Defended(4, BLUE, RED, 4, (Loss(1, BLUE, "army", 4, 2),), (3, 1, 0, 0), ()),
        (
            Fact("loss", BLUE, RED, at=cell(4), piece="army", amount=4),
            Fact("loss", RED, BLUE, at=cell(4), piece="army", amount=3),
            Fact("loss", RED, BLUE, at=cell(4), piece="cavalry", amount=1),
        ),
    ),
    (
        INVASION,
        ev.Neutralised(4, None, RED),
        (WON, Fact("other", RED, at=cell(4), target="neutralised")),
    ),
    (
        middle(squad(1, BLUE, 4, 3, 4)),
        ev.Defended(4, BLUE, RED, 4, (Loss(1, BLUE, "army", 4, 0),), (3, 1, 0, 0), ()),
        (
            WON,
            Fact("loss", BLUE, RED, at=cell(4), piece="army", amount=4),
            Fact("loss", RED, BLUE, at=cell(4), piece="army", amount=3),
            Fact("loss", RED, BLUE, at=cell(4), piece="cavalry", amount=1),
        ),
    ),
    (
        INVASION,
        ev.InvasionRepelled(4, BLUE, RED),
        (Fact("attack", BLUE, RED, at=cell(4), target="invasion", won=False),),
    ),
    (QUIET, ev.PhaseBegan("final"), (Fact("phase", target="Final Phase"),)),
    (
        QUIET,
        ev.TurnOpened(2, ()),
        (Fact("round", target="turn 2", amount=2), Fact("phase", target="Orders")),
    ),
    (
        QUIET,
        ev.GameOver("turn_limit", (BLUE, RED)),
        (Fact("end", BLUE, target="turn limit"), Fact("end", RED, target="turn limit")),
    ),
    (
        QUIET,
        ev.GameOver("mutual_elimination", ()),
        (Fact("end", target="mutual elimination"),),
    ),
    (QUIET, ev.Eliminated(RED, "no_land"), (Fact("other", RED, target="no land"),)),
]


@pytest.mark.parametrize(
    ("state", "event", "wanted"),
    CASES,
    ids=[f"{n}-{type(row[1]).__name__}" for n, row in enumerate(CASES)],
)
def test_event_gives_these_facts(
    state: State, event: ev.AnyEvent, wanted: tuple[Fact, ...]
) -> None:
    assert counted(state, event) == wanted


@pytest.mark.parametrize(
    ("state", "event"),
    [row[:2] for row in SAID],
    ids=[f"{n}-{type(row[1]).__name__}" for n, row in enumerate(SAID)],
)
def test_facts_have_no_chance_and_name_the_pieces(state: State, event: ev.AnyEvent) -> None:
    for fact in counted(state, event):
        assert fact.odds is None
        assert fact.chance is None
        assert fact.kind != "loss" or (fact.piece and fact.amount)
        assert fact.kind != "move" or (fact.piece and fact.at != fact.source)


def held(view: View, seat: int) -> int:
    """Count the units of a seat, on land and in transit."""
    landed = sum(map(strength, owned(view, seat)))
    return landed + sum(s.count for s in view.squads.values() if s.seat == seat and s.flying)


RAISED: Final = {"army", "crop supply", "bivouac"}


@given(state=turns())
def test_raised_minus_lost_equals_the_change_of_units(state: State) -> None:
    for each in told_of_turn(state, (REFEREE,)):
        found = PRESENTER.facts(each.event, each.before, each.after)
        for seat in each.after.players:
            raised = sum(
                fact.amount or 0
                for fact in found
                if fact.seat == seat and fact.kind == "work" and fact.target in RAISED
            )
            lost = sum(
                fact.amount or 0 for fact in found if fact.seat == seat and fact.kind == "loss"
            )
            if isinstance(each.event, ev.MinesExploded) and each.event.seat == seat:
                lost -= each.event.spawned_lost
            assert held(each.after, seat) - held(each.before, seat) == raised - lost, each.event


@pytest.mark.rule("GD-SECRET-2")
@pytest.mark.parametrize("viewer", EVERYBODY)
def test_orders_and_purchases_count_for_their_own_seat_only(viewer: Viewer) -> None:
    for each in told(walked("spies", 150, "secret"), (viewer,)):
        for fact in PRESENTER.facts(each.event, each.before, each.after):
            if fact.kind == "order" and viewer != REFEREE:
                assert fact.seat == viewer
    bought = counted(QUIET, ev.ItemBought(RED, "crop", 1), viewer)
    assert bool(bought) == (viewer in (RED, REFEREE))


def test_game_begins_with_its_first_turn() -> None:
    (first, *_) = told(walked("west", 0), (PUBLIC,))
    assert PRESENTER.facts(first.event, first.before, first.after) == (
        Fact("round", target="turn 1", amount=1),
        Fact("phase", target="Orders"),
    )


@pytest.mark.rule("GD-SECRET-4")
def test_promotion_to_spy_has_no_place_for_others() -> None:
    event = ev.Promoted(BLUE, 1, "spy", 1)
    assert counted(QUIET, event, BLUE) == (Fact("work", BLUE, at=cell(1), target="spy", amount=1),)
    assert counted(QUIET, event, RED) == (Fact("work", BLUE, target="spy"),)
