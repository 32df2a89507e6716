"""Events: the set-up of a game, those of the strategic layer, and those of this game alone."""

from __future__ import annotations

from typing import ClassVar, Literal, Self, TypeAlias, cast

from engine.core.record import Event, replace
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import NO_PROPOSAL, Condition, HeroQuest, Reward, State
from engine.strategic import events as strategic
from engine.strategic.events.base import OwnSideEvent, StrategicEvent, shown
from engine.strategic.pieces import NOBODY, NONE, Army, City, Item, Site
from engine.strategic.seen import Seen


class GameSet(Event, frozen=True, tag="game-set"):
    """The game is set up: the whole scenario, the options, and what became of both.

    Everything that was drawn for the set-up is in ``start``. Rules: LW-0, LW-19.5.
    """

    irreversible: ClassVar[bool] = True

    scenario: Map
    options: Options
    start: State


class ConditionsSet(StrategicEvent, frozen=True, tag="conditions"):
    """Conditions of armies are otherwise: as they are now. Rules: LW-3.2, LW-6.2 to LW-6.4."""

    conditions: tuple[Condition, ...]
    reason: Literal["experience", "medal", "level", "fortified", "moved", "parked"]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Conditions of own armies, and how those in sight look if that is otherwise now."""
        known = tuple(
            one if before.owns_army(one.id) else one.looks
            for one in self.conditions
            if before.owns_army(one.id) or _looks_otherwise(one, before, after)
        )
        return replace(self, conditions=known) if known else None


def _looks_otherwise(condition: Condition, before: Seen, after: Seen) -> bool:
    """True if it is seen that an army of others is in another condition."""
    army = after.world.armies[condition.id]
    if not after.sees(army) or after.army(army).type != army.type:
        return False
    was = cast("State", before.world).condition(condition.id)
    return condition.looks != was.looks


class ProposalSet(OwnSideEvent, frozen=True, tag="proposal"):
    """Proposals of a side to the others, and the treaties it wants with them. Rules: LW-16."""

    proposals: tuple[int, ...]
    stances: tuple[int, ...] = ()

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Proposals to the viewer, if they are otherwise; all of them for the side itself."""
        if self.side in before.secrets:
            return self
        rows = cast("State", before.world).proposals
        known = rows[self.side] if rows else (NO_PROPOSAL,) * len(self.proposals)
        pairs = enumerate(zip(self.proposals, known, strict=True))
        if not any(one != was for other, (one, was) in pairs if other in before.secrets):
            return None
        told = tuple(
            one if other in after.secrets else NO_PROPOSAL
            for other, one in enumerate(self.proposals)
        )
        return replace(self, proposals=told, stances=())


class NeutralGoldSet(StrategicEvent, frozen=True, tag="neutral-gold"):
    """Gold of the neutral side now. Rules: LW-13.1."""

    irreversible: ClassVar[bool] = True

    gold: int

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Event, for those who know everything."""
        return self if NOBODY in before.secrets else None


class ProductionStopped(StrategicEvent, frozen=True, tag="production-stopped"):
    """A city whose army cannot be paid stops: as it is now. Rules: LW-13.2."""

    irreversible: ClassVar[bool] = True

    city: City

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Event, if the viewer knows the business of the city's owner."""
        return self if self.city.owner in before.secrets else None


class ItemUsed(StrategicEvent, frozen=True, tag="item-used"):
    """A hero has used an item, which is as it is now: with a charge less, or gone.

    What that did to the purses of sides (side, gold), to a city, to sites and to the armies that
    it changed stands here too, as it is now; armies that came or fell are told by other events.
    ``art`` are the pictures of the city's tiles. Rules: LW-11.
    """

    irreversible: ClassVar[bool] = True

    side: int
    army: int
    item: Item
    act: str
    target: int = NOBODY
    gold: tuple[tuple[int, int], ...] = ()
    city: City | None = None
    art: tuple[int, int, int, int] = (0, 0, 0, 0)
    sites: tuple[Site, ...] = ()
    armies: tuple[Army, ...] = ()

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """All to its side; to others what they see of it, and theirs to whom it is done."""
        if self.side in after.secrets:
            return self
        city = self.city if self.city and after.knows_city(self.city) else None
        known = before.sees_item(before.world.items[self.item.id])
        told = replace(
            self,
            army=NONE,
            item=self.item if known else Item(NONE, "item", NONE, ""),
            act=self.act if self.target in after.secrets else "",
            target=self.target if self.target in after.secrets else NOBODY,
            gold=tuple(one for one in self.gold if one[0] in after.secrets),
            city=after.city(city) if city else None,
            sites=(),
            armies=shown(self.armies, before, after),
        )
        return told if known or told.gold or told.city or told.armies else None


class BridgeBurnt(StrategicEvent, frozen=True, tag="bridge-burnt"):
    """A bridge is no more: its tiles (x, y, terrain now), and the armies that stood on it now.

    Rules: LW-11.
    """

    irreversible: ClassVar[bool] = True

    tiles: tuple[tuple[int, int, int], ...]
    armies: tuple[Army, ...] = ()

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Tiles that are known, and armies that are seen."""
        tiles = tuple(one for one in self.tiles if after.knows((one[0], one[1])))
        armies = shown(self.armies, before, after)
        return replace(self, tiles=tiles, armies=armies) if tiles or armies else None


class RewardGiven(OwnSideEvent, frozen=True, tag="reward"):
    """Reward that a hero got at a site, or for a quest (then the reward's id is NONE).

    The gold, armies, items and places themselves come with the events that follow. Rules: LW-14.
    """

    irreversible: ClassVar[bool] = True

    army: int
    reward: Reward


class HeroQuestSet(OwnSideEvent, frozen=True, tag="hero-quest"):
    """A hero's quest is begun, goes on, is done or is void. Rules: LW-15."""

    irreversible: ClassVar[bool] = True

    quest: HeroQuest
    what: Literal["taken", "step", "done", "void"]


class DiplomacySettled(StrategicEvent, frozen=True, tag="diplomacy"):
    """The proposals of a round are settled; ``changed`` are the pairs that stand otherwise.

    Rules: LW-16.
    """

    irreversible: ClassVar[bool] = True

    changed: tuple[tuple[int, int], ...]
    treaties: tuple[tuple[int, ...], ...]
    opinions: tuple[tuple[int, ...], ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """The event, unless proposals between others came to nothing."""
        del after
        rows = cast("State", before.world).proposals
        known = any(
            told != NO_PROPOSAL
            for side, row in enumerate(rows)
            for other, told in enumerate(row)
            if before.secrets & {side, other}
        )
        return self if self.changed or known else None


class OpinionsChanged(StrategicEvent, frozen=True, tag="opinions"):
    """Opinions of everybody about everybody after a deed of a side. Rules: LW-16."""

    irreversible: ClassVar[bool] = True

    side: int
    opinions: tuple[tuple[int, ...], ...]
    reason: Literal["treachery", "razed", "last_city"]


class RoundScored(StrategicEvent, frozen=True, tag="scored"):
    """Scores of all sides at the end of a round. Rules: LW-17."""

    irreversible: ClassVar[bool] = True

    scores: tuple[int, ...]


OwnEvent: TypeAlias = (
    ConditionsSet
    | ProposalSet
    | DiplomacySettled
    | OpinionsChanged
    | NeutralGoldSet
    | ProductionStopped
    | RoundScored
    | ItemUsed
    | BridgeBurnt
    | RewardGiven
    | HeroQuestSet
)
"""Events that only this game has, its set-up aside."""

AnyEvent: TypeAlias = GameSet | strategic.AnyEvent | OwnEvent
