"""What becomes of cities that are taken. Rules: W2-14.6."""

from __future__ import annotations

from typing import Final

from engine.core.dice import Dice
from engine.strategic.bot.situation import Situation
from engine.strategic.chance import pick
from engine.strategic.fighting.capture import worth
from engine.strategic.fighting.rules import Fate
from engine.strategic.pieces import City

_LOOTED: Final = 300
_SACKED: Final = 900
"""What slots must be worth to be pillaged or sacked."""

_WANTED: Final = 12
"""Cities from which on it is better to have gold than one more type in one more city."""


def fate(here: Situation, dice: Dice, city: City) -> Fate:
    """What becomes of a city that is taken. Who has few cities keeps what they can make."""
    if len(here.cities) < _WANTED:
        return "occupy"
    if len(city.slots) > 1 and worth(here.view, city.slots[1:]) >= _SACKED:
        return "sack"
    if worth(here.view, city.slots[-1:]) >= _LOOTED and pick(dice, (True, False)):
        return "pillage"
    return "occupy"
