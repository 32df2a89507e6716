"""The records that a world is made of."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

from engine.core.record import UNSET, Known, Record, UnsetType
from engine.kit.grid import Place

NOBODY: Final = 15
"""Owner of neutral cities, armies and items."""

NONE: Final = -1
"""No city, no army or no slot."""

TO_FLAG: Final = -2
"""Rally flag of the side, in place of a city's id."""

STACK: Final = 8
"""Maximum number of armies on a tile."""

Bonus: TypeAlias = tuple[int, int, int, int]
"""Strength bonus in each class of battle: city, open, woods, hills."""

CLASSES: Final = ("city", "open", "woods", "hills")
BattleClass: TypeAlias = Annotated[str, Known(CLASSES)]
"""Class of the ground of a battle. Unit types have no bonus in classes that a ruleset adds."""


def bonus_on(bonus: Bonus, ground: BattleClass) -> int:
    """Return the bonus in a class of battle, 0 in a class that a ruleset adds."""
    return bonus[CLASSES.index(ground)] if ground in CLASSES else 0


TRAITS: Final = (
    "fly",
    "woods",
    "hills",
    "boat",
    "hero",
    "siege",
    "anti-hero",
    "anti-pack",
    "works",
)
Trait: TypeAlias = Annotated[str, Known(TRAITS)]
"""Abilities of a unit type.

``siege``, ``anti-hero`` and ``anti-pack`` cancel the foe's defence, leadership and pack bonus;
``works`` is a bonus for its side in the field. A ruleset adds traits for bonuses that are not
numbers by class of battle.
"""


class UnitType(Record, frozen=True):
    """A type of unit. One with a negative price cannot be bought, but counts as loot.

    ``special`` is its rank among special creatures (0: ordinary). ``order`` is its usual rank in
    the line of battle; low ranks fight first. ``foe``, 0 or less, is added to the strength of each
    foe.

    Some fields are set only in some rulesets: ``sight`` where it differs by type; ``hp``, the
    maximum hit points in the ruleset's units, where wounds last after a battle; ``upkeep`` and
    ``value``, the experience for one of its armies as a fraction in text, where no table of the
    ruleset gives them.
    """

    id: int
    key: str
    name: str
    strength: int
    turns: int
    cost: int
    move: int
    price: int
    order: int
    own: Bonus = (0, 0, 0, 0)
    pack: Bonus = (0, 0, 0, 0)
    foe: int = 0
    special: int = 0
    traits: tuple[Trait, ...] = ()
    sight: int | UnsetType = UNSET
    hp: int | UnsetType = UNSET
    upkeep: int | UnsetType = UNSET
    value: str | UnsetType = UNSET


UNKNOWN_TYPE: Final = UnitType(NONE, "unknown", "Unknown army", 0, 0, 0, 0, 0, 0)
"""Type that replaces the type of an army in views that hide it."""


class Hero(Record, frozen=True):
    """Attributes that only heroes have."""

    name: str
    female: bool = False


class HitPoints(Record, frozen=True):
    """Maximum hit points of an army and those it has lost, in the ruleset's units."""

    most: int
    lost: int = 0


class Army(Record, frozen=True):
    """An army: one unit of a stack. ``points`` are its movement points left.

    ``goal`` is the tile that it marches to; with ``to_flag`` it follows the rally flag. ``home`` is
    the city that made it, and ``blessed`` lists the sites that have blessed it. ``defends`` and
    ``aboard`` are flags. ``xp``, in the ruleset's units, and ``level`` count where the rule book
    has them. Where wounds last, ``hp`` is set once the army was wounded or if its hit points differ
    from its type's.
    """

    id: int
    owner: int
    type: int
    x: int
    y: int
    strength: int
    max_move: int
    points: int
    upkeep: int
    medals: int = 0
    xp: int = 0
    level: int = 0
    defends: bool = False
    aboard: bool = False
    blessed: tuple[int, ...] = ()
    goal: Place | None = None
    to_flag: bool = False
    home: int = NONE
    hero: Hero | None = None
    hp: HitPoints | UnsetType = UNSET

    @property
    def wounds(self) -> int:
        """Hit points lost."""
        return self.hp.lost if self.hp else 0

    @property
    def at(self) -> Place:
        """Tile of the army."""
        return self.x, self.y


