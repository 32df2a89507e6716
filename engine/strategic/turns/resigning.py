"""Leaving the game of one's own will (section 17)."""

from __future__ import annotations

from engine.core.record import replace
from engine.strategic.book import Book
from engine.strategic.commands import Resign
from engine.strategic.desk import Desk
from engine.strategic.events import Answered, CitiesFreed
from engine.strategic.fighting.capture import ruin
from engine.strategic.pieces import NOBODY, NONE, City, Question
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.turns.leaving import leave
from engine.strategic.turns.rounds import go_on_round, pass_on
from engine.strategic.turns.start import leave_offer
from engine.strategic.turns.victory import judge
from engine.strategic.world import cities_of


def resign(work: Desk, book: Book, side: int, command: Resign) -> None:
    """Leave the game: the cities are nobody's, without garrisons, or they are razed.

    Rules: W2-17, W2-13.3.

    Raises:
        Refused: cities are to be razed where that is not allowed.
    """
    if command.burn and not book.turns.may_burn:
        refuse(Refusal.NOT_ALLOWED, "Cities cannot be razed in this game.", "W2-17")
    was_current = work.state.current == side
    question = _withdraw(work, side)
    leave(work, book, side, "resigned")
    if command.burn:
        _burn(work, book, side)
    else:
        _free(work, book, side)
    judge(work, book)
    if work.state.reason is not None:
        return
    if question is not None and question.kind == "yield":
        go_on_round(work, book)
    elif was_current and work.state.question is None:
        leave_offer(work)
        pass_on(work, book)


def _withdraw(work: Desk, side: int) -> Question | None:
    """What the side was asked needs no answer any more."""
    question = work.state.question
    if question is None or question.side != side:
        return None
    work.emit(Answered(kind=question.kind, side=side, answer="resign"))
    return question


def _free(work: Desk, book: Book, side: int) -> None:
    cities = tuple(_freed(city) for city in cities_of(work.state, side))
    if cities:
        work.emit(CitiesFreed(cities=cities, art=(book.cities.art(NOBODY),) * len(cities)))


def _freed(city: City) -> City:
    return replace(city, owner=NOBODY, making=NONE, left=0, vector=NONE, attacked_by=0)


def _burn(work: Desk, book: Book, side: int) -> None:
    for city in cities_of(work.state, side):
        ruin(work, book, city.id, side)
