"""The state of a game, what a viewer may know of it, and the limits of both."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.core.containers import Plane, Roster
from engine.core.record import Record
from engine.rulesets.lordsawar.options import Options
from engine.strategic.pieces import NOBODY, NONE, Item
from engine.strategic.world import World

WIDTH: Final = 112
HEIGHT: Final = 156
"""Of the largest land. Rules: LW-20."""

SIDES: Final = (2, 8)
"""Fewest and most sides besides the neutral one. Rules: LW-19.3."""

MOST_CITIES: Final = 100
MOST_SITES: Final = 100
MOST_ITEMS: Final = 200
MOST_ARMIES: Final = 2000
MOST_SLOTS: Final = 4
"""Most of each in the world; of slots in a city. The book bounds slots only."""

MOST_GOLD: Final = 1_000_000_000
"""Most gold of a side; the book has no limit."""

MOST_STRENGTH: Final = 9
"""Most strength of an army. Rules: LW-3.2, LW-10."""

MOST_POINTS: Final = 100_000
"""Most movement points of an army: items may double them ten times. Rules: LW-11, LW-12.1."""

MOST_COST: Final = 60
"""Most moves that the terrain of a tile may cost; the book has no limit."""

NAME_LENGTH: Final = 24
"""Letters in the name of a city."""

FIRST_OPINION: Final = 8
"""Opinion of each side about each other at the start. Rules: LW-16."""

MOST_OPINION: Final = 15
"""The best opinion; 0 is the worst. Rules: LW-16."""

NO_PROPOSAL: Final = -1
"""Instead of a treaty: nothing is proposed. Rules: LW-16."""


REWARD_KINDS: Final = ("gold", "allies", "item", "ruin", "map", "none")
"""Kinds of rewards. Rules: LW-14."""


class Reward(Record, frozen=True):
    """Reward of a site for whoever searches it; ``id`` is the site's.

    ``gold``: so much. ``allies``: ``count`` armies of the type ``ally``. ``item``: the item with
    this id. ``ruin``: where the hidden ``site`` is. ``map``: the rectangle that begins at ``x``,
    ``y``. Nobody is told before it is given. Rules: LW-14.
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
    """Condition of an army, beside what every game on this layer knows of it; ``id`` is the army's.

    ``xp``, ``value`` and the counters are exact fractions as text; an empty ``value`` is that of
    the type. ``sight`` is added to the type's. ``fortified`` belongs to the stack, ``tower`` to one
    army of it. ``flags`` are abilities of its own as bits, -1 for those of the type. ``medals`` are
    bits: 1 for attack, 2 for defence, 4 for long service. Rules: LW-1.
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
        """Condition as others see it: what counts in battle. Rules: LW-3.2, LW-7."""
        return Condition(self.id, fortified=self.fortified, tower=self.tower, flags=self.flags)


class NamedHero(Record, frozen=True):
    """A hero whom a scenario tells by name, offered to ``side``, or to anybody where it is NOBODY.

    ``items`` are what it brings along; their ids and places do not count. Rules: LW-10, LW-11.
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
"""Kinds of quests. Rules: LW-15."""


class HeroQuest(Record, frozen=True):
    """A quest of the hero with its ``id``.

    ``side`` is the opponent it is about or NOBODY, ``target`` the id of the hero, city or type and
    ``name`` what that was called; ``count`` is how much is wanted, ``done`` how much is done.
    Rules: LW-15.
    """

    id: int
    kind: QuestGoal
    side: int = NOBODY
    target: int = NONE
    name: str = ""
    count: int = 1
    done: int = 0


class State(World, frozen=True, kw_only=True, weakref=True):
    """A position with the options it is played under.

    ``conditions`` are of armies that have one that is not the usual, ``rewards`` of the sites that
    nobody has searched. ``neutral_gold`` is the purse
    of the neutral side. ``proposals[a][b]`` is the treaty that side a proposes to b, or
    NO_PROPOSAL; ``opinions[a][b]`` what a thinks of b, 0 to 15. ``no_buying`` are the cities that
    cannot buy new types. ``rewards`` are those that were set at the start and have not been found,
    by site; ``quests`` are by hero. ``scores`` are those of the sides when the last round ended.
    ``heroes`` are offered before others. ``ground_costs`` are what grass, water, forest, hills,
    mountain and swamp cost; none: as in the book.
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
        """Condition of an army; the usual one where nothing is noted."""
        return self.conditions.get(army) or Condition(army)


class View(State, frozen=True, kw_only=True, weakref=True):
    """View of ``viewer``: a position without the parts that are hidden.

    ``visible`` is uint8 of shape (height, width), 1 where the viewer sees now who stands there.
    """

    viewer: int
    visible: Plane
