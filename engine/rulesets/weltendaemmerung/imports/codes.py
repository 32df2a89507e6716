"""Byte formats of the original: decimal bytes, terrain codes, packed map (sections 3, 4 and 14).

The engine counts in plain integers; only files of the original are in these formats. A terrain code
is a byte from $61 to $73. A packed map is a sequence of runs of codes, ended by $FF.
"""

from __future__ import annotations

from itertools import groupby

from engine.core.ruleset import ScenarioFault
from engine.rulesets.weltendaemmerung.state import Terrain

WRAP = 0x20
"""Byte from which the original takes a difference for wrapped: 20 points."""

TILES = 3200
WIDTH = 80
END = 0xFF
FIRST_PICTURE = 0x61
FIRST_CODE = 0x69
LAST_CODE = 0x73
UNIT_CODE = 0x74
SINGLES = 0x72
LONGEST_RUN = 15


# -- decimal bytes -----------------------------------------------------------------------


def from_bcd(byte: int) -> int:
    """Number of a packed decimal byte. Rules: WD-NUM-1.

    The same for ranges: the catapult's $12 is 12. Rules: WD-NUM-5.

    Raises:
        ValueError: a nibble is above 9.
    """
    tens, ones = divmod(byte, 16)
    if not 0 <= tens <= 9 or ones > 9:
        raise ValueError(f"${byte:02X} is no decimal byte")
    return 10 * tens + ones


def to_bcd(number: int) -> int:
    """Packed decimal byte of a number. Rules: WD-NUM-1.

    Raises:
        ValueError: it is not from 0 to 99.
    """
    if not 0 <= number <= 99:
        raise ValueError(f"{number} does not fit into a decimal byte")
    return 16 * (number // 10) + number % 10


def decimal(byte: int, place: str, named: str = "") -> int:
    """Number of a decimal byte of a file.

    Raises:
        ScenarioFault: at ``place``, a nibble is above 9. Rules: WD-NUM-1.
    """
    try:
        return from_bcd(byte)
    except ValueError:
        said = (
            f"{named} is ${byte:02X}, no decimal byte"
            if named
            else f"${byte:02X} is no decimal byte"
        )
        raise ScenarioFault(place, said, "WD-NUM-1") from None


def bcd_add(a: int, b: int) -> int:
    """Sum of two decimal bytes modulo 100, as on the original's processor. Rules: WD-NUM-2."""
    return to_bcd((from_bcd(a) + from_bcd(b)) % 100)


def bcd_sub(a: int, b: int) -> int:
    """Difference of two decimal bytes modulo 100. Rules: WD-NUM-2."""
    return to_bcd((from_bcd(a) - from_bcd(b)) % 100)


def pay_bcd(b: int, price: int, *, from_table: bool) -> int:
    """Points left after a step in the original's bytes. Rules: WD-NUM-3.

    ``from_table``: the price is that of river, forest or swamp, where 20 and more read as 0.
    """
    left = bcd_sub(to_bcd(b), to_bcd(price))
    return 0 if from_table and left >= WRAP else from_bcd(left)


def life_left_bcd(v: int, damage: int) -> int:
    """Life left after a hit in the original's bytes, 0 from $5A up. Rules: WD-NUM-4."""
    left = bcd_sub(to_bcd(v), to_bcd(damage))
    return 0 if left >= 0x5A else from_bcd(left)


# -- terrain codes -----------------------------------------------------------------------


def terrain_of(code: int) -> Terrain:
    """Terrain of a code. Rules: WD-TERR-1.

    Raises:
        ScenarioFault: this is no terrain code.
    """
    if FIRST_CODE <= code <= LAST_CODE:
        return Terrain(code - FIRST_CODE)
    if FIRST_PICTURE <= code < FIRST_CODE:
        return Terrain(Terrain.WALL_1 + code - FIRST_PICTURE)
    raise ScenarioFault("rows", f"${code:02X} is no terrain code", "WD-IMP-5")


def unpack(packed: bytes) -> bytes:
    """Codes of a packed map, row by row from the north-west. Rules: WD-IMP-2.

    Raises:
        ScenarioFault: a byte has no meaning, the end mark is missing, or there are not 3200 tiles.
    """
    codes = bytearray()
    for place, value in enumerate(packed):
        if value == END:
            break
        codes.extend(_run(value, place))
    else:
        raise ScenarioFault("rows", "the packed map has no end mark", "WD-IMP-2")
    if len(codes) != TILES:
        raise ScenarioFault("rows", f"the map has {len(codes)} tiles, not {TILES}", "WD-IMP-5")
    return bytes(codes)


def _run(value: int, place: int) -> bytes:
    if value in (0, 1):
        return bytes([SINGLES + value])
    count, kind = divmod(value, 16)
    if count == 0:
        raise ScenarioFault(
            "rows",
            f"byte {place} of the packed map is ${value:02X}, which means nothing",
            "WD-IMP-2",
        )
    return bytes([0x6A + kind if kind < 8 else 0x59 + kind]) * count


def pack(codes: bytes) -> bytes:
    """Inverse of ``unpack``; meadow $69 is packed as $6A, the same terrain.

    A run of fifteen $68 would read as the end mark, so that runs of it have at most fourteen.
    """
    packed = bytearray()
    for code, run in groupby(0x6A if code == FIRST_CODE else code for code in codes):
        count = len(list(run))
        if code >= SINGLES:
            packed.extend([code - SINGLES] * count)
            continue
        kind = code - 0x6A if code >= 0x6A else code - 0x59
        most = LONGEST_RUN - 1 if LONGEST_RUN * 16 + kind == END else LONGEST_RUN
        for done in range(0, count, most):
            packed.append(min(count - done, most) * 16 + kind)
    return bytes([*packed, END])


def meadow_pictures(codes: bytes, text: bytes) -> bytes:
    """Codes with every meadow in the picture that the original chooses. Rules: WD-IMP-2.

    The original takes the lowest bits of the bytes of its own program ``text`` in turn, from $0801
    to $08FF, then $0800 (which counts as 0) and again from $0801. ``text`` begins at $0801.
    """
    page = bytes([0, *text[:255]])
    drawn, place = bytearray(codes), 1
    for number, code in enumerate(codes):
        if code in (FIRST_CODE, FIRST_CODE + 1):
            drawn[number] = FIRST_CODE + (page[place] & 1)
            place = (place + 1) % 256
    return bytes(drawn)
