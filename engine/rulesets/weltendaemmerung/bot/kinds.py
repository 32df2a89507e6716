"""What the bots must know of each unit type, in the form they think with."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.rulesets.weltendaemmerung.state import Terrain
from engine.rulesets.weltendaemmerung.tables import enterable, prices, type_numbers, units_table

OFF: Final = len(Terrain)
"""The terrain of the rim round a board: nobody may enter it."""


class Kind(NamedTuple):
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


KINDS: Final = tuple(
    Kind(
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

WALLS: Final = frozenset({Terrain.WALL, *range(Terrain.WALL_1, Terrain.WALL_8 + 1)})
"""The terrains that are walls which can be broken."""
