"""The original's packed records: image of a game, sets of unit types (sections 16.2, 16.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from struct import Struct, unpack_from
from typing import Final
from unicodedata import normalize

from engine.core.record import Record, replace
from engine.core.ruleset import ScenarioFault
from engine.kit.grid import Place
from engine.rulesets.warlords2.tables import HERO
from engine.rulesets.warlords2.tables import unit_types as book_types
from engine.strategic.pieces import Bonus, Guardian, Trait, UnitType

RULE: Final = "W2-16.3"

SIZE: Final = 12001
SIDES: Final = 8
TYPES: Final = 29
EMPTY_SLOT: Final = 255
_NAMES, _ARRAYS, _OPTIONS, _IN_USE = 0x000, 0x0A0, 0x110, 0x137
_PURSES, _ORDERS, _TABLE = 0x183, 0x60B, 0x710
_SITES, _ITEMS, _GUARDIANS, _STRENGTHS, _CITIES = 0x80F, 0xCE9, 0xF67, 0x1007, 0x157B
_LONG_NAME, _NAME = 20, 16
_PURSE, _SITE, _ITEM, _CITY = 20, 31, 29, 65


class ImageSide(Record, frozen=True):
    """A side; ``used`` is True if it is in the game."""

    name: str
    used: bool
    gold: int
    capital: Place
    computer: bool
    level: int
    enhanced: bool
    order: tuple[int, ...]


class CityRow(Record, frozen=True):
    """A city; ``types`` are the types it can make, without empty slots."""

    x: int
    y: int
    name: str
    owner: int
    types: tuple[int, ...]
    income: int


class SiteRow(Record, frozen=True):
    """A site; kind 1 is a temple."""

    x: int
    y: int
    name: str
    kind: int


class ItemRow(Record, frozen=True):
    """An item."""

    name: str
    kind: int
    value: int


class Image(Record, frozen=True):
    """The decoded parts of an image. ``table`` has 255 categories in original numbers."""

    sides: tuple[ImageSide, ...]
    options: tuple[int, ...]
    neutral_order: tuple[int, ...]
    table: bytes
    sites: tuple[SiteRow, ...]
    items: tuple[ItemRow, ...]
    guardians: tuple[Guardian, ...]
    cities: tuple[CityRow, ...]


def image_of(data: bytes) -> Image:
    """Decode the image of a game, as in the original's scenario files. Rules: W2-16.3.

    Raises:
        ScenarioFault: its size is wrong, or a count exceeds the space for it.
    """
    if len(data) != SIZE:
        raise ScenarioFault("SCN", f"{len(data)} bytes, not {SIZE}", RULE)
    orders = [
        tuple(data[_ORDERS + TYPES * row : _ORDERS + TYPES * (row + 1)]) for row in range(SIDES + 1)
    ]
    return Image(
        sides=tuple(_side(data, number, orders[number]) for number in range(SIDES)),
        options=tuple(unpack_from("<18H", data, _OPTIONS)),
        neutral_order=orders[SIDES],
        table=data[_TABLE : _TABLE + 255],
        sites=tuple(
            _site(data, _SITES + 2 + _SITE * n) for n in range(_count(data, _SITES, 40, "sites"))
        ),
        items=tuple(_item(data, _ITEMS + _ITEM * number) for number in range(22)),
        guardians=tuple(
            Guardian(
                text(data, _GUARDIANS + _NAME * number, _NAME),
                unpack_from("<H", data, _STRENGTHS + 2 * number)[0],
            )
            for number in range(1, 10)
        ),
        cities=tuple(
            _city(data, _CITIES + 2 + _CITY * n)
            for n in range(_count(data, _CITIES, 100, "cities"))
        ),
    )


def _count(data: bytes, at: int, most: int, what: str) -> int:
    count = int(unpack_from("<H", data, at)[0])
    if count > most:
        raise ScenarioFault("SCN", f"{count} {what}; it can hold {most}", RULE)
    return count


def text(data: bytes, at: int, size: int) -> str:
    """Decode a text of the original: Mac Roman up to a zero byte, control characters as blanks."""
    return clean(data[at : at + size].split(b"\0", 1)[0].decode("mac-roman")).replace("\n", " ")


def clean(words: str) -> str:
    """Return a text with blanks for unprintable characters except line ends, and stripped."""
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in words).strip()


def _side(data: bytes, number: int, order: tuple[int, ...]) -> ImageSide:
    def of_array(row: int) -> int:
        return int(unpack_from("<H", data, _ARRAYS + 16 * row + 2 * number)[0])

    _, gold, _, x, y = unpack_from("<5H", data, _PURSES + _PURSE * number)
    return ImageSide(
        name=text(data, _NAMES + _LONG_NAME * number, _LONG_NAME),
        used=unpack_from("<H", data, _IN_USE + 2 * number)[0] != 0,
        gold=gold,
        capital=(x, y),
        computer=of_array(3) != 0,
        level=of_array(2),
        enhanced=of_array(5) != 0,
        order=order,
    )


def _site(data: bytes, at: int) -> SiteRow:
    x, y = unpack_from("<2H", data, at)
    return SiteRow(x, y, text(data, at + 4, _LONG_NAME), data[at + 24])


def _item(data: bytes, at: int) -> ItemRow:
    return ItemRow(text(data, at, _LONG_NAME), data[at + 20], data[at + 21])


def _city(data: bytes, at: int) -> CityRow:
    x, y = unpack_from("<2H", data, at)
    return CityRow(
        x=x,
        y=y,
        name=text(data, at + 4, _NAME),
        owner=data[at + 21],
        types=tuple(kind for kind in data[at + 22 : at + 26] if kind != EMPTY_SLOT),
        income=unpack_from("<H", data, at + 42)[0],
    )


# -- sets of unit types, ``DAT `` (section 16.2) ---------------------------------------------------


UNITS_RULE: Final = "W2-16.2"

ARMY_SET: Final = ("DAT", 20000)
TERRAIN_SET: Final = ("DAT", 30000)
"""Resources of a unit set in the file of an army set and of a terrain set."""

_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_UNIT_ROW: Final = Struct("<BB20s20h")
_UNIT_NAME_AT: Final = 2
_UNIT_NAME: Final = 20

_CANCELS: Final[Mapping[int, tuple[Trait, ...]]] = {
    0: (),
    1: ("siege",),
    2: ("anti-hero",),
    3: ("anti-pack",),
    4: ("works",),
}
"""Traits against foes, by the original's number."""

