"""Heroes, their things, sites and quests, and what a side is asked."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self, TypeAlias

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.events.base import OwnSideEvent, StrategicEvent
from engine.strategic.events.cities import out_of_nothing
from engine.strategic.pieces import NONE, Army, Item, Quest, Question, QuestionKind, Site
from engine.strategic.seen import Seen


class Asked(StrategicEvent, frozen=True, tag="asked"):
    """A side must answer something."""

    irreversible: ClassVar[bool] = True

    question: Question

    def redacted(self, _before: Seen, after: Seen) -> Self:
        """Others are told that the side was asked, and the kind of question."""
        return replace(self, question=after.question(self.question) or self.question)


class Answered(StrategicEvent, frozen=True, tag="answered"):
    """The question is answered."""

    irreversible: ClassVar[bool] = True

    kind: QuestionKind
    side: int
    answer: str

    def redacted(self, _before: Seen, after: Seen) -> Self:
        """Others are not told the answer."""
        return self if self.side in after.secrets else replace(self, answer="")


class HeroHired(StrategicEvent, frozen=True, tag="hired"):
    """A hero joins with its companions; ``items`` are what it brings, as they are now."""

    irreversible: ClassVar[bool] = True

    side: int
    price: int
    gold: int
    hero: Army
    allies: tuple[Army, ...] = ()
    items: tuple[Item, ...] = ()

    def redacted(self, before: Seen, after: Seen) -> Any:
        """Own hero; armies of others that are seen come out of nothing."""
        if self.side in after.secrets:
            return self
        return out_of_nothing((self.hero, *self.allies), "hero", before, after)


MoveReason: TypeAlias = Literal["found", "picked", "dropped", "fallen", "lost", "planted", "reward"]


class ItemsMoved(StrategicEvent, frozen=True, tag="items"):
    """Items are elsewhere: as they are now."""

    items: tuple[Item, ...]
    reason: MoveReason

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Items in sight before or after, but not where those are that have gone out of sight."""
        rows = before.world.items
        told: list[Item] = []
        for item in self.items:
            if after.sees_item(item):
                told.append(item)
            elif before.sees_item(rows[item.id]):
                told.append(replace(rows[item.id], where="unused", holder=NONE, x=NONE, y=NONE))
        return replace(self, items=tuple(told)) if told else None


class FlagSet(OwnSideEvent, frozen=True, tag="flag"):
    """Place of a side's rally flag; None: nowhere."""

    at: Place | None


class SiteSearched(StrategicEvent, frozen=True, tag="searched"):
    """A hero has searched a site: as it is now; ``roll`` is the die against the guardian or 0.

    ``chance`` is what the die must not be above. ``died``: the guardian killed the hero.
    """

    irreversible: ClassVar[bool] = True

    army: int
    site: Site
    guardian: int
    roll: int
    chance: int
    died: bool

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Known sites; hero and die for those who know or see the hero."""
        site = self.site
        if not after.knows_site(site):
            return None
        hero = before.world.armies[self.army]
        if before.knows_kind(hero):
            return replace(self, site=after.site(site))
        if not site.searched:
            return None
        return replace(
            self, army=NONE, site=after.site(site), guardian=0, roll=0, chance=0, died=False
        )


class SiteKnown(StrategicEvent, frozen=True, tag="site-known"):
    """Sides come to know what is at sites: as they are now."""

    irreversible: ClassVar[bool] = True

    side: int
    sites: tuple[Site, ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Only the side that was told is told, and not who else knows."""
        if self.side not in before.secrets:
            return None
        return replace(self, sites=tuple(after.site(site) for site in self.sites))


GoldReason: TypeAlias = Literal["site", "sage", "reward", "out", "production"]


class GoldChanged(OwnSideEvent, frozen=True, tag="gold"):
    """A side has more or less gold for a reason."""

    irreversible: ClassVar[bool] = True

    change: int
    gold: int
    reason: GoldReason


class QuestSet(OwnSideEvent, frozen=True, tag="quest-set"):
    """A side's quest is begun, goes on, is done or is void."""

    irreversible: ClassVar[bool] = True

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
