"""Commands to chapters: who may ask for what now, and which function answers."""

from __future__ import annotations

from typing import assert_never

from engine.strategic import commands as do
from engine.strategic.book import Book
from engine.strategic.cities import buying, production, vectoring
from engine.strategic.desk import Desk
from engine.strategic.fighting import capture
from engine.strategic.heroes import items, offers, quests, searching
from engine.strategic.moving import goals, marching, sight
from engine.strategic.pieces import Question
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.turns import diplomacy, resigning, rounds, start, victory
from engine.strategic.world import World

_ANSWERS = {do.Settle: "fate", do.Hire: "hero", do.AskSage: "sage", do.AnswerYield: "yield"}
"""The commands that answer a question, and the kind of it."""


def owes(world: World) -> frozenset[int]:
    """Who must act: whoever has been asked something, else the side whose turn it is."""
    if world.reason is not None or not world.order:
        return frozenset()
    return frozenset((world.question.side if world.question else world.current,))


def may(world: World, side: int) -> bool:
    """Whether a side is listened to now: in its turn, and always to resign."""
    return world.reason is None and side in world.sides and world.sides[side].alive


def check(world: World, side: int, command: do.AnyCommand) -> None:
    """Refuse whoever must not speak now. Rules: W2-13.1.

    Raises:
        Refused: the game is over, it is not the side's turn, or a question waits.
    """
    if world.reason is not None:
        refuse(Refusal.GAME_OVER, "The game is over.", "W2-13.3")
    if not may(world, side):
        refuse(Refusal.NOT_YOUR_TURN, "You have no part in the game.", "W2-13.1")
    if side not in owes(world):
        refuse(Refusal.NOT_YOUR_TURN, "It is not your turn.", "W2-13.1")
    if isinstance(command, do.Resign):
        return
    _check_answer(world.question, command)


def _check_answer(question: Question | None, command: do.AnyCommand) -> None:
    wanted = _ANSWERS.get(type(command))
    if question is not None and wanted != question.kind:
        refuse(Refusal.ANSWER_FIRST, _WAITING[question.kind], "W2-13.2")
    if question is None and wanted is not None:
        refuse(Refusal.NO_QUESTION, "Nothing was asked.", "W2-13.2")


_WAITING = {
    "fate": "Say first what becomes of the city.",
    "hero": "Say first whether the hero is hired.",
    "sage": "Tell the sage first what you want.",
    "yield": "Say first whether you accept the surrender.",
}


def decide(work: Desk, book: Book, side: int, command: do.AnyCommand) -> None:
    """What happens when a side wants this.

    Raises:
        Refused: the rules do not allow it.
    """
    check(work.state, side, command)
    before = work.state
    _carry_out(work, book, side, command)
    sight.note_sighted(work, book, side, before)


def _carry_out(work: Desk, book: Book, side: int, command: do.AnyCommand) -> None:
    match command:
        case do.March():
            marching.march(work, book, side, command)
        case do.Walk():
            marching.walk(work, book, side, command)
        case do.SetGoal():
            goals.set_goal(work, book, side, command)
        case do.GoOn():
            goals.go_on(work, book, side)
        case do.Defend():
            goals.defend(work, book, side, command)
        case do.Disband():
            goals.disband(work, book, side, command)
        case do.Search():
            searching.search(work, book, side, command)
        case do.Bless():
            searching.bless(work, book, side, command)
        case do.TakeQuest():
            quests.take(work, book, side, command)
        case do.AskSage():
            searching.ask_sage(work, book, side, command)
        case do.Produce():
            production.produce(work, book, side, command)
        case do.StopProduction():
            production.stop(work, book, side, command)
        case do.BuySlot():
            buying.buy(work, book, side, command)
        case do.SetVector():
            vectoring.vector(work, book, side, command)
        case do.Settle():
            capture.settle(work, book, side, command)
        case do.Hire():
            offers.hire(work, book, side, command)
            start.go_on_turn(work, book)
        case do.PickUp():
            items.pick_up(work, book, side, command)
        case do.Drop():
            items.drop(work, book, side, command)
        case do.PlantFlag():
            items.plant(work, book, side, command)
        case do.SetFightOrder():
            diplomacy.set_fight_order(work, book, side, command)
        case do.SetStance():
            diplomacy.set_stance(work, book, side, command)
        case do.Raze():
            capture.raze(work, book, side, command)
        case do.RenameCity():
            production.rename(work, book, side, command)
        case do.Resign():
            resigning.resign(work, book, side, command)
        case do.AnswerYield():
            victory.answer_yield(work, book, side, command)
        case do.EndTurn():
            rounds.end_turn(work, book, side)
        case _:
            assert_never(command)
