"""Words in files of LordsAWar: terrains, flags and enumerations with their numbers (19.2, 20)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar, get_args

from engine.rulesets.lordsawar.kinds import ItemFlag, MoveBonus, Terrain, UnitFlagName

UNITS: Final = 2880
"""Units of one hit point, as in battles. See: LW-4.2."""

PARTS: Final = 1_000_000
"""Units of one point of experience; the original writes six digits."""

TERRAINS: Final = tuple(ground.name.lower() for ground in Terrain)
"""Terrains, numbered by the digits in ``d_types``. See: LW-19.3."""

MOVE_BITS: Final = tuple(word.upper() for word in get_args(MoveBonus))
"""Terrains of a move bonus, in the order of their bits. See: LW-19.2."""

ARMY_BITS: Final[tuple[str, ...]] = get_args(UnitFlagName)
"""Flags of unit types, in the order of their bits. Rules: LW-19.2."""

ITEM_BITS: Final[tuple[str, ...]] = get_args(ItemFlag)
"""Flags of items, in the order of the book. See: LW-11."""


class OriginalGender(StrEnum):
    """Gender of a hero; NONE for a unit type that is not a hero."""

    NONE = "NONE"
    MALE = "MALE"
    FEMALE = "FEMALE"


class OriginalPlayerKind(StrEnum):
    """Kind of a player. See: LW-19.3."""

    HUMAN = "HUMAN"
    AI_FAST = "AI_FAST"
    AI_DUMMY = "AI_DUMMY"
    AI_SMART = "AI_SMART"
    NETWORKED = "NETWORKED"


PLAYER_KINDS: Final[Mapping[int, OriginalPlayerKind]] = {
    0: OriginalPlayerKind.HUMAN,
    1: OriginalPlayerKind.AI_FAST,
    2: OriginalPlayerKind.AI_DUMMY,
    4: OriginalPlayerKind.AI_SMART,
    8: OriginalPlayerKind.NETWORKED,
}


class OriginalRuinKind(StrEnum):
    """Kind of a ruin. See: LW-19.3."""

    RUIN = "RUIN"
    STRONGHOLD = "STRONGHOLD"
    SAGE = "SAGE"


class OriginalBuilding(StrEnum):
    """Kind of building, in the order of its numbers."""

    NONE = "NONE"
    CITY = "CITY"
    RUIN = "RUIN"
    TEMPLE = "TEMPLE"
    SIGNPOST = "SIGNPOST"
    ROAD = "ROAD"
    PORT = "PORT"
    BRIDGE = "BRIDGE"
    STONE = "STONE"


BUILDING_SIGNS: Final[Mapping[OriginalBuilding, str]] = {
    OriginalBuilding.NONE: ".",
    OriginalBuilding.CITY: "c",
    OriginalBuilding.RUIN: "r",
    OriginalBuilding.TEMPLE: "t",
    OriginalBuilding.SIGNPOST: "s",
    OriginalBuilding.ROAD: "=",
    OriginalBuilding.PORT: "p",
    OriginalBuilding.BRIDGE: "b",
    OriginalBuilding.STONE: "o",
}
"""Signs of buildings in the rows of ``OriginalScenario.buildings``."""

Word = TypeVar("Word", bound=str)


def numbered(*words: Word, start: int = 0) -> Mapping[int, Word]:
    """Return the words of an enumeration by number, from ``start``."""
    return dict(enumerate(words, start))


GENDERS: Final = numbered(*OriginalGender)
RUIN_KINDS: Final = numbered(*OriginalRuinKind)
BUILDINGS: Final = numbered(*OriginalBuilding)
REWARD_KINDS: Final = numbered("GOLD", "ALLIES", "ITEM", "RUIN", "MAP", start=1)

QUESTS: Final = numbered("NO_QUESTING", "ONE_QUEST_PER_PLAYER", "ONE_QUEST_PER_HERO")
NEUTRAL_CITIES: Final = numbered("AVERAGE", "STRONG", "ACTIVE", "DEFENSIVE")
RAZING: Final = numbered("NEVER", "ON_CAPTURE", "ALWAYS")
VECTORING: Final = numbered("VECTORING_ALWAYS_TWO_TURNS", "VECTORING_VARIABLE_TURNS")
BUILD_PRODUCTION: Final = numbered(
    "BUILD_PRODUCTION_ALWAYS",
    "BUILD_PRODUCTION_USUALLY",
    "BUILD_PRODUCTION_SELDOM",
    "BUILD_PRODUCTION_NEVER",
)
SACKING: Final = numbered(
    "SACKING_ALWAYS", "SACKING_ON_CAPTURE", "SACKING_ON_QUEST", "SACKING_NEVER"
)
PLAY_MODES: Final = numbered("HOTSEAT", "NETWORKED", "PLAY_BY_MAIL")
