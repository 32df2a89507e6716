"""The state of a game, a viewer's view of it, and the limits of both."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.core.containers import Plane, Roster
from engine.core.record import Record
from engine.rulesets.lordsawar.options import Options
from engine.strategic.pieces import NOBODY, NONE, Item
from engine.strategic.world import World

WIDTH: Final = 112
HEIGHT: Final = 156
"""Width and height of the largest land. See: LW-20."""

SIDES: Final = (2, 8)
"""Minimum and maximum number of sides, without the neutral one. See: LW-19.3."""

MOST_CITIES: Final = 100
MOST_SITES: Final = 100
MOST_ITEMS: Final = 200
MOST_ARMIES: Final = 2000
MOST_SLOTS: Final = 4
"""Maximum of each in the world, and of slots in a city. The book limits only slots."""

MOST_GOLD: Final = 1_000_000_000
"""Maximum gold of a side; the book has no limit."""

MOST_STRENGTH: Final = 9
"""Maximum strength of an army. See: LW-3.2, LW-10."""

MOST_POINTS: Final = 100_000
"""Maximum movement points of an army: items may double them ten times. See: LW-11, LW-12.1."""

MOST_COST: Final = 60
"""Maximum cost of the terrain of a tile in moves; the book has no limit."""

NAME_LENGTH: Final = 24
"""Maximum number of letters in the name of a city."""

FIRST_OPINION: Final = 8
"""Opinion of each side about every other at the start. See: LW-16."""

MOST_OPINION: Final = 15
"""The best opinion; 0 is the worst. See: LW-16."""

NO_PROPOSAL: Final = -1
"""Value in place of a treaty: nothing is proposed. See: LW-16."""


REWARD_KINDS: Final = ("gold", "allies", "item", "ruin", "map", "none")
"""Kinds of rewards. See: LW-14."""


class Reward(Record, frozen=True):
    """Gain of a hero from searching a site; ``id`` is the site's.

    ``gold``: an amount. ``allies``: ``count`` armies of the type ``ally``. ``item``: the item with
    this id. ``ruin``: the location of the hidden ``site``. ``map``: the rectangle with its top left
    corner at ``x``, ``y``. Hidden from all players until it is given. See: LW-14.
    """

    id: int
    kind: str = "none"
    gold: int = 0
    ally: int = NONE
    count: int = 0
    item: int = NONE
    site: int = NONE
    x: int = NONE
    y: int = NONE
    width: int = 0
    height: int = 0


class Condition(Record, frozen=True):
    """Condition of an army in this game; ``id`` is the army's.

    ``xp``, ``value`` and the counters are exact fractions as text; an empty ``value`` means that of
    the type. ``sight`` is added to the type's. ``fortified`` belongs to the stack, ``tower`` to one
    army of it. ``flags`` are the army's own abilities as bits, or -1 for those of its type.
    ``medals`` are bits: 1 for attack, 2 for defence, 4 for long service. See: LW-1.
    """

    id: int
    xp: str = "0"
    value: str = ""
    battles: int = 0
    dealt: str = "0"
    taken: str = "0"
    sight: int = 0
    fortified: bool = False
    tower: bool = False
    parked: bool = False
    flags: int = -1
    medals: int = 0

    @property
    def looks(self) -> Condition:
        """Part of the condition that others see: what counts in battle.

        Rules: LW-7.4. See: LW-3.2.
        """
        return Condition(self.id, fortified=self.fortified, tower=self.tower, flags=self.flags)


class NamedHero(Record, frozen=True):
    """A hero named by a scenario, offered to ``side``, or to any side if that is NOBODY.

    ``items`` are what it brings along; their ids and places are ignored. See: LW-10, LW-11.
    """

    name: str
    female: bool = False
    side: int = NOBODY
    items: tuple[Item, ...] = ()


QuestGoal: TypeAlias = Literal[
    "kill-hero",
    "kill-armies",
    "sack-city",
    "raze-city",
    "occupy-city",
    "kill-type",
    "plunder",
]
"""Kinds of quests. See: LW-15."""


class HeroQuest(Record, frozen=True):
    """The quest of the hero with this ``id``.

    ``side`` is the opponent, or NOBODY. ``target`` is the id of the hero, city or type, and
    ``name`` its name when the quest began. ``count`` is the amount wanted, ``done`` the amount
    achieved. See: LW-15.
    """

    id: int
    kind: QuestGoal
    side: int = NOBODY
    target: int = NONE
    name: str = ""
    count: int = 1
    done: int = 0


class State(World, frozen=True, kw_only=True, weakref=True):
    """A position with the options of its game.

    ``conditions`` holds only conditions that differ from the default. ``rewards``, by site, holds
    those set at the start and not found yet. ``neutral_gold`` is the treasury of the neutral side.
    ``proposals[a][b]`` is the treaty that side a proposes to b, or NO_PROPOSAL; ``opinions[a][b]``
    is the opinion of a about b, 0 to 15. ``no_buying`` lists the cities that cannot buy new types.
    ``quests`` are by hero. ``scores`` are those of the sides at the end of the last round.
    ``heroes`` are offered before others. ``ground_costs`` are the costs of grass, water, forest,
    hills, mountain and swamp; empty means the book's.
    """

    options: Options = Options()
    conditions: Roster[Condition] = Roster()
    rewards: Roster[Reward] = Roster()
    neutral_gold: int = 0
    proposals: tuple[tuple[int, ...], ...] = ()
    opinions: tuple[tuple[int, ...], ...] = ()
    no_buying: tuple[int, ...] = ()
    quests: Roster[HeroQuest] = Roster()
    scores: tuple[int, ...] = ()
    heroes: tuple[NamedHero, ...] = ()
    ground_costs: tuple[int, ...] = ()

    def condition(self, army: int) -> Condition:
        """Return the condition of an army, or the default one if none is stored."""
        return self.conditions.get(army) or Condition(army)


class View(State, frozen=True, kw_only=True, weakref=True):
    """A position as ``viewer`` knows it, without the parts that are hidden.

    ``visible`` is uint8 of shape (height, width), 1 on the tiles that the viewer sees now.
    """

    viewer: int
    visible: Plane
