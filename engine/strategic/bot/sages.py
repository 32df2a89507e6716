"""Sages: what a side needs is asked for. Rules: W2-10.5, W2-14.2."""

from __future__ import annotations

from typing import Final

from engine.strategic.bot.situation import Situation
from engine.strategic.pieces import NOBODY, Question, Wish

_RICH: Final = 700
"""Gold from which on a hero and a better type of unit can be paid for."""

_SITES: Final = 3
"""Sites that are left to be searched before it is worth knowing what they hold."""


def wish(here: Situation, question: Question) -> Wish:
    """The wish of a side: maps where no foe is known, items for the rich who can look for them."""
    found = next((city for city in here.prey if city.owner != NOBODY), None)
    if "maps" in question.wishes and here.fog and found is None:
        return "maps"
    heroes = any(army.hero is not None for army in here.armies)
    rich = here.me.gold >= _RICH and heroes and len(here.sites) >= _SITES
    if "items" in question.wishes and (rich or "gold" not in question.wishes):
        return "items"
    return "gold" if "gold" in question.wishes else question.wishes[0]
