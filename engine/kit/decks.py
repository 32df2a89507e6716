"""Decks with a hidden order, hands and discard piles, as tuples of card names.

These functions are for deciding a command. The events hold the new tuples, so that nothing is
shuffled again when they are applied. Hands and piles keep the order in which cards came to them.
The number of throws depends on the number of cards only, never on which cards they are.
"""

from __future__ import annotations

from typing import TypeAlias

from engine.core.dice import Dice, shuffle
from engine.core.record import Record

Cards: TypeAlias = tuple[str, ...]
"""Names of cards; the first card of a deck is its top. A name may stand there several times."""


class DeckDraw(Record, frozen=True):
    """Card drawn from a deck, and the piles after it."""

    card: str
    deck: Cards
    discard: Cards = ()
    reshuffled: bool = False
    """True if the discard pile had to become the deck first."""


class HandSwap(Record, frozen=True):
    """Card drawn in exchange for a card of the hand, and the piles after it."""

    card: str
    deck: Cards
    hand: Cards


def draw(deck: Cards) -> DeckDraw:
    """The top card.

    Raises:
        IndexError: the deck is empty.

    >>> draw(("sun", "moon")).deck
    ('moon',)
    """
    return DeckDraw(deck[0], deck[1:])


def draw_or_refill(dice: Dice, deck: Cards, discard: Cards) -> DeckDraw:
    """The top card; an empty deck is first refilled with the shuffled discard pile.

    The drawn card is not put on the discard pile.

    Raises:
        IndexError: both are empty.
    """
    if deck:
        return DeckDraw(deck[0], deck[1:], discard)
    refilled = shuffle(dice, discard)
    return DeckDraw(refilled[0], refilled[1:], reshuffled=True)


def put_under(deck: Cards, *cards: str) -> Cards:
    """The deck with cards put under it, the last one at the bottom."""
    return (*deck, *cards)


def shuffle_in(dice: Dice, deck: Cards, *cards: str) -> Cards:
    """The deck with cards added, in a new order."""
    return shuffle(dice, (*deck, *cards))


def without(pile: Cards, *cards: str) -> Cards:
    """A hand or a pile without cards, each taken out once.

    Raises:
        ValueError: one is not there.

    >>> without(("sun", "moon", "sun"), "sun")
    ('moon', 'sun')
    """
    left = list(pile)
    for card in cards:
        left.remove(card)
    return tuple(left)


def swap(dice: Dice, deck: Cards, hand: Cards, card: str) -> HandSwap:
    """Exchange a card of the hand for the top card, and shuffle it into the rest of the deck.

    The same card cannot come back at once. The drawn card comes last in the hand.

    Raises:
        IndexError: the deck is empty.
        ValueError: the hand does not hold the card.
    """
    drawn = draw(deck)
    hand = (*without(hand, card), drawn.card)
    return HandSwap(drawn.card, shuffle_in(dice, drawn.deck, card), hand)
