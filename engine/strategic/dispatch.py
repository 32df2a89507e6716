"""Dispatch of commands: which side may act, the end of the game, and the handler of a command.

Rule settings add the ruleset's own commands, and those of them that answer its own questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.ruleset import Outcome
from engine.strategic import (
    aftermath,
    cities,
    diplomacy,
    goals,
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
from engine.strategic.refusal import Refusal, RefusedOn, refuse
from engine.strategic.settings import OrderHandler, RuleSettings
from engine.strategic.world import Pending, World


def owes(world: World) -> frozenset[int]:
    """Return the side that must act: the one that was asked a question, else the current one."""
    if world.reason is not None or not world.order:
        return frozenset()
    pending = world.pending
    return frozenset((world.current if pending is None else pending.side,))


def outcome(world: World) -> Outcome | None:
    """Return the end of the game, or None while it goes on."""
    return Outcome(world.reason, world.winners) if world.reason is not None else None


def decide(decision: Decision, settings: RuleSettings, side: int, command: Command) -> None:
    """Carry out a command of a side.

    Raises:
        Refused: The rules do not allow it; the refusal names the rule.
    """
    before = decision.state
    try:
        check(before, settings, side, command)
        handler = settings.orders.get(type(command)) or ORDERS[type(command)]
        handler(decision, settings, side, command)
    except RefusedOn as refused:
        rule = settings.rules[refused.topic]
        raise Refused(refused.code, refused.text, rule) from None
    sight.note_sighted(decision, settings, side, before)


def check(world: World, settings: RuleSettings, side: int, command: Command) -> None:
    """Refuse a command of a side that cannot act now.

    Raises:
        RefusedOn: The game is over, the side is not to act, or a question is open.
    """
    if world.reason is not None:
        refuse(Refusal.GAME_OVER, "The game is over.", "victory")
    if side not in world.sides or not world.sides[side].alive:
        refuse(Refusal.NOT_YOUR_TURN, "You have no part in the game.", "round")
    if side not in owes(world):
        refuse(Refusal.NOT_YOUR_TURN, "It is not your turn.", "round")
    if not isinstance(command, do.Resign):
        _check_answer(world.pending, settings, command)


def _check_answer(question: Pending | None, settings: RuleSettings, command: Command) -> None:
    """Refuse other commands while a question is open, and answers without their question."""
    answered = settings.answers.get(type(command)) or _ANSWERS.get(type(command))
    if question is not None and answered != question.kind:
        text = _PROMPTS.get(question.kind, "Answer first what you were asked.")
        refuse(Refusal.ANSWER_FIRST, text, "turn")
    if question is None and answered is not None:
        refuse(Refusal.NO_QUESTION, "Nothing was asked.", "turn")


_ANSWERS: Final[Mapping[type[Command], str]] = {
    do.Settle: "fate",
    do.Hire: "hero",
    do.AskSage: "sage",
    do.AnswerYield: "yield",
}
"""Commands that answer a question, with the kind of that question."""

_PROMPTS: Final[Mapping[str, str]] = {
    "fate": "Say first what becomes of the city.",
    "hero": "Say first whether the hero is hired.",
    "sage": "Tell the sage first what you want.",
    "yield": "Say first whether you accept the surrender.",
}


def _hire(decision: Decision, settings: RuleSettings, side: int, command: do.Hire) -> None:
    """Answer the offer of a hero, then run the rest of the turn's start."""
    heroes.hire(decision, settings, side, command)
    turns.go_on_turn(decision, settings)


def _go_on(decision: Decision, settings: RuleSettings, side: int, _command: Any) -> None:
    goals.go_on(decision, settings, side)


def _end_turn(decision: Decision, settings: RuleSettings, side: int, _command: Any) -> None:
    turns.end_turn(decision, settings, side)


ORDERS: Final[Mapping[type[Command], OrderHandler]] = {
    do.March: movement.march,
    do.Walk: movement.walk,
    do.SetGoal: goals.set_goal,
    do.GoOn: _go_on,
    do.Defend: goals.defend,
    do.Disband: goals.disband,
    do.Search: sites.search,
    do.Bless: sites.bless,
    do.TakeQuest: quests.take,
    do.AskSage: sites.ask_sage,
    do.Produce: cities.produce,
    do.StopProduction: cities.stop_production,
    do.BuySlot: cities.buy_slot,
    do.SetVector: cities.set_vector,
    do.Settle: aftermath.settle_city,
    do.Hire: _hire,
    do.PickUp: sites.pick_up,
    do.Drop: sites.drop,
    do.PlantFlag: sites.plant_flag,
    do.SetFightOrder: diplomacy.set_fight_order,
    do.SetStance: diplomacy.set_stance,
    do.Raze: aftermath.raze_city,
    do.RenameCity: cities.rename,
    do.Resign: victory.resign,
    do.AnswerYield: victory.answer_yield,
    do.EndTurn: _end_turn,
}
"""Functions that carry out the shared commands."""
