"""Purses after a random turn match the rule book's prices and income."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given

from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.state import NOBODY, State
from engine.rulesets.gd6.turns import close
from tests.rulesets.gd6.turn_positions import turns

ITEMS: Final = {"crop": 30, "dynamite": 20, "toxic": 20}
PROMOTIONS: Final = {"cavalry": 3, "heavy": 3, "spy": 30}
CONSTRUCTS: Final = {"watchtower": 20, "bivouac": 30, "library": 10}
SURCHARGE: Final = 10
MINE: Final = 5
PER_HQ: Final = 6
PER_LIBRARY: Final = 2
ARMIES_PER_IP: Final = 10


@pytest.mark.rule("GD-FINAL-3", "GD-BUILD-2", "GD-BUY-1", "GD-PROMOTE-1", "GD-MINE-1")
@given(state=turns())
def test_purse_matches_prices_and_income(state: State) -> None:
    decision = BaseDecision(state, evolve, Scripted([]))
    close(decision)
    at_income = position_at_income(state, decision.events)
    for seat, player in state.players.items():
        paid = sum(price(state, event, seat) for event in decision.events)
        assert player.ip - paid >= 0
        earned = 0 if at_income is None else income(at_income, seat)
        assert decision.state.players[seat].ip == player.ip - paid + earned


def price(state: State, event: ev.AnyEvent, seat: int) -> int:
    """Return the price that a seat pays for an event."""
    match event:
        case ev.ConstructBuilt(seat=by) if by == seat:
            surcharged = SURCHARGE * owned_at_start(state, seat, event.construct)
            return CONSTRUCTS[event.construct] + surcharged
        case ev.Promoted(seat=by) if by == seat:
            return PROMOTIONS[event.unit] * event.count
        case ev.MinesLaid(seat=by) if by == seat:
            return MINE * event.count
        case ev.ItemBought(seat=by) if by == seat:
            return ITEMS[event.item]
        case _:
            return 0


def owned_at_start(state: State, seat: int, construct: str) -> int:
    """Return the number of constructs that raise the price of the next one."""
    mine = [row for row in state.territories.values() if row.owner == seat]
    return 0 if construct == "watchtower" else sum(row.construct == construct for row in mine)


def position_at_income(state: State, events: tuple[ev.AnyEvent, ...]) -> State | None:
    """Return the position just before the first income, or None if the turn has none."""
    for event in events:
        if isinstance(event, ev.IncomeEarned):
            return state
        state = evolve(state, event)
    return None


def income(state: State, seat: int) -> int:
    """Return the income of a seat by section 9."""
    lands = [row for row in state.territories.values() if row.owner == seat]
    hqs = sum(row.hq != NOBODY for row in lands)
    libraries = sum(row.construct == "library" for row in lands)
    armies = sum(row.army for row in lands)
    return len(lands) + PER_HQ * hqs + PER_LIBRARY * libraries + armies // ARMIES_PER_IP
