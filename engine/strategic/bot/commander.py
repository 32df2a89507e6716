"""Computer player: the plan of one side for its current view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.core.dice import Dice
from engine.core.record import replace
from engine.core.ruleset import Offers
from engine.kit.grid import Place
from engine.strategic import quests
from engine.strategic.aftermath import fates
from engine.strategic.battle import forecast
from engine.strategic.bot.aims import aims_of, dares_search, least_chance
from engine.strategic.bot.assaults import joint_attack
from engine.strategic.bot.campaigns import Campaign, Gathering, campaigns_of
from engine.strategic.bot.exploring import Exploration
from engine.strategic.bot.force import DICE, Estimates, fought_out
from engine.strategic.bot.isolation import Isolation
from engine.strategic.bot.level import Level
from engine.strategic.bot.marching import (
    Aim,
    Band,
    band_of,
    free_bands,
    garrisons,
    walk_around,
    walk_toward,
    would_attack,
)
from engine.strategic.bot.realm import city_orders, fate_of_city, sage_wish, stance_orders
from engine.strategic.bot.sieges import approaches, first_wave
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import (
    AnswerYield,
    AnyCommand,
    AskSage,
    Bless,
    Defend,
    EndTurn,
    Hire,
    Resign,
    Search,
    Settle,
    TakeQuest,
    Walk,
)
from engine.strategic.pieces import Army, Question
from engine.strategic.settings import RuleSettings
from engine.strategic.world import site_at

# -- the plan --------------------------------------------------------------------------------------


class Commander:
    """Computer player of one side. Each plan is made from the view alone, without memory."""

    def __init__(
        self,
        level: Level,
        settings_of: Callable[[Any], RuleSettings],
        estimates_of: Callable[[Any], Estimates] = lambda _view: DICE,
    ) -> None:
        """Create a player; ``settings_of`` returns the rule settings of a view's game."""
        self._level = level
        self._book_of = settings_of
        self._estimates_of = estimates_of

    def plan(self, view: Any, offers: Offers[AnyCommand], dice: Dice) -> Sequence[AnyCommand]:  # noqa: ARG002
        """Return the commands to give now: an answer, or orders and the end of the turn."""
        settings, estimates = self._book_of(view), self._estimates_of(view)
        here = Situation(view, settings, view.viewer, self._level, estimates)
        if view.question is not None:
            return (_answer(here, dice, view.question),)
        isolation = Isolation(here)
        if isolation.is_hopeless:
            return (Resign(stranded=True),)
        shut_in = isolation.is_cut_off
        planned = [
            *self.stances(here),
            *(isolation.orders() if shut_in else city_orders(here, dice)),
            *_at_sites(here),
        ]
        if planned and isinstance(planned[-1], Search):
            return planned
        marshal = Marshal(here, dice)
        planned += marshal.orders()
        if not marshal.fought and not marshal.scouted:
            planned += _watches(here)
            planned.append(EndTurn())
        return planned

    def stances(self, here: Situation) -> Iterator[AnyCommand]:
        """Yield orders about treaties with the other sides."""
        return stance_orders(here)

    def rest(self, view: Any, offers: Offers[AnyCommand]) -> Sequence[AnyCommand]:  # noqa: ARG002
        """Return the end of the turn; if a question is open, the answer that costs nothing."""
        return (EndTurn() if view.question is None else _least(view.question),)


def _least(question: Question) -> AnyCommand:
    """Return the answer to a question that changes the least."""
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
            fate = fate_of_city(here, dice, here.view.cities[question.city])
            able = fates(here.view, here.settings, question.city)
            return Settle(fate if fate in able else "occupy")
        case "hero":
            return Hire(accept=question.price <= here.me.gold and not Isolation(here).saves)
        case "sage":
            return AskSage(sage_wish(here, question))
        case _:
            return AnswerYield()


