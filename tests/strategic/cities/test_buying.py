"""New types for gold (section 9.4)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.warlords2.cities import for_sale
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.strategic import cities
from engine.strategic.commands import BuySlot
from engine.strategic.events import SlotBought
from engine.strategic.pieces import NONE
from engine.strategic.refusal import Refusal
from engine.strategic.world import World
from tests.strategic.ground import (
    ARCHONS,
    BATS,
    GIANTS,
    HERO,
    LIGHT,
    NAVY,
    SCOUTS,
    TYPES,
    city,
    desk,
    side,
    slot,
    world,
)


def bought(command: BuySlot, gold: int = 800, **more: Any) -> World:
    towns = (city(1, 0, 0, 0, **more), city(2, 2, 0, 1))
    work = desk(world(["....", "...."], cities=towns, sides=(side(0, gold=gold), side(1))))
    cities.buy_slot(work, settings_of(Options()), 0, command)
    (event,) = work.events
    assert isinstance(event, SlotBought)
    assert event.price == work.state.types[command.type].price
    return work.state


@pytest.mark.rule("W2-9.4")
def test_type_is_bought_at_its_price_with_default_numbers() -> None:
    state = bought(BuySlot(1, 1, GIANTS), 803)
    assert state.cities[1].slots == (slot(LIGHT), slot(GIANTS))
    assert state.sides[0].gold == 3


@pytest.mark.rule("W2-9.4")
def test_bought_type_replaces_another_and_stops_its_production() -> None:
    state = bought(BuySlot(1, 0, GIANTS), making=0, left=1)
    assert state.cities[1].slots == (slot(GIANTS),)
    assert (state.cities[1].making, state.cities[1].left) == (NONE, 0)


@pytest.mark.rule("W2-9.4", "W2-7")
@pytest.mark.parametrize(("price", "sold"), [(-1, False), (0, True), (1, True)])
def test_type_is_for_sale_if_it_has_a_price_even_zero(price: int, sold: bool) -> None:
    state, town = world(["."]), city(1, 0, 0)
    assert for_sale(state, town, replace(TYPES[GIANTS], price=price)) == sold
    assert not for_sale(state, town, replace(TYPES[HERO], price=price))


@pytest.mark.rule("W2-9.4")
def test_buying_does_not_stop_other_production() -> None:
    state = bought(BuySlot(1, 1, GIANTS), making=0, left=1)
    assert (state.cities[1].making, state.cities[1].left) == (0, 1)


@pytest.mark.rule("W2-9.1", "W2-9.4")
@pytest.mark.parametrize(("count", "defence"), [(0, 1), (1, 1), (2, 2), (3, 2)])
def test_defence_follows_the_number_of_slots(count: int, defence: int) -> None:
    slots = (slot(LIGHT),) * count
    state = bought(BuySlot(1, count, BATS), slots=slots)
    assert (len(state.cities[1].slots), state.cities[1].defence) == (count + 1, defence)


@pytest.mark.rule("W2-9.4")
@pytest.mark.parametrize(
    ("command", "count", "code"),
    [
        (BuySlot(2, 0, SCOUTS), 1, Refusal.NO_SUCH_CITY),
        (BuySlot(1, 2, SCOUTS), 1, Refusal.NO_SUCH_SLOT),
        (BuySlot(1, 4, SCOUTS), 4, Refusal.NO_SUCH_SLOT),
        (BuySlot(1, -1, SCOUTS), 1, Refusal.NO_SUCH_SLOT),
        (BuySlot(1, 0, 99), 1, Refusal.NO_SUCH_TYPE),
        (BuySlot(1, 0, NAVY), 1, Refusal.NOT_FOR_SALE),
        (BuySlot(1, 0, ARCHONS), 1, Refusal.NOT_FOR_SALE),
        (BuySlot(1, 0, HERO), 1, Refusal.NOT_FOR_SALE),
        (BuySlot(1, 0, GIANTS), 1, Refusal.NO_MONEY),
    ],
)
def test_impossible_purchase_is_refused(command: BuySlot, count: int, code: Refusal) -> None:
    with pytest.raises(Refused) as refused:
        bought(command, 799, slots=(slot(LIGHT),) * count)
    assert refused.value.code is code
