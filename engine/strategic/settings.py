"""Rule settings: the values, tables and policies that a rule book supplies, chapter by chapter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from engine.core.dice import Dice
from engine.core.record import Command
from engine.kit.grid import Place
from engine.strategic.battle_records import Battleground, BattleOdds, Lineup
from engine.strategic.decision import Decision
from engine.strategic.events.battle import Duel, FoughtBattle
from engine.strategic.hero_settings import HeroRules
from engine.strategic.pieces import Army, City, Side, Slot, Trait, UnitType
from engine.strategic.refusal import Topic
from engine.strategic.seen import OPEN, Secrecy
from engine.strategic.world import GameEnd, World

# -- Movement and sight ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MovingRules:
    """Values, tables and policies. Prices of 0 mean that a terrain is closed."""

    foot: tuple[int, ...]
    """Price of entering each terrain on foot."""

    air: tuple[int, ...]
    """Price of entering each terrain in the air."""

    boats: frozenset[int]
    """Terrains that boats, and armies aboard, may enter; tiles of port cities besides."""

    water: frozenset[int]
    """Terrains where armies must be aboard, except boats and flyers."""

    bridges: frozenset[int]
    """Terrains that are ports."""

    roadside: frozenset[int]
    """Terrains that roads connect to as to other roads."""

    seaside: frozenset[int]
    """Terrains beside a city that make it a port."""

    wise: tuple[tuple[Trait, int], ...]
    """Traits that cap the price of a terrain, and open it if it is closed on foot."""

    all_wise: bool
    """True if all walkers of a group need such a trait; False: one of them is enough."""

    cap: int
    """Cap of the price of connected roads, bridges, water, and terrains of ``wise`` traits."""

    road_price: int | None
    """Price of every road on foot and afloat; None: connected roads cap the price."""

    foe_price: int | None
    """Base price of tiles with hostile armies; None: that of their terrain."""

    zone_toll: int
    """Toll for entering the zone around armies at war with the side."""

    riders: bool
    """True if heroes fly along with a flyer."""

    attack: int
    """Least points that an attack costs."""

    attack_as_terrain: bool
    """True if an attack costs what the step would cost without foes, if that is more."""

    attack_in_full: bool
    """True if all points of an attack must be left; False: one is enough."""

    boarding: int | None
    """Price of the step aboard; None: that of ``afloat``."""

    near: int | None
    """Margin of the first search window, in tiles around start and goal; None: there are no
    windows, and the cheapest way of the whole map is found."""

    far_human: int
    """Margin of the second window for human players, and of the tiles offered as goals."""

    far_computer: int
    """Margin of the second window for computer players."""

    longest: int
    """Most steps of a way that is kept in mind."""

    fog: bool
    """True if tiles must be discovered, and armies are seen only from near."""

    sight: int
    """Sight of armies, in tiles."""

    far_sight: int
    """Sight in the air, in a city and on a tower."""

    keeps: frozenset[int] = frozenset()
    """Terrains where armies stay as they came, aboard or on foot, such as quays."""

    crossing: int | None = None
    """Price of a change between land and sea in the search of ways that cross the coast and go on;
    None: ways end at the coast."""

    bridge_cap: bool = True
    """True if ``cap`` holds on ``bridges`` for movers with the bridge bonus."""

    embarks: frozenset[tuple[int, int]] = frozenset()
    """Terrains from and to which a step goes aboard although armies else stay as they came there;
    that takes all points."""

    member_price: Callable[[World, Army, int, int], int] | None = None
    """Points that a member pays for a step onto a terrain, given the group's price; the step needs
    the group's price left in every member. None: all members pay the group's price."""

    lifts: Callable[[World, Sequence[Army]], bool] | None = None
    """True if armies fly as a group. Over water and closed land they part only into groups that
    fly. None: all fly, or as ``riders`` says; and they part anywhere."""

    wise_of: Callable[[World, Sequence[Army]], Collection[Trait]] | None = None
    """Traits of ``wise`` that a group has; None: as ``all_wise`` says."""

    afloat: tuple[int, ...] = ()
    """Price of each terrain for boats and armies aboard; none: that on foot up to the cap."""

    fights_aboard: bool = False
    """True if armies on foot may attack where they would go aboard."""

    opened: frozenset[int] = frozenset()
    """Terrains, closed on foot, that a road opens."""

    shuts_in: bool = False
    """True if nobody leaves ``opened`` terrain without a road or its trait of ``wise``."""

    quayside: frozenset[int] = frozenset()
    """Terrains whose tiles in the set of ports are crossed on foot, at the cap; armies stay there
    as they came, aboard or on foot."""

    army_sight: Callable[[World, Army], int] | None = None
    """Sight of an army; that of a group is the greatest. None: ``sight`` and ``far_sight``."""

    lasting_sight: bool = False
    """True if armies are seen wherever the side has discovered the tile."""

    city_sight: int = 0
    """Tiles around the first one of a taken city that its new owner discovers."""

    lifts_fog: bool = True
    """True if fog is gone for good once all know all cities."""

    moved: Callable[[Decision, tuple[Army, ...]], None] | None = None
    """Further changes of armies that have moved."""

    secrecy: Secrecy = OPEN
    """Facts that are hidden of armies and cities in sight."""

    guess: Callable[[World, Army], Army] | None = None
    """Army that a viewer reckons with in place of one of unknown type."""

    road_aloft: bool = False
    """True if ``road_price`` holds in the air too."""

    wakes: Callable[[Decision, tuple[int, ...]], None] | None = None
    """Conditions besides defending that an order to move ends for armies; None: nothing."""


# -- Battles ---------------------------------------------------------------------------------------


Fate: TypeAlias = Literal["occupy", "pillage", "sack", "raze"]
"""Fate of a captured city."""


@dataclass(frozen=True, eq=False)
class Experience:
    """Experience of heroes for a battle that they survive, and its maximum."""

    won: int
    won_city: int
    held: int
    most: int


@dataclass(frozen=True, eq=False)
class Medals:
    """Medals for armies that attacked and won.

    The die of 100 must be below ``chance`` less ``less`` for each medal bearer of the side, or
    below ``least``. ``strength`` and ``most`` are the most of strength and of medals. In the first
    turns, before ``early``, armies may win it alone against a foe stronger than ``worthy``.
    """

    chance: int
    less: int
    least: int
    most: int
    strength: int
    early: int
    worthy: int


@dataclass(frozen=True, eq=False)
class Spoils:
    """Consequences of the capture of a city.

    ``penalties`` are dice (count, sides, plus) that worsen the rating. ``ruin`` is the terrain of
    the tiles of a razed city, ``ruin_art`` their pictures by who razed it.
    """

    may_raze: bool
    penalties: Mapping[Fate, tuple[int, int, int]]
    ruin: int
    ruin_art: Mapping[int, tuple[int, int, int, int]]


AfterBattle: TypeAlias = "Callable[[Decision, RuleSettings, FoughtBattle], None]"
"""Consequence of a battle."""


@dataclass(frozen=True, eq=False)
class FightingRules:
    """Values, tables and policies.

    ``leadership`` is what the best hero adds, by its strength. ``cap`` is the most that a side's
    bonus comes to, ``most`` the most strength of an army in battle, ``aboard`` that of an army
    that fights as a ship. ``dice`` is the number of sides, ``rounds`` the most of a duel before
    the attacker's unit falls. ``novice_shield``: heroes of human players who fight in front of an
    attack on neutrals cannot be hit.

    ``line_up`` puts a group that attacks a tile and its foes there into two lines, with their
    strengths. ``fight`` is the battle procedure: from the dice and the line-up to the duels, in
    order, until one side is gone; what the numbers of a duel mean is its own affair. ``odds`` are
    the chances of a line-up that is fought so. ``after_battle`` follows on the removal of the dead:
    experience, medals and the like.
    """

    line_up: Callable[[World, FightingRules, Sequence[Army], Place], Lineup]
    after_battle: tuple[AfterBattle, ...]
    fight: Callable[[Dice, FightingRules, Lineup], tuple[Duel, ...]]
    odds: Callable[[FightingRules, Lineup], BattleOdds]
    battleground: Callable[[World, Place], Battleground]
    leadership: tuple[int, ...]
    cap: int
    most: int
    aboard: int
    dice: int
    rounds: int
    novice_shield: bool
    experience: Experience
    medals: Medals
    spoils: Spoils
    attack_ground: Callable[[World, Place, Place], Battleground] | None = None
    """Ground that counts for those who attack from one tile another; None: the defenders'."""

    wounds: Callable[[Lineup, tuple[Duel, ...]], tuple[tuple[int, int], ...]] | None = None
    """Hit points that the survivors of a battle have lost: (army, lost); None: wounds never last.
    Before it ``Fighter.hp`` has them."""

    stands: bool = False
    """True if attackers fight where they stand, and their dead leave their items there, unless it
    is a city that they attack."""

    advises: bool = True
    """True if people are shown the forecast of an attack; computer players always know it."""


