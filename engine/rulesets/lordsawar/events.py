"""Events: set-up of a game, events of the strategic layer, and events of this game only."""

from __future__ import annotations

from typing import ClassVar, Literal, Self, TypeAlias, cast

from engine.core.record import replace
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import NO_PROPOSAL, Condition, HeroQuest, Reward, State
from engine.strategic import events as strategic
from engine.strategic.events.base import FirstEvent, OwnSideEvent, StrategicEvent, shown
from engine.strategic.pieces import NOBODY, NONE, Army, City, Item, Site
from engine.strategic.seen import Seen


class GameSet(FirstEvent, frozen=True, tag="game-set"):
    """Set-up of a game: the whole scenario, the options, and the first state.

    ``start`` contains everything that was drawn. Rules: LW-23. See: LW-0, LW-19.5.
    """

    scenario: Map
    options: Options
    start: State


class ConditionsSet(StrategicEvent, frozen=True, tag="conditions"):
    """New conditions of some armies. See: LW-3.2, LW-6.2 to LW-6.4."""

    conditions: tuple[Condition, ...]
    reason: Literal["experience", "medal", "level", "fortified", "moved", "parked"]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event with the viewer's armies and changed looks of others, or None."""
        known = tuple(
            one if before.owns_army(one.id) else one.looks
            for one in self.conditions
            if before.owns_army(one.id) or _looks_otherwise(one, before, after)
        )
        return replace(self, conditions=known) if known else None


def _looks_otherwise(condition: Condition, before: Seen, after: Seen) -> bool:
    """Return whether the viewer sees that another side's army has a new look."""
    army = after.world.armies[condition.id]
    if not after.sees(army) or after.army(army).type != army.type:
        return False
    was = cast("State", before.world).condition(condition.id)
    return condition.looks != was.looks


class ProposalSet(OwnSideEvent, frozen=True, tag="proposal"):
    """Proposals of a side to the others, and the treaties that it wants with them. See: LW-16."""

    proposals: tuple[int, ...]
    stances: tuple[int, ...] = ()

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event for its side; for others proposals to them, if changed, or None."""
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
    """New amount of the neutral side's gold. See: LW-13.1."""

    irreversible: ClassVar[bool] = True

    gold: int

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Return the event for a viewer who knows everything, else None."""
        return self if NOBODY in before.secrets else None


class ProductionStopped(StrategicEvent, frozen=True, tag="production-stopped"):
    """Stop of a city's production for lack of gold; ``city`` is its new state. See: LW-13.2."""

    irreversible: ClassVar[bool] = True

    city: City

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Return the event if the viewer knows the secrets of the city's owner, else None."""
        return self if self.city.owner in before.secrets else None


class ItemUsed(StrategicEvent, frozen=True, tag="item-used"):
    """Use of an item by a hero; ``item`` is its new state, with a charge less or gone.

    ``gold`` (side, gold), ``city``, ``sites`` and ``armies`` are the new states of what the use
    changed. Other events report armies that joined or died. ``art`` holds the pictures of the
    city's tiles. See: LW-11.
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
        """Return the whole event for its side; for others what they see and what affects them."""
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
    """Loss of a bridge: its tiles (x, y, new terrain), and the armies on it now. See: LW-11."""

    irreversible: ClassVar[bool] = True

    tiles: tuple[tuple[int, int, int], ...]
    armies: tuple[Army, ...] = ()

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Keep the tiles that the viewer knows and the armies that it sees, or return None."""
        tiles = tuple(one for one in self.tiles if after.knows((one[0], one[1])))
        armies = shown(self.armies, before, after)
        return replace(self, tiles=tiles, armies=armies) if tiles or armies else None


class RewardGiven(OwnSideEvent, frozen=True, tag="reward"):
    """Reward of a hero from a site, or for a quest (then the reward's id is NONE).

    The following events change the gold, armies, items and places themselves. See: LW-14.
    """

    irreversible: ClassVar[bool] = True

    army: int
    reward: Reward


class HeroQuestSet(OwnSideEvent, frozen=True, tag="hero-quest"):
    """Start, progress, success or failure of a hero's quest. See: LW-15."""

    irreversible: ClassVar[bool] = True

    quest: HeroQuest
    what: Literal["taken", "step", "done", "void"]


class DiplomacySettled(StrategicEvent, frozen=True, tag="diplomacy"):
    """Settlement of a round's proposals; ``changed`` has pairs with a new treaty. See: LW-16."""

    irreversible: ClassVar[bool] = True

    changed: tuple[tuple[int, int], ...]
    treaties: tuple[tuple[int, ...], ...]
    opinions: tuple[tuple[int, ...], ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event if a treaty changed or the viewer took part in a proposal, else None."""
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
    """New opinions of all sides about all sides after a deed of one. See: LW-16."""

    irreversible: ClassVar[bool] = True

    side: int
    opinions: tuple[tuple[int, ...], ...]
    reason: Literal["treachery", "razed", "last_city"]


class RoundScored(StrategicEvent, frozen=True, tag="scored"):
    """Scores of all sides at the end of a round. See: LW-17."""

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
"""Events that only this game has, except its set-up."""

AnyEvent: TypeAlias = GameSet | strategic.AnyEvent | OwnEvent
