"""A computer player: its plan for what it sees. Rules: W2-14."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.ruleset import Offers
from engine.strategic.book import Book
from engine.strategic.bot import producing
from engine.strategic.bot.marching import Marshal
from engine.strategic.bot.situation import Situation
from engine.strategic.bot.temper import Temper
from engine.strategic.commands import (
    AnswerYield,
    AnyCommand,
    AskSage,
    Bless,
    EndTurn,
    Hire,
    Search,
    SetStance,
    Settle,
)
from engine.strategic.pieces import Question
from engine.strategic.world import WAR, site_at

_MOST: int = 60
"""Commands of one plan."""


class Commander:
    """Plays one side. Each plan begins from the view alone, so nothing is remembered."""

    def __init__(self, temper: Temper, book_of: Callable[[Any], Book]) -> None:
        """``book_of`` finds the rule book that a view is played under."""
        self._temper = temper
        self._book_of = book_of

    def plan(self, view: Any, offers: Offers[AnyCommand], dice: Dice) -> Sequence[AnyCommand]:  # noqa: ARG002
        """What to do now: a question is answered, else orders are given and the turn ended."""
        if view.question is not None:
            return (self._answer(view, view.question),)
        here = Situation(view, self._book_of(view), view.viewer)
        marshal = Marshal(here, self._temper, dice)
        planned = [
            *_stances(here),
            *producing.orders(here, self._temper, dice),
            *_at_sites(here, self._temper),
        ]
        for command in marshal.orders():
            planned.append(command)
            if len(planned) >= _MOST:
                break
        if not marshal.fought and len(planned) < _MOST:
            planned.append(EndTurn())
        return planned

    def _answer(self, view: Any, question: Question) -> AnyCommand:
        match question.kind:
            case "fate":
                return Settle("occupy")
            case "hero":
                return Hire(accept=question.price <= view.sides[question.side].gold)
            case "sage":
                return AskSage("gold")
            case _:
                return AnswerYield()


def _at_sites(here: Situation, temper: Temper) -> Iterator[AnyCommand]:
    """Heroes search where they stand; temples bless."""
    for stack in here.stacks:
        site = site_at(here.view, stack[0].at)
        if site is None:
            continue
        if site.kind == "temple":
            fresh = tuple(army.id for army in stack if site.id not in army.blessed)
            if fresh:
                yield Bless(fresh)
        elif not site.searched and temper.searches:
            hero = next((a for a in stack if a.hero is not None and a.points > 0), None)
            if hero is not None:
                yield Search(hero.id)


def _stances(here: Situation) -> Iterator[AnyCommand]:
    """War with the nearest rival, or with whoever leads. Rules: W2-14."""
    if not here.book.turns.diplomacy:
        return
    rivals = [s for s in here.view.sides.values() if s.alive and s.id != here.side]
    if not rivals or not here.cities:
        return
    prime = min(rivals, key=lambda side: (_distance(here, side.id), side.id))
    if here.me.stances[prime.id] != WAR:
        yield SetStance(prime.id, WAR)


def _distance(here: Situation, rival: int) -> int:
    """Steps between the nearest cities of both."""
    theirs = [c for c in here.view.cities.values() if c.owner == rival and not c.razed]
    return min(
        (max(abs(a.x - b.x), abs(a.y - b.y)) for a in here.cities for b in theirs),
        default=1000,
    )
