"""Who is out, who has won, and who gives up (section 13.3)."""

from __future__ import annotations

from engine.core.record import replace
from engine.strategic.book import Book
from engine.strategic.commands import AnswerYield
from engine.strategic.desk import Desk
from engine.strategic.events import Answered, Asked, DeedsCounted, GameEnded
from engine.strategic.pieces import NOBODY, City, Question
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.turns.leaving import leave
from engine.strategic.turns.rounds import go_on_round
from engine.strategic.world import World, cities_of


def eliminate(work: Desk, book: Book) -> None:
    """Sides without a city are out.

    Rules: W2-13.1, W2-13.3.
    """
    for side in work.state.sides.values():
        if side.alive and not cities_of(work.state, side.id):
            leave(work, book, side.id, "side_out")


def judge(work: Desk, book: Book) -> None:
    """End the game if somebody has won, or everybody lost.

    Rules: W2-13.3.
    """
    verdict = book.turns.verdict(work.state)
    if verdict is not None:
        winners, reason = verdict
        work.emit(GameEnded(winners=winners, reason=reason))


def check(work: Desk, book: Book) -> None:
    """End the game, or ask whether it shall end because the computers give up.

    Rules: W2-13.3.
    """
    judge(work, book)
    side = book.turns.yields(work.state) if work.state.reason is None else None
    if side is not None:
        work.emit(Asked(question=Question("yield", side)))


def answer_yield(work: Desk, book: Book, side: int, command: AnswerYield) -> None:
    """The surrender is accepted, or the war goes on with the next round.

    What the side has when it refuses is kept: the next offer waits until it has more.

    Rules: W2-13.3.

    Raises:
        Refused: nobody has offered to surrender to this side.
    """
    question = work.state.question
    if question is None or question.kind != "yield" or question.side != side:
        refuse(Refusal.NO_QUESTION, "Nobody has offered to surrender.", "W2-13.3")
    answer = "accept" if command.accept else "decline"
    work.emit(Answered(kind="yield", side=side, answer=answer))
    if command.accept:
        work.emit(GameEnded(winners=(side,), reason="surrender"))
        return
    row = work.state.sides[side]
    deeds = replace(row.deeds, refused=len(cities_of(work.state, side)))
    work.emit(DeedsCounted((replace(row, deeds=deeds),)))
    go_on_round(work, book)


def living(world: World) -> tuple[int, ...]:
    """The sides that are still in the game."""
    return tuple(side.id for side in world.sides.values() if side.alive)


def standing(world: World) -> tuple[City, ...]:
    """The cities that are no ruins, those of nobody included."""
    return tuple(city for city in world.cities.values() if not city.razed)


def has_most(world: World, side: int) -> bool:
    """Whether a side owns more than half of the standing cities.

    Rules: W2-13.3.
    """
    return 2 * len(cities_of(world, side)) > len(standing(world))


def surrenders_to(world: World, margin: int, more: int) -> int | None:
    """The only human side, if the computers give up before it.

    It must own more than half of the standing cities, and more than the best computer's and a
    ``margin``-th of all. If it has refused once it must have won a ``more``-th since, one at least.

    Rules: W2-13.3.
    """
    sides = [side for side in world.sides.values() if side.alive and side.id != NOBODY]
    humans = [side for side in sides if side.human]
    rivals = [len(cities_of(world, side.id)) for side in sides if not side.human]
    if len(humans) != 1 or not rivals or not has_most(world, humans[0].id):
        return None
    owned, refused = len(cities_of(world, humans[0].id)), humans[0].deeds.refused
    enough = max(rivals) + len(standing(world)) // margin
    again = refused + max(1, -(-refused // more)) if refused else 0
    return humans[0].id if owned > enough and owned >= again else None
