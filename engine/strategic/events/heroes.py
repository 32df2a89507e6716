"""Heroes, their things, sites and quests, and what a side is asked."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from engine.core.record import Event
from engine.kit.grid import Place
from engine.strategic.pieces import Army, Item, Quest, Question, Site


class Asked(Event, frozen=True, tag="asked"):
    """A side must answer something."""

    lasting: ClassVar[bool] = True

    question: Question


class Answered(Event, frozen=True, tag="answered"):
    """The question is answered."""

    lasting: ClassVar[bool] = True

    kind: Literal["fate", "hero", "sage", "yield"]
    side: int
    answer: str


class HeroHired(Event, frozen=True, tag="hired"):
    """A hero joins with its companions; ``items`` are what it brings, as they are now."""

    lasting: ClassVar[bool] = True

    side: int
    price: int
    gold: int
    hero: Army
    allies: tuple[Army, ...] = ()
    items: tuple[Item, ...] = ()


class ItemsMoved(Event, frozen=True, tag="items"):
    """Items are elsewhere: as they are now."""

    items: tuple[Item, ...]
    reason: Literal["found", "picked", "dropped", "fallen", "lost", "planted", "reward"]


class FlagSet(Event, frozen=True, tag="flag"):
    """Where a side's rally flag is; None: nowhere."""

    side: int
    at: Place | None


class SiteSearched(Event, frozen=True, tag="searched"):
    """A hero has searched a site: as it is now; ``roll`` is the die against the guardian or 0.

    ``chance`` is what the die must not be above. ``died``: the guardian killed the hero.
    """

    lasting: ClassVar[bool] = True

    army: int
    site: Site
    guardian: int
    roll: int
    chance: int
    died: bool


class SiteKnown(Event, frozen=True, tag="site-known"):
    """Sides come to know what is at sites: as they are now."""

    lasting: ClassVar[bool] = True

    side: int
    sites: tuple[Site, ...]


class GoldChanged(Event, frozen=True, tag="gold"):
    """A side has more or less gold for a reason."""

    lasting: ClassVar[bool] = True

    side: int
    change: int
    gold: int
    reason: Literal["site", "sage", "reward", "out"]


class QuestSet(Event, frozen=True, tag="quest-set"):
    """A side's quest is begun, goes on, is done or is void."""

    lasting: ClassVar[bool] = True

    side: int
    quest: Quest | None
    what: Literal["taken", "step", "done", "void"]


HeroEvent: TypeAlias = (
    Asked
    | Answered
    | HeroHired
    | ItemsMoved
    | FlagSet
    | SiteSearched
    | SiteKnown
    | GoldChanged
    | QuestSet
)
"""Events of this chapter."""
