"""Kinds that files and records refer to by name: abilities, item powers, terrains, buildings."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from functools import cache, reduce
from typing import Literal, TypeAlias


class UnitFlag(IntFlag):
    """Abilities of a unit, with the bits that files of the original use. Rules: LW-1.1."""

    ADD1STRINOPEN = 1
    ADD2STRINOPEN = 2
    ADD1STRINFOREST = 4
    ADD1STRINHILLS = 8
    ADD1STRINCITY = 16
    ADD2STRINCITY = 32
    ADD1STACKINHILLS = 64
    SUBALLCITYBONUS = 128
    SUB1ENEMYSTACK = 256
    ADD1STACK = 512
    ADD2STACK = 1024
    SUBALLNONHEROBONUS = 2048
    SUBALLHEROBONUS = 4096
    FORTIFY = 8192
    ADD2STRINFOREST = 16384
    ADD2STRINHILLS = 32768
    SUB2ENEMYSTACK = 65536
    CONFER_MOVE_BONUS = 131072


UnitFlagName: TypeAlias = Literal[
    "ADD1STRINOPEN",
    "ADD2STRINOPEN",
    "ADD1STRINFOREST",
    "ADD1STRINHILLS",
    "ADD1STRINCITY",
    "ADD2STRINCITY",
    "ADD1STACKINHILLS",
    "SUBALLCITYBONUS",
    "SUB1ENEMYSTACK",
    "ADD1STACK",
    "ADD2STACK",
    "SUBALLNONHEROBONUS",
    "SUBALLHEROBONUS",
    "FORTIFY",
    "ADD2STRINFOREST",
    "ADD2STRINHILLS",
    "SUB2ENEMYSTACK",
    "CONFER_MOVE_BONUS",
]
"""Names of ``UnitFlag`` as used in tables."""

ItemFlag: TypeAlias = Literal[
    "ADD1STR",
    "ADD2STR",
    "ADD3STR",
    "ADD1STACK",
    "ADD2STACK",
    "ADD3STACK",
    "FLYSTACK",
    "DOUBLEMOVESTACK",
    "ADD2GOLDPERCITY",
    "ADD3GOLDPERCITY",
    "ADD4GOLDPERCITY",
    "ADD5GOLDPERCITY",
    "STEAL_GOLD",
    "SINK_SHIPS",
    "PICK_UP_BAGS",
    "ADD_2MP_STACK",
    "BANISH_WORMS",
    "BURN_BRIDGE",
    "CAPTURE_KEEPER",
    "SUMMON_MONSTER",
    "DISEASE_CITY",
    "RAISE_DEFENDERS",
    "PERSUADE_NEUTRALS",
    "TELEPORT_TO_CITY",
    "PLANT_TO_VECTOR",
]
"""Powers of items; those of worn items come first. See: LW-11."""

MoveBonus: TypeAlias = Literal["water", "forest", "hills", "mountain", "swamp"]
"""Terrains that a unit crosses easily; a unit with all five flies. See: LW-9."""


class Terrain(IntEnum):
    """Kinds of land, with the digits that files of the original use. Rules: LW-1.2."""

    GRASS = 0
    WATER = 1
    FOREST = 2
    HILLS = 3
    MOUNTAIN = 4
    SWAMP = 5


class Building(IntEnum):
    """Constructions on a tile, at most one on each. Rules: LW-1.2."""

    NONE = 0
    CITY = 1
    RUIN = 2
    TEMPLE = 3
    SIGNPOST = 4
    ROAD = 5
    PORT = 6
    BRIDGE = 7
    STONE = 8


@cache
def flag_bits(names: tuple[str, ...]) -> int:
    """Return the bits of abilities given by name. See: LW-1.

    >>> flag_bits(("ADD1STACK", "SUBALLHEROBONUS"))
    4608
    """
    return reduce(lambda bits, name: bits | int(UnitFlag[name]), names, 0)


def flag_names(bits: int) -> tuple[str, ...]:
    """Return the names of the abilities in ``bits``, in bit order. See: LW-1.

    >>> flag_names(4608)
    ('ADD1STACK', 'SUBALLHEROBONUS')
    """
    return tuple(flag.name or "" for flag in UnitFlag if flag & bits)
