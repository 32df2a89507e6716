"""Records of the content of LordsAWar files, checked but not yet converted to this game.

They keep the original's words; numbers of owners, types and sets are those of the file. Fields with
a ``DataColumn`` are read from the data that have their name; the readers add the others.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, TypeAlias

from engine.core.record import Record
from engine.rulesets.lordsawar.files import words
from engine.rulesets.lordsawar.files.archive import FileKind
from engine.rulesets.lordsawar.files.fields import HIGHEST, LARGEST, DataColumn, Fields
from engine.rulesets.lordsawar.files.words import (
    OriginalBuilding,
    OriginalGender,
    OriginalPlayerKind,
    OriginalRuinKind,
)

SLOTS: Final = 4
"""Number of slots of a city. See: LW-1."""

MOST_PLAYERS: Final = 9
"""Maximum number of players, the neutral one included."""

# -- columns ---------------------------------------------------------------------------------------

Text: TypeAlias = Annotated[str, DataColumn(Fields.text)]
TrueOrFalse: TypeAlias = Annotated[bool, DataColumn(Fields.switch)]
Percent: TypeAlias = Annotated[int | None, DataColumn(Fields.percent)]
Number: TypeAlias = Annotated[int, DataColumn(Fields.whole, (0, LARGEST))]
NumberOrZero: TypeAlias = Annotated[int, DataColumn(Fields.whole, (0, LARGEST), 0)]
Amount: TypeAlias = Annotated[int, DataColumn(Fields.whole, (0, HIGHEST))]
AmountOrZero: TypeAlias = Annotated[int, DataColumn(Fields.whole, (0, HIGHEST), 0)]
AmountOrNone: TypeAlias = Annotated[int | None, DataColumn(Fields.whole_or_none, (0, HIGHEST))]
ThousandOrNone: TypeAlias = Annotated[int | None, DataColumn(Fields.whole_or_none, (0, 1000))]
Gender: TypeAlias = Annotated[
    OriginalGender, DataColumn(Fields.word, (words.GENDERS,), OriginalGender.NONE)
]

# Data of unit types, and of armies and slots that are like one.
Strength: TypeAlias = Annotated[int, DataColumn(Fields.whole, (0, 100))]
Moves: TypeAlias = Annotated[int, DataColumn(Fields.whole, (0, 10_000))]
Sight: TypeAlias = Annotated[int, DataColumn(Fields.whole, (0, 1000), 1)]
Turns: TypeAlias = Annotated[int, DataColumn(Fields.whole, (0, 1000), 0)]
MoveBonusFlags: TypeAlias = Annotated[
    tuple[str, ...], DataColumn(Fields.flags, (words.MOVE_BITS,), ())
]
ArmyBonusFlags: TypeAlias = Annotated[
    tuple[str, ...], DataColumn(Fields.flags, (words.ARMY_BITS,), ())
]
ExperienceParts: TypeAlias = Annotated[
    int, DataColumn(Fields.scaled, (words.PARTS, HIGHEST), words.PARTS), "d_expvalue"
]

# -- sets ------------------------------------------------------------------------------------------


class OriginalUnitType(Record, frozen=True):
    """A unit type of an army set. See: LW-19.4."""

    id: int
    name: Text
    strength: Strength
    max_moves: Moves
    sight: Sight
    upkeep: AmountOrZero
    production: Turns
    """Turns to produce one army."""
    production_cost: AmountOrZero
    new_production_cost: AmountOrZero
    move_bonus: MoveBonusFlags
    army_bonus: ArmyBonusFlags
    value: ExperienceParts
    """Experience for killing one army, in ``PARTS``."""
    awardable: TrueOrFalse
    defends_ruins: TrueOrFalse
    gender: Gender
    description: Text

    @property
    def hero(self) -> bool:
        """True for heroes."""
        return self.gender is not OriginalGender.NONE


class ArmySet(Record, frozen=True):
    """An army set: unit types in the default order of battle. See: LW-19.4."""

    id: Amount
    name: Text
    version: str
    file: str
    """Name of the set's file, without the ending."""
    tile_size: Annotated[int, DataColumn(Fields.whole, (0, 10_000), 0), "d_tilesize"]
    units: tuple[OriginalUnitType, ...]


