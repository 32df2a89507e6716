from __future__ import annotations

import pytest

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.refusal import Refusal
from tests.rulesets.gd6.stage_cases import (
    Case,
    carried_out,
    cases,
    named,
    position,
    refusals,
    territory,
)

ROWS = cases()


@pytest.mark.parametrize(
    "case", [case for _, case in ROWS], ids=[f"{f}: {c.name}" for f, c in ROWS]
)
def test_stages_do_what_the_rule_book_says(case: Case) -> None:
    before = position(case)
    after, events = carried_out(case)
    assert refusals(events) == sorted(case.refused)
    expected = before.territories.put(*map(territory, case.after))
    assert after.territories == expected
    for text in case.seats_after:
        number, fields = named(text)
        player = after.players[number]
        assert {name: getattr(player, name) for name in fields} == fields


def test_every_code_of_an_order_is_given_in_some_row() -> None:
    given = {code for _, case in ROWS for line in case.refused for code in line.split()[1:]}
    codes = [code.value for code in Refusal]
    of_orders = set(codes[: codes.index(Refusal.GAME_OVER)])
    elsewhere = {"unknown_seat"}  # orders name no seats; files of orders do
    assert of_orders - given - elsewhere == set()


@pytest.mark.parametrize(
    "case", [case for _, case in ROWS], ids=[f"{f}: {c.name}" for f, c in ROWS]
)
def test_refusals_say_what_is_wrong_in_a_sentence(case: Case) -> None:
    for event in carried_out(case)[1]:
        if isinstance(event, ev.OrderRefused):
            assert event.text.endswith(".")
            assert "\n" not in event.text
            assert event.rule.startswith("GD-")
