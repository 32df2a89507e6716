"""Files in the layout of the original program, built from the rule book: no original data.

The map and the placement are invented; only counts, tables and addresses are the original's.
"""

from __future__ import annotations

from itertools import groupby

from engine.rulesets.weltendaemmerung.imports.codes import FIRST_CODE, SINGLES
from engine.rulesets.weltendaemmerung.imports.program import original
from engine.rulesets.weltendaemmerung.tables import units_table

WIDTH, HEIGHT = 80, 40
MEADOW, RIVER, END, GATE, PAVEMENT = 0x69, 0x6B, 0x6D, 0x6F, 0x71
SITES = tuple((4, 2 + 3 * number) for number in range(13))
SHIP = 4
SCRATCH = bytes((7 * number) % 251 for number in range(7129))


def made_up_map() -> bytearray:
    """Return 80x40 codes: meadow, a river column, gates at all sites, End tiles in the corners."""
    codes = bytearray([MEADOW]) * (WIDTH * HEIGHT)
    for y in range(HEIGHT):
        codes[y * WIDTH + 40] = RIVER
    for x, y in SITES:
        codes[y * WIDTH + x] = GATE
    for x, y in ((0, 0), (79, 0), (0, 39), (79, 39)):
        codes[y * WIDTH + x] = END
    return codes


def made_up_units() -> list[tuple[int, int, int]]:
    """Return (type, x, y) of 292 units: ships on the river, all others in rows."""
    ships = iter([(40, y) for y in range(1, 30)])
    free = iter([(x, y) for x in (*range(10, 30), *range(60, 78)) for y in range(1, 39)])
    placed: list[tuple[int, int, int]] = []
    for kind, count in enumerate(original().counts):
        source = ships if kind == SHIP else free
        placed.extend((kind, *next(source)) for _ in range(count))
    return placed


def put(data: bytearray, address: int, block: bytes) -> None:
    """Write a block at a memory address of the program file."""
    start = address - 0x0801 + 2
    data[start : start + len(block)] = block


def program(
    codes: bytearray | None = None, units: list[tuple[int, int, int]] | None = None
) -> bytearray:
    """Build a program file with these contents, or the invented ones."""
    data = bytearray(SCRATCH)
    data[:2] = b"\x01\x08"
    rows = units_table()
    put(data, 0x080E, bytes([sum(original().counts[7:])]))
    put(data, 0x0BC3, bytes(row.river or 0 for row in rows))
    put(data, 0x0BD3, bytes(row.forest or 0 for row in rows))
    put(data, 0x0BE3, bytes(row.swamp or 0 for row in rows))
    put(data, 0x0F5D, bytes(x + 1 for x, _ in SITES))
    put(data, 0x0F6A, bytes(y + 1 for _, y in SITES))
    put(data, 0x1017, bytes(to_bcd(row.v) for row in rows))
    put(data, 0x1027, bytes(to_bcd(row.r) for row in rows))
    put(data, 0x1037, bytes(to_bcd(row.b) for row in rows))
    put(data, 0x1047, bytes(to_bcd(row.a) for row in rows))
    put(data, 0x1057, placement(made_up_units() if units is None else units))
    put(data, 0x1579, bytes([0, 1, 1, 2, 2, 3, 3, 4]))
    packed = pack(bytes(made_up_map() if codes is None else codes))
    assert len(packed) <= 695
    put(data, 0x1788, packed)
    return data


def placement(units: list[tuple[int, int, int]]) -> bytes:
    """Build a placement table: a marker before each type, pairs, and the end."""
    table, last = bytearray(), -1
    for kind, x, y in units:
        if kind != last:
            table.append(0x80 + kind)
            last = kind
        table.extend((x, y))
    return bytes([*table, 0xFF])


CIRCLE = (0,) * 81 + (1,) * 68 + (3,) * 44 + (5,) * 47 + (7,) * 16
"""Draws with the weights of the rule book, in an invented order."""


def rom() -> bytes:
    """Build a ROM image that begins with these draws."""
    return bytes(index + 8 for index in CIRCLE) + bytes(8192 - len(CIRCLE))


def saved(dead: tuple[int, ...] = (), rounds: int = 3, ruined: tuple[int, ...] = ()) -> bytearray:
    """Build a saved game of the invented program, with ``dead`` units and ``ruined`` sites."""
    data = bytearray(5771)
    data[:2] = b"\xf0\x4f"
    codes, under = made_up_map(), made_up_map()
    for number in ruined:
        x, y = SITES[number]
        codes[y * WIDTH + x] = under[y * WIDTH + x] = PAVEMENT
    rows = units_table()
    living = 0
    for number, (kind, x, y) in enumerate(made_up_units()):
        row = rows[kind]
        numbers = (to_bcd(row.v), to_bcd(row.b), to_bcd(row.b))
        place = y * WIDTH + x
        record = bytes([x, y, *numbers, under[place]])
        if number in dead:
            record = bytes([x, 0xFF, *numbers, under[place]])
        else:
            codes[place] = 0x74 + kind
            living += kind >= 7
        data[4018 + 6 * number : 4024 + 6 * number] = record
    data[2] = living
    data[4:17] = bytes(0xFF if number in ruined else 0 for number in range(13))
    data[17] = to_bcd(rounds)
    data[18:3218] = codes
    return data


def to_bcd(number: int) -> int:
    """Return the packed decimal byte of a number from 0 to 99."""
    assert 0 <= number <= 99
    return 16 * (number // 10) + number % 10


LONGEST_RUN = 15
END_MARK = 0xFF


def pack(codes: bytes) -> bytes:
    """Pack codes: the inverse of ``unpack``. Meadow $69 is packed as $6A, the same terrain.

    A run of fifteen $68 would read as the end mark, so its runs have at most fourteen.
    """
    packed = bytearray()
    for code, run in groupby(0x6A if code == FIRST_CODE else code for code in codes):
        count = len(list(run))
        if code >= SINGLES:
            packed.extend([code - SINGLES] * count)
            continue
        kind = code - 0x6A if code >= 0x6A else code - 0x59
        most = LONGEST_RUN - 1 if LONGEST_RUN * 16 + kind == END_MARK else LONGEST_RUN
        for done in range(0, count, most):
            packed.append(min(count - done, most) * 16 + kind)
    return bytes([*packed, END_MARK])
