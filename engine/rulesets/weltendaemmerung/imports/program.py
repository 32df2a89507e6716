"""Importers of the original program file (section 14) and of the ROM it draws from (WD-RNG-2)."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import cache
from typing import Final

from engine.core.record import Record, replace
from engine.core.ruleset import Imported, ScenarioFault
from engine.kit.tables import load
from engine.rulesets.weltendaemmerung.fighting import MODIFIERS
from engine.rulesets.weltendaemmerung.imports.codes import (
    END,
    TILES,
    WIDTH,
    decimal,
    meadow_pictures,
    terrain_of,
    unpack,
)
from engine.rulesets.weltendaemmerung.rules import RULES
from engine.rulesets.weltendaemmerung.scenario import check, sign_rows
from engine.rulesets.weltendaemmerung.state import DAILOR, Map, Placed, SitePlaced, Terrain
from engine.rulesets.weltendaemmerung.tables import chance_table, units_table

LOAD_ADDRESS = 0x0801
PROGRAM_SIZE = 7129
SITES = 13
TYPES = 16
MARKER = 0x80
ROM_SIZE: Final = 8192
CYCLE: Final = 256


class Original(Record, frozen=True):
    """Known facts of the original; ``counts`` holds the number of units of each type."""

    source: str
    sha256: str
    counts: tuple[int, ...]
    end_tiles: int
    frontier: int
    rounds: int
    cursor: tuple[int, int]

    @property
    def units(self) -> int:
        """Number of units of both sides."""
        return sum(self.counts)

    def type_of(self, number: int) -> int:
        """Return the type of the unit at an index of the list. See: WD-IMP-3.

        Raises:
            IndexError: the list has fewer units.
        """
        return [kind for kind, count in enumerate(self.counts) for _ in range(count)][number]


@cache
def original() -> Original:
    """Return the table ``data/original.toml``."""
    return load("engine.rulesets.weltendaemmerung", "original", Original)


class ProgramImporter:
    """Importer of the program file as a scenario. Rules: WD-IMP-1. See: WD-IMP-4."""

    name = "the original Weltendämmerung program (C64 PRG, 7129 bytes)"
    companion = "a C64 KERNAL ROM image, for the original's chance; without it dice are thrown"

    def sniff(self, data: bytes) -> bool:
        """Return whether a file has the program's load address."""
        return data[:2] == LOAD_ADDRESS.to_bytes(2, "little")

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:
        """Decode the scenario of the program, with the draws of a ROM image if one is given.

        Raises:
            ScenarioFault: the file is another program, or a changed one that fails a check; or the
                second file is another ROM.
        """
        if companion is not None and not is_rom(companion):
            text = "the second file is not the ROM that the original draws from"
            raise ScenarioFault("", text, "WD-RNG-2")
        if len(data) != PROGRAM_SIZE:
            text = f"a C64 program of {len(data)} bytes, not the {PROGRAM_SIZE} of the original"
            raise ScenarioFault("", text, "WD-IMP-1")
        remarks = []
        if hashlib.sha256(data).hexdigest() != original().sha256:
            remarks.append("not the known copy of the program (another SHA-256), but it fits")
        codes = unpack(bytes_at(data, 0x1788, 695))
        check_numbers(data)
        scenario = build(data, meadow_pictures(codes, data[2:]))
        check_counts(scenario)
        if companion is not None:
            scenario = with_cycle(scenario, companion)
        check(scenario)
        return Imported(scenario, tuple(remarks))


def build(data: bytes, codes: bytes) -> Map:
    """Build the scenario from a program's tables and a map of 3200 codes. Rules: WD-IMP-4."""
    facts = original()
    keys = [row.key for row in units_table()]
    placed = tuple(
        Placed(keys[kind], x, y) for kind, x, y in placement(bytes_at(data, 0x1057, 602))
    )
    return Map(
        name="original",
        title="Weltendämmerung 1987",
        about="The map of the original program, imported from your own copy.",
        frontier=facts.frontier,
        rounds=facts.rounds,
        cursor=facts.cursor,
        rows=sign_rows([terrain_of(code) for code in codes], WIDTH),
        units=placed,
        sites=tuple(SitePlaced(x, y) for x, y in gate_sites(data)),
    )


def gate_sites(data: bytes) -> tuple[tuple[int, int], ...]:
    """Return the tiles of the gate sites, 0-based; the file counts from 1. See: WD-IMP-1."""
    columns, rows = bytes_at(data, 0x0F5D, SITES), bytes_at(data, 0x0F6A, SITES)
    return tuple((x - 1, y - 1) for x, y in zip(columns, rows, strict=True))


def placement(table: bytes) -> tuple[tuple[int, int, int], ...]:
    """Decode (type, x, y) of every unit, in the order of the ids. Rules: WD-IMP-3.

    Raises:
        ScenarioFault: the table has no end, breaks off in a pair, or has an unknown type.
    """
    placed: list[tuple[int, int, int]] = []
    kind, at = -1, 0
    while True:
        if at >= len(table):
            raise ScenarioFault("units", "the placement has no end mark", "WD-IMP-3")
        value = table[at]
        if value == END:
            return tuple(placed)
        if value >= MARKER:
            kind, at = value & 0x1F, at + 1
            if kind >= TYPES:
                raise ScenarioFault("units", f"there is no unit type {kind}", "WD-IMP-3")
            continue
        if kind < 0 or at + 1 >= len(table):
            raise ScenarioFault("units", "the placement is broken", "WD-IMP-3")
        placed.append((kind, value, table[at + 1]))
        at += 2


