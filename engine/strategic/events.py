"""What can happen, with results.

Records inside events are those that stand in the world afterwards, so booking them needs no rule.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from engine.core.record import Event, Record
from engine.kit.grid import Place
from engine.strategic.fighting.parts import Part
from engine.strategic.pieces import (
    NONE,
    Army,
    BattleClass,
    City,
    Item,
    Quest,
    Question,
    Side,
    Site,
    Tower,
    Transit,
)
from engine.strategic.world import Reason, Stage

# -- moving ------------------------------------------------------------------------------------


class GroupMoved(Event, frozen=True, tag="moved"):
    """Armies went along ``path`` (without where they came from) and stand at its end.

    ``points`` are what each army has left, in the order of ``armies``; ``aboard`` whether they are
    embarked now (boats and flyers never are): one flag for each army.
    """

    armies: tuple[int, ...]
    path: tuple[Place, ...]
    points: tuple[int, ...]
    aboard: tuple[bool, ...]


class MarchStopped(Event, frozen=True, tag="stopped"):
    """Armies stopped before somebody who had not been seen, or before what bars the way."""

    armies: tuple[int, ...]
    before: Place


class GoalSet(Event, frozen=True, tag="goal-set"):
    """Armies have a goal, or none (neither ``to`` nor ``flag``)."""

    armies: tuple[int, ...]
    to: Place | None = None
    flag: bool = False


class DefendSet(Event, frozen=True, tag="defend-set"):
    """Armies defend, or do not any more."""

    armies: tuple[int, ...]
    on: bool


class TilesFound(Event, frozen=True, tag="found"):
    """A side discovers tiles, numbered ``y * width + x``."""

    lasting: ClassVar[bool] = True

    side: int
    tiles: tuple[int, ...]


class FogLifted(Event, frozen=True, tag="fog-lifted"):
    """Everybody sees everything from now on."""

    lasting: ClassVar[bool] = True


class TowersBuilt(Event, frozen=True, tag="towers-built"):
    """Towers stand where armies defend."""

    towers: tuple[Tower, ...]


class TowersFell(Event, frozen=True, tag="towers-fell"):
    """Towers are gone."""

    towers: tuple[int, ...]


# -- fighting ----------------------------------------------------------------------------------


class Fighter(Record, frozen=True):
    """An army in the line of battle, with its strength in it."""

    army: int
    type: int
    strength: int


class Duel(Record, frozen=True):
    """Two front units against each other until one of them fell.

    ``dice`` are the defender's and the attacker's die of each round, one after the other.
    ``won``: the attacker's unit did. ``shielded``: hits did not count against it.
    """

    attacker: int
    defender: int
    dice: tuple[int, ...]
    won: bool
    shielded: bool = False


class BattleFought(Event, frozen=True, tag="battle"):
    """A battle to the death, told duel by duel; the lines stand in fighting order.

    ``helped`` and ``covered`` are the reasons of what every attacker and every defender got.
    ``attacked_by``: who has attacked the ``city`` so far, as a bit set of sides, with this one.
    """

    lasting: ClassVar[bool] = True

    at: Place
    start: Place
    attacker: int
    defender: int
    ground: BattleClass
    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    duels: tuple[Duel, ...]
    won: bool
    helped: tuple[Part, ...] = ()
    covered: tuple[Part, ...] = ()
    city: int = NONE
    attacked_by: int = 0
    betrayal: bool = False


class ArmiesRemoved(Event, frozen=True, tag="removed"):
    """Armies are no more, and why."""

    lasting: ClassVar[bool] = True

    armies: tuple[int, ...]
    reason: Literal["battle", "disbanded", "guardian", "side_out", "transit", "resigned"]


class ArmiesGrew(Event, frozen=True, tag="grew"):
    """Experience, medals, levels, blessings: the armies as they are now."""

    lasting: ClassVar[bool] = True

    armies: tuple[Army, ...]
    reason: Literal["experience", "medal", "level", "blessing"]


class DeedsCounted(Event, frozen=True, tag="deeds"):
    """The sides with what they have done counted on (deeds, quest, rating)."""

    sides: tuple[Side, ...]


# -- cities ------------------------------------------------------------------------------------


class CityTaken(Event, frozen=True, tag="city-taken"):
    """A city changes hands; ``gold`` is what each side whose purse changed has now.

    ``city`` is as it is now; ``others`` are cities whose vectors led to it, without them.
    """

    lasting: ClassVar[bool] = True

    city: City
    loser: int
    loot: int
    gold: tuple[tuple[int, int], ...]
    art: tuple[int, int, int, int]
    others: tuple[City, ...] = ()


class CitySettled(Event, frozen=True, tag="city-settled"):
    """What became of the city that was taken: it is as it is now, and what that brought."""

    lasting: ClassVar[bool] = True

    city: City
    side: int
    fate: Literal["occupy", "pillage", "sack"]
    gain: int
    gold: int


class CityRazed(Event, frozen=True, tag="city-razed"):
    """A city is a ruin for ever. ``terrain`` and ``art`` are those of its four tiles now."""

    lasting: ClassVar[bool] = True

    city: City
    side: int
    terrain: int
    art: tuple[int, int, int, int]
    others: tuple[City, ...] = ()


class CityChanged(Event, frozen=True, tag="city-changed"):
    """A city by its owner's order: production, vector or name."""

    city: City
    what: Literal["produce", "stop", "vector", "name"]


