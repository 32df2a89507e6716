"""Records of the content of LordsAWar files, checked but not yet converted to this game.

They keep the original's words; numbers of owners, types and sets are those of the file.
"""

from __future__ import annotations

from typing import TypeAlias

from engine.core.record import Record
from engine.rulesets.lordsawar.files.archive import FileKind
from engine.rulesets.lordsawar.files.words import (
    OriginalBuilding,
    OriginalGender,
    OriginalPlayerKind,
    OriginalRuinKind,
)

# -- sets ------------------------------------------------------------------------------------------


class OriginalUnitType(Record, frozen=True):
    """A unit type of an army set. See: LW-19.4."""

    id: int
    name: str
    strength: int
    max_moves: int
    sight: int
    upkeep: int
    production: int
    """Turns to produce one army."""
    production_cost: int
    new_production_cost: int
    move_bonus: tuple[str, ...]
    army_bonus: tuple[str, ...]
    value: int
    """Experience for killing one army, in ``PARTS``."""
    awardable: bool
    defends_ruins: bool
    gender: OriginalGender
    description: str

    @property
    def hero(self) -> bool:
        """True for heroes."""
        return self.gender is not OriginalGender.NONE


class ArmySet(Record, frozen=True):
    """An army set: unit types in the default order of battle. See: LW-19.4."""

    id: int
    name: str
    version: str
    file: str
    """Name of the set's file, without the ending."""
    tile_size: int
    units: tuple[OriginalUnitType, ...]


class OriginalTileSet(Record, frozen=True):
    """A tile set: costs of terrains, in the order of ``TERRAINS``. See: LW-19.4."""

    id: int
    name: str
    file: str
    costs: tuple[int, ...]


class OriginalCitySet(Record, frozen=True):
    """A city set: widths of buildings in tiles. See: LW-19.3."""

    id: int
    name: str
    file: str
    city_width: int
    temple_width: int
    ruin_width: int


# -- items and armies ------------------------------------------------------------------------------


class OriginalItemKind(Record, frozen=True):
    """A kind of item; its number is its place in the list. See: LW-19.3."""

    name: str
    bonus: tuple[str, ...]
    uses_left: int | None
    steal_gold_percent: int | None
    moves_to_add: int | None
    type_to_kill: int | None
    type_to_summon: int | None
    type_to_raise: int | None
    summon_on: OriginalBuilding
    percent_to_kill: int | None
    number_to_raise: int | None


class OriginalItem(Record, frozen=True):
    """An item of a hero, a bag or a reward. See: LW-19.3."""

    id: int
    kind_number: int | None
    """Place of its kind in the list of items; meaningless for standards, which have 0."""
    kind: OriginalItemKind
    """Name and values of this item; they may differ from those in the list."""
    plantable: bool
    plantable_owner: int | None
    planted: bool


class OriginalHero(Record, frozen=True):
    """A hero's own part of an army. See: LW-19.3."""

    name: str
    gender: OriginalGender
    backpack: tuple[OriginalItem, ...]


class OriginalArmy(Record, frozen=True):
    """An army of a stack. See: LW-19.3."""

    id: int
    unit_type: int
    army_set: int
    hp: int
    """Hit points in ``UNITS``."""
    ship: bool
    moves: int
    xp: int
    """Experience in ``PARTS``."""
    level: int
    medals: tuple[bool, ...]
    battles: int
    visited_temples: tuple[int, ...]
    strength: int
    max_moves: int
    sight: int
    upkeep: int
    move_bonus: tuple[str, ...]
    army_bonus: tuple[str, ...]
    value: int
    """Experience for killing this army, in ``PARTS``."""
    moves_multiplier: int
    hero: OriginalHero | None


class OriginalStack(Record, frozen=True):
    """A stack with its armies in order. See: LW-19.3."""

    id: int
    x: int
    y: int
    owner: int | None
    defending: bool
    parked: bool
    armies: tuple[OriginalArmy, ...]


# -- sites -----------------------------------------------------------------------------------------


class OriginalSlot(Record, frozen=True):
    """A city's slot: its own copy of a unit type. See: LW-19.3."""

    name: str
    unit_type: int
    army_set: int
    strength: int
    max_moves: int
    sight: int
    upkeep: int
    production: int
    production_cost: int
    new_production_cost: int
    move_bonus: tuple[str, ...]
    army_bonus: tuple[str, ...]
    value: int
    """Experience for killing one army, in ``PARTS``."""


class OriginalCity(Record, frozen=True):
    """A city; its position is its top left tile. See: LW-19.3."""

    id: int
    x: int
    y: int
    name: str
    owner: int
    income: int
    burnt: bool
    build_production: bool
    capital: bool
    capital_owner: int | None
    vectoring: tuple[int, int] | None
    active_slot: int | None
    turns_left: int | None
    slots: tuple[OriginalSlot | None, ...]


class OriginalTemple(Record, frozen=True):
    """A temple; ``picture`` is a number of the city set. See: LW-19.3."""

    id: int
    x: int
    y: int
    name: str
    description: str
    picture: int


class OriginalGold(Record, frozen=True, tag="gold"):
    """A reward of gold."""

    name: str
    gold: int


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


class OriginalRuin(Record, frozen=True):
    """A ruin. See: LW-19.3."""

    id: int
    x: int
    y: int
    name: str
    description: str
    kind: OriginalRuinKind
    searched: bool
    sage: bool
    hidden: bool
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
    """A player. See: LW-19.3."""

    id: int
    name: str
    colour: str
    army_set: int
    gold: int
    dead: bool
    immortal: bool
    kind: OriginalPlayerKind
    fight_order: tuple[int, ...]
    diplomatic_states: tuple[int, ...]
    diplomatic_proposals: tuple[int, ...]
    diplomatic_scores: tuple[int, ...]
    stacks: tuple[OriginalStack, ...]
    unseen: tuple[str, ...]
    """Rows of the fog: 0 for seen tiles, 1 for unseen ones; empty if the file has no fog."""


class OriginalHeroTemplate(Record, frozen=True):
    """A hero that can be offered to a player. See: LW-19.3."""

    name: str
    gender: OriginalGender
    owner: int | None
    starting_items: tuple[int, ...]


class OriginalOptions(Record, frozen=True):
    """Options of a scenario, with the words of section 20. See: LW-19.3, LW-20."""

    quests: str
    hidden_map: bool
    diplomacy: bool
    cusp_of_war: bool
    neutral_cities: str
    razing_cities: str
    vectoring_mode: str
    build_production_mode: str
    sacking_mode: str
    intense_combat: bool
    military_advisor: bool
    random_turns: bool
    view_enemies: bool
    view_production: bool
    playmode: str


class OriginalScenario(Record, frozen=True):
    """A scenario or a saved game. See: LW-19.3."""

    version: str
    file_kind: FileKind
    id: str
    name: str
    comment: str
    copyright: str
    license: str
    turn: int
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
