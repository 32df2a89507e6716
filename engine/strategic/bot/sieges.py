"""Several stacks against one city: they come near, and then attack one after the other.

The dead stay dead, so waves against a city add up; what one stack cannot do, three can. A side that
is much stronger than its foes attacks even where it only wears them down. Rules: W2-14.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic.bot import ways
from engine.strategic.bot.aims import prize
from engine.strategic.bot.campaigns import Campaign, Soldiers
from engine.strategic.bot.force import chance, worth
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import AnyCommand

_JOINT: Final = 0.65
"""The chance that several stacks together want."""

_WEARING: Final = 0.6
"""How much of the foes' force is enough for who is stronger everywhere else."""

_READY: Final = 1.2
"""How much of it has to be near before they come nearer still."""

_MASTERY: Final = 1.6
"""How much stronger a side must be to wear others down."""

_MANY: Final = 6
_FEW: Final = 3
_SOON: Final = 2
"""Turns from which armies join."""


def wave(here: Situation, campaign: Campaign) -> AnyCommand | None:
    """The first attack on a goal if it is time: the weakest stack goes first."""
    able, foes = campaign.within(0), here.held((campaign.goal.x, campaign.goal.y))
    near = [one for one in campaign.soldiers if one.turns == 0]
    wearing = is_master(here) and able.size >= _MANY and able.power >= _WEARING * foes.power
    if not wearing and not (len(near) > 1 and _pays(here, campaign, near)):
        return None
    for one in sorted(near, key=lambda one: (one.force.power, one.band.ids)):
        command = ways.order(here, one.band, campaign.goal.tiles)
        if command is not None:
            return command
    return None


def _pays(here: Situation, campaign: Campaign, near: list[Soldiers]) -> bool:
    """Whether an attack of all who are near is likely to bring more than it costs."""
    able, foes = campaign.within(0), here.held((campaign.goal.x, campaign.goal.y))
    hope = chance(able, foes)
    lost = sum(worth(army) for one in near for army in one.band.armies)
    lost *= 1 - hope * (1 - min(1.0, foes.power / able.power))
    return hope >= _JOINT and hope * prize(here, campaign.goal) > lost


def approach(here: Situation, campaign: Campaign) -> Iterator[tuple[Soldiers, AnyCommand | None]]:
    """Who comes nearer, if enough are near; who is near already waits."""
    soon = max(_SOON, campaign.away)
    able, foes = campaign.within(soon), here.held((campaign.goal.x, campaign.goal.y))
    enough = _WEARING if is_master(here) else _READY
    if able.power < enough * foes.power or able.size < _FEW:
        return
    for one in campaign.soldiers:
        if one.turns <= soon:
            goes = one.turns > 0
            yield one, ways.approach(here, one.band, campaign.goal.tiles) if goes else None


def is_master(here: Situation) -> bool:
    """Whether a side is so much stronger that it can afford to lose as much as its foes.

    Who has waited for long thinks so sooner.
    """
    return here.mastery > _MASTERY - here.impatience
