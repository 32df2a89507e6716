"""Events of heroes, items, sites and quests, and the questions that a side is asked."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self, TypeAlias

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.events.base import OwnSideEvent, StrategicEvent
from engine.strategic.events.cities import out_of_nothing
from engine.strategic.pieces import NONE, Army, Item, Quest, Question, QuestionKind, Site
from engine.strategic.seen import Seen


class Asked(StrategicEvent, frozen=True, tag="asked"):
    """A question that a side must answer before anything else."""

    irreversible: ClassVar[bool] = True

    question: Question

    def redacted(self, _before: Seen, after: Seen) -> Self:
        """Return the event; other sides see only the side asked and the kind of question."""
        return replace(self, question=after.question(self.question) or self.question)


class Answered(StrategicEvent, frozen=True, tag="answered"):
    """Answer to the open question."""

    irreversible: ClassVar[bool] = True

    kind: QuestionKind
    side: int
    answer: str

    def redacted(self, _before: Seen, after: Seen) -> Self:
        """Return the event; the answer is hidden from other sides."""
        return self if self.side in after.secrets else replace(self, answer="")


class HeroHired(StrategicEvent, frozen=True, tag="hired"):
    """A hero that joins with its companions and ``items``, all as they are afterwards."""

    irreversible: ClassVar[bool] = True

    side: int
    price: int
    gold: int
    hero: Army
    allies: tuple[Army, ...] = ()
    items: tuple[Item, ...] = ()

    def redacted(self, before: Seen, after: Seen) -> Any:
        """Return the event for the side; for other viewers an ``ArmiesPlaced`` or None."""
        if self.side in after.secrets:
            return self
        return out_of_nothing((self.hero, *self.allies), "hero", before, after)


MoveReason: TypeAlias = Literal["found", "picked", "dropped", "fallen", "lost", "planted", "reward"]


class ItemsMoved(StrategicEvent, frozen=True, tag="items"):
    """Items with new places, as they are afterwards."""

    items: tuple[Item, ...]
    reason: MoveReason

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event with the items seen before or after, or None.

        Items that are now out of sight come without their new place.
        """
        rows = before.world.items
        told: list[Item] = []
        for item in self.items:
            if after.sees_item(item):
                told.append(item)
            elif before.sees_item(rows[item.id]):
                told.append(replace(rows[item.id], where="unused", holder=NONE, x=NONE, y=NONE))
        return replace(self, items=tuple(told)) if told else None


class FlagSet(OwnSideEvent, frozen=True, tag="flag"):
    """New place of a side's rally flag, or None if it is removed."""

    at: Place | None


class SiteSearched(StrategicEvent, frozen=True, tag="searched"):
    """Search of a site by a hero: the site afterwards, and the guardian met or 0.

    ``roll`` is the roll against the guardian, 0 without one, and ``chance`` the highest roll that
    the hero survives. ``died``: the guardian killed the hero.
    """

    irreversible: ClassVar[bool] = True

    army: int
    site: Site
    guardian: int
    roll: int
    chance: int
    died: bool

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event if the site is known, otherwise None.

        A viewer who does not see the hero's type learns only of a successful search, without the
        hero and the roll.
        """
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
    """Sites whose contents a side learns, as they are afterwards."""

    irreversible: ClassVar[bool] = True

    side: int
    sites: tuple[Site, ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event for its own side only, without the other sides that know the sites."""
        if self.side not in before.secrets:
            return None
        return replace(self, sites=tuple(after.site(site) for site in self.sites))


GoldReason: TypeAlias = Literal["site", "sage", "reward", "out", "production"]


class GoldChanged(OwnSideEvent, frozen=True, tag="gold"):
    """Change of a side's gold, with the reason and the gold afterwards."""

    irreversible: ClassVar[bool] = True

    change: int
    gold: int
    reason: GoldReason


class QuestSet(OwnSideEvent, frozen=True, tag="quest-set"):
    """Start, progress or end of a side's quest."""

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
"""Events of this module."""
