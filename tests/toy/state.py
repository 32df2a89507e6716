"""The state of a game, and the records in it."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Literal, TypeAlias

from engine.core.containers import Plane, Roster
from engine.core.record import Record
from engine.core.ruleset import Scenario

CLANS: Final = ("Amber", "Birch", "Cinder")

HIDDEN: Final = 0
"""Strength of a band in the view of a player who does not know it."""

Reason: TypeAlias = Literal["", "last", "lanterns"]
"""Reason why a game ended; empty while it is in progress. See: T-WIN-1, T-WIN-2."""


class Terrain(IntEnum):
    """Terrains of the plane."""

    GRASS = 0
    WATER = 1
    SHRINE = 2


SIGNS: Final = ".~*"
"""Signs of the terrains in scenario files."""


class Options(Record, frozen=True):
    """Options chosen before the game."""

    stakes: Literal["on", "off"] = "on"


class Band(Record, frozen=True):
    """A band of a clan; ``known`` is True once its strength was revealed to all."""

    id: int
    clan: int
    x: int
    y: int
    strength: int
    known: bool = False
    alive: bool = True


class Order(Record, frozen=True):
    """Order to the band with this id."""

    id: int
    path: tuple[tuple[int, int], ...]


class Clan(Record, frozen=True):
    """A clan. ``ranks`` are ids of its bands in the order in which they fall."""

    id: int
    lanterns: int = 0
    stake: int = 0
    ranks: tuple[int, ...] = ()
    sealed: bool = False
    cried: bool = False
    playing: bool = True


class Lost(Record, frozen=True):
    """A clan that lost a fight at (x, y) and must choose where to retreat."""

    clan: int
    x: int
    y: int


class State(Record, frozen=True):
    """A position. ``terrain`` is uint8 of shape (height, width), values of Terrain."""

    terrain: Plane
    bands: Roster[Band]
    clans: Roster[Clan]
    strengths: tuple[int, ...]
    rounds: int
    orders: Roster[Order]
    options: Options
    name: str = ""
    title: str = ""
    about: str = ""
    round: int = 1
    marched: bool = False
    """True once all have marched in this round; only retreats are left of it."""
    lost: tuple[Lost, ...] = ()
    reason: Reason = ""
    winners: tuple[int, ...] = ()


class View(Record, frozen=True):
    """What a viewer knows: secret strengths are HIDDEN, secret orders are left out.

    ``clans`` of others have a stake of 0 and no ranks.
    """

    viewer: int
    terrain: Plane
    bands: Roster[Band]
    clans: Roster[Clan]
    strengths: tuple[int, ...]
    rounds: int
    orders: Roster[Order]
    options: Options
    name: str = ""
    title: str = ""
    about: str = ""
    round: int = 1
    marched: bool = False
    lost: tuple[Lost, ...] = ()
    reason: Reason = ""
    winners: tuple[int, ...] = ()


Seen: TypeAlias = State | View
"""A state or a view, for questions that need nothing hidden."""


class Placed(Record, frozen=True):
    """A band in a scenario; a strength of 0 is dealt when the game begins."""

    clan: int
    x: int
    y: int
    strength: int = 0
    known: bool = False
    alive: bool = True


class Now(Record, frozen=True):
    """Progress of a game that begins in the middle."""

    clans: tuple[Clan, ...]
    orders: tuple[Order, ...] = ()
    round: int = 1
    marched: bool = False
    lost: tuple[Lost, ...] = ()
    reason: Reason = ""
    winners: tuple[int, ...] = ()


class Field(Scenario, frozen=True):
    """A scenario: rows of ``.`` grass, ``~`` water, ``*`` shrine; odd rows are shifted right.

    Bands have ids from 1 in the order of ``bands``. ``strengths`` are those of one clan.
    """

    clans: int
    rounds: int
    strengths: tuple[int, ...]
    rows: tuple[str, ...]
    bands: tuple[Placed, ...]
    options: Options = Options()
    now: Now | None = None