# -- Cities ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CityRules:
    """Values, tables and policies."""

    most_slots: int
    """Slots of a city."""

    most_armies: int
    """Armies in the world, those on their way included; at that many nothing new is made."""

    most_gold: int
    """Most gold of a side."""

    most_strength: int
    """Of an army that a city makes."""

    enhanced: int
    """Bonus of the handicap to the strength of new armies."""

    sources: int
    """Cities that may send their armies to the same place."""

    journey: int
    """Turn starts from a city to the place its armies are sent to, and back."""

    name_length: int
    """Letters in the name of a city."""

    keeper: int
    """Type that keeps weak neutral cities at the start."""

    tier_plus: int | None
    """None: all neutral cities are weak. Otherwise one is kept by what it can make: by the slot,
    counted from 0, that a die with four sides and this come to."""

    most_tier: int
    """Highest such slot."""

    refills: bool
    """True if neutral cities that were attacked make armies."""

    refill_to: int
    """Up to so many in the city."""

    defence: Callable[[int], int]
    """Level of defence of a city with so many slots."""

    for_sale: Callable[[World, City, UnitType], bool]
    """True if a city may learn to make a type for its price."""

    pays_for: Callable[[Side, Slot], bool]
    """True if a side has the money for what a city has just finished."""

    upkeep: Callable[[Army], int]
    """Upkeep of an army in a turn."""

    upkeep_of_slot: Callable[[Slot], int]
    """Upkeep that an army made in a slot gets."""

    art: Mapping[int, tuple[int, int, int, int]]
    """Pictures of a standing city's tiles (top left, top right, bottom left, bottom right), by
    owner, NOBODY included."""

    unit_price: Callable[[Slot], int] | None = None
    """Gold that an army costs when it is made; None: nothing."""

    seized: Callable[[City], City] | None = None
    """City as it is for the side that has just taken it; None: it makes nothing."""

    fates: Callable[[World, int], tuple[Fate, ...]] | None = None
    """Fates that a captured city can have; None: all that it has slots for, and razing if cities
    may be razed."""

    plunder: Callable[[World, City, Fate], tuple[City, int]] | None = None
    """City after its fate, and the gold that this brings; None: the last slot goes, by sacking all
    but the first, for half of their prices."""

    journey_to: Callable[[World, City, Place], int] | None = None
    """Rounds from a city to a place that its armies are sent to; None: ``journey``."""

    loses_sent: bool = False
    """True if armies on their way from a taken city are lost too, and with their vectors those to a
    razed city or to a rally flag that is taken up."""

    together: bool = False
    """True if cities that send their armies to the same place get a new target together."""