class SlotBought(Event, frozen=True, tag="slot-bought"):
    """A city can make something else."""

    city: City
    slot: int
    price: int
    gold: int


class Counted(Event, frozen=True, tag="counted"):
    """Turns until their armies are done pass for cities: (city, turns left now)."""

    lefts: tuple[tuple[int, int], ...]


class ArmyMade(Event, frozen=True, tag="made"):
    """A city has made an army, which stands in it."""

    city: int
    left: int
    army: Army


class ArmySent(Event, frozen=True, tag="sent"):
    """A city has made an army, which is on its way to another place; both have the same id."""

    city: int
    left: int
    transit: Transit


class TransitsMoved(Event, frozen=True, tag="transits"):
    """Armies off the map found no place and turn back: as they are now."""

    transits: tuple[Transit, ...]


class ArmyArrived(Event, frozen=True, tag="arrived"):
    """An army that was on its way is on the map again."""

    transit: int
    army: Army


class TransitsLost(Event, frozen=True, tag="transits-lost"):
    """Armies on their way are lost."""

    transits: tuple[int, ...]


class ArmiesPlaced(Event, frozen=True, tag="placed"):
    """New armies out of nothing: allies, garrisons."""

    lasting: ClassVar[bool] = True

    armies: tuple[Army, ...]
    reason: Literal["allies", "neutral", "hero", "reward", "arrived"]


# -- heroes, items, sites ----------------------------------------------------------------------


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


# -- turns -------------------------------------------------------------------------------------


class RoundBegan(Event, frozen=True, tag="round"):
    """A round begins, in this order."""

    lasting: ClassVar[bool] = True

    turn: int
    order: tuple[int, ...]


class TurnBegan(Event, frozen=True, tag="turn"):
    """A side's turn begins: ``at`` is its place in the order."""

    lasting: ClassVar[bool] = True
    closing: ClassVar[bool] = True

    side: int
    at: int


class StageSet(Event, frozen=True, tag="stage"):
    """How far the start of a turn has come."""

    lasting: ClassVar[bool] = True

    stage: Stage


class PointsRefilled(Event, frozen=True, tag="refilled"):
    """What each army of a side can move: (army, points)."""

    lasting: ClassVar[bool] = True

    side: int
    points: tuple[tuple[int, int], ...]


class IncomeCame(Event, frozen=True, tag="income"):
    """Income and upkeep of a side, and what it has now."""

    lasting: ClassVar[bool] = True

    side: int
    income: int
    upkeep: int
    gold: int


class StanceSet(Event, frozen=True, tag="stance-set"):
    """How a side wants to stand toward all others now."""

    side: int
    stances: tuple[int, ...]


class TreatyChanged(Event, frozen=True, tag="treaty"):
    """Two sides stand otherwise; both sides with their stances and ratings now."""

    lasting: ClassVar[bool] = True

    sides: tuple[Side, Side]
    treaty: int
    betrayal: bool = False


class RatingChanged(Event, frozen=True, tag="rating"):
    """What others think of a side has got worse."""

    lasting: ClassVar[bool] = True

    side: int
    rating: int


class FightOrderSet(Event, frozen=True, tag="fight-order-set"):
    """A side's line of battle, by type id."""

    side: int
    order: tuple[int, ...]


class SideOut(Event, frozen=True, tag="side-out"):
    """A side is out of the game: as it is now. Its treaties are all HOSTILE."""

    lasting: ClassVar[bool] = True

    side: Side
    resigned: bool = False


class CitiesFreed(Event, frozen=True, tag="cities-freed"):
    """Cities belong to nobody any more: as they are now, with the art of their tiles."""

    lasting: ClassVar[bool] = True

    cities: tuple[City, ...]
    art: tuple[tuple[int, int, int, int], ...]


class GameEnded(Event, frozen=True, tag="ended"):
    """The game is over."""

    lasting: ClassVar[bool] = True
    closing: ClassVar[bool] = True

    winners: tuple[int, ...]
    reason: Reason


AnyEvent: TypeAlias = (
    GroupMoved
    | MarchStopped
    | GoalSet
    | DefendSet
    | TilesFound
    | FogLifted
    | TowersBuilt
    | TowersFell
    | BattleFought
    | ArmiesRemoved
    | ArmiesGrew
    | DeedsCounted
    | CityTaken
    | CitySettled
    | CityRazed
    | CityChanged
    | SlotBought
    | Counted
    | ArmyMade
    | ArmySent
    | TransitsMoved
    | ArmyArrived
    | TransitsLost
    | ArmiesPlaced
    | Asked
    | Answered
    | HeroHired
    | ItemsMoved
    | FlagSet
    | SiteSearched
    | SiteKnown
    | GoldChanged
    | QuestSet
    | RoundBegan
    | TurnBegan
    | StageSet
    | PointsRefilled
    | IncomeCame
    | StanceSet
    | TreatyChanged
    | RatingChanged
    | FightOrderSet
    | SideOut
    | CitiesFreed
    | GameEnded
)
"""All but the first event of a game, which is the ruleset's own."""
