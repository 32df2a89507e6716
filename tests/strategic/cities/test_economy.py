"""Income and upkeep (section 9.6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.strategic import cities
from engine.strategic.events import IncomeCame
from engine.strategic.pieces import NOBODY, Item, Transit
from tests.strategic.ground import HERO, army, city, desk, side, world

BOOK = settings_of(Options())
ROWS = ["." * 8] * 4


@pytest.mark.rule("W2-9.6")
def test_cities_and_purses_bring_gold_and_armies_cost_it() -> None:
    armies = [
        army(1, 4, 3, upkeep=3),
        army(2, 5, 3, upkeep=2, aboard=True),
        army(3, 5, 3, HERO, upkeep=0, aboard=True),
        army(4, 6, 3, upkeep=50, owner=1),
    ]
    towns = [
        city(1, 0, 0, 0, income=21),
        city(2, 2, 0, 0, income=9),
        city(3, 4, 0, 1),
        city(4, 0, 2, NOBODY),
        city(5, 2, 2, 0, income=7, razed=True),
    ]
    bags = [
        Item(0, "purse", 4, "Bag", "carried", holder=3),
        Item(1, "purse", 6, "Chest", "carried", holder=3),
        Item(2, "purse", 2, "Sack", "ground", x=0, y=0),
        Item(3, "purse", 2, "Pouch", "carried", holder=4),
    ]
    work = desk(world(ROWS, armies=armies, cities=towns, items=bags))
    cities.keep_accounts(work, BOOK, 0)
    assert work.events == (IncomeCame(side=0, income=30 + 2 * 10, upkeep=7, gold=143),)
    assert work.state.sides[0].gold == 143


@pytest.mark.rule("W2-9.6", "W2-9.5")
def test_armies_in_transit_cost_nothing() -> None:
    away = Transit(id=9, army=army(9, 0, 0, upkeep=30), target=1, due=3)
    state = world(ROWS, armies=[army(1, 0, 0, upkeep=5)], transits=Roster([away]))
    assert cities.upkeep(state, BOOK, 0) == 5


@pytest.mark.rule("W2-9.6", "W2-1.4")
@given(
    gold=st.integers(0, 30000),
    income=st.integers(0, 60000),
    upkeep=st.integers(0, 60000),
)
def test_purse_stays_from_zero_to_its_maximum(gold: int, income: int, upkeep: int) -> None:
    state = world(
        ROWS,
        cities=[city(1, 0, 0, 0, income=income)],
        armies=[army(1, 5, 3, upkeep=upkeep)],
        sides=(side(0, gold=gold), side(1)),
    )
    work = desk(state)
    cities.keep_accounts(work, BOOK, 0)
    left = work.state.sides[0].gold
    assert 0 <= left <= 30000
    assert left in (0, 30000, gold + income - upkeep)
    assert left != 0 or gold + income - upkeep <= 0
    assert left != 30000 or gold + income - upkeep >= 30000
