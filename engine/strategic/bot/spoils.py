"""What becomes of cities that are taken. Rules: W2-14.6."""

from __future__ import annotations

from typing import Final

from engine.core.dice import Dice
from engine.strategic.aftermath import worth
from engine.strategic.bot.situation import Situation
from engine.strategic.decision import pick
from engine.strategic.pieces import City
from engine.strategic.settings import Fate

_LOOTED: Final = 300
_SACKED: Final = 900
"""What slots must be worth to be pillaged or sacked."""

_WANTED: Final = 12
"""Cities from which on it is better to have gold than one more type in one more city."""


def fate(here: Situation, dice: Dice, city: City) -> Fate:
    """The fate of a city that is taken: what a quest asks; who has few cities keeps their slots."""
    asked = _asked(here, city)
    if asked is not None:
        return asked
    if len(here.cities) < _WANTED:
        return "occupy"
    if len(city.slots) > 1 and worth(here.view, city.slots[1:]) >= _SACKED:
        return "sack"
    if worth(here.view, city.slots[-1:]) >= _LOOTED and pick(dice, (True, False)):
        return "pillage"
    return "occupy"


def _asked(here: Situation, city: City) -> Fate | None:
    """The fate that brings a quest on whose hero stands in the city. Rules: W2-10.6."""
    quest = here.me.quest
    hero = None if quest is None else here.view.armies.get(quest.hero)
    if quest is None or hero is None or hero.at not in city.tiles:
        return None
    if quest.kind == "raze-city" and quest.target == city.id:
        return "raze"
    if quest.kind == "plunder" and worth(here.view, city.slots[1:]):
        return "sack"
    return None
