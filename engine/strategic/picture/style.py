"""What a ruleset lends to the picture: signs of its terrains and types, words, ids of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.strategic.pieces import UnitType
from engine.tabletop.roles import Role

Topic: TypeAlias = Literal[
    "tile",
    "price",
    "road",
    "port",
    "zone",
    "way",
    "stack",
    "group",
    "refill",
    "march",
    "attack",
    "goal",
    "aboard",
    "tower",
    "unit",
    "lines",
    "class",
    "strength",
    "order",
    "dice",
    "aftermath",
    "city",
    "capture",
    "produce",
    "buy",
    "vector",
    "economy",
    "neutral",
    "offer",
    "level",
    "item",
    "site",
    "search",
    "quest",
    "fog",
    "treaty",
    "stance",
    "betrayal",
    "round",
    "turn",
    "victory",
    "resign",
    "command",
]
"""What a line is about; every rule book has a section on it."""


class GroundSign(NamedTuple):
    """How a terrain looks and is called; the name goes into a sentence."""

    key: str
    name: str
    role: Role
    rich: str
    box: str
    ascii: str


@dataclass(frozen=True, eq=False)
class Style:
    """Tables of one ruleset. ``grounds`` stand in the order of the terrain codes.

    ``bridge``, ``city`` and ``site`` are the codes of bridges, cities and the ground of sites,
    ``water`` those of open water, ``letters`` the sign of each type of unit by its id, ``prices``
    what entering a terrain costs on foot by the usual table. ``guide`` are the pages of types that
    follow the rule book.
    """

    grounds: tuple[GroundSign, ...]
    bridge: int
    city: int
    site: int
    water: frozenset[int]
    types: tuple[UnitType, ...]
    letters: Mapping[int, str]
    rules: Mapping[Topic, str]
    package: str
    """Where the rule book is."""
