"""Dispatch of commands: who may act now, and which chapter carries a command out."""

from __future__ import annotations

from typing import assert_never

from engine.strategic import (
    aftermath,
    cities,
    diplomacy,
    heroes,
    movement,
    quests,
    sight,
    sites,
    turns,
    victory,
)
from engine.strategic import commands as do
from engine.strategic.decision import Decision
from engine.strategic.pieces import Question
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
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


def decide(work: Decision, book: RuleSettings, side: int, command: do.AnyCommand) -> None:
    """What happens when a side wants this.

    Raises:
        Refused: the rules do not allow it.
    """
    check(work.state, side, command)
    before = work.state
    _carry_out(work, book, side, command)
    sight.note_sighted(work, book, side, before)


def _carry_out(work: Decision, book: RuleSettings, side: int, command: do.AnyCommand) -> None:
    match command:
        case do.March():
            movement.march(work, book, side, command)
        case do.Walk():
            movement.walk(work, book, side, command)
        case do.SetGoal():
            movement.set_goal(work, book, side, command)
        case do.GoOn():
            movement.go_on(work, book, side)
        case do.Defend():
            movement.defend(work, book, side, command)
        case do.Disband():
            movement.disband(work, book, side, command)
        case do.Search():
            sites.search(work, book, side, command)
        case do.Bless():
            sites.bless(work, book, side, command)
        case do.TakeQuest():
            quests.take(work, book, side, command)
        case do.AskSage():
            sites.ask_sage(work, book, side, command)
        case do.Produce():
            cities.produce(work, book, side, command)
        case do.StopProduction():
            cities.stop_production(work, book, side, command)
        case do.BuySlot():
            cities.buy_slot(work, book, side, command)
        case do.SetVector():
            cities.set_vector(work, book, side, command)
        case do.Settle():
            aftermath.settle_city(work, book, side, command)
        case do.Hire():
            heroes.hire(work, book, side, command)
            turns.go_on_turn(work, book)
        case do.PickUp():
            sites.pick_up(work, book, side, command)
        case do.Drop():
            sites.drop(work, book, side, command)
        case do.PlantFlag():
            sites.plant_flag(work, book, side, command)
        case do.SetFightOrder():
            diplomacy.set_fight_order(work, book, side, command)
        case do.SetStance():
            diplomacy.set_stance(work, book, side, command)
        case do.Raze():
            aftermath.raze_city(work, book, side, command)
        case do.RenameCity():
            cities.rename(work, book, side, command)
        case do.Resign():
            victory.resign(work, book, side, command)
        case do.AnswerYield():
            victory.answer_yield(work, book, side, command)
        case do.EndTurn():
            turns.end_turn(work, book, side)
        case _:
            assert_never(command)
