"""Unit types as the bots use them, their worth, and the postures of bots."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.core.record import Record
from engine.kit.tables import load
from engine.rulesets.weltendaemmerung.state import Terrain
from engine.rulesets.weltendaemmerung.tables import (
    PACKAGE,
    enterable,
    prices,
    type_numbers,
    units_table,
)

OFF: Final = len(Terrain)
"""Terrain of the rim around a board, which no type may enter."""


class UnitProfile(NamedTuple):
    """Unit type; ``enter`` and ``price`` are indexed by terrain, the rim included."""

    number: int
    key: str
    side: int
    kind: str
    attack: int
    mean: int
    """Mean damage of a hit. See: WD-ATT-7."""
    life: int
    range: int
    points: int
    breaks_gates: bool
    breaks_walls: bool
    enter: tuple[bool, ...]
    price: tuple[int, ...]

    @property
    def besieges(self) -> bool:
        """True if the type can break a building. See: WD-SIEGE-1."""
        return self.breaks_gates or self.breaks_walls


PROFILES: Final = tuple(
    UnitProfile(
        number,
        row.key,
        row.side,
        row.kind,
        row.a,
        row.a + 2,
        row.v,
        row.r,
        row.b,
        "gate" in row.breaks,
        "wall" in row.breaks,
        (*enterable()[number], False),
        (*(max(1, price) for price in prices()[number]), 1),
    )
    for number, row in enumerate(units_table())
)
"""All unit types, by number."""

NUMBER: Final = type_numbers()
"""Number of each unit type, by its key."""


# -- worth -------------------------------------------------------------------------------


class WorthRow(Record, frozen=True):
    """Worth of a unit type to its side."""

    key: str
    worth: int


class _Bot(Record, frozen=True):
    source: str
    worth: tuple[WorthRow, ...]


def _worths() -> tuple[int, ...]:
    rows = {row.key: row.worth for row in load(PACKAGE, "bot", _Bot).worth}
    return tuple(rows[kind.key] for kind in PROFILES)


WORTH: Final = _worths()
"""Worth of each unit type, by number, from ``data/bot.toml``."""


# -- postures ----------------------------------------------------------------------------


class Posture(Record, frozen=True):
    """Weights of the parts of a plan, in units of ``WORTH``."""

    progress: float = 6.0
    """Dailor: worth of coming one round's march closer to the goal."""
    hunger: float = 0.6
    """Share of an attack's worth that counts in the choice of a tile for it."""
    caution: float = 1.0
    """Share of a unit's worth that counts as lost under fire that kills it."""
    courage: float = 0.5
    """Dailor: odds from which fire is no longer feared; 0: never feared."""
    cover: float = 1.0
    """Eldoin: weight of the damage that a unit can do from a tile where the enemy may come."""
    home: float = 5.0
    """Eldoin: cost of being one round's march too far from the post."""
    leash: int = 7
    """Eldoin: maximum distance from the post without cost, in points."""
    foresight: bool = True
    """True if the enemy's next strikes are taken into account."""
    focus: bool = True
    """True if attacks are combined to kill."""
    reserve: int = 8
    """Eldoin: one unit in this many stays near the west edge from round 4 on; 0: none."""
    watch: float = 0.7
    """Eldoin: minimum number of units in that reserve per flyer of the enemy."""
    refuge: float = 0.0
    """Eldoin: cost of each point of distance between the commander and the safest tiles."""


USUAL = Posture()
"""Posture of the normal level: everything that section 19.2 outlines."""

SIMPLE = Posture(foresight=False, focus=False, courage=0.0, caution=0.0, home=1.5, reserve=0)
"""Posture of the easy level: straight to the goal, single attacks, no regard for losses."""
