from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given

from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.record import tag
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.refusal import Refusal
from engine.rulesets.gd6.state import State
from engine.rulesets.gd6.territories import Decision
from engine.rulesets.gd6.turns import close
from tests.rulesets.gd6.stage_cases import (
    Case,
    carried_out,
    cases,
    named,
    position,
    refusals,
    territory,
)
from tests.rulesets.gd6.turn_positions import openings, turns

ROWS = cases()

ANY = ("unknown_territory", "malformed_order", "variant_not_enabled")
ITEM = ("insufficient_items", "not_on_map")
REASONS: Mapping[str, tuple[str, ...]] = {
    "hq": (
        "hq_already_built",
        "hq_multiple_orders",
        "hq_territory_occupied",
        "hq_too_close_to_existing",
        "hq_too_close_to_other_order",
    ),
    "promote": (
        "origin_not_owned",
        "promote_bad_count",
        "promote_bad_unit",
        "insufficient_armies",
        "insufficient_ip",
        "promote_too_far_from_hq",
        "promote_low_loyalty",
    ),
    "spawn": (
        "spawn_bad_count",
        "spawn_too_many",
        "spawn_too_far_from_hq",
        "spawn_no_location",
        "spawn_not_most_loyal",
        "spawn_multiple_fallback",
    ),
    "build": (
        "origin_not_owned",
        "construct_present",
        "multiple_constructs_ordered",
        "toxic_wasteland",
        "insufficient_ip",
    ),
    "mine": ("origin_not_owned", "mine_bad_count", "insufficient_ip"),
    "crop": (*ITEM, "spawn_bad_count", "target_not_owned", "spawn_too_many"),
    "dynamite": (*ITEM, "origin_not_owned", "target_not_adjacent"),
    "toxic": (*ITEM, "origin_not_owned", "target_not_adjacent"),
    "buy": ("insufficient_ip",),
    "move": (
        "origin_not_owned",
        "move_bad_count",
        "path_bad_length",
        "path_not_connected",
        "insufficient_units",
    ),
}
"""The table of 7.4: reasons by kind of order, in their order; those in ANY come before them."""


@pytest.mark.parametrize(
    "case", [case for _, case in ROWS], ids=[f"{f}: {c.name}" for f, c in ROWS]
)
def test_stages_match_the_row(case: Case) -> None:
    before = position(case)
    after, events = carried_out(case)
    assert refusals(events) == sorted(case.refused)
    expected = before.territories.put(*map(territory, case.after))
    assert after.territories == expected
    for text in case.seats_after:
        number, fields = named(text)
        player = after.players[number]
        assert {name: getattr(player, name) for name in fields} == fields


def test_every_code_of_an_order_occurs_in_some_row() -> None:
    given = {code for _, case in ROWS for line in case.refused for code in line.split()[1:]}
    codes = [code.value for code in Refusal]
    of_orders = set(codes[: codes.index(Refusal.GAME_OVER)])
    elsewhere = {"unknown_seat"}  # orders name no seats; files of orders do
    assert of_orders - given - elsewhere == set()


def refused(events: Iterable[ev.AnyEvent]) -> list[ev.OrderRefused]:
    return [event for event in events if isinstance(event, ev.OrderRefused)]


@pytest.mark.rule("GD-REFUSE-2")
def test_every_reason_of_every_kind_of_order_occurs_in_some_row() -> None:
    given = {
        (tag(event.order), code)
        for _, case in ROWS
        for event in refused(carried_out(case)[1])
        for code in event.codes
    }
    table = {(kind, code) for kind, codes in REASONS.items() for code in codes}
    assert table - given == set()
    assert {code for _, code in given - table} == set(ANY)


@pytest.mark.rule("GD-REFUSE-1", "GD-REFUSE-2")
@given(state=turns() | openings())
def test_reasons_come_in_the_order_of_the_table(state: State) -> None:
    decision: Decision = BaseDecision(state, evolve, Scripted())
    close(decision)
    for event in refused(decision.events):
        table = (*ANY, *REASONS[tag(event.order)])
        assert list(event.codes) == sorted(set(event.codes), key=table.index)


@pytest.mark.parametrize(
    "case", [case for _, case in ROWS], ids=[f"{f}: {c.name}" for f, c in ROWS]
)
def test_refusals_are_sentences_with_a_rule(case: Case) -> None:
    for event in carried_out(case)[1]:
        if isinstance(event, ev.OrderRefused):
            assert event.text.endswith(".")
            assert "\n" not in event.text
            assert event.rule.startswith("GD-")
