"""Quests: heroes go to temples for them, and whoever is on one goes for what it asks.

Only what the hero does itself counts, and a city that others take makes a quest about it void.
Rules: W2-10.6, W2-14.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.kit.grid import Place
from engine.strategic import quests as errands
from engine.strategic.battle import defenders_at
from engine.strategic.bot.situation import Situation
from engine.strategic.pieces import NOBODY, Army, Quest, Site

TEMPLE: Final = 30
"""The value of a temple where a quest can be had."""

_DONE: Final = 90
"""The value of doing what a quest asks."""

_LOOTED: Final = 25
"""The value of a city of a side for a hero who is to plunder."""


def temples(here: Situation, hero: Army) -> tuple[Site, ...]:
    """The temples where a hero could take a quest; none if there is one already."""
    if not here.book.heroes.quests.on or here.me.quest is not None or not here.temples:
        return ()
    return here.temples if errands.possible(here.view, here.book, hero) else ()


def called(here: Situation, armies: Sequence[Army], at: Place) -> float:
    """The value that the quest gives to an attack on a tile; negative: it would make it void.

    Who has waited for long does not spare a city for a quest any more.
    """
    quest = here.me.quest
    if quest is None:
        return 0.0
    led = any(army.id == quest.hero for army in armies)
    city = here.city_of(at)
    if quest.kind in ("keep-city", "raze-city"):
        asked = city is not None and city.id == quest.target
        return (_DONE if led else _DONE * (here.impatience - 1)) * asked
    if not led:
        return 0.0
    if quest.kind == "plunder":
        return _LOOTED * (city is not None and city.owner != NOBODY)
    falling = sum(is_meant(quest, army) for army in defenders_at(here.view, at, here.side))
    return _DONE * min(1.0, falling / max(1, quest.count - quest.done))


def is_meant(quest: Quest, army: Army) -> bool:
    """Whether the end of an army is what a quest is about."""
    match quest.kind:
        case "kill-hero":
            return army.id == quest.target
        case "kill-type":
            return army.owner == quest.side and army.type == quest.target
        case "kill-armies":
            return army.owner == quest.side
        case _:
            return False


def sought(here: Situation, hero: Army) -> Iterator[Place]:
    """The tile where the item is that a hero is to fetch, if that is known."""
    quest = here.me.quest
    if quest is None or quest.kind != "fetch-item" or quest.hero != hero.id:
        return
    item = here.view.items.get(quest.target)
    if item is not None and item.where == "site" and item.holder in here.view.sites:
        site = here.view.sites[item.holder]
        yield site.x, site.y
    elif item is not None and item.where == "ground":
        yield item.x, item.y


def errand_value(here: Situation, hero: Army, at: Place) -> float:
    """The value that the quest gives to a find of a hero on a tile."""
    return _DONE * (at in tuple(sought(here, hero)))


def on_quest(here: Situation, armies: Sequence[Army]) -> Army | None:
    """The hero among some armies who is on the side's quest."""
    quest = here.me.quest
    return next((army for army in armies if quest is not None and army.id == quest.hero), None)
