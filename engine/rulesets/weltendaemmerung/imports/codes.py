"""Byte formats of the original: decimal bytes, terrain codes, packed map (sections 3, 4 and 14).

Rules: WD-NUM-2.

The engine counts in plain integers, so that nothing wraps at 100 (WD-NUM-2). Only files of the
original are in these formats. A terrain code is a byte from $61 to $73. A packed map is a sequence
of runs of codes, ended by $FF.
"""

from __future__ import annotations

from engine.core.ruleset import ScenarioFault
from engine.rulesets.weltendaemmerung.state import Terrain

TILES = 3200
WIDTH = 80
END = 0xFF
FIRST_PICTURE = 0x61
FIRST_CODE = 0x69
LAST_CODE = 0x73
UNIT_CODE = 0x74
SINGLES = 0x72


# -- decimal bytes -----------------------------------------------------------------------


def decimal(byte: int, place: str, named: str = "") -> int:
    """Decode a packed decimal byte of a file; the catapult's range $12 is also read as 12.

    Rules: WD-NUM-1, WD-NUM-5.

    Raises:
        ScenarioFault: at ``place``, a nibble is above 9.
    """
    tens, ones = divmod(byte, 16)
    if tens > 9 or ones > 9:
        unnamed = f"${byte:02X} is no decimal byte"
        text = f"{named} is ${byte:02X}, no decimal byte" if named else unnamed
        raise ScenarioFault(place, text, "WD-NUM-1")
    return 10 * tens + ones


# -- terrain codes -----------------------------------------------------------------------


def terrain_of(code: int) -> Terrain:
    """Return the terrain of a code. See: WD-TERR-1.

    Raises:
        ScenarioFault: the byte is not a terrain code.
    """
    if FIRST_CODE <= code <= LAST_CODE:
        return Terrain(code - FIRST_CODE)
    if FIRST_PICTURE <= code < FIRST_CODE:
        return Terrain(Terrain.WALL_1 + code - FIRST_PICTURE)
    raise ScenarioFault("rows", f"${code:02X} is no terrain code", "WD-IMP-5")


def unpack(packed: bytes) -> bytes:
    """Return the codes of a packed map, row by row from the north-west. Rules: WD-IMP-2.

    Raises:
        ScenarioFault: a byte is invalid, the end mark is missing, or there are not 3200 tiles.
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
        text = f"byte {place} of the packed map is ${value:02X}, which means nothing"
        raise ScenarioFault("rows", text, "WD-IMP-2")
    return bytes([0x6A + kind if kind < 8 else 0x59 + kind]) * count


def meadow_pictures(codes: bytes, text: bytes) -> bytes:
    """Return the codes with every meadow in the picture that the original chooses. See: WD-IMP-2.

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
