"""A computer player: its plan for what it sees. Rules: W2-14."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.ruleset import Offers
from engine.strategic.book import Book
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
from engine.strategic.heroes import errands
from engine.strategic.pieces import Army, Question
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
        marshal = Marshal(here, self._temper, dice)
        planned = [
            *stances(here),
            *producing.orders(here, self._temper, dice),
            *_at_sites(here, self._temper),
            *marshal.orders(),
        ]
        if not marshal.fought:
            planned.append(EndTurn())
        return planned


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
    """Heroes search where they stand and take quests; temples bless."""
    for stack in here.stacks:
        site = site_at(here.view, stack[0].at)
        if site is None:
            continue
        hero = next((a for a in stack if a.hero is not None and a.points > 0), None)
        if site.kind == "temple":
            fresh = tuple(army.id for army in stack if site.id not in army.blessed)
            if fresh:
                yield Bless(fresh)
            if hero is not None and temper.searches:
                yield from _quest(here, hero)
        elif not site.searched and temper.searches and hero is not None:
            yield Search(hero.id)


def _quest(here: Situation, hero: Army) -> Iterator[AnyCommand]:
    """A quest, where there are any and none has been taken. Rules: W2-10.6."""
    is_free = here.book.heroes.quests.on and here.me.quest is None
    if is_free and errands.possible(here.view, here.book, hero):
        yield TakeQuest(hero.id)