class OriginalTileSet(Record, frozen=True):
    """A tile set: costs of terrains, in the order of ``TERRAINS``. See: LW-19.4."""

    id: AmountOrZero
    name: Text
    file: str
    costs: tuple[int, ...]


class OriginalCitySet(Record, frozen=True):
    """A city set: widths of buildings in tiles. See: LW-19.3."""

    id: AmountOrZero
    name: Text
    file: str
    city_width: Annotated[int, DataColumn(Fields.whole, (1, 4), 2), "d_city_tile_width"]
    temple_width: Annotated[int, DataColumn(Fields.whole, (1, 4), 1), "d_temple_tile_width"]
    ruin_width: Annotated[int, DataColumn(Fields.whole, (1, 4), 1), "d_ruin_tile_width"]


# -- items and armies ------------------------------------------------------------------------------


class OriginalItemKind(Record, frozen=True):
    """A kind of item; its number is its place in the list. See: LW-19.3."""

    name: Text
    bonus: Annotated[tuple[str, ...], DataColumn(Fields.flags, (words.ITEM_BITS,))]
    uses_left: AmountOrNone
    steal_gold_percent: Percent
    moves_to_add: Annotated[
        int | None, DataColumn(Fields.whole_or_none, (0, 10_000)), "d_mp_to_add"
    ]
    type_to_kill: Annotated[AmountOrNone, "d_army_type_to_kill"]
    type_to_summon: Annotated[AmountOrNone, "d_army_type_to_summon"]
    type_to_raise: Annotated[AmountOrNone, "d_army_type_to_raise"]
    summon_on: Annotated[
        OriginalBuilding,
        DataColumn(Fields.word, (words.BUILDINGS,), OriginalBuilding.NONE),
        "d_building_type_to_summon_on",
    ]
    percent_to_kill: Annotated[Percent, "d_percent_armies_to_kill"]
    number_to_raise: Annotated[ThousandOrNone, "d_num_armies_to_raise"]


class OriginalItem(Record, frozen=True):
    """An item of a hero, a bag or a reward. See: LW-19.3."""

    id: NumberOrZero
    kind_number: Annotated[int | None, DataColumn(Fields.whole_or_none, (0, 0xFFFFFFFF)), "d_type"]
    """Place of its kind in the list of items; meaningless for standards, which have 0."""
    kind: OriginalItemKind
    """Name and values of this item; they may differ from those in the list."""
    plantable: TrueOrFalse
    plantable_owner: int | None
    planted: TrueOrFalse


class OriginalHero(Record, frozen=True):
    """A hero's own part of an army. See: LW-19.3."""

    name: Text
    gender: Gender
    backpack: tuple[OriginalItem, ...]


class OriginalArmy(Record, frozen=True):
    """An army of a stack. See: LW-19.3."""

    id: Number
    unit_type: int
    army_set: Annotated[Amount, "d_armyset"]
    hp: Annotated[int, DataColumn(Fields.scaled, (words.UNITS, 10_000), 2 * words.UNITS)]
    """Hit points in ``UNITS``."""
    ship: TrueOrFalse
    moves: int
    xp: Annotated[int, DataColumn(Fields.scaled, (words.PARTS, HIGHEST), 0)]
    """Experience in ``PARTS``."""
    level: AmountOrZero
    medals: tuple[bool, ...]
    battles: Annotated[AmountOrZero, "d_battlesnumber"]
    visited_temples: Annotated[tuple[int, ...], DataColumn(Fields.wholes, (0, LARGEST))]
    strength: Strength
    max_moves: Moves
    sight: Sight
    upkeep: AmountOrZero
    move_bonus: MoveBonusFlags
    army_bonus: ArmyBonusFlags
    value: ExperienceParts
    """Experience for killing this army, in ``PARTS``."""
    moves_multiplier: Annotated[
        int, DataColumn(Fields.whole, (1, 1024), 1), "d_max_moves_multiplier"
    ]
    hero: OriginalHero | None


class OriginalStack(Record, frozen=True):
    """A stack with its armies in order. See: LW-19.3."""

    id: NumberOrZero
    x: int
    y: int
    owner: int | None
    defending: TrueOrFalse
    parked: TrueOrFalse
    armies: tuple[OriginalArmy, ...]


# -- sites -----------------------------------------------------------------------------------------


