"""Rounds: whose turn it is (section 13.1)."""

from __future__ import annotations

from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import RoundBegan
from engine.strategic.turns.start import begin_turn
from engine.strategic.world import World


def begin_game(work: Desk, book: Book) -> None:
    """The first round and the first turn begin.

    Rules: W2-13.1.
    """
    _begin_round(work, book, work.state.turn)


def end_turn(work: Desk, book: Book, side: int) -> None:
    """The turn of a side ends; the next one begins.

    Rules: W2-13.1, W2-13.2.
    """
    for phase in book.turns.closing:
        phase(work, book, side)
    pass_on(work, book)


def pass_on(work: Desk, book: Book) -> None:
    """The next living side plays; after the last one the round ends.

    Rules: W2-13.1.
    """
    if work.state.reason is not None:
        return
    at = _next(work.state, work.state.at + 1)
    if at is not None:
        begin_turn(work, book, at)
        return
    for phase in book.turns.round_end:
        phase(work, book)
    if work.state.question is None:
        go_on_round(work, book)


def go_on_round(work: Desk, book: Book) -> None:
    """What comes after it is clear that the game goes on: another round.

    Rules: W2-13.1.
    """
    if work.state.reason is not None:
        return
    for phase in book.turns.between:
        phase(work, book)
    _begin_round(work, book, work.state.turn + 1)


def _begin_round(work: Desk, book: Book, turn: int) -> None:
    work.emit(RoundBegan(turn=turn, order=book.turns.order(work)))
    at = _next(work.state, 0)
    if at is not None:
        begin_turn(work, book, at)


def _next(world: World, first: int) -> int | None:
    """The first place of the order, from ``first`` on, of a side that plays. Rules: W2-13.1."""
    places = range(first, len(world.order))
    return next((at for at in places if world.sides[world.order[at]].alive), None)
