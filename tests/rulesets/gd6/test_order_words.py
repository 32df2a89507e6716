"""Orders in words and in short."""

from __future__ import annotations

from typing import Final, get_args

import pytest

from engine.core.ids import REFEREE
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6.words import ORDER_RULES, in_short, spelt
from tests.rulesets.gd6.table import begin
from tests.rulesets.gd6.words_table import MIDDLE

LAND: Final = "territory"
TEXTS: Final = (
    (do.Move((2, 3), 2), f"send 2 armies from {LAND} 2 to {LAND} 3", "2>3: 2"),
    (
        do.Move((1, 2, 3, 4), 1, "spy"),
        f"send 1 spy from {LAND} 1 over {LAND} 2 and {LAND} 3 to {LAND} 4",
        "1>2>3>4: 1s",
    ),
    (do.Move((5,), 1, "heavy"), f"send 1 heavy from {LAND} 5", "5: 1h"),
    (do.Move((), 3), "send 3 armies nowhere", ": 3"),
    (do.Spawn(2, 1), f"raise 1 army at {LAND} 2", "raise 1"),
    (do.Build(2, "library"), f"build a library at {LAND} 2", "build library"),
    (do.PlaceHq(3), f"settle at {LAND} 3", "settle"),
    (do.Promote(2, "spy", 2), f"make 2 armies into 2 spies at {LAND} 2", "make 2 spies"),
    (do.LayMines(2, 1), f"lay 1 mine at {LAND} 2", "lay 1 mine"),
    (
        do.UseCrop(((1, 2), (4, 1))),
        f"use a crop supply for 2 armies at {LAND} 1 and 1 army at {LAND} 4",
        "crops 1+2 4+1",
    ),
    (do.UseCrop(()), "use a crop supply for nothing", "crops "),
    (do.UseDynamite(1, 2), f"use dynamite from {LAND} 1 on {LAND} 2", "blast 1>2"),
    (do.UseToxic(1, 2), f"use toxic waste from {LAND} 1 on {LAND} 2", "poison 1>2"),
    (do.Buy("crop"), "buy a crop supply", "buy crop supply"),
    (do.Buy("toxic"), "buy toxic waste", "buy toxic waste"),
)


@pytest.mark.parametrize(("order", "full", "short"), TEXTS, ids=[short for *_, short in TEXTS])
def test_order_is_described_in_full_and_in_short(order: do.AnyOrder, full: str, short: str) -> None:
    view = RULES.view(begin(MIDDLE).state, REFEREE)
    assert spelt(view, order) == full
    assert in_short(order) == short


def test_every_order_has_a_rule_and_words() -> None:
    assert set(ORDER_RULES) == set(get_args(do.AnyOrder)) == {type(order) for order, *_ in TEXTS}