def usual_order(kinds: Iterable[UnitType]) -> tuple[int, ...]:
    """Return the default rank in the line of battle by type id; 0 for unused ids."""
    listed = {kind.id: kind.order for kind in kinds}
    return tuple(listed.get(kind, 0) for kind in range(max(listed, default=-1) + 1))


class Slot(Record, frozen=True):
    """A type that a city can make, with the city's own numbers.

    ``upkeep`` is set if no table of the ruleset gives it.
    """

    type: int
    strength: int
    turns: int
    move: int
    cost: int
    upkeep: int | UnsetType = UNSET


class City(Record, frozen=True):
    """A city of 2x2 tiles; ``x`` and ``y`` are its top left tile.

    ``making`` is the slot in production or NONE, and ``left`` the turns until it is done.
    ``vector`` is the city that receives finished armies, TO_FLAG or NONE. ``original`` owned the
    city before its first capture, else NOBODY. ``attacked_by`` is a bit set of sides. ``tier`` is
    the slot of a neutral garrison or NONE.
    """

    id: int
    x: int
    y: int
    name: str
    owner: int
    income: int
    slots: tuple[Slot, ...]
    defence: int = 1
    making: int = NONE
    left: int = 0
    vector: int = NONE
    original: int = NOBODY
    attacked_by: int = 0
    tier: int = NONE
    razed: bool = False
    about: str = ""

    @property
    def tiles(self) -> tuple[Place, Place, Place, Place]:
        """Tiles of the city: top left, top right, bottom left, bottom right."""
        return _square(self.x, self.y)


@cache
def _square(x: int, y: int) -> tuple[Place, Place, Place, Place]:
    """Return the tiles of the city whose top left tile is given."""
    return ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1))


SITE_KINDS: Final = ("temple", "relic", "sage", "gold", "allies", "unknown")
SiteKind: TypeAlias = Annotated[str, Known(SITE_KINDS)]


class Site(Record, frozen=True):
    """A place to search. The kind ``unknown`` occurs in views only.

    ``guardian`` is the number of the guardian, 0 for none. ``ally`` is the type that joins, or
    NONE. ``known_to`` is a bit set of the sides that know the contents without having searched. A
    ``hidden`` site is absent from maps; only the sides in ``known_to`` can search it.
    """

    id: int
    x: int
    y: int
    name: str
    kind: SiteKind
    rich: bool = False
    searched: bool = False
    guardian: int = 0
    ally: int = NONE
    known_to: int = 0
    hidden: bool = False
    about: str = ""


ITEM_KINDS: Final = ("weapon", "command", "flight", "speed", "purse", "standard")
ItemKind: TypeAlias = Annotated[str, Known(ITEM_KINDS)]
ItemPlace: TypeAlias = Literal["unused", "ground", "site", "carried", "planted", "lost"]


class ItemPowers(Record, frozen=True):
    """Powers of an item beyond those of its kind.

    ``worn`` lists further bonuses as (kind of item, value). ``acts`` names, in words of the
    ruleset, what the item does when used. ``charges`` is the number of uses left; ``type``,
    ``amount``, ``percent`` and ``place`` are parameters of a use.
    """

    worn: tuple[tuple[ItemKind, int], ...] = ()
    acts: tuple[str, ...] = ()
    charges: int = 0
    type: int = NONE
    amount: int = 0
    percent: int = 0
    place: str = ""


class Item(Record, frozen=True):
    """A thing that heroes carry.

    ``holder`` is the site or army that has it, if ``where`` is ``site`` or ``carried``. ``x`` and
    ``y`` are its tile on the ground or planted. ``side`` is the owner of a standard. ``powers`` is
    set if the item can do more than its kind says.
    """

    id: int
    kind: ItemKind
    value: int
    name: str
    where: ItemPlace = "unused"
    holder: int = NONE
    x: int = NONE
    y: int = NONE
    side: int = NOBODY
    powers: ItemPowers | UnsetType = UNSET

    def adds(self, kind: ItemKind) -> int:
        """Return the bonus that the item gives as an item of ``kind``, 0 if it gives none.

        >>> Item(1, "weapon", 2, "Sword").adds("weapon")
        2
        """
        if self.powers:
            return sum(value for what, value in self.powers.worn if what == kind)
        if self.kind != kind:
            return 0
        return self.value if kind in _VALUED else 1


