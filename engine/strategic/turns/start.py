"""The start of a turn (section 13.2)."""

from __future__ import annotations

from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import StageSet, TurnBegan


def begin_turn(work: Desk, book: Book, at: int) -> None:
    """The turn of whoever is at this place of the order begins, up to the offer of a hero.

    Where a hero asks for an answer the rest of the start of the turn waits for it.

    Rules: W2-13.2.
    """
    work.emit(TurnBegan(side=work.state.order[at], at=at))
    for phase in book.turns.opening:
        phase(work, book, work.state.current)
    if work.state.question is not None:
        work.emit(StageSet(stage="offer"))
    else:
        go_on_turn(work, book)


def go_on_turn(work: Desk, book: Book) -> None:
    """What comes between the offer of a hero and the side's orders.

    Rules: W2-13.2.
    """
    leave_offer(work)
    for phase in book.turns.rest:
        phase(work, book, work.state.current)


def leave_offer(work: Desk) -> None:
    """Nothing waits for an offered hero any more."""
    if work.state.stage == "offer":
        work.emit(StageSet(stage="orders"))
