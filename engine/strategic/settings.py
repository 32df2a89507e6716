"""Rule settings: the values, tables and policies that a rule book supplies, by chapter."""

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
    """Settings of movement and sight. A price of 0 closes a terrain."""

    foot: tuple[int, ...]
    """Price of entering each terrain on foot."""

    air: tuple[int, ...]
    """Price of entering each terrain in the air."""

    boats: frozenset[int]
    """Terrains that boats and armies aboard can enter, apart from the tiles of port cities."""

    water: frozenset[int]
    """Terrains where armies must be aboard, except boats and flyers."""

    bridges: frozenset[int]
    """Terrains that are ports."""

    roadside: frozenset[int]
    """Terrains to which roads connect as they do to other roads."""

    seaside: frozenset[int]
    """Terrains that make a city beside them a port."""

    wise: tuple[tuple[Trait, int], ...]
    """Traits, each with a terrain whose price on foot it caps or, if closed, which it opens."""

    all_wise: bool
    """True if every walker of a group needs such a trait; False if one of them is enough."""

    cap: int
    """Maximum price of connected roads, bridges, water and terrains of ``wise`` traits."""

    road_price: int | None
    """Price of every road on foot and afloat. None: connected roads cap the price."""

    foe_price: int | None
    """Base price of tiles with hostile armies. None: the price of their terrain."""

    zone_toll: int
    """Toll for entering the zone around armies at war with the side."""

    riders: bool
    """True if heroes can ride with a flyer."""

    attack: int
    """Minimum price of an attack in points."""

    attack_as_terrain: bool
    """True if an attack costs as much as the step without foes would, if that is more."""

    attack_in_full: bool
    """True if an attack needs its full price in points left; False if one point is enough."""

    boarding: int | None
    """Price of the step aboard. None: the price in ``afloat``."""

    near: int | None
    """Margin of the first search window, in tiles around start and goal. None: there are no
    windows; the search finds the cheapest path on the whole map."""

    far_human: int
    """Margin of the second window for human players, and of the tiles offered as goals."""

    far_computer: int
    """Margin of the second window for computer players."""

    longest: int
    """Maximum number of steps in a path that is followed."""

    fog: bool
    """True if tiles must be discovered and armies are seen only near the side's own."""

    sight: int
    """Distance that armies see, in tiles."""

    far_sight: int
    """Distance that armies see from the air, a city or a tower, in tiles."""

    keeps: frozenset[int] = frozenset()
    """Terrains, such as quays, that leave armies as they come: on foot or aboard."""

    crossing: int | None = None
    """Price of each change between land and sea in the search for paths across coasts. None: paths
    end at the coast."""

    bridge_cap: bool = True
    """True if ``cap`` applies on ``bridges`` to movers with the bridge bonus."""

    embarks: frozenset[tuple[int, int]] = frozenset()
    """Steps (from, to) between terrains that embark, although both keep armies as they came. The
    step costs all points."""

    member_price: Callable[[World, Army, int, int], int] | None = None
    """Points that a member pays for a step onto a terrain, from the price for its group. Every
    member must have the group's price left. None: all members pay the group's price."""

    lifts: Callable[[World, Sequence[Army]], bool] | None = None
    """True if armies fly as a group. Over water and closed land they can split only into groups
    that fly. None: a group flies if all members fly or ``riders`` allows it, and can split
    anywhere."""

    wise_of: Callable[[World, Sequence[Army]], Collection[Trait]] | None = None
    """Traits of ``wise`` that a group has. None: ``all_wise`` decides."""

    afloat: tuple[int, ...] = ()
    """Price of each terrain for boats and armies aboard. Empty: the price on foot up to the cap."""

    fights_aboard: bool = False
    """True if armies on foot can attack a tile that they would enter aboard."""

    opened: frozenset[int] = frozenset()
    """Terrains, closed on foot, that a road opens."""

    shuts_in: bool = False
    """True if armies leave ``opened`` terrain only by road or with its trait of ``wise``."""

    quayside: frozenset[int] = frozenset()
    """Terrains whose tiles in ``World.ports`` can be crossed on foot, at the cap. Armies stay there
    as they came, aboard or on foot."""

    army_sight: Callable[[World, Army], int] | None = None
    """Distance that an army sees; a group sees as far as its best member. None: ``sight`` and
    ``far_sight`` apply."""

    lasting_sight: bool = False
    """True if armies are seen on every tile that the side has discovered."""

    city_sight: int = 0
    """Radius in tiles that the new owner of a city discovers around its first tile; 0 for none."""

    lifts_fog: bool = True
    """True if the fog is gone for good once every living side knows every city."""

    moved: Callable[[Decision, tuple[Army, ...]], None] | None = None
    """Called after armies have moved, for further changes. None: nothing changes."""

    secrecy: Secrecy = OPEN
    """Facts that are hidden about visible armies and cities."""

    guess: Callable[[World, Army], Army] | None = None
    """Army that a viewer assumes in place of one of unknown type. None: nothing is assumed."""

    road_aloft: bool = False
    """True if ``road_price`` also applies in the air."""

    wakes: Callable[[Decision, tuple[int, ...]], None] | None = None
    """Called with moving armies, to end conditions other than defending. None: nothing ends."""


