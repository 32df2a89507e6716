"""Unit types as the bots use them, their worth, and the postures a bot can play in."""

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
"""The terrain of the rim round a board: nobody may enter it."""


class UnitProfile(NamedTuple):
    """A unit type: ``enter`` and ``price`` are indexed by terrain, the rim included."""

    number: int
    key: str
    side: int
    kind: str
    attack: int
    mean: int
    """What a hit takes away on average. Rules: WD-ATT-7."""
    life: int
    range: int
    points: int
    breaks_gates: bool
    breaks_walls: bool
    enter: tuple[bool, ...]
    price: tuple[int, ...]

    @property
    def besieges(self) -> bool:
        """Whether it can break anything. Rules: WD-SIEGE-1."""
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
"""All types, by number."""

NUMBER: Final = type_numbers()
"""The number of each type, by its key."""


# -- worth -------------------------------------------------------------------------------


class WorthRow(Record, frozen=True):
    """What a type is worth to its side."""

    key: str
    worth: int


class _Bot(Record, frozen=True):
    source: str
    worth: tuple[WorthRow, ...]


def _worths() -> tuple[int, ...]:
    rows = {row.key: row.worth for row in load(PACKAGE, "bot", _Bot).worth}
    return tuple(rows[kind.key] for kind in PROFILES)


WORTH: Final = _worths()
"""The worth of each type, by number."""


# -- postures ----------------------------------------------------------------------------


class Posture(Record, frozen=True):
    """One way to play. Weights are in worth of units; see ``WORTH``."""

    progress: float = 6.0
    """Dailor: what coming nearer to the goal by one round's march is worth."""
    hunger: float = 0.6
    """Share of an attack's worth that counts when a tile is chosen for it."""
    caution: float = 1.0
    """How much of a unit's worth is held to be lost under fire that kills it."""
    courage: float = 0.5
    """Dailor: odds from which fire is not feared any more; 0 charges always."""
    cover: float = 1.0
    """Eldoin: weight of the damage a tile lets a unit do where the enemy is likely to come."""
    home: float = 5.0
    """Eldoin: what it costs to be one round's march too far from the post."""
    leash: int = 7
    """Eldoin: points from the post that are still near."""
    foresight: bool = True
    """Whether the enemy's next strikes are looked at."""
    focus: bool = True
    """Whether attacks are put together to kill."""
    reserve: int = 8
    """Eldoin: one unit in so many stays near the west edge from round 4 on; 0 none."""
    watch: float = 0.7
    """Eldoin: the reserve's least number for each of the enemy's flyers."""
    refuge: float = 0.0
    """Eldoin: what each point of the commander's way to the safest tiles costs; 0 he stays."""


USUAL = Posture()
"""The whole outline of section 19.2."""

SIMPLE = Posture(foresight=False, focus=False, courage=0.0, caution=0.0, home=1.5, reserve=0)
"""Short-sighted: straight to the goal, each blow by itself, no thought of what comes back."""
