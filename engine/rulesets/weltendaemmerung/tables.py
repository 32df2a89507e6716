"""Tables of the rule book: unit types, terrains, modifiers, limits, and prices of steps."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

from engine.core.record import Record
from engine.kit.tables import load, load_rows

PACKAGE: Final = "engine.rulesets.weltendaemmerung"


class UnitRow(Record, frozen=True):
    """Unit type. A price of None means that it cannot enter.

    Rules: WD-UNIT-3. See: WD-UNIT-1, WD-TERR-2.

    ``side`` is 0 for Eldoin, 1 for Dailor. ``breaks`` lists what it can break in a siege
    (WD-SIEGE-1). The original's movement flag only chooses a sound, so it has no field here
    (WD-UNIT-3).
    """

    key: str
    german: str
    english: str
    side: int
    kind: Literal["ground", "flyer", "ship"]
    a: int
    v: int
    r: int
    b: int
    river: int | None
    source: str
    forest: int | None = None
    swamp: int | None = None
    breaks: tuple[Literal["gate", "wall"], ...] = ()


class TerrainRow(Record, frozen=True):
    """Terrain: the classes that may enter it, and its price, 0 if that depends on the unit.

    See: WD-TERR-1.
    """

    key: str
    sign: str
    german: str
    english: str
    code: int
    ground: bool
    flyer: bool
    ship: bool
    price: int
    source: str


class ChanceTable(Record, frozen=True):
    """Modifier of each draw, and the original's weights. See: WD-RNG-1, WD-RNG-2."""

    modifiers: tuple[int, ...]
    weights: tuple[int, ...]
    source: str


class Limits(Record, frozen=True):
    """Maximum points, rounds, tiles and units of a scenario, and the length of ``cycle``.

    See: WD-NUM-3, WD-SCEN-1, WD-RNG-2.
    """

    points: int
    rounds: int
    cycle: int
    tiles: int
    units: int
    source: str


@cache
def units_table() -> tuple[UnitRow, ...]:
    """Return the sixteen unit types, by number. Rules: WD-UNIT-1."""
    return load_rows(PACKAGE, "units", UnitRow)


@cache
def terrain_table() -> tuple[TerrainRow, ...]:
    """Return the terrains, by their number in the terrain plane. Rules: WD-TERR-1."""
    return load_rows(PACKAGE, "terrain", TerrainRow)


@cache
def chance_table() -> ChanceTable:
    """Return the modifiers and weights. See: WD-RNG-1, WD-RNG-2."""
    return load(PACKAGE, "chance", ChanceTable)


@cache
def limits() -> Limits:
    """Return the limits of scenarios. See: WD-SCEN-1."""
    return load(PACKAGE, "limits", Limits)


@cache
def type_numbers() -> dict[str, int]:
    """Return the number of each unit type, by its key."""
    return {row.key: number for number, row in enumerate(units_table())}


@cache
def prices() -> tuple[tuple[int, ...], ...]:
    """Return ``prices()[type][terrain]``: points for leaving, or by option entering, such a tile.

    Rules: WD-TERR-2, WD-TERR-3.
    """
    return tuple(
        tuple(
            row.price or {"river": unit.river, "forest": unit.forest}.get(row.key, unit.swamp) or 0
            for row in terrain_table()
        )
        for unit in units_table()
    )


@cache
def enterable() -> tuple[tuple[bool, ...], ...]:
    """Return ``enterable()[type][terrain]``: whether a type may enter it. Rules: WD-TERR-4."""
    return tuple(
        tuple(bool(getattr(row, unit.kind)) for row in terrain_table()) for unit in units_table()
    )