# -- Turns and treaties ----------------------------------------------------------------------------


TurnPhase: TypeAlias = "Callable[[Decision, RuleSettings, int], None]"
"""A part of a side's turn: it gets the decision, the settings and the side."""

RoundPhase: TypeAlias = "Callable[[Decision, RuleSettings], None]"
"""A part of the end of a round."""

TreacheryPolicy: TypeAlias = "Callable[[Decision, RuleSettings, int, int], None]"
"""Consequence of treachery: it gets the decision, the settings, the traitor and the victim."""

GameVerdict: TypeAlias = "tuple[tuple[int, ...], GameEnd]"
"""Winners and the reason."""


@dataclass(frozen=True, eq=False)
class TurnRules:
    """Values, tables and policies.

    A turn is ``opening``, ``rest``, the side's orders, ``closing``; the last of ``opening`` may ask
    the side something, and ``rest`` then waits for the answer. After the turns of a round come
    ``round_end``, which may end the game or ask somebody, and ``between``.
    """

    opening: tuple[TurnPhase, ...]
    rest: tuple[TurnPhase, ...]
    closing: tuple[TurnPhase, ...]
    round_end: tuple[RoundPhase, ...]
    between: tuple[RoundPhase, ...]

    order: Callable[[Decision], tuple[int, ...]]
    """All sides in the order in which they play the next round."""

    verdict: Callable[[World], GameVerdict | None]
    """Winners, if the game is over."""

    yields: Callable[[World], int | None]
    """Side that the computers surrender to now."""

    refill: Callable[[Army, int], int]
    """Points of an army at the start of a turn; with it are so many bearers of speed."""

    builds_on: Callable[[World, Place], bool]
    """True if armies that defend build a tower on a tile."""

    may_burn: bool
    """True if a side that resigns may raze its cities."""

    diplomacy: bool
    """True if there are treaties; otherwise everybody is at war with everybody."""

    betrayal: Mapping[int, tuple[int, int]]
    """By treaty: (sides of the die, plus) that an attack against it adds to the rating."""

    titles: tuple[str, ...]
    """Titles of sides, from the best to the worst rating."""

    turn_end: tuple[RoundPhase, ...] = ()
    """Phases after every turn, also after one that a side ends by leaving the game."""

    always_burns: bool = False
    """True if the cities of a side that resigns are razed in any case."""

    betrayed: TreacheryPolicy | None = None
    """Further consequences of a treachery, for the side that commits it against another."""

    reputation: Callable[[World, int], int] | None = None
    """Reputation of a side, the lower the better; None: its rating."""

    razed: TurnPhase | None = None
    """Further consequences for a side that razes a city it has just taken."""

    last_taken: TreacheryPolicy | None = None
    """Further consequences of the capture of a side's last city: for its taker, and the loser."""

    heals: Callable[[Army], int] = lambda army: army.wounds
    """Hit points that an army still lacks after it has rested once (``turns.heal``)."""


# -- All chapters ----------------------------------------------------------------------------------


OrderHandler: TypeAlias = "Callable[[Decision, RuleSettings, int, Any], None]"
"""Function that carries a command of a side out, or refuses it."""


OfferedOrders: TypeAlias = "Callable[[Any, int, int | None], Iterator[Any]]"
"""Commands of a ruleset's own that a side might give in a view; the last argument as in offers."""


@dataclass(frozen=True, eq=False)
class RuleSettings:
    """Values, tables and policies of one rule book under the options of one game, by chapter.

    ``rules`` are the ids that refusals and told lines refer to, by their topic. ``orders`` are the
    commands that the ruleset adds to those of the layer, or carries out otherwise; ``answers`` are
    those among them that answer a question, with its kind; ``offers`` lists those that may be worth
    trying.
    """

    moving: MovingRules
    fighting: FightingRules
    cities: CityRules
    heroes: HeroRules
    turns: TurnRules
    rules: Mapping[Topic, str]
    orders: Mapping[type[Command], OrderHandler] = field(default_factory=dict)
    answers: Mapping[type[Command], str] = field(default_factory=dict)
    offers: tuple[OfferedOrders, ...] = ()