# -- Battles ---------------------------------------------------------------------------------------


Fate: TypeAlias = Literal["occupy", "pillage", "sack", "raze"]
"""Fate of a captured city."""


@dataclass(frozen=True, eq=False)
class Experience:
    """Experience for heroes that survive a won attack or a successful defence, and its maximum."""

    won: int
    won_city: int
    held: int
    most: int


@dataclass(frozen=True, eq=False)
class Medals:
    """Medals for surviving attackers of a won battle; a die of 100 must be below a limit."""

    chance: int
    """Limit of the die for a side without medal bearers."""

    less: int
    """Reduction of the limit for each medal bearer of the side."""

    least: int
    """Minimum of that limit, for a side with many medal bearers."""

    most: int
    """Maximum number of medals of an army."""

    strength: int
    """Maximum strength that a medal can give."""

    early: int
    """Turn before which a single army can win a medal against a strong foe."""

    worthy: int
    """Strength that such a foe must exceed."""


@dataclass(frozen=True, eq=False)
class Spoils:
    """Consequences of the capture of a city."""

    may_raze: bool
    penalties: Mapping[Fate, tuple[int, int, int]]
    """Dice (count, sides, plus) that raise, and so worsen, the rating, by fate."""

    ruin: int
    """Terrain of the tiles of a razed city."""

    ruin_art: Mapping[int, tuple[int, int, int, int]]
    """Pictures of the tiles of a razed city, by the side that razed it."""


AfterBattle: TypeAlias = "Callable[[Decision, RuleSettings, FoughtBattle], None]"
"""Consequence of a battle."""


@dataclass(frozen=True, eq=False)
class FightingRules:
    """Settings of battles."""

    line_up: Callable[[World, FightingRules, Sequence[Army], Place], Lineup]
    """Two lines with their strengths, from an attacking group and the tile of its foes."""

    after_battle: tuple[AfterBattle, ...]
    """Called after the dead are removed, for experience, medals and the like."""

    fight: Callable[[Dice, FightingRules, Lineup], tuple[Duel, ...]]
    """Duels, in order, until one side is gone. Only this function knows the meaning of the numbers
    in a duel."""

    odds: Callable[[FightingRules, Lineup], BattleOdds]
    """Chances of a line-up under ``fight``."""

    battleground: Callable[[World, Place], Battleground]
    """Ground of a battle on a tile."""

    leadership: tuple[int, ...]
    """Bonus of the best hero, by its strength with weapons."""

    cap: int
    """Maximum bonus of a side."""

    most: int
    """Maximum strength of an army in battle."""

    aboard: int
    """Strength of an army that fights as a ship."""

    dice: int
    """Number of sides of a die."""

    rounds: int
    """Maximum number of rounds of a duel before the attacker's unit falls."""

    novice_shield: bool
    """True if attacks on neutrals cannot hit heroes of human players in front."""

    experience: Experience
    medals: Medals
    spoils: Spoils
    attack_ground: Callable[[World, Place, Place], Battleground] | None = None
    """Ground that counts for attackers, from their tile and the target. None: as for defenders."""

    wounds: Callable[[Lineup, tuple[Duel, ...]], tuple[tuple[int, int], ...]] | None = None
    """Hit points that the survivors of a battle have lost, as (army, lost). None: wounds never
    last. ``Fighter.hp`` has the hit points before the battle."""

    stands: bool = False
    """True if attackers fight on their own tile. Their dead leave their items there, unless the
    target is a city."""

    advises: bool = True
    """True if human players see the forecast of an attack; computer players always know it."""


