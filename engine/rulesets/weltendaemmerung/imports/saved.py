"""Importer of a saved game of the original program (section 15)."""

from __future__ import annotations

from engine.core.record import replace
from engine.core.ruleset import Imported, ScenarioFault
from engine.rulesets.weltendaemmerung.imports.codes import (
    TILES,
    UNIT_CODE,
    WIDTH,
    decimal,
    terrain_of,
)
from engine.rulesets.weltendaemmerung.imports.program import (
    SITES,
    TYPES,
    ProgramImporter,
    gate_sites,
    original,
)
from engine.rulesets.weltendaemmerung.scenario import check, sign_rows
from engine.rulesets.weltendaemmerung.state import (
    DAILOR,
    ELDOIN,
    MOVE,
    Map,
    Now,
    Placed,
    SitePlaced,
)
from engine.rulesets.weltendaemmerung.tables import units_table

SAVE_SIZE = 5771
START = b"\xf0\x4f"
AT_DAILOR = 2
AT_SITES = 4
AT_ROUNDS = 17
AT_MAP = 18
AT_UNITS = 4018
RECORD = 6
GONE = 0xFF


class SavedImporter:
    """Importer of a saved game as a position. Rules: WD-SAVE-1.

    A save does not contain the tiles of the gate sites, so the program file must come with it.
    """

    name = "a saved game of the original Weltendämmerung (5771 bytes)"
    companion = "the original program file"

    def sniff(self, data: bytes) -> bool:
        """Return whether a file has the load address of saved games."""
        return data[:2] == START

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:
        """Decode the position of a saved game.

        Raises:
            ScenarioFault: the file is not a save or is broken, or the program file is missing.
        """
        if len(data) != SAVE_SIZE:
            text = f"a saved game has {SAVE_SIZE} bytes, not {len(data)}"
            raise ScenarioFault("", text, "WD-SAVE-1")
        if companion is None:
            raise ScenarioFault(
                "", "a saved game does not say where the gate sites are: give the program file too"
            )
        program = ProgramImporter().read(companion)
        codes = data[AT_MAP : AT_MAP + TILES]
        records = [
            data[at : at + RECORD]
            for at in range(AT_UNITS, AT_UNITS + original().units * RECORD, RECORD)
        ]
        units = tuple(_unit(number, record, codes) for number, record in enumerate(records))
        _check_map(codes, records)
        _check_dailor(data[AT_DAILOR], units)
        base = program.scenario
        assert isinstance(base, Map)  # noqa: S101 - tells the type checker
        scenario = replace(
            base,
            name="original-save",
            title=f"{base.title}, saved",
            about="A position from a saved game of the original program.",
            rows=sign_rows([terrain_of(code) for code in _bare_map(codes, records)], WIDTH),
            units=units,
            sites=_sites(data, companion),
            now=Now(completed=_rounds(data[AT_ROUNDS]), phase=MOVE, player=ELDOIN),
        )
        check(scenario)
        remark = "the save does not hold the place in the circle of chance; it is 0"
        return Imported(scenario, (*program.remarks, remark))


def _rounds(byte: int) -> int:
    """Return the number of finished rounds. Rules: WD-SAVE-3."""
    rounds = decimal(byte, "now.completed")
    if rounds >= original().rounds:
        text = f"{rounds} rounds are no game that goes on"
        raise ScenarioFault("now.completed", text, "WD-SAVE-3")
    return rounds


def _sites(data: bytes, program: bytes) -> tuple[SitePlaced, ...]:
    placed = []
    flags = data[AT_SITES : AT_SITES + SITES]
    for number, ((x, y), flag) in enumerate(zip(gate_sites(program), flags, strict=True)):
        if flag not in (0, GONE):
            raise ScenarioFault(f"sites[{number}]", f"${flag:02X} is no flag", "WD-SAVE-1")
        placed.append(SitePlaced(x, y, ruined=flag == GONE))
    return tuple(placed)


def _unit(number: int, record: bytes, codes: bytes) -> Placed:
    """Decode the unit at a list index, which determines its type. Rules: WD-SAVE-2, WD-SAVE-4."""
    kind = original().type_of(number)
    row = units_table()[kind]
    if record[1] == GONE:
        return Placed(row.key, 0, 0, v=row.v, b=row.b, b_max=row.b, alive=False)
    x, y = record[0], record[1]
    place = f"units[{number}]"
    if x >= WIDTH or y >= TILES // WIDTH:
        raise ScenarioFault(place, f"({x}, {y}) is off the map", "WD-SAVE-3")
    shown = codes[y * WIDTH + x] - UNIT_CODE
    if shown != kind:
        told = units_table()[shown].key if 0 <= shown < TYPES else "no unit"
        raise ScenarioFault(place, f"the list has {row.key}, the map {told}", "WD-SAVE-2")
    v, b, b_max = (decimal(byte, place) for byte in record[2:5])
    if b != b_max:
        raise ScenarioFault(place, f"{b} points left of {b_max} between rounds", "WD-SAVE-3")
    return Placed(row.key, x, y, v=v, b=b, b_max=b_max)


def _bare_map(codes: bytes, records: list[bytes]) -> bytes:
    """Return the map codes with units replaced by the terrain under them. Rules: WD-SAVE-3."""
    bare = bytearray(codes)
    for record in records:
        if record[1] != GONE:
            bare[record[1] * WIDTH + record[0]] = record[5]
    return bytes(bare)


def _check_map(codes: bytes, records: list[bytes]) -> None:
    places = [(record[0], record[1]) for record in records if record[1] != GONE]
    if len(set(places)) != len(places):
        raise ScenarioFault("units", "two living units stand on one tile", "WD-SAVE-3")
    shown = sum(code >= UNIT_CODE for code in codes)
    if shown != len(places):
        text = f"the map shows {shown} units, the list has {len(places)}"
        raise ScenarioFault("units", text, "WD-SAVE-3")


def _check_dailor(told: int, units: tuple[Placed, ...]) -> None:
    sides = {row.key: row.side for row in units_table()}
    living = sum(unit.alive and sides[unit.type] == DAILOR for unit in units)
    if living != told:
        text = f"the save counts {told} living Dailor units, the list has {living}"
        raise ScenarioFault("units", text, "WD-SAVE-3")