def bytes_at(data: bytes, address: int, count: int) -> bytes:
    """Return bytes of the program at a memory address."""
    start = address - LOAD_ADDRESS + 2
    return data[start : start + count]


# -- checks against the rule book --------------------------------------------------------


def check_numbers(data: bytes) -> None:
    """Compare every number of the program with the rule book. Rules: WD-IMP-5. See: WD-NUM-1.

    Raises:
        ScenarioFault: with all differences.
    """
    rows = units_table()
    tables: tuple[tuple[str, int, bool, list[int]], ...] = (
        ("V", 0x1017, True, [row.v for row in rows]),
        ("R", 0x1027, True, [row.r for row in rows]),
        ("B", 0x1037, True, [row.b for row in rows]),
        ("A", 0x1047, True, [row.a for row in rows]),
        ("river price", 0x0BC3, False, [row.river or 0 for row in rows]),
        ("forest price", 0x0BD3, False, [row.forest or 0 for row in rows]),
        ("swamp price", 0x0BE3, False, [row.swamp or 0 for row in rows]),
    )
    faults = []
    for name, address, is_decimal, wanted in tables:
        for row, byte, value in zip(rows, bytes_at(data, address, TYPES), wanted, strict=True):
            found = decimal(byte, "units", f"{name} of {row.key}") if is_decimal else byte
            if found != value:
                faults.append(f"{name} of {row.key} is {found}, not {value}")
    faults += _odd_numbers(data)
    if faults:
        raise ScenarioFault("units", "; ".join(faults), "WD-IMP-5")


def _odd_numbers(data: bytes) -> list[str]:
    """Return the faults in the number of Dailor's units and in the modifiers."""
    faults = []
    counts = zip(units_table(), original().counts, strict=True)
    dailor = sum(count for row, count in counts if row.side == DAILOR)
    told = bytes_at(data, 0x080E, 1)[0]
    if told != dailor:
        faults.append(f"{told} Dailor units are counted, not {dailor}")
    modifiers = tuple(bytes_at(data, 0x1579, len(chance_table().modifiers)))
    if modifiers != chance_table().modifiers:
        faults.append(f"the modifiers are {modifiers}")
    return faults


def check_counts(scenario: Map) -> None:
    """Compare the numbers of units, End tiles and tiles with the original. Rules: WD-IMP-5.

    Raises:
        ScenarioFault: with all differences.
    """
    keys = [row.key for row in units_table()]
    found = Counter(unit.type for unit in scenario.units)
    faults = [
        f"{found[key]} units of type {key}, not {count}"
        for key, count in zip(keys, original().counts, strict=True)
        if found[key] != count
    ]
    (sign,) = sign_rows([Terrain.END], 1)
    ends = sum(row.count(sign) for row in scenario.rows)
    if ends != original().end_tiles:
        faults.append(f"{ends} End tiles, not {original().end_tiles}")
    if sum(map(len, scenario.rows)) != TILES:
        faults.append(f"not {TILES} tiles")
    if faults:
        raise ScenarioFault("units", "; ".join(faults), "WD-IMP-5")


# -- the ROM and its modifiers -----------------------------------------------------------


class RomImporter:
    """Importer of a KERNAL ROM image, whose first 256 bytes are the draws of ``c64_cycle``.

    The scenario is that of the program file given with it, or else the first shipped one.
    See: WD-RNG-3.
    """

    name = "a C64 KERNAL ROM image (8192 bytes), for chance = c64_cycle"
    companion = "the original program file; without it the usual scenario gets the ROM's chance"

    def sniff(self, data: bytes) -> bool:
        """Return whether a file has the ROM's size and the weights of the rule book."""
        return is_rom(data)

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:
        """Return the scenario with the draws of this ROM.

        Raises:
            ScenarioFault: this is another ROM, or the second file is not the program.
        """
        if not is_rom(data):
            raise ScenarioFault("", "not the ROM that the original draws from", "WD-RNG-2")
        if companion is None:
            base = next(iter(RULES.scenarios().values()))
            assert isinstance(base, Map)  # noqa: S101 - tells the type checker
            return Imported(with_cycle(base, data))
        program = ProgramImporter()
        if not program.sniff(companion):
            raise ScenarioFault("", "the second file is not the original program", "WD-IMP-1")
        return program.read(companion, data)


def is_rom(data: bytes) -> bool:
    """Return whether a file has the ROM's size and the rule book's weights. See: WD-RNG-2."""
    return len(data) == ROM_SIZE and weights(cycle_of(data)) == chance_table().weights


def cycle_of(data: bytes) -> tuple[int, ...]:
    """Return the indices 0 to 7 of the 256 draws of a ROM image. See: WD-RNG-2."""
    return tuple(byte & 7 for byte in data[:CYCLE])


def weights(indices: tuple[int, ...]) -> tuple[int, ...]:
    """Count the occurrences of each modifier 0 to 4."""
    found = Counter(MODIFIERS[index] for index in indices)
    return tuple(found[modifier] for modifier in range(5))


def with_cycle(base: Map, rom: bytes) -> Map:
    """Return the scenario with the draws of a ROM image. See: WD-RNG-3."""
    return replace(
        base,
        name=f"{base.name}-cycle",
        title=f"{base.title}, original chance",
        options=replace(base.options, chance="c64_cycle"),
        cycle=cycle_of(rom),
    )
