"""Events: the set-up of a game, those of the strategic layer, and those of this game alone."""

from __future__ import annotations

from typing import ClassVar, Literal, Self, TypeAlias

from engine.core.record import Event, replace
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import Condition, HeroQuest, Reward, State
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
        """Conditions of own armies."""
        rows = before.world.armies
        own = tuple(one for one in self.conditions if rows[one.id].owner in before.secrets)
        del after
        return replace(self, conditions=own) if own else None


class ProposalSet(OwnSideEvent, frozen=True, tag="proposal"):
    """What a side proposes to the others. Rules: LW-16."""

    proposals: tuple[int, ...]


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
        told = replace(
            self,
            army=NONE,
            item=Item(NONE, "item", NONE, ""),
            act=self.act if self.target in after.secrets else "",
            target=self.target if self.target in after.secrets else NOBODY,
            gold=tuple(one for one in self.gold if one[0] in after.secrets),
            city=after.city(city) if city else None,
            sites=(),
            armies=shown(self.armies, before, after),
        )
        return told if told.gold or told.city or told.armies else None


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
    """What a hero got at a site, or for a quest (then the reward's id is NONE).

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


OwnEvent: TypeAlias = (
    ConditionsSet | ProposalSet | ItemUsed | BridgeBurnt | RewardGiven | HeroQuestSet
)
"""Events that only this game has, its set-up aside."""

AnyEvent: TypeAlias = GameSet | strategic.AnyEvent | OwnEvent