# -- Cities ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CityRules:
    """Settings of cities."""

    most_slots: int
    """Maximum number of slots of a city."""

    most_armies: int
    """Maximum number of armies in the world, armies in transit included."""

    most_gold: int
    """Maximum gold of a side."""

    most_strength: int
    """Maximum strength of an army that a city makes, unless its slot is stronger."""

    enhanced: int
    """Strength that the handicap adds to new armies."""

    sources: int
    """Maximum number of cities that send their armies to the same place."""

    journey: int
    """Number of rounds from a city to the target of its vector, and back."""

    name_length: int
    """Maximum length of a city's name."""

    keeper: int
    """Unit type that keeps weak neutral cities at the start."""

    tier_plus: int | None
    """Constant added to the four-sided die for the slot (from 0) of a neutral city's garrison.
    None: all neutral cities are weak."""

    most_tier: int
    """Highest slot that the die of ``tier_plus`` can choose."""

    refills: bool
    """True if neutral cities that were attacked make armies."""

    refill_to: int
    """Number of armies in a neutral city at which it stops making more."""

    defence: Callable[[int], int]
    """Defence level of a city, from its number of slots."""

    for_sale: Callable[[World, City, UnitType], bool]
    """True if a city can buy the ability to make a type."""

    pays_for: Callable[[Side, Slot], bool]
    """True if a side can pay for the army that its city has finished."""

    upkeep: Callable[[Army], int]
    """Upkeep of an army per turn."""

    upkeep_of_slot: Callable[[Slot], int]
    """Upkeep of an army made in a slot."""

    art: Mapping[int, tuple[int, int, int, int]]
    """Pictures of a standing city's tiles by owner, NOBODY included. In the order top left, top
    right, bottom left, bottom right."""

    unit_price: Callable[[Slot], int] | None = None
    """Gold that a finished army costs. None: nothing."""

    seized: Callable[[City], City] | None = None
    """City as its new owner receives it. None: only its production and vector are cleared."""

    fates: Callable[[World, int], tuple[Fate, ...]] | None = None
    """Fates that a captured city can have. None: every fate that its slots allow, and razing if
    cities can be razed."""

    plunder: Callable[[World, City, Fate], tuple[City, int]] | None = None
    """City after its fate, and the gold gained. None: pillaging removes the last slot and sacking
    all but the first, for half of their prices."""

    journey_to: Callable[[World, City, Place], int] | None = None
    """Number of rounds from a city to the target of its vector. None: ``journey``."""

    loses_sent: bool = False
    """True if more armies in transit and vectors are lost. Armies sent by a captured city are lost
    too. Armies sent to a razed city, or to a rally flag that is taken up, are lost together with
    the vectors."""

    together: bool = False
    """True if all cities that share a vector get a new target together."""


# -- Turns and treaties ----------------------------------------------------------------------------


TurnPhase: TypeAlias = "Callable[[Decision, RuleSettings, int], None]"
"""A part of a side's turn; called with the decision, the settings and the side."""