class OriginalSlot(Record, frozen=True):
    """A city's slot: its own copy of a unit type. See: LW-19.3."""

    name: str
    unit_type: int
    army_set: Annotated[Amount, "d_armyset"]
    strength: Strength
    max_moves: Moves
    sight: Sight
    upkeep: AmountOrZero
    production: Turns
    production_cost: AmountOrZero
    new_production_cost: AmountOrZero
    move_bonus: MoveBonusFlags
    army_bonus: ArmyBonusFlags
    value: ExperienceParts
    """Experience for killing one army, in ``PARTS``."""


class OriginalSite(Record, frozen=True):
    """A city, temple or ruin; its position is its top left tile. Rules: LW-19.3."""

    id: Number
    x: int
    y: int
    name: Text


class OriginalCity(OriginalSite, frozen=True):
    """A city. See: LW-19.3."""

    owner: int
    income: Annotated[Amount, "d_gold"]
    burnt: TrueOrFalse
    build_production: Annotated[bool, DataColumn(partial(Fields.switch, default=True))]
    capital: TrueOrFalse
    capital_owner: int | None
    vectoring: tuple[int, int] | None
    active_slot: Annotated[
        int | None, DataColumn(Fields.whole_or_none, (0, SLOTS - 1)), "d_active_production_slot"
    ]
    turns_left: Annotated[ThousandOrNone, "d_duration"]
    slots: tuple[OriginalSlot | None, ...]


class OriginalTemple(OriginalSite, frozen=True):
    """A temple; ``picture`` is a number of the city set. See: LW-19.3."""

    description: Text
    picture: Annotated[int, DataColumn(Fields.whole, (-1, HIGHEST), 0), "d_type"]


class OriginalGold(Record, frozen=True, tag="gold"):
    """A reward of gold."""

    name: Text
    gold: Number


class OriginalAllies(Record, frozen=True, tag="allies"):
    """A reward of armies of one type."""

    name: str
    number: int
    unit_type: int
    army_set: int


class OriginalItemReward(Record, frozen=True, tag="item"):
    """A reward of an item."""

    name: str
    item: OriginalItem


class OriginalRuinReward(Record, frozen=True, tag="ruin"):
    """The location of a hidden ruin as a reward."""

    name: str
    x: int
    y: int


class OriginalMapReward(Record, frozen=True, tag="map"):
    """A reward that uncovers a part of the map."""

    name: str
    x: int
    y: int
    width: int
    height: int


OriginalReward: TypeAlias = (
    OriginalGold | OriginalAllies | OriginalItemReward | OriginalRuinReward | OriginalMapReward
)


class OriginalKeeper(Record, frozen=True):
    """The keeper of a ruin. See: LW-19.3."""

    name: str
    stack: OriginalStack | None


class OriginalRuin(OriginalSite, frozen=True):
    """A ruin. See: LW-19.3."""

    description: Text
    kind: Annotated[
        OriginalRuinKind,
        DataColumn(Fields.word, (words.RUIN_KINDS,), OriginalRuinKind.RUIN),
        "d_type",
    ]
    searched: TrueOrFalse
    sage: TrueOrFalse
    hidden: TrueOrFalse
    owner: int | None
    """Player who knows the ruin; None if no one player is meant."""
    reward: OriginalReward | None
    keeper: OriginalKeeper | None


class OriginalSignpost(Record, frozen=True):
    """A signpost and its text."""

    x: int
    y: int
    text: str


class OriginalPiece(Record, frozen=True):
    """A port, or a piece of a road, a bridge or a circle of stones."""

    x: int
    y: int
    drawing: str
    """Word or number of the picture; empty for ports."""


class OriginalBag(Record, frozen=True):
    """A bag of items on the ground."""

    x: int
    y: int
    items: tuple[OriginalItem, ...]


class OriginalVectored(Record, frozen=True):
    """An army in transit to another city: origin, target, and rounds left. See: LW-13.4."""

    x: int
    y: int
    to_x: int
    to_y: int
    owner: int
    rounds: int
    unit: OriginalSlot


# -- the scenario ----------------------------------------------------------------------------------


