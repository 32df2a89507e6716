"""Heroes lead: who attacks a city this turn is joined by a hero, and by others if it needs them.

A hero alone is left out of fights that are not all but won, and goes nowhere where foes could find
it. Rules: W2-14.2, W2-14.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.strategic.battle import defenders_at, forecast
from engine.strategic.bot import quests
from engine.strategic.bot.aims import Aim, nerve, prize
from engine.strategic.bot.bands import Band, band
from engine.strategic.bot.force import chance, worth
from engine.strategic.bot.musters import Muster, joined
from engine.strategic.bot.situation import Situation
from engine.strategic.bot.temper import Temper
from engine.strategic.commands import AnyCommand
from engine.strategic.pieces import NOBODY, STACK, Army, City

_TRIED: Final = 8
"""Attacks of a plan that others are asked to join."""

_LED: Final = 40
"""The value of a won assault for a hero who leads it."""

_LATER: Final = 0.5
"""Divisor of the score of an aim of this turn."""

_SAFE: Final = 0.7
"""The chance of the whole stack that a hero wants before it joins."""

_SURE: Final = 0.95
"""The chance at which nobody more is asked."""

_STRONG: Final = 4
"""Defenders from which on all who are idle are asked."""

Aims = Mapping[tuple[int, ...], Aim | None]
"""The best aim of each band, by its numbers."""


def strike(
    here: Situation, temper: Temper, free: Sequence[Band], best: Aims
) -> tuple[AnyCommand, ...]:
    """The orders for an attack that others join; none: everybody goes alone."""
    tried = 0
    found = ((best[one.ids], one) for one in free)
    wanted = [(aim, one) for aim, one in found if aim is not None]
    for aim, one in sorted(wanted, key=lambda pair: (-pair[0].score, pair[1].ids)):
        city = here.city_of(aim.at)
        if city is None or city.owner == NOBODY or not _is_now(here, one, city):
            continue
        made = _joined(here, temper, (aim, one, city), free, best)
        if made is not None:
            return tuple(made.orders())
        tried += 1
        if tried == _TRIED:
            break
    return ()


def _is_now(here: Situation, one: Band, city: City) -> bool:
    return one.turns(here.atlas(one.who).cost(one.at, city.tiles)) == 0


def _joined(
    here: Situation,
    temper: Temper,
    attack: tuple[Aim, Band, City],
    free: Sequence[Band],
    best: Aims,
) -> Muster | None:
    """The stack for an attack on a city with those who had better join; None: nobody had."""
    aim, one, city = attack
    host = one if aim.armies == one.armies else band(here, aim.armies)
    if host is None or len(host.armies) >= STACK:
        return None
    hope = _hope(here, host.armies, city)
    comers = _leaders(here, free, host, city)
    if hope < _SURE or here.held((city.x, city.y)).size >= _STRONG:
        comers += _idle(here, (aim, one, city), free, best)
    made = joined(here, city, host, comers) if comers else None
    if made is None or len(made.armies) == len(host.armies):
        return None
    better = _hope(here, made.armies, city)
    gain = (better - hope) * (prize(here, city) + sum(map(worth, host.armies)))
    for army in made.armies:
        if army.hero is not None and army not in host.armies:
            gain += better * (_LED + max(0.0, quests.called(here, (army,), aim.at)))
            gain -= (1 - better) * worth(army)
            gain -= _LATER * _missed(army, free, best)
            if better < _SAFE:
                return None
    return made if gain > 0 and better >= nerve(here, temper, made.armies) else None


def _hope(here: Situation, armies: tuple[Army, ...], city: City) -> float:
    """The chance against who is seen, and the rough one against who may be there."""
    corner = city.x, city.y
    exact, held = forecast(here.view, here.book, armies, corner).chance, here.held(corner)
    if len(defenders_at(here.view, corner, here.side)) >= held.size:
        return exact
    return min(exact, chance(here.attackers(armies, corner), held))


def _leaders(here: Situation, free: Sequence[Band], host: Band, city: City) -> list[Band]:
    """The hero who could lead a band that has none, without those who are with it."""
    if any(army.hero is not None for army in host.armies):
        return []
    heroes = (army for other in free for army in other.armies if army.hero is not None)
    alone = [made for army in heroes if (made := band(here, (army,))) is not None]
    near = [one for one in alone if _is_now(here, one, city)]
    return sorted(near, key=lambda one: (-one.armies[0].strength, one.ids))[:1]


def _idle(
    here: Situation, attack: tuple[Aim, Band, City], free: Sequence[Band], best: Aims
) -> list[Band]:
    """Bands that have nothing better to do than to join an attack."""
    aim, one, city = attack
    found = []
    for other in free:
        wish = best.get(other.ids)
        left = tuple(army for army in other.armies if army.hero is None)
        if other.ids == one.ids:
            left = tuple(army for army in left if army not in aim.armies)
        if left and (wish is None or wish.at == aim.at) and _is_now(here, other, city):
            made = band(here, left)
            found += [] if made is None else [made]
    return found


def _missed(hero: Army, free: Sequence[Band], best: Aims) -> float:
    """The score of what a hero would have done instead."""
    wishes = (best.get(one.ids) for one in free if hero in one.armies)
    scores = (wish.score for wish in wishes if wish is not None and hero in wish.armies)
    return max(scores, default=0.0)