def _watches(here: Situation) -> Iterator[AnyCommand]:
    """Yield orders to defend for armies where foes may come, if the rules make them stronger."""
    fortifies = here.estimates.fortifies
    for stack in here.stacks if fortifies is not None else ():
        at = stack[0].at
        staying = [army for army in stack if here.after.armies[army.id].at == at]
        idle = tuple(army.id for army in staying if not army.defends and not army.aboard)
        if not idle or fortifies is None or not fortifies(here.view, at):
            continue
        if here.city_of(at) is None and here.foes_near(at):
            yield Defend(idle)


def _at_sites(here: Situation) -> Iterator[AnyCommand]:
    """Yield blessings and a quest at temples, then at most one search.

    A search ends the plan, because a sage may ask a question.
    """
    searching = None
    quested = False
    for stack in here.stacks:
        site = site_at(here.view, stack[0].at)
        if site is None:
            continue
        hero = next((a for a in stack if a.hero is not None and a.points > 0), None)
        if site.kind == "temple":
            able = (a for a in stack if a.points >= here.settings.heroes.search.blessing_points)
            fresh = tuple(army.id for army in able if site.id not in army.blessed)
            if fresh:
                yield Bless(fresh)
            if hero is not None and here.level.searches and not quested:
                quested = quests.may_take(here.view, here.settings, hero)
                if quested:
                    yield TakeQuest(hero.id)
        elif not site.searched and here.level.searches and hero is not None:
            if not dares_search(here, hero, len(stack)):
                continue
            searching = searching or Search(hero.id)
    if searching is not None:
        yield searching


# -- armies ----------------------------------------------------------------------------------------

_MOOD = 20.0
"""Divisor of the random part of an aim's score."""


