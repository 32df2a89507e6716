"""Decks, hands and discard piles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Scripted, Seeded
from engine.kit.decks import Cards, draw, draw_or_refill, put_under, shuffle_in, swap, without

piles = st.lists(st.sampled_from("abcde"), max_size=6).map(tuple)


def dice(seed: int = 1) -> Seeded:
    """Dice of a test."""
    return Seeded(b"cards", seed, "test")


def test_cards_are_drawn_from_the_top() -> None:
    drawn = draw(("sun", "moon", "star"))
    assert (drawn.card, drawn.deck, drawn.reshuffled) == ("sun", ("moon", "star"), False)
    with pytest.raises(IndexError):
        draw(())


def test_a_deck_with_cards_throws_no_dice() -> None:
    drawn = draw_or_refill(Scripted(), ("sun",), ("moon",))
    assert (drawn.card, drawn.deck, drawn.discard, drawn.reshuffled) == (
        "sun",
        (),
        ("moon",),
        False,
    )


def test_an_empty_deck_is_refilled_with_the_shuffled_discard_pile() -> None:
    drawn = draw_or_refill(Scripted([(3, 1), (2, 1)]), (), ("sun", "moon", "star"))
    assert (drawn.card, drawn.deck) == ("moon", ("star", "sun"))
    assert drawn.reshuffled
    assert drawn.discard == ()
    with pytest.raises(IndexError):
        draw_or_refill(Scripted(), (), ())


def test_cards_are_put_under_in_order() -> None:
    assert put_under(("sun",), "moon", "star") == ("sun", "moon", "star")


def test_a_card_is_taken_out_once() -> None:
    assert without(("sun", "moon", "sun"), "sun") == ("moon", "sun")
    with pytest.raises(ValueError, match="not in"):
        without(("sun",), "moon")


def test_a_swapped_card_does_not_come_back_at_once() -> None:
    swapped = swap(Scripted([(2, 1)]), ("star", "comet"), ("sun", "moon"), "sun")
    assert swapped.card == "star"
    assert swapped.hand == ("moon", "star")
    assert swapped.deck == ("sun", "comet")


@given(piles, piles, st.integers(0, 99))
def test_no_card_is_lost(deck: Cards, hand: Cards, seed: int) -> None:
    assert sorted(shuffle_in(dice(seed), deck, *hand)) == sorted(deck + hand)
    if deck and hand:
        swapped = swap(dice(seed), deck, hand, hand[0])
        assert len(swapped.hand) == len(hand)
        assert sorted(swapped.deck + swapped.hand) == sorted(deck + hand)
    if deck or hand:
        drawn = draw_or_refill(dice(seed), deck, hand)
        assert sorted((drawn.card, *drawn.deck, *drawn.discard)) == sorted(deck + hand)


@given(st.permutations("abcde"), st.integers(0, 99))
def test_the_throws_do_not_depend_on_the_cards(hand: list[str], seed: int) -> None:
    one, other = dice(seed), dice(seed)
    swap(one, ("x", "y", "z"), tuple("abcde"), "a")
    swap(other, ("z", "x", "y"), tuple(hand), hand[0])
    assert one.thrown == other.thrown