_ABLE: Final[tuple[Trait, ...]] = ("fly", "woods", "hills", "boat")
"""Abilities of a type, in the order of the row's last four numbers."""


def set_of(resources: Mapping[tuple[str, int], bytes]) -> bytes:
    """Return a file's set of unit types, or b"". An army set takes precedence over a terrain's."""
    return resources.get(ARMY_SET) or resources.get(TERRAIN_SET) or b""


def read_units(data: bytes) -> tuple[UnitType, ...]:
    """Decode the 29 types of a set, in the order of the file.

    A key is the book's if the name is the book's, else it is built from the name. A set does not
    contain the default line of battle; it comes from the book's type with the same number. The same
    goes for the hero's turns, cost and price, because heroes are neither made nor bought.

    See: W2-16.2, W2-7.

    Raises:
        ScenarioFault: rows are missing, a number occurs twice, or a trait is unknown.
    """
    if len(data) < TYPES * _UNIT_ROW.size:
        short = f"{len(data)} bytes are too few for {TYPES} rows of {_UNIT_ROW.size}"
        raise ScenarioFault("DAT", short, UNITS_RULE)
    found = tuple(_rows(data))
    told = {kind.id for kind in found}
    if len(told) < TYPES:
        absent = min(set(range(TYPES)) - told)
        raise ScenarioFault("DAT", f"no row is of the type {absent}", UNITS_RULE)
    return tuple(_keyed(found))


def _keyed(kinds: Iterable[UnitType]) -> Iterator[UnitType]:
    """Yield the types with unique keys, which scenario files and tools refer to."""
    taken: set[str] = set()
    for kind in kinds:
        usual = book_types()[kind.id]
        plain = normalize("NFKD", kind.name).encode("ascii", "ignore").decode().lower()
        word = _NO_WORD.sub("_", plain).lstrip("_0123456789").rstrip("_") or usual.key
        key = usual.key if kind.name == usual.name else word
        number = 2
        while key in taken:
            key, number = f"{word}_{number}", number + 1
        taken.add(key)
        yield replace(kind, key=key)


def left_over(data: bytes) -> int:
    """Return the number of bytes of a set after its rows; their meaning is unknown."""
    return max(0, len(data) - TYPES * _UNIT_ROW.size)


def _rows(data: bytes) -> Iterator[UnitType]:
    for number in range(TYPES):
        at = number * _UNIT_ROW.size
        name = text(data, at + _UNIT_NAME_AT, _UNIT_NAME)
        yield _type(f"DAT[{number}]", name, _UNIT_ROW.unpack_from(data, at))


def _type(place: str, name: str, row: tuple[int, ...]) -> UnitType:
    """Decode a type from its row: number, a zero, the name, and twenty numbers."""
    kind, (strength, turns, cost, move, price), rest = row[0], row[3:8], row[8:]
    if kind not in book_types():
        raise ScenarioFault(place, f"there is no type {kind}; they go to {TYPES - 1}", UNITS_RULE)
    special, foe, cancels, *able = rest[8:]
    if cancels not in _CANCELS:
        raise ScenarioFault(place, f"there is no trait {cancels} against foes", UNITS_RULE)
    usual = book_types()[kind]
    traits = tuple(trait for trait, has in zip(_ABLE, able, strict=True) if has)
    made = replace(
        usual,
        name=name or usual.name,
        strength=strength,
        move=move,
        own=_bonus(rest[:4]),
        pack=_bonus(rest[4:8]),
        foe=-abs(foe),  # the layout does not say with which sign a malus is kept
        special=special,
        traits=(*traits, *_CANCELS[cancels], *(("hero",) if kind == HERO else ())),
    )
    if kind == HERO:
        return made
    return replace(made, turns=turns, cost=cost, price=price)


def _bonus(numbers: tuple[int, ...]) -> Bonus:
    city, open_, woods, hills = numbers
    return city, open_, woods, hills
