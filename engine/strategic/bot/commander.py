"""A computer player: its plan for what it sees. Rules: W2-14."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.ruleset import Offers
from engine.strategic import quests as errands
from engine.strategic.bot import producing, sages, spoils
from engine.strategic.bot.marching import Marshal
from engine.strategic.bot.situation import Situation
from engine.strategic.bot.temper import Temper
from engine.strategic.bot.treaties import stances
from engine.strategic.commands import (
    AnswerYield,
    AnyCommand,
    AskSage,
    Bless,
    EndTurn,
    Hire,
    Search,
    Settle,
    TakeQuest,
)
from engine.strategic.pieces import Question
from engine.strategic.settings import RuleSettings as Book
from engine.strategic.world import site_at


class Commander:
    """Plays one side. Each plan begins from the view alone, so nothing is remembered."""

    def __init__(self, temper: Temper, book_of: Callable[[Any], Book]) -> None:
        """``book_of`` finds the rule book that a view is played under."""
        self._temper = temper
        self._book_of = book_of

    def plan(self, view: Any, offers: Offers[AnyCommand], dice: Dice) -> Sequence[AnyCommand]:  # noqa: ARG002
        """What to do now: a question is answered, else orders are given and the turn ended."""
        here = Situation(view, self._book_of(view), view.viewer, self._temper.fury)
        if view.question is not None:
            return (_answer(here, dice, view.question),)
        planned = [
            *stances(here),
            *producing.orders(here, self._temper, dice),
            *_at_sites(here, self._temper),
        ]
        if planned and isinstance(planned[-1], Search):
            return planned
        marshal = Marshal(here, self._temper, dice)
        planned += marshal.orders()
        if not marshal.fought and not marshal.scouted:
            planned.append(EndTurn())
        return planned

    def rest(self, view: Any, offers: Offers[AnyCommand]) -> Sequence[AnyCommand]:  # noqa: ARG002
        """The end of the turn; a question is answered first, and costs nothing."""
        return (EndTurn() if view.question is None else _least(view.question),)


def _least(question: Question) -> AnyCommand:
    """The answer that changes the least."""
    match question.kind:
        case "fate":
            return Settle("occupy")
        case "hero":
            return Hire(accept=False)
        case "sage":
            return AskSage("gold")
        case _:
            return AnswerYield(accept=False)


def _answer(here: Situation, dice: Dice, question: Question) -> AnyCommand:
    match question.kind:
        case "fate":
            return Settle(spoils.fate(here, dice, here.view.cities[question.city]))
        case "hero":
            return Hire(accept=question.price <= here.me.gold)
        case "sage":
            return AskSage(sages.wish(here, question))
        case _:
            return AnswerYield()


def _at_sites(here: Situation, temper: Temper) -> Iterator[AnyCommand]:
    """Temples bless, a hero takes a quest; at last a hero searches where it stands, if one can.

    A search ends the plan, for a sage may ask something.
    """
    searching = None
    quested = not here.book.heroes.quests.on or here.me.quest is not None
    for stack in here.stacks:
        site = site_at(here.view, stack[0].at)
        if site is None:
            continue
        hero = next((a for a in stack if a.hero is not None and a.points > 0), None)
        if site.kind == "temple":
            fresh = tuple(army.id for army in stack if site.id not in army.blessed)
            if fresh:
                yield Bless(fresh)
            if hero is not None and temper.searches and not quested:
                quested = errands.possible(here.view, here.book, hero) != {}
                if quested:
                    yield TakeQuest(hero.id)
        elif not site.searched and temper.searches and hero is not None:
            searching = searching or Search(hero.id)
    if searching is not None:
        yield searching