class Marshal:
    """Orders for all armies in one plan. Only the next plan sees the outcome of a fight.

    A plan ends with an attack on a city, because everything after it depends on the city's owner.
    """

    def __init__(self, here: Situation, dice: Dice) -> None:
        self.here = here
        self.dice = dice
        self.claims: dict[Place, float] = {}
        self.fought = False
        """True if a fight was ordered: the turn continues with another plan."""
        self.scouted = False
        """True if a scout was sent: help and gathering wait for its discoveries."""
        self._exploration = Exploration(here)
        self._refused: set[tuple[int, Place]] = set()

    def orders(self) -> Iterator[AnyCommand]:
        """Yield the marches of all armies that can do something useful."""
        for order in self._orders():
            yield order
            if isinstance(order, Walk):
                self._exploration.note(order)
                struck = self.here.note(order)
                if struck is not None:
                    self.fought = True
                    if self.here.city_of(struck) is not None or self._is_learning(order):
                        return

    def _is_learning(self, attack: Walk) -> bool:
        """Return whether a hero fights without chance: it may gain a level and raise a question."""
        led = any(self.here.view.armies[army].hero is not None for army in attack.armies)
        return led and self.here.estimates.certain

    def _orders(self) -> Iterator[AnyCommand]:
        free = free_bands(self.here, garrisons(self.here))
        best = {one.ids: self._best(one) for one in free}
        if self.here.level.joins and (strike := joint_attack(self.here, free, best)):
            yield from strike
            return
        while True:
            going = [(aim, one) for one in free if (aim := best[one.ids]) is not None]
            if not going:
                break
            aim, one = max(going, key=lambda pair: (pair[0].score, pair[1].ids))
            order = self._carry_out(one, aim)
            if order is None:
                self._refused.add((one.armies[0].id, aim.at))
                best[one.ids] = self._best(one)
                continue
            yield order
            free.remove(one)
            free += self._rest(one, aim)
            if self._exploration.is_edge(aim.at):
                self._exploration.take(aim.at)
                self.scouted = True
            self.claims[aim.at] = 1 - (1 - self.claims.get(aim.at, 0.0)) * (1 - aim.chance)
            for other in free:
                known = best.get(other.ids)
                if other.ids not in best or (known is not None and self._is_gone(known, aim)):
                    best[other.ids] = self._best(other)
        if not self.scouted:
            yield from self._others(free)

    def _is_gone(self, known: Aim, aim: Aim) -> bool:
        """Return whether an aim has lost value because another band took ``aim``."""
        if known.at == aim.at:
            return True
        return self._exploration.is_edge(known.at) and self._exploration.is_taken(known.at)

    def _others(self, free: list[Band]) -> Iterator[AnyCommand]:
        """Yield orders for bands without an aim: help, joint attacks, approach, gathering."""
        camps = Gathering(self.here)
        yield from camps.help(free)
        regions = campaigns_of(self.here, free)
        if self.here.level.joins or self.here.view.turn >= self.here.level.together:
            waves = (first_wave(self.here, campaign) for campaign in regions)
            wave = next((found for found in waves if found), ())
            if wave:
                yield from wave
                return
            for campaign in regions:
                yield from self._approach(campaign, free)
        for campaign in regions:
            yield from self._gather(campaign, free, camps)

    def _approach(self, campaign: Campaign, free: list[Band]) -> Iterator[AnyCommand]:
        """Yield orders that send idle bands toward a city that may be besieged."""
        for one, command in approaches(self.here, campaign):
            free.remove(one.band)
            if command is not None:
                yield command

    def _gather(
        self, campaign: Campaign, free: list[Band], camps: Gathering
    ) -> Iterator[AnyCommand]:
        """Yield orders that bring the remaining bands of a region into its camp."""
        members = [one.band for one in campaign.soldiers if one.band in free]
        if campaign.camp is None:
            return
        for one in members:
            free.remove(one)
            yield from camps.into(one, campaign.camp)
        yield from camps.regroup(campaign.camp, members)

    def _best(self, one: Band) -> Aim | None:
        """Return the aim of a band with the highest score; None if no score is above 0."""
        found = [
            aim._replace(score=aim.score + self._mood())
            for aim in aims_of(self.here, one, self.claims, self._exploration)
            if (one.armies[0].id, aim.at) not in self._refused
        ]
        wanted = max(found, key=lambda aim: (aim.score, aim.at), default=None)
        return wanted if wanted is not None and wanted.score > 0 else None

    def _mood(self) -> float:
        sides = self.here.level.wander
        return (self.dice.roll(sides) - (sides + 1) / 2) / _MOOD * 10 if sides else 0.0

    def _rest(self, one: Band, aim: Aim) -> list[Band]:
        """Return the armies of a band that an aim leaves free: a list of at most one band."""
        left = [army for army in one.armies if army not in aim.armies]
        made = band_of(self.here, left) if left else None
        return [] if made is None else [made]

    def _carry_out(self, one: Band, aim: Aim) -> Walk | None:
        """Return the walk for an aim; None if it is impossible or its exact chance is too low."""
        going = one if aim.armies == one.armies else band_of(self.here, aim.armies)
        if going is None:
            return None
        if aim.foe:
            command = walk_around(self.here, going, aim.at)
        elif self._exploration.is_edge(aim.at) and not aim.fight:
            command = self._exploration.order(going, aim.at)
        else:
            command = walk_toward(self.here, going, aim.goal)
        if command is None:
            return None
        warned = aim.fight or self.here.estimates.certain
        if not warned or not would_attack(self.here, going, command):
            return command
        start = command.path[-2] if len(command.path) > 1 else going.at
        group = tuple(replace(army, x=start[0], y=start[1]) for army in going.armies)
        exact = forecast(
            self.here.doubted(group), self.here.settings, group, command.path[-1]
        ).chance
        if exact >= least_chance(self.here, going.armies):
            return command
        return command if self._wears_down(group, command.path[-1]) else None

    def _wears_down(self, group: Sequence[Army], at: Place) -> bool:
        """Return whether a desperate side may trade armies for what they kill, finally for nothing.

        Two sides that wait behind walls for better odds would wait forever. In battles without
        chance, a lost battle would never end differently.
        """
        here = self.here
        if here.is_fearless or not here.estimates.certain or not here.desperation:
            return here.is_fearless
        found = fought_out(here.view, here.settings, group, at)
        return found.killed >= (1 - here.desperation) * found.lost
