"""The original's image of a game, resource ``SCN `` (section 16.3): packed, little-endian."""

from __future__ import annotations

from struct import unpack_from
from typing import Final

from engine.core.record import Record
from engine.core.ruleset import ScenarioFault
from engine.kit.grid import Place

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


class SideRow(Record, frozen=True):
    """A side. ``used``: it is in the game."""

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
    """A thing."""

    name: str
    kind: int
    value: int


class GuardianRow(Record, frozen=True):
    """What keeps sites."""

    name: str
    strength: int


class Image(Record, frozen=True):
    """Everything that is read of it. ``table`` has 255 categories in original numbers."""

    sides: tuple[SideRow, ...]
    options: tuple[int, ...]
    neutral_order: tuple[int, ...]
    table: bytes
    sites: tuple[SiteRow, ...]
    items: tuple[ItemRow, ...]
    guardians: tuple[GuardianRow, ...]
    cities: tuple[CityRow, ...]


def image_of(data: bytes) -> Image:
    """What is in the image. Rules: W2-16.3.

    Raises:
        ScenarioFault: it has another size, or counts more than it can hold.
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
            GuardianRow(
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
    """A text of the original: Mac Roman, up to a zero byte; odd signs become blanks."""
    return clean(data[at : at + size].split(b"\0", 1)[0].decode("mac-roman")).replace("\n", " ")


def clean(words: str) -> str:
    """The words with blanks instead of signs that cannot be printed, but for ends of lines."""
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in words).strip()


def _side(data: bytes, number: int, order: tuple[int, ...]) -> SideRow:
    def of_array(row: int) -> int:
        return int(unpack_from("<H", data, _ARRAYS + 16 * row + 2 * number)[0])

    _, gold, _, x, y = unpack_from("<5H", data, _PURSES + _PURSE * number)
    return SideRow(
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