RoundPhase: TypeAlias = "Callable[[Decision, RuleSettings], None]"
"""A part of the end of a round."""

TreacheryPolicy: TypeAlias = "Callable[[Decision, RuleSettings, int, int], None]"
"""Consequence of treachery; called with the decision, the settings, the traitor and the victim."""

GameVerdict: TypeAlias = "tuple[tuple[int, ...], GameEnd]"
"""Winners and the reason."""


@dataclass(frozen=True, eq=False)
class TurnRules:
    """Settings of turns and treaties.

    A turn runs ``opening``, ``rest``, the side's orders, then ``closing``. The last of ``opening``
    can ask the side a question; ``rest`` then waits for the answer. After all turns of a round come
    ``round_end``, which can end the game or ask a side a question, and ``between``.
    """

    opening: tuple[TurnPhase, ...]
    rest: tuple[TurnPhase, ...]
    closing: tuple[TurnPhase, ...]
    round_end: tuple[RoundPhase, ...]
    between: tuple[RoundPhase, ...]

    order: Callable[[Decision], tuple[int, ...]]
    """All sides in their order of play for the next round."""

    verdict: Callable[[World], GameVerdict | None]
    """Winners and reason, or None while the game goes on."""

    yields: Callable[[World], int | None]
    """Side that the computer players surrender to now, or None."""

    refill: Callable[[Army, int], int]
    """Movement points of an army at the start of a turn, from the number of speed items with it."""

    builds_on: Callable[[World, Place], bool]
    """True if armies that defend on a tile build a tower."""

    may_burn: bool
    """True if a side that resigns can raze its cities."""

    diplomacy: bool
    """True if there are treaties; False if all sides are at war with each other."""

    betrayal: Mapping[int, tuple[int, int]]
    """Die (sides, plus) that an attack adds to the rating, by the treaty it breaks."""

    titles: tuple[str, ...]
    """Titles of sides, from the best to the worst rating."""

    turn_end: tuple[RoundPhase, ...] = ()
    """Phases after every turn, also after a turn that ends because its side leaves the game."""

    always_burns: bool = False
    """True if the cities of a side that resigns are always razed."""

    betrayed: TreacheryPolicy | None = None
    """Further consequences of a treachery, for the traitor and the victim. None: no others."""

    reputation: Callable[[World, int], int] | None = None
    """Reputation of a side; lower is better. None: its rating."""

    razed: TurnPhase | None = None
    """Further consequences for a side that razes a city it has just captured. None: no others."""

    last_taken: TreacheryPolicy | None = None
    """Further consequences of the capture of a side's last city, for the captor and the loser."""

    heals: Callable[[Army], int] = lambda army: army.wounds
    """Hit points that an army still lacks after one rest (``turns.heal``)."""


# -- All chapters ----------------------------------------------------------------------------------


OrderHandler: TypeAlias = "Callable[[Decision, RuleSettings, int, Any], None]"
"""Function that carries out a side's command or refuses it."""


OfferedOrders: TypeAlias = "Callable[[Any, int, int | None], Iterator[Any]]"
"""Commands that a ruleset adds and a side could give in a view; last argument as in offers."""


@dataclass(frozen=True, eq=False)
class RuleSettings:
    """Values, tables and policies of a rule book under the options of a game, by chapter."""

    moving: MovingRules
    fighting: FightingRules
    cities: CityRules
    heroes: HeroRules
    turns: TurnRules
    rules: Mapping[Topic, str]
    """Rule ids for refusals and report lines."""

    orders: Mapping[type[Command], OrderHandler] = field(default_factory=dict)
    """Commands that the ruleset adds or handles differently."""

    answers: Mapping[type[Command], str] = field(default_factory=dict)
    """Kinds of the questions that some of ``orders`` answer."""

    offers: tuple[OfferedOrders, ...] = ()
    """Commands of the ruleset that may be worth trying."""
