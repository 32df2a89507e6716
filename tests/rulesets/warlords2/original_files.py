"""Builders of files of the original by the layout of section 16, for tests of the importer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import pack, pack_into

from engine.rulesets.warlords2.tables import unit_types
from engine.strategic.pieces import UnitType

WIDTH, HEIGHT = 112, 156
GRASS, RUIN, OCEAN, SHORE = 0x1F, 0x02, 0x27, 0x10
PORT_FLAG = 0x80

TABLE = bytes(
    {0x00: 9, 0x02: 11, 0x1F: 7, 0x10: 3, 0x27: 2, 0x30: 4, 0x40: 5, 0x50: 6}.get(art, 0)
    if not (0x60 <= art < 0x9A)
    else (10 if art % 16 < 14 and art not in range(0x84, 0x90) and art < 0x94 else 0)
    for art in range(255)
)
"""Categories in original numbers, for the pictures of a small land and of all cities."""

CITIES = ((10, 10, "Alpha"), (50, 60, "Beta"), (90, 140, "Gamma"))
THINGS = (("Red Banner", 8, 1), ("Blue Banner", 8, 1), ("Ghost Banner", 8, 1), ("Axe", 1, 2))
SITES = ((20, 20, "Altar", 1), (30, 30, "Crypt", 2))


def fork(parts: Mapping[str, bytes], number: int = 10000) -> bytes:
    """Build a resource fork: one resource of each type, with the same number. Rules: W2-16.1."""
    data, offsets = b"", []
    for content in parts.values():
        offsets.append(len(data))
        data += pack(">I", len(content)) + content
    count = len(parts)
    types = pack(">H", count - 1)
    references = b""
    for place, name in enumerate(parts):
        types += pack(">4sHH", name.ljust(4).encode(), 0, 2 + 8 * count + 12 * place)
        references += pack(">hhII", number, -1, offsets[place], 0)
    listed = types + references
    index = bytes(24) + pack(">HH", 28, 28 + len(listed)) + listed
    head = pack(">4I", 256, 256 + len(data), len(data), len(index))
    return head.ljust(256, b"\0") + data + index


def scenario(**changed: bytes | None) -> dict[str, bytes]:
    """Return the resources of a small scenario. ``changed`` replaces some; None removes one."""
    made: dict[str, bytes] = {
        "MAP": game_map(),
        "RD": roads(),
        "SCN": image(),
        "SCEN": summary(),
        "SGN": signs((12, 13, "Alpha", "over there")),
        "CTY": "#001|An old town.|On a hill.|\r#003|\x8a new one.|\r".encode("latin-1"),
        "SPC": b"#002|Dark.|",
        "vers": b"junk",
    }
    for name, content in changed.items():
        if content is None:
            del made[name]
        else:
            made[name] = content
    return made


def game_map(ports: tuple[tuple[int, int], ...] = ((0, 5),)) -> bytes:
    """Build pictures and flags: grass with a coast in the west."""
    tiles = bytearray(bytes([GRASS, 0]) * (WIDTH * HEIGHT))

    def put(x: int, y: int, art: int, flag: int = 0) -> None:
        tiles[2 * (y * WIDTH + x) : 2 * (y * WIDTH + x) + 2] = bytes([art, flag])

    for y in range(HEIGHT):
        put(0, y, SHORE)
    for x, y in ports:
        put(x, y, SHORE, 0x80)
    for x, y, _ in CITIES:
        for number, art in enumerate((0x60, 0x61, 0x70, 0x71)):
            put(x + number % 2, y + number // 2, art)
    for x, y, _, _ in SITES:
        put(x, y, RUIN)
    return bytes(tiles)


def roads() -> bytes:
    """Build a road from the first city on, and pieces where no road can be."""
    pieces = bytearray(WIDTH * HEIGHT)
    for x in range(9, 20):
        pieces[10 * WIDTH + x] = 3
    pieces[0] = 17
    return bytes(pieces)


def summary(cities: int = 3, sites: int = 2, sides: int = 3) -> bytes:
    """Build the resource ``SCEN``."""
    texts = pack("<20s8s30s", b"Small War", b"small", b"Three towns.")
    return texts + pack("<H8s8s4H", 0, b"", b"", cities, sites, sides, 0)


def signs(*rows: tuple[int, int, str, str]) -> bytes:
    """Build the resource ``SGN ``."""
    return pack("<H", len(rows)) + b"".join(
        pack("<HH50s50s", x, y, one.encode(), other.encode()) for x, y, one, other in rows
    )


def unit_row(kind: int, name: str, *numbers: int) -> bytes:
    """Build a row of a set of unit types from its first numbers; the others are 0."""
    return pack("<BB20s20h", kind, 0, name.encode(), *numbers, *[0] * (20 - len(numbers)))


def unit_set(changed: Mapping[int, bytes] | None = None) -> bytes:
    """Build the resource ``DAT ``: the renamed types of the rule book, with rows ``changed``."""
    rows = (_book_row(kind) for kind in sorted(unit_types().values(), key=lambda kind: kind.id))
    return b"".join((changed or {}).get(number, row) for number, row in enumerate(rows))


def _book_row(kind: UnitType) -> bytes:
    cancels = ("siege", "anti-hero", "anti-pack", "works")
    cancel = next((n for n, trait in enumerate(cancels, 1) if trait in kind.traits), 0)
    able = [int(trait in kind.traits) for trait in ("fly", "woods", "hills", "boat")]
    numbers = (kind.strength, kind.turns, kind.cost, kind.move, kind.price, *kind.own, *kind.pack)
    return unit_row(kind.id, f"T {kind.name}", *numbers, kind.special, kind.foe, cancel, *able)


def image(
    *,
    owner: int = 15,
    unit: int = 11,
    options: Mapping[int, int] | None = None,
    things: Sequence[tuple[str, int, int]] = THINGS,
) -> bytes:
    """Build the resource ``SCN ``: three sides, one of them without a city. Rules: W2-16.3."""
    data = bytearray(12001)
    for number, (name, at) in enumerate((("Reds", 0), ("Blues", 2), ("Ghosts", None))):
        pack_into("<20s", data, 20 * number, name.encode())
        pack_into("<H", data, 0x137 + 2 * number, 1)
        x, y = CITIES[at][:2] if at is not None else (3, 3)
        pack_into("<5H", data, 0x183 + 20 * number, number, 100 + number, 0, x, y)
    pack_into("<H", data, 0xA0 + 16 * 3 + 2, 1)
    pack_into("<H", data, 0xA0 + 16 * 2 + 2, 3)
    pack_into("<H", data, 0xA0 + 16 * 5 + 2, 1)
    for place, value in ({1: 5, 2: 15, 5: 1, 7: 1} | dict(options or {})).items():
        pack_into("<H", data, 0x110 + 2 * place, value)
    for row in range(9):
        data[0x60B + 29 * row : 0x60B + 29 * (row + 1)] = bytes((k + row) % 29 for k in range(29))
    data[0x710 : 0x710 + 255] = TABLE
    pack_into("<H", data, 0x80F, len(SITES))
    for number, (x, y, name, kind) in enumerate(SITES):
        pack_into("<HH20sB", data, 0x811 + 31 * number, x, y, name.encode(), kind)
    for number, (name, kind, value) in enumerate(things):
        pack_into("<20sBB", data, 0xCE9 + 29 * number, name.encode(), kind, value)
    for number in range(1, 10):
        pack_into("<16s", data, 0xF67 + 16 * number, f"Guard {number}".encode())
        pack_into("<H", data, 0x1007 + 2 * number, number)
    pack_into("<H", data, 0x157B, len(CITIES))
    for number, (x, y, name) in enumerate(CITIES):
        at = 0x157D + 65 * number
        pack_into("<HH16sBB", data, at, x, y, name.encode(), 1, owner)
        pack_into("<4B", data, at + 22, unit, 255, 6, 255)
        pack_into("<H", data, at + 42, 20 + number)
    return bytes(data)
