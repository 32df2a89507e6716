"""Facts and plans of Lanterns."""

from __future__ import annotations

import pytest

from engine.core.ids import PUBLIC, Viewer
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Focus
from tests.rulesets.toy.places import SEAL, begun, march, placed, play
from tests.toy import RULES
from tests.toy import commands as do
from tests.toy.canvas import cell_of
from tests.toy.hexes import Hex
from tests.toy.state import State

DUEL = begun(placed((0, 0, 0, 2), (0, 0, 2, 3), (1, 2, 0, 3), (1, 3, 2, 2)))
MEET = ((0, march(1, (1, 0))), (1, march(3, (1, 0))), (0, SEAL), (1, SEAL))
PICTURE = RULES.presenter


def told(
    state: State, viewer: Viewer, *moves: tuple[int, do.AnyCommand], throws: tuple[int, ...] = ()
) -> list[Fact]:
    """Facts that a viewer is told of some commands."""
    found: list[Fact] = []
    _, events = play(state, *moves, throws=throws)
    for event in events:
        after = RULES.evolve(state, event)
        seen = RULES.redact(event, state, after, viewer)
        if seen is not None:
            before = RULES.view(state, viewer)
            found += PICTURE.facts(seen, before, RULES.view(after, viewer))
        state = after
    return found


@pytest.mark.rule("T-ORDER-1")
def test_an_order_is_a_fact_for_those_who_may_know_it() -> None:
    order = Fact("order", 0, at=cell_of((1, 0)), source=cell_of((0, 0)), piece="band 1")
    assert told(DUEL, 0, MEET[0]) == [order]
    assert told(DUEL, 1, MEET[0]) == told(DUEL, PUBLIC, MEET[0]) == []


@pytest.mark.rule("T-FIGHT-2")
def test_a_fight_is_an_attack_of_each_side_with_the_odds_of_its_die() -> None:
    fought = told(DUEL, PUBLIC, *MEET, throws=(6, 1))
    amber, birch = (fact for fact in fought if fact.kind == "attack")
    assert (amber.won, amber.amount, amber.chance) == (True, 8, (15, 36))
    assert (birch.won, birch.amount, birch.chance) == (False, 4, (21, 36))
    assert amber.odds is not None
    assert amber.odds.values == tuple((total, 1) for total in range(3, 9))
    assert [fact.piece for fact in fought if fact.kind == "loss"] == ["band 3"]


def reached(name: str, viewer: Viewer = 0) -> set[tuple[int, int]]:
    marks = PICTURE.layer(RULES.view(DUEL, viewer), Focus(0, 0), name)
    return {(mark.x, mark.y) for mark in marks}


@pytest.mark.rule("T-ORDER-1")
def test_danger_is_where_enemy_bands_can_march_to() -> None:
    near: list[Hex] = [(2, 0), (3, 0), (1, 0), (0, 0), (1, 1), (3, 1), (2, 2), (3, 2), (1, 2)]
    assert {cell_of(at) for at in near} <= reached("danger")
    assert cell_of((2, 1)) not in reached("danger"), "water"
    assert cell_of((0, 2)) not in reached("danger"), "too far"
    assert reached("mine", 1) == reached("danger", 0)


def test_a_way_takes_two_hexes_a_round() -> None:
    marks = PICTURE.route(RULES.view(DUEL, 0), Focus(0, 0, 1), *cell_of((3, 0)))
    told = [((mark.x, mark.y), mark.text, mark.turn) for mark in marks]
    assert told == [((2, 0), "1", 0), ((4, 0), "2", 0), ((6, 0), "3", 1)]
    assert PICTURE.route(RULES.view(DUEL, 0), Focus(0, 0, 1), *cell_of((2, 1))) == ()


def test_bands_and_shrines_are_found_by_name() -> None:
    names = {find.text: find.at for find in PICTURE.finds(RULES.view(DUEL, 1))}
    assert names["band 1 (Amber)"] == cell_of((0, 0))
    assert names["shrine 1,1"] == cell_of((1, 1))
