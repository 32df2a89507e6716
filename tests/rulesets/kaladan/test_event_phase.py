"""The Event Phase: every card with and without its condition, choices, and the deck."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.decision import BaseDecision
from engine.core.record import replace
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.event_phase import draw, event_offers, meets
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import Options, State
from engine.rulesets.kaladan.tables import event_cards
from engine.rulesets.kaladan.turns import owing
from tests.rulesets.kaladan.positions import after, decided, pad, position, refusal, stand

BASE = """
FW MFF MF
A1 0 # crown sword
C2 1 # crown sword
"""
FULL = """
FW MFF MF
A1 0 # crown sword sword sword sword
C2 1 # crown sword sword sword sword
"""
CATAPULTS = BASE + "B1 0 catapult\nB3 1 catapult"
GENERALS = BASE + "B1 0 general\nB3 1 general"
SPREAD = BASE + "A2 0 archer\nB1 0 archer\nC1 1 shield"
FALLEN = BASE + "dead 0 archer shield\ndead 1 archer shield"
ENGINES = SPREAD + "\ndead 0 catapult\ndead 1 catapult"
EIGHT = BASE + "A2 0 archer shield+ shield\nB1 0 archer catapult\nB2 0 general"
NINE = EIGHT + " special"
TEN = NINE + " catapult"
GONE = """
FW MFF MF
A1 0 crown sword
B2 0 #
C2 1 # crown sword
"""
LONELY = """
FW MFF MF
B1 0 # crown
C1 1 # crown
"""
PURSE = 5


def phase(text: str, *cards: str, **more: Any) -> State:
    """Return a position in which the first of these cards is drawn next."""
    return position(text, phase="event", gold=(PURSE, PURSE), event_deck=cards, **more)


def drawn(text: str, *cards: str, **more: Any) -> BaseDecision[State, ev.AnyEvent]:
    """Draw the first of these cards and return the decision."""
    decision = pad(phase(text, *cards, **more))
    assert draw(decision)
    return decision


def applied(decision: BaseDecision[State, ev.AnyEvent]) -> dict[int, tuple[str, int]]:
    """Return option and change of gold of each seat for which the card was applied at once."""
    parts = [event for event in decision.events if isinstance(event, ev.EventApplied)]
    return {part.seat: (part.option, part.gold - PURSE) for part in parts}


# -- each card -------------------------------------------------------------------------------------


@pytest.mark.rule("KA-11", "KA-11.1")
@pytest.mark.parametrize(
    ("card", "text", "parts"),
    [
        ("siege_guild", CATAPULTS, {0: ("gold", 1), 1: ("gold", 1)}),
        ("siege_guild", BASE + "B1 1 catapult", {1: ("gold", 1)}),
        ("siege_guild", BASE, {}),
        ("harvest", BASE, {0: ("gold", 1), 1: ("gold", 1)}),
        ("harvest", LONELY, {}),
        ("timber", SPREAD, {0: ("gold", 1)}),
        ("timber", BASE, {}),
        ("ore", SPREAD, {0: ("gold", 1), 1: ("gold", 1)}),
        ("ore", BASE, {}),
        ("royal_tax", BASE, {0: ("gold", 2)}),
        ("court_in_state", BASE, {0: ("gold", 2)}),
        ("court_in_state", GONE, {}),
        ("generals_pay", GENERALS, {0: ("lose_gold", -1), 1: ("lose_gold", -1)}),
        ("generals_pay", BASE, {}),
        ("cutpurses", BASE, {0: ("lose_gold", -1)}),
        ("hard_winter", BASE, {}),
        ("mutiny", NINE, {}),
        ("second_dawn", BASE, {}),
        ("healers_tents", BASE, {}),
        ("old_engines", FALLEN, {}),
        ("star_reader", BASE, {0: ("draw_magic", 0)}),
        ("quiet_season", BASE, {0: ("nothing", 0)}),
        ("swords_shadows", FULL, {0: ("gold", 1)}),
        ("courageous_swords", FULL, {0: ("gold", 1), 1: ("gold", 1)}),
        ("training", LONELY, {0: ("gold", 1)}),
        ("great_drill", LONELY, {0: ("gold", 1), 1: ("gold", 1)}),
    ],
)
def test_card_without_a_choice_is_applied_at_once(
    card: str, text: str, parts: dict[int, tuple[str, int]]
) -> None:
    decision = drawn(text, card)
    assert applied(decision) == parts
    assert [player.gold - PURSE for player in decision.state.players.values()] == [
        parts.get(seat, ("", 0))[1] for seat in (0, 1)
    ]
    assert decision.state.event is not None
    assert decision.state.event.asked == ()


@pytest.mark.rule("KA-11", "KA-11.1")
@pytest.mark.parametrize(
    ("card", "text", "asked", "options"),
    [
        ("swords_shadows", BASE, (0,), {"add", "gold"}),
        ("shield_suns", BASE, (0,), {"add", "gold"}),
        ("arrows_avarice", BASE, (0,), {"add", "gold"}),
        ("courageous_swords", BASE, (0, 1), {"add", "gold"}),
        ("summoning_shields", BASE, (0, 1), {"add", "gold"}),
        ("brave_archers", BASE, (0, 1), {"add", "gold"}),
        ("training", BASE, (0,), {"upgrade", "gold"}),
        ("great_drill", BASE, (0, 1), {"upgrade", "gold"}),
        ("second_dawn", FALLEN, (0,), {"resurrect"}),
        ("healers_tents", FALLEN, (0, 1), {"resurrect"}),
        ("old_engines", ENGINES, (0,), {"resurrect"}),
        ("hard_winter", EIGHT, (0,), {"retire"}),
        ("mutiny", TEN, (0,), {"retire"}),
        ("shifting_stars", BASE, (0, 1), {"swap_magic", "nothing"}),
    ],
)
def test_card_with_a_choice_asks_the_affected_seats(
    card: str, text: str, asked: tuple[int, ...], options: set[str]
) -> None:
    decision = drawn(text, card)
    assert applied(decision) == {}
    assert decision.state.event is not None
    assert decision.state.event.asked == asked
    assert owing(decision.state) == {0}
    assert {offer.option for offer in event_offers(decision.state, 0)} == options
    assert event_offers(decision.state, 1) == ()


@pytest.mark.rule("KA-11")
def test_every_card_has_a_known_condition() -> None:
    state = position(BASE)
    assert len(event_cards()) == 24
    for card in event_cards().values():
        assert meets(state, 0, card.condition) in {True, False}
    with pytest.raises(ValueError, match="no event card"):
        meets(state, 0, "has friends")


@pytest.mark.rule("KA-11")
def test_seats_are_asked_from_the_active_one_on() -> None:
    text = BASE + "A2 2 # crown sword"
    decision = pad(replace(phase(text, "great_drill"), active=1, first=2))
    assert draw(decision)
    assert decision.state.event is not None
    assert decision.state.event.asked == (1, 2, 0)


@pytest.mark.rule("KA-11.1")
def test_gold_never_becomes_negative() -> None:
    decision = pad(position(BASE, phase="event", event_deck=("cutpurses",)))
    draw(decision)
    assert decision.state.players[0].gold == 0


@pytest.mark.rule("KA-11.1", "KA-10.4")
def test_star_reader_draws_the_top_card() -> None:
    decision = drawn(BASE, "star_reader")
    before = phase(BASE).players[0]
    player = decision.state.players[0]
    assert player.hand == (*before.hand, before.deck[0])
    assert player.deck == before.deck[1:]


@pytest.mark.rule("KA-11.1", "KA-10.4")
@pytest.mark.parametrize("card", ["star_reader", "shifting_stars"])
def test_empty_magic_deck_leaves_a_seat_unaffected(card: str) -> None:
    decision = drawn(BASE, card, decks={0: (), 1: ()})
    assert applied(decision) == {}


@pytest.mark.rule("KA-11.1")
def test_shifting_stars_skips_a_seat_without_a_card() -> None:
    decision = drawn(BASE, "shifting_stars", hands={0: ()})
    assert applied(decision) == {0: ("nothing", 0)}
    assert decision.state.event is not None
    assert decision.state.event.asked == (1,)


@pytest.mark.rule("KA-11.1")
def test_no_unit_returns_from_the_dead_without_room() -> None:
    full = FULL.replace("sword\nC2", "sword\ndead 0 archer\nC2")
    decision = drawn(full, "second_dawn")
    assert applied(decision) == {0: ("nothing", 0)}


@pytest.mark.rule("KA-11.1")
def test_single_option_is_taken_without_asking() -> None:
    decision = drawn(BASE + "dead 0 archer+", "second_dawn")
    assert applied(decision) == {0: ("resurrect", 0)}
    assert stand(decision.state, "A1") == ["sword", "archer", "crown"]


# -- answers ---------------------------------------------------------------------------------------


def asked(text: str, card: str, **more: Any) -> State:
    """Return a position that waits for the answer to a card."""
    return drawn(text, card, **more).state


@pytest.mark.rule("KA-11.1")
def test_unit_is_added_to_any_own_tile() -> None:
    later = after(asked(SPREAD, "swords_shadows"), 0, do.AnswerEvent("add", tile="A2"))
    assert stand(later, "A2") == ["sword", "archer"]
    assert later.event is None
    assert later.event_discard == ("swords_shadows",)


@pytest.mark.rule("KA-11.1")
def test_gold_may_replace_a_unit() -> None:
    events = decided(asked(BASE, "swords_shadows"), 0, do.AnswerEvent("gold"))
    assert events[0] == ev.EventApplied(0, "swords_shadows", "gold", PURSE + 1, None, asked=True)
    assert events[1] == ev.EventResolved("swords_shadows")
    assert events[2] == ev.PhaseBegan("income", 0)


@pytest.mark.rule("KA-11.1", "KA-2.2")
def test_upgrade_by_an_event_is_free() -> None:
    later = after(asked(BASE, "training"), 0, do.AnswerEvent("upgrade", unit=11))
    assert later.units[11].upgraded
    assert later.players[0].gold == PURSE + 2


@pytest.mark.rule("KA-11.1", "KA-2.2")
def test_dead_units_return_without_upgrades() -> None:
    state = asked(FALLEN.replace("archer", "archer+"), "second_dawn")
    assert state.units[21].upgraded
    later = after(state, 0, do.AnswerEvent("resurrect", tile="A1", unit=21))
    assert stand(later, "A1") == ["sword", "archer", "crown"]


@pytest.mark.rule("KA-11.1", "KA-2.2", "KA-12")
def test_retired_unit_loses_its_upgrade() -> None:
    state = asked(EIGHT, "hard_winter")
    later = after(state, 0, do.AnswerEvent("retire", unit=31))
    assert (later.units[31].place, later.units[31].upgraded) == ("reserve", False)


@pytest.mark.rule("KA-11.1", "KA-10.4")
def test_free_swap_costs_nothing_and_draws_another_card() -> None:
    state = asked(BASE, "shifting_stars")
    before = state.players[0]
    events = decided(state, 0, do.AnswerEvent("swap_magic", card=before.hand[0]), [4, 3, 2])
    assert isinstance(events[0], ev.CardSwapped)
    assert events[0].gold == PURSE
    assert events[0].taken == before.deck[0]
    assert sorted(events[0].deck) == sorted((*before.deck[1:], before.hand[0]))


@pytest.mark.rule("KA-11.1")
def test_each_seat_answers_for_itself() -> None:
    state = after(asked(BASE, "great_drill"), 0, do.AnswerEvent("gold"))
    assert owing(state) == {1}
    state = after(state, 1, do.AnswerEvent("upgrade", unit=111))
    assert state.units[111].upgraded
    assert (state.phase, state.active) == ("spawn", 0)


@pytest.mark.rule("KA-11.1", "KA-13")
@pytest.mark.parametrize(
    ("card", "text", "command", "code"),
    [
        ("training", BASE, do.AnswerEvent("nothing"), Refusal.BAD_OPTION),
        ("training", BASE, do.AnswerEvent("upgrade", unit=111), Refusal.NO_UNIT),
        ("training", BASE, do.AnswerEvent("upgrade", unit=61), Refusal.NOT_UPGRADABLE),
        ("training", BASE, do.AnswerEvent("upgrade", unit=12), Refusal.NO_UNIT),
        ("swords_shadows", BASE, do.AnswerEvent("add", tile="C2"), Refusal.NOT_OWN),
        ("swords_shadows", BASE, do.AnswerEvent("add", tile="A2"), Refusal.NOT_OWN),
        ("swords_shadows", BASE, do.AnswerEvent("add"), Refusal.NO_TILE),
        ("second_dawn", FALLEN, do.AnswerEvent("resurrect", "A1", 121), Refusal.NO_UNIT),
        ("second_dawn", FALLEN, do.AnswerEvent("resurrect", "A1", 12), Refusal.NO_UNIT),
        ("hard_winter", EIGHT, do.AnswerEvent("retire", unit=41), Refusal.NO_UNIT),
        ("hard_winter", EIGHT, do.AnswerEvent("retire", unit=61), Refusal.NO_UNIT),
        ("shifting_stars", BASE, do.AnswerEvent("swap_magic", card="x"), Refusal.NO_CARD),
        ("training", BASE, do.EndPhase(), Refusal.WRONG_PHASE),
    ],
)
def test_unfit_answer_is_refused(
    card: str, text: str, command: do.AnyCommand, code: Refusal
) -> None:
    assert refusal(asked(text, card), 0, command)[0] == code


@pytest.mark.rule("KA-11.1")
def test_impossible_option_cannot_be_chosen() -> None:
    none_left = BASE.replace("A1 0 # crown sword", "A1 0 # crown sword\ndead 0" + 3 * " sword")
    state = replace(asked(BASE, "swords_shadows"), units=position(none_left).units)
    assert refusal(state, 0, do.AnswerEvent("add", tile="A1"))[0] == Refusal.BAD_OPTION


@pytest.mark.rule("KA-1.2", "KA-11.1")
def test_event_puts_no_unit_on_a_full_tile() -> None:
    text = BASE + "A2 0 archer archer archer"
    command = do.AnswerEvent("add", tile="A2")
    assert refusal(asked(text, "swords_shadows"), 0, command)[0] == Refusal.NO_ROOM


@pytest.mark.rule("KA-6.1", "KA-13")
def test_answer_without_a_drawn_card_is_refused() -> None:
    assert refusal(position(BASE), 0, do.AnswerEvent("gold")) == (Refusal.WRONG_PHASE, "KA-6.1")


# -- the deck --------------------------------------------------------------------------------------


@pytest.mark.rule("KA-6.1")
def test_empty_deck_is_reshuffled_from_the_discard_pile() -> None:
    state = phase(BASE, event_discard=("royal_tax", "cutpurses", "quiet_season"))
    decision = pad(state, [1, 1])
    assert draw(decision)
    shuffled = decision.events[0]
    assert isinstance(shuffled, ev.EventDeckShuffled)
    assert shuffled.deck == ("cutpurses", "quiet_season", "royal_tax")
    assert decision.state.event_deck == ("quiet_season", "royal_tax")
    assert decision.state.event_discard == ()


@pytest.mark.rule("KA-6.1", "KA-0")
def test_nothing_is_drawn_without_events_or_cards() -> None:
    assert not draw(pad(phase(BASE, "royal_tax", options=Options(events="off"))))
    assert not draw(pad(phase(BASE)))
