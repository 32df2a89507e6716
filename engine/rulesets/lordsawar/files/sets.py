"""Read sets beside or inside a scenario: armies, costs of terrains, sizes of buildings (19.4).

The readers of a set raise ``ScenarioFault`` with its first fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeVar

from engine.core.ruleset import ScenarioFault
from engine.rulesets.lordsawar.files.archive import (
    ArchiveMember,
    Bytes,
    FileKind,
    document,
    kind_of,
)
from engine.rulesets.lordsawar.files.fields import HIGHEST, Fields, row
from engine.rulesets.lordsawar.files.records import (
    ArmySet,
    OriginalCitySet,
    OriginalTileSet,
    OriginalUnitType,
)
from engine.rulesets.lordsawar.files.tree import Element, parse
from engine.rulesets.lordsawar.files.words import TERRAINS, numbered
from engine.rulesets.lordsawar.land import book_costs

RULE: Final = "LW-19.4"

OLDEST: Final = "0.2.1"
"""Version in which the number of a unit type is its place. See: LW-19.4."""

VERSIONS: Final = (OLDEST, "0.3.0", "0.3.2", "0.3.3")

MOST_UNITS: Final = 256
MOST_SETS: Final = 16
"""Maximum sets inside a scenario; the original embeds four."""

MOST_BESIDE: Final = 64
"""Maximum files of sets beside a scenario."""

_GROUNDS: Final = numbered(*(name.upper() for name in TERRAINS))
_Named = TypeVar("_Named", ArmySet, OriginalTileSet, OriginalCitySet)


class SetFiles(NamedTuple):
    """All sets found; those of the scenario itself come first."""

    armies: tuple[ArmySet, ...]
    tiles: tuple[OriginalTileSet, ...]
    cities: tuple[OriginalCitySet, ...]
    remarks: tuple[str, ...]


def read_army_set(data: Bytes, name: str = "the army set") -> ArmySet:
    """Read the army set in a file (``.lwa``). See: LW-19.1, LW-19.4."""
    member = document(data, name, (FileKind.ARMY_SET,))
    root = parse(member, "armyset", VERSIONS)
    elements = tuple(root.every("armyproto"))
    if not 1 <= len(elements) <= MOST_UNITS:
        raise root.fault(f"{len(elements)} unit types, not 1 to {MOST_UNITS}", RULE)
    units = [_unit(element, number, root.version) for number, element in enumerate(elements)]
    for number, unit in enumerate(units):
        if any(unit.id == other.id for other in units[:number]):
            raise elements[number].fault(f"the number {unit.id} stands there twice", RULE)
    return row(ArmySet, Fields(root), version=root.version, file=member.base, units=tuple(units))


def _unit(element: Element, number: int, version: str) -> OriginalUnitType:
    fields = Fields(element)
    default = number if version == OLDEST else None
    return row(OriginalUnitType, fields, id=fields.whole("d_id", 0, HIGHEST, default))


def read_tile_set(data: Bytes, name: str = "the tile set") -> OriginalTileSet:
    """Read the costs of terrains in a file (``.lwt``). See: LW-19.4."""
    member = document(data, name, (FileKind.TILE_SET,))
    root = parse(member, "tileset", VERSIONS)
    costs = dict(zip(_GROUNDS.values(), book_costs(), strict=True))
    for element in root.every("tile"):
        fields = Fields(element)
        ground = fields.word("d_type", _GROUNDS, _GROUNDS[0])
        costs[ground] = fields.whole("d_moves", 1, 1000)
    return row(OriginalTileSet, Fields(root), file=member.base, costs=tuple(costs.values()))


def read_city_set(data: Bytes, name: str = "the city set") -> OriginalCitySet:
    """Read the sizes of buildings in a file (``.lwc``). See: LW-19.3."""
    member = document(data, name, (FileKind.CITY_SET,))
    return row(OriginalCitySet, Fields(parse(member, "cityset", VERSIONS)), file=member.base)


def embedded(found: Iterable[ArchiveMember], file: str) -> SetFiles:
    """Return the sets inside a scenario's archive. See: LW-19.1."""
    sets = (FileKind.ARMY_SET, FileKind.TILE_SET, FileKind.CITY_SET)
    inner = [member for member in found if member.kind in sets]
    if len(inner) > MOST_SETS:
        raise ScenarioFault(file, f"more than {MOST_SETS} sets in it", RULE)
    return SetFiles(
        armies=tuple(read_army_set(m.data, m.name) for m in inner if m.kind == sets[0]),
        tiles=tuple(read_tile_set(m.data, m.name) for m in inner if m.kind == sets[1]),
        cities=tuple(read_city_set(m.data, m.name) for m in inner if m.kind == sets[2]),
        remarks=(),
    )


def with_others(own: SetFiles, others: Iterable[Bytes]) -> SetFiles:
    """Return a scenario's own sets, then those of the files beside it.

    A broken file is skipped with a remark, because it may not be needed. See: LW-19.1.
    """
    made = own
    for number, data in enumerate(others):
        if number >= MOST_BESIDE:
            return _remarked(made, f"sets beside the scenario after the first {MOST_BESIDE}")
        try:
            made = _joined(made, data, f"set {number + 1} beside the scenario")
        except ScenarioFault as fault:
            made = _remarked(made, str(fault))
    return made


def _joined(sets: SetFiles, data: Bytes, name: str) -> SetFiles:
    match kind_of(data):
        case FileKind.ARMY_SET:
            return sets._replace(armies=(*sets.armies, read_army_set(data, name)))
        case FileKind.TILE_SET:
            return sets._replace(tiles=(*sets.tiles, read_tile_set(data, name)))
        case FileKind.CITY_SET:
            return sets._replace(cities=(*sets.cities, read_city_set(data, name)))
        case _:
            raise ScenarioFault(name, "no army set, tile set or city set", "LW-19.1")


def _remarked(sets: SetFiles, left_out: str) -> SetFiles:
    return sets._replace(remarks=(*sets.remarks, f"not read: {left_out}"))


def by_number(sets: Iterable[ArmySet]) -> Iterator[ArmySet]:
    """Yield army sets with different numbers; of two with the same number, the first."""
    seen: set[int] = set()
    for each in sets:
        if each.id not in seen:
            seen.add(each.id)
            yield each


def named(sets: tuple[_Named, ...], name: str) -> _Named | None:
    """Return the set of the file with this name, else the only set, or None. See: LW-19.3."""
    for each in sets:
        if each.file == name:
            return each
    return sets[0] if len(sets) == 1 else None