_VALUED: Final = ("weapon", "command", "purse")
"""Kinds of items whose bonus is their value; other kinds give a bonus of 1."""


class Guardian(Record, frozen=True):
    """A creature that guards a site."""

    name: str
    strength: int


class Tower(Record, frozen=True):
    """A field tower; its id is ``y * width + x``."""

    id: int
    x: int
    y: int
    owner: int


class Sign(Record, frozen=True):
    """A signpost."""

    x: int
    y: int
    text: str


class Transit(Record, frozen=True):
    """An army in transit: off the map, sent by the city that made it.

    ``target`` is a city's id or TO_FLAG. The army arrives in its owner's turn of round ``due``.
    ``homeward`` is true if it found no room and is returning.
    """

    id: int
    army: Army
    target: int
    due: int
    homeward: bool = False


QuestKind: TypeAlias = Literal[
    "kill-hero", "fetch-item", "kill-type", "kill-armies", "keep-city", "raze-city", "plunder"
]


class Quest(Record, frozen=True):
    """Quest that a temple gave to a hero.

    ``hero`` is the army on the quest, ``side`` the enemy concerned or NOBODY. ``target`` is the id
    of the hero, item, unit type or city, and ``name`` its name at the time. ``count`` is the amount
    required and ``done`` the amount achieved.
    """

    kind: QuestKind
    hero: int
    side: int = NOBODY
    target: int = NONE
    name: str = ""
    count: int = 1
    done: int = 0


class Deeds(Record, frozen=True):
    """War record of a side.

    ``refused`` is the number of its cities when it last refused a surrender, 0 if it never did.
    """

    heroes_killed: int = 0
    armies_killed: int = 0
    battles: int = 0
    clean_wins: int = 0
    cities_won: int = 0
    refused: int = 0


class Side(Record, frozen=True):
    """A player; its id is the seat.

    ``human`` is true if the rules for human players apply. ``level`` is the level of a computer
    player (0 to 3), ``enhanced`` a handicap in its favour. ``order`` holds the rank of each type in
    the line of battle, by type id. ``stances`` are its stances toward each side, ``rating`` is its
    diplomatic rating.
    """

    id: int
    name: str
    gold: int
    order: tuple[int, ...]
    capital: Place | None = None
    alive: bool = True
    human: bool = True
    level: int = 0
    enhanced: bool = False
    flag: Place | None = None
    rating: int = 0
    stances: tuple[int, ...] = ()
    quest: Quest | None = None
    deeds: Deeds = Deeds()


Wish: TypeAlias = Literal["items", "gold", "maps", "allies"]
"""Wishes that a sage can grant, if the ruleset has them."""

QUESTION_KINDS: Final = ("fate", "hero", "sage", "yield")
QuestionKind: TypeAlias = Annotated[str, Known(QUESTION_KINDS)]


class Question(Record, frozen=True):
    """Question that a side must answer before anything else.

    ``fate``: what to do with the captured ``city``. ``hero``: whether to hire the hero ``name``,
    with ``allies`` armies of type ``ally``, for ``price`` in ``city``. ``sage``: which of
    ``wishes`` the hero ``army`` asks of the sage at ``site``. ``yield``: whether to accept the
    computers' surrender.
    """

    kind: QuestionKind
    side: int
    city: int = NONE
    site: int = NONE
    army: int = NONE
    price: int = 0
    name: str = ""
    female: bool = False
    ally: int = NONE
    allies: int = 0
    wishes: tuple[Wish, ...] = ()


def side_bit(side: int) -> int:
    """Return the bit of a side, or of NOBODY, in a mask of sides.

    Raises:
        ValueError: No side can have this number; its bit could exceed any memory.
    """
    if not 0 <= side <= NOBODY:
        raise ValueError(f"there is no side {side}")
    return 1 << side