class OriginalPlayer(Record, frozen=True):
    """A player as a saved LordsAWar file describes it. See: LW-19.3."""

    id: Annotated[int, DataColumn(Fields.whole, (0, MOST_PLAYERS - 1))]
    name: Text
    colour: Annotated[str, DataColumn(Fields.colour), "d_color"]
    army_set: int
    gold: Annotated[int, DataColumn(Fields.whole, (-LARGEST, LARGEST), 0)]
    dead: TrueOrFalse
    immortal: TrueOrFalse
    kind: Annotated[
        OriginalPlayerKind,
        DataColumn(Fields.word, (words.PLAYER_KINDS,), OriginalPlayerKind.AI_DUMMY),
        "d_type",
    ]
    fight_order: tuple[int, ...]
    diplomatic_states: tuple[int, ...]
    diplomatic_proposals: tuple[int, ...]
    diplomatic_scores: tuple[int, ...]
    stacks: tuple[OriginalStack, ...]
    unseen: tuple[str, ...]
    """Rows of the fog: 0 for seen tiles, 1 for unseen ones; empty if the file has no fog."""


class OriginalHeroTemplate(Record, frozen=True):
    """A hero that can be offered to a player. See: LW-19.3."""

    name: Text
    gender: Gender
    owner: int | None
    starting_items: Annotated[tuple[int, ...], DataColumn(Fields.wholes, (0, HIGHEST))]


class OriginalOptions(Record, frozen=True):
    """Options of a scenario, with the words and defaults of section 20. See: LW-19.3, LW-20."""

    quests: Annotated[str, DataColumn(Fields.word, (words.QUESTS,), "ONE_QUEST_PER_PLAYER")]
    hidden_map: TrueOrFalse
    diplomacy: TrueOrFalse
    cusp_of_war: TrueOrFalse
    neutral_cities: Annotated[str, DataColumn(Fields.word, (words.NEUTRAL_CITIES,), "AVERAGE")]
    razing_cities: Annotated[str, DataColumn(Fields.word, (words.RAZING,), "ALWAYS")]
    vectoring_mode: Annotated[str, DataColumn(Fields.word, (words.VECTORING,), words.VECTORING[0])]
    build_production_mode: Annotated[
        str, DataColumn(Fields.word, (words.BUILD_PRODUCTION,), words.BUILD_PRODUCTION[0])
    ]
    sacking_mode: Annotated[str, DataColumn(Fields.word, (words.SACKING,), words.SACKING[0])]
    intense_combat: TrueOrFalse
    military_advisor: TrueOrFalse
    random_turns: TrueOrFalse
    view_enemies: TrueOrFalse
    view_production: TrueOrFalse
    playmode: Annotated[str, DataColumn(Fields.word, (words.PLAY_MODES,), words.PLAY_MODES[0])]


class OriginalScenario(Record, frozen=True):
    """A scenario or a saved game. See: LW-19.3."""

    version: str
    file_kind: FileKind
    id: Text
    name: Text
    comment: Text
    copyright: Text
    license: Text
    turn: AmountOrZero
    """The round; 0 if the game has not begun."""
    next_id: int
    active: int | None
    neutral: int
    tileset: str
    cityset: str
    shieldset: str
    terrain: tuple[str, ...]
    """Rows of digits: the numbers of ``TERRAINS``."""
    buildings: tuple[str, ...]
    """Rows of ``BUILDING_SIGNS``."""
    items: tuple[OriginalItemKind, ...]
    players: tuple[OriginalPlayer, ...]
    bags: tuple[OriginalBag, ...]
    cities: tuple[OriginalCity, ...]
    temples: tuple[OriginalTemple, ...]
    ruins: tuple[OriginalRuin, ...]
    rewards: tuple[OriginalReward, ...]
    signposts: tuple[OriginalSignpost, ...]
    roads: tuple[OriginalPiece, ...]
    bridges: tuple[OriginalPiece, ...]
    stones: tuple[OriginalPiece, ...]
    ports: tuple[OriginalPiece, ...]
    hero_templates: tuple[OriginalHeroTemplate, ...]
    vectored: tuple[OriginalVectored, ...]
    options: OriginalOptions
    army_sets: tuple[ArmySet, ...]
    tile_set: OriginalTileSet | None
    city_set: OriginalCitySet | None

    @property
    def width(self) -> int:
        """Number of tiles in a row."""
        return len(self.terrain[0])

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.terrain)


class OriginalFile(Record, frozen=True):
    """A scenario as read from a file, and remarks of one line each."""

    scenario: OriginalScenario
    remarks: tuple[str, ...]
