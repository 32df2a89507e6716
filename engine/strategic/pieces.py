"""The records that a world is made of."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

from engine.core.record import UNSET, Known, Record, UnsetType
from engine.kit.grid import Place

NOBODY: Final = 15
"""The owner of what belongs to no side, and the owner of neutral armies."""

NONE: Final = -1
"""No city, no army, no slot."""

TO_FLAG: Final = -2
"""Instead of a city's id: the rally flag of the side."""

STACK: Final = 8
"""Most armies on a tile."""

Bonus: TypeAlias = tuple[int, int, int, int]
"""A bonus in each class of battle: city, open, woods, hills."""

CLASSES: Final = ("city", "open", "woods", "hills")
BattleClass: TypeAlias = Annotated[str, Known(CLASSES)]
"""Class of the ground of a battle; unit types have no bonus in a class of a ruleset's own."""


def bonus_on(bonus: Bonus, ground: BattleClass) -> int:
    """Bonus in a class of battle."""
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
"""Abilities of a unit type: ``siege``, ``anti-hero`` and ``anti-pack`` cancel the foe's defence,
leadership and pack bonus; ``works`` is a bonus for its side in the field. Bonuses that are no
number for a class of battle are traits of a ruleset's own."""


class UnitType(Record, frozen=True):
    """A type of unit. A negative price: cannot be bought, but counts as loot.

    ``special`` is its rank among special creatures (0: ordinary), ``order`` its usual place in the
    line of battle (low fights first), ``foe`` what it takes from each foe's strength (0 or less).
    ``sight`` is set where types differ in it.
    ``hp`` are the most hit points of its armies, in units that the ruleset chooses; it is set where
    wounds last after a battle. ``upkeep``, and the experience ``value`` of one of its armies as a
    fraction in text, are set where the ruleset's own table does not tell them.
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
"""Type, in views, of armies of which nobody else learns what they are."""


class Hero(Record, frozen=True):
    """Properties that only heroes have."""

    name: str
    female: bool = False


class HitPoints(Record, frozen=True):
    """Hit points of an army and those it has lost, in units that the ruleset chooses."""

    most: int
    lost: int = 0


class Army(Record, frozen=True):
    """An army: one unit of a stack. ``points`` are movement points left.

    ``goal`` is the tile it is on its way to; with ``to_flag`` that is wherever the rally flag is.
    ``home`` is the city that made it, ``blessed`` are the sites that have blessed it. ``defends``
    and ``aboard`` are flags; ``xp``, in units that the ruleset chooses, and ``level`` count where
    the rule book gives them. ``hp`` is set, where wounds last, once it has been wounded or has
    other hit points than its type.
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
        """Hit points that it has lost."""
        return self.hp.lost if self.hp else 0

    @property
    def at(self) -> Place:
        """Place of the city or site."""
        return self.x, self.y


class Slot(Record, frozen=True):
    """Production of a city: a type with the city's own numbers.

    ``upkeep`` is set where the ruleset's own table does not tell it.
    """

    type: int
    strength: int
    turns: int
    move: int
    cost: int
    upkeep: int | UnsetType = UNSET


class City(Record, frozen=True):
    """A city of 2x2 tiles, named by the one at the top left.

    ``making`` is the slot in production or NONE, ``left`` the turns until it is done. ``vector`` is
    the city that finished armies go to, TO_FLAG or NONE. ``original`` had it before it was taken
    first. ``attacked_by`` is a bit set of sides; ``tier`` the slot of a neutral garrison or NONE.
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
        """Its tiles: top left, top right, bottom left, bottom right."""
        return _square(self.x, self.y)


@cache
def _square(x: int, y: int) -> tuple[Place, Place, Place, Place]:
    """Tiles of a city by its first one."""
    return ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1))


SITE_KINDS: Final = ("temple", "relic", "sage", "gold", "allies", "unknown")
SiteKind: TypeAlias = Annotated[str, Known(SITE_KINDS)]


class Site(Record, frozen=True):
    """A place to search. ``unknown`` is a kind in views only.

    ``guardian`` is the number of the guardian, 0 for none; ``ally`` the type that joins or NONE;
    ``known_to`` a bit set of the sides that know what is there without having searched. A
    ``hidden`` site is on no map and cannot be searched but by the sides it is known to.
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
    """Powers of an item that its kind does not tell.

    ``worn`` is what it adds as items of these kinds would: (kind, value). ``acts`` are words of the
    ruleset for what it does when it is used, ``charges`` how often it still can be; ``type``,
    ``amount``, ``percent`` and ``place`` belong to that.
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

    ``holder`` is the site or the army that has it, for ``site`` and ``carried``; ``x``, ``y`` are
    the tile of what lies on the ground or is planted. ``side`` is whose standard it is. ``powers``
    is set where the kind does not tell what it can do.
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
        """Bonus that it adds as an item of a kind; 0 if it is none.

        >>> Item(1, "weapon", 2, "Sword").adds("weapon")
        2
        """
        if self.powers:
            return sum(value for what, value in self.powers.worn if what == kind)
        if self.kind != kind:
            return 0
        return self.value if kind in _VALUED else 1


_VALUED: Final = ("weapon", "command", "purse")
"""Kinds of items whose value counts; of the others each counts once."""


class Guardian(Record, frozen=True):
    """Guardian of a site."""

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
    """An army on its way from the city that made it, off the map.

    ``target`` is a city's id or TO_FLAG; it arrives in its owner's turn of the round ``due``.
    ``homeward``: it found no place and goes back.
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
    """Quest that a temple sent a hero out for.

    ``hero`` is the army that took it; ``side`` the enemy it is about or NOBODY; ``target`` the id
    of the hero, item, unit type or city and ``name`` what that was called; ``count`` is how much is
    wanted and ``done`` how much is.
    """

    kind: QuestKind
    hero: int
    side: int = NOBODY
    target: int = NONE
    name: str = ""
    count: int = 1
    done: int = 0


class Deeds(Record, frozen=True):
    """War record of a side so far.

    ``refused`` is how many cities it had when it last refused a surrender; 0: it never did.
    """

    heroes_killed: int = 0
    armies_killed: int = 0
    battles: int = 0
    clean_wins: int = 0
    cities_won: int = 0
    refused: int = 0


class Side(Record, frozen=True):
    """A player. Its id is the seat.

    ``human``: rules that speak of human players hold for it; ``level`` is that of a computer (0 to
    3). ``enhanced`` is a handicap in its favour. ``order`` is the place in the line of battle of
    each type, by type id. ``stances`` are those toward each side, ``rating`` the diplomatic one.
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
"""Wishes that a sage can grant, as far as the ruleset has them."""

QUESTION_KINDS: Final = ("fate", "hero", "sage", "yield")
QuestionKind: TypeAlias = Annotated[str, Known(QUESTION_KINDS)]


class Question(Record, frozen=True):
    """Question that a side must answer before anything else.

    ``fate``: what becomes of the taken ``city``. ``hero``: whether the hero ``name``, with
    ``allies`` armies of type ``ally``, is hired for ``price`` in ``city``. ``sage``: which of
    ``wishes`` ``army`` has for the sage at ``site``. ``yield``: whether the computers' surrender is
    accepted.
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
    """The bit of a side, or of nobody, in a mask of sides.

    Raises:
        ValueError: no side has this number, and its bit could be larger than any memory.
    """
    if not 0 <= side <= NOBODY:
        raise ValueError(f"there is no side {side}")
    return 1 << side
