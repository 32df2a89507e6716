"""Purchases: prices, limits, and the places where units come in."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.purchases import (
    for_sale,
    may_buy,
    purchase_places,
    special_places,
    upgradable,
)
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import State
from engine.rulesets.kaladan.view import redact
from tests.rulesets.kaladan.positions import (
    DUEL,
    after,
    decided,
    folded,
    position,
    refusal,
    stand,
    tile,
)

MIXED = """
FF WFM FF
A1 0 # crown sword archer+ catapult general
C2 1 # crown sword
fallen 0 special
"""
OUTPOST = """
FF WFM FF
A1 0 # crown sword sword sword sword
B2 0 archer
C2 1 # crown sword
"""
AWAY = """
FF WFM FF
A1 0 # archer archer archer archer shield
B1 0 crown sword
C2 1 # crown sword
"""
ALL_FULL = AWAY.replace("crown sword\nC2", "crown sword sword\nC2")
NO_CASTLE = """
FF WFM FF
A1 0 crown sword
B2 0 #
C2 1 # crown sword
"""
ENCLOSED = """
FF WFM FF
A1 0 crown sword sword sword
C2 1 # crown sword
A2 1 shield
B1 1 shield
B2 1 shield
C1 0 #
"""


def shop(text: str = DUEL, gold: int = 9, **more: Any) -> State:
    """Return a position in which seat 0 can spend ``gold``."""
    return position(text, phase="purchase", gold=(gold,), **more)


# -- prices ----------------------------------------------------------------------------------------


@pytest.mark.rule("KA-6.5", "KA-2.1", "KA-9", "KA-10.4")
@pytest.mark.parametrize(
    ("command", "price"),
    [
        (do.BuyUnit("sword", "A1"), 1),
        (do.BuyUnit("archer", "A1"), 1),
        (do.BuyUnit("shield", "A1"), 1),
        (do.BuyUnit("catapult", "A1"), 2),
        (do.BuyUnit("general", "A1"), 2),
        (do.UpgradeUnit(11), 1),
        (do.UpgradeUnit(21), 1),
        (do.UpgradeUnit(31), 1),
        (do.UpgradeUnit(41), 2),
        (do.BringIn(71, "A1"), 2),
        (do.SwapCard("keep_of_khalisia"), 2),
        (do.BuyCard(), 4),
    ],
)
def test_purchase_takes_its_exact_price(command: do.AnyCommand, price: int) -> None:
    text = DUEL + "B2 0 archer shield catapult"
    dice = [1, 1, 1] if isinstance(command, do.SwapCard) else []
    later = after(shop(text, gold=price + 5), 0, command, dice)
    assert later.players[0].gold == 5
    assert refusal(shop(text, gold=price - 1), 0, command)[0] == Refusal.NO_GOLD


@pytest.mark.rule("KA-6.5", "KA-13")
@pytest.mark.parametrize(
    "command",
    [
        do.BuyUnit("sword", "A1"),
        do.UpgradeUnit(11),
        do.BringIn(71, "A1"),
        do.SwapCard("keep_of_khalisia"),
        do.BuyCard(),
    ],
)
def test_nothing_is_bought_in_another_phase(command: do.AnyCommand) -> None:
    state = position(gold=(9, 9))
    assert refusal(state, 0, command) == (Refusal.WRONG_PHASE, "KA-6.5")


# -- units -----------------------------------------------------------------------------------------


@pytest.mark.rule("KA-6.5", "KA-2.1", "KA-12")
@pytest.mark.parametrize(
    ("text", "unit", "code"),
    [
        (DUEL, "crown", Refusal.NOT_IN_RESERVE),
        (DUEL, "special", Refusal.NOT_IN_RESERVE),
        (DUEL, "dragon", Refusal.NOT_IN_RESERVE),
        (DUEL + "dead 0 general", "general", Refusal.NOT_IN_RESERVE),
        (DUEL + "dead 0 catapult\nB2 0 catapult", "catapult", Refusal.NOT_IN_RESERVE),
        (DUEL + "dead 0 sword sword sword", "sword", Refusal.NOT_IN_RESERVE),
    ],
)
def test_only_units_in_the_reserve_are_for_sale(text: str, unit: str, code: Refusal) -> None:
    assert refusal(shop(text), 0, do.BuyUnit(unit, "A1"))[0] == code
    assert unit not in {row.id for row in for_sale(shop(text), 0)}


@pytest.mark.rule("KA-6.5")
@pytest.mark.parametrize(
    ("text", "places"),
    [
        (DUEL, ["A1"]),
        (DUEL + "C1 0 #2 archer", ["A1", "C1"]),
        (OUTPOST, []),
        (AWAY, ["B1"]),
        (ALL_FULL, []),
        (NO_CASTLE, ["A1"]),
    ],
)
def test_bought_unit_goes_to_a_castle_or_else_to_the_crown(text: str, places: list[str]) -> None:
    state = shop(text)
    assert purchase_places(state, 0) == tuple(tile(state, name) for name in places)
    for name in ("A1", "B1", "B2", "C1", "C2"):
        command = do.BuyUnit("general", name)
        if name in places:
            assert "general" in stand(after(state, 0, command), name)
        else:
            full = not places or name == "A1"
            code = Refusal.NO_ROOM if full else Refusal.BAD_PLACE
            assert refusal(state, 0, command)[0] == code


# -- upgrades --------------------------------------------------------------------------------------


@pytest.mark.rule("KA-2.2", "KA-6.5")
def test_plain_units_on_the_board_are_upgraded_once() -> None:
    state = shop(MIXED)
    assert [unit.id for unit in upgradable(state, 0)] == [11, 41]
    later = after(state, 0, do.UpgradeUnit(41))
    assert later.units[41].upgraded
    for unit, code in (
        (21, Refusal.NOT_UPGRADABLE),
        (51, Refusal.NOT_UPGRADABLE),
        (61, Refusal.NOT_UPGRADABLE),
        (12, Refusal.NO_UNIT),
        (71, Refusal.NO_UNIT),
        (111, Refusal.NO_UNIT),
        (999, Refusal.NO_UNIT),
    ):
        assert refusal(state, 0, do.UpgradeUnit(unit))[0] == code
    assert refusal(later, 0, do.UpgradeUnit(41))[0] == Refusal.NOT_UPGRADABLE


# -- Special Units ---------------------------------------------------------------------------------


@pytest.mark.rule("KA-9")
@pytest.mark.parametrize(
    ("text", "places"),
    [
        (DUEL, ["A1"]),
        (DUEL + "C1 0 #2 archer", ["A1", "C1"]),
        (AWAY, ["B1"]),
        (NO_CASTLE, ["A1"]),
        (ALL_FULL, ["A2", "B2", "C1"]),
        (OUTPOST, ["A2", "B1", "B3", "C1"]),
        (ENCLOSED.replace("sword sword sword", "sword sword"), ["A1"]),
        (ENCLOSED, []),
    ],
)
def test_special_unit_comes_in_by_the_first_rule_with_a_place(text: str, places: list[str]) -> None:
    state = shop(text)
    assert special_places(state, 0) == tuple(tile(state, name) for name in places)
    for name in ("A1", "A2", "B1", "B2", "B3", "C1", "C2"):
        command = do.BringIn(71, name)
        if name in places:
            later = after(state, 0, command)
            assert later.units[71].tile == tile(state, name)
        else:
            with pytest.raises(Refused):
                decided(state, 0, command)


@pytest.mark.rule("KA-9", "KA-12")
def test_fallen_special_unit_can_be_bought_back() -> None:
    state = shop(DUEL + "fallen 0 special")
    later = after(state, 0, do.BringIn(71, "A1"))
    assert later.units[71].place == "board"
    assert refusal(later, 0, do.BringIn(71, "A1"))[0] == Refusal.NOT_IN_RESERVE
    assert refusal(later, 0, do.BringIn(171, "A1"))[0] == Refusal.NOT_IN_RESERVE
    assert refusal(later, 0, do.BringIn(11, "A1"))[0] == Refusal.NOT_IN_RESERVE


@pytest.mark.rule("KA-9", "KA-8.3")
def test_captured_special_unit_is_brought_in_by_its_new_owner() -> None:
    text = DUEL + "fallen 0 special:2 special\nB3 2 # crown"
    state = shop(text)
    later = after(state, 0, do.BringIn(271, "A1"))
    assert (later.units[271].owner, later.units[271].tile) == (0, tile(state, "A1"))


# -- Magic cards -----------------------------------------------------------------------------------


@pytest.mark.rule("KA-10.4")
def test_swap_takes_the_top_card_and_shuffles_the_old_one_in() -> None:
    state = shop()
    before = state.players[0]
    events = decided(state, 0, do.SwapCard(before.hand[0]), [1, 1, 1])
    swapped = events[0]
    assert isinstance(swapped, ev.CardSwapped)
    assert (swapped.given, swapped.taken) == (before.hand[0], before.deck[0])
    assert swapped.deck == (*before.deck[2:], before.hand[0], before.deck[1])
    later = after(state, 0, do.SwapCard(before.hand[0]), [1, 1, 1]).players[0]
    assert (len(later.hand), len(later.deck)) == (1, 4)


@pytest.mark.rule("KA-10.4")
def test_bought_card_is_the_top_one() -> None:
    before = shop().players[0]
    later = after(shop(), 0, do.BuyCard()).players[0]
    assert later.hand == (*before.hand, before.deck[0])
    assert later.deck == before.deck[1:]


@pytest.mark.rule("KA-10.4")
def test_card_purchases_need_a_deck_and_swaps_a_hand_card() -> None:
    empty = shop(decks={0: ()})
    assert refusal(empty, 0, do.BuyCard())[0] == Refusal.DECK_EMPTY
    assert refusal(empty, 0, do.SwapCard("keep_of_khalisia"))[0] == Refusal.DECK_EMPTY
    assert refusal(shop(), 0, do.SwapCard("harmony_of_the_sun"))[0] == Refusal.NO_CARD
    assert refusal(shop(hands={0: ()}), 0, do.SwapCard("?"))[0] == Refusal.NO_CARD


@pytest.mark.rule("KA-15", "KA-10.4")
@pytest.mark.parametrize("card", ["keep_of_khalisia", "dawns_sword"])
def test_swapped_card_is_hidden_from_others(
    card: str,
) -> None:
    state = shop(hands={0: ("keep_of_khalisia", "dawns_sword")})
    other = shop(hands={0: ("harmony_of_the_sun", "oath_of_the_ranks")})
    others = do.SwapCard("oath_of_the_ranks")
    assert _told(state, do.SwapCard(card)) == _told(other, others)
    assert _told(state, do.BuyCard()) == _told(other, do.BuyCard())


def _told(state: State, command: do.AnyCommand) -> list[ev.AnyEvent | None]:
    """Return the events of a command as the other seat sees them."""
    told, now = [], state
    for event in decided(state, 0, command, [2, 1] if isinstance(command, do.SwapCard) else []):
        later = folded(now, (event,))
        told.append(redact(event, now, later, 1))
        now = later
    return told


# -- open and closed phase -------------------------------------------------------------------------


@pytest.mark.rule("KA-6", "KA-6.5")
@pytest.mark.parametrize(
    ("text", "gold", "cards", "open_"),
    [
        (DUEL, 0, True, False),
        (DUEL, 1, True, True),
        (DUEL + "dead 0 sword sword sword", 1, False, True),
        (OUTPOST.replace("sword", "sword+").replace("archer", "archer+"), 1, True, False),
        (OUTPOST.replace("sword", "sword+").replace("archer", "archer+"), 2, False, True),
        (ENCLOSED.replace("sword", "sword+"), 9, False, False),
        (ENCLOSED.replace("sword", "sword+"), 9, True, True),
        (ENCLOSED.replace("sword", "sword+"), 1, True, False),
    ],
)
def test_purchase_phase_is_open_only_if_something_is_affordable(
    text: str, gold: int, cards: bool, open_: bool
) -> None:
    decks = None if cards else {0: ()}
    assert may_buy(shop(text, gold, decks=decks), 0) is open_
