"""The original's sets of unit types, resource ``DAT `` (section 16.2): packed, little-endian."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from struct import Struct
from typing import Final
from unicodedata import normalize

from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2.imports.image import TYPES, text
from engine.rulesets.warlords2.units import HERO
from engine.rulesets.warlords2.units import types as book_types
from engine.strategic.pieces import Bonus, Trait, UnitType

RULE: Final = "W2-16.2"

ARMY_SET: Final = ("DAT", 20000)
TERRAIN_SET: Final = ("DAT", 30000)
TERRAIN_NAMES: Final = ("DAT", 30030)
"""Where a set is in the file of an army set and in that of a terrain, and the terrain's names."""

_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_ROW: Final = Struct("<BB20s20h")
_NAME_AT: Final = 2
_NAME: Final = 20

_CANCELS: Final[Mapping[int, tuple[Trait, ...]]] = {
    0: (),
    1: ("siege",),
    2: ("anti-hero",),
    3: ("anti-pack",),
    4: ("works",),
}
"""What a type takes from its foes, by the original's number."""

_ABLE: Final[tuple[Trait, ...]] = ("fly", "woods", "hills", "boat")
"""What a type can, in the order of the row's last four numbers."""


def set_of(resources: Mapping[tuple[str, int], bytes]) -> bytes:
    """The set of unit types of a file, empty if there is none; an army set before a terrain's."""
    return resources.get(ARMY_SET) or resources.get(TERRAIN_SET) or b""


def read_units(data: bytes) -> tuple[UnitType, ...]:
    """The 29 types of a set, in the order of the file.

    Keys are made of the names, the book's where that is the name. The usual line of battle is not
    in it, and that of the same number here is used; for the hero, whom nobody makes or buys, so are
    turns, cost and price.

    Rules: W2-16.2, W2-7.

    Raises:
        ScenarioFault: rows are missing, a number comes twice, or there is no such trait.
    """
    if len(data) < TYPES * _ROW.size:
        short = f"{len(data)} bytes are too few for {TYPES} rows of {_ROW.size}"
        raise ScenarioFault("DAT", short, RULE)
    found = tuple(_rows(data))
    told = {kind.id for kind in found}
    if len(told) < TYPES:
        absent = min(set(range(TYPES)) - told)
        raise ScenarioFault("DAT", f"no row is of the type {absent}", RULE)
    return tuple(_keyed(found))


def _keyed(kinds: Iterable[UnitType]) -> Iterator[UnitType]:
    """The types with the keys that scenario files and tools call them by, all of them different."""
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
    """Bytes of a set after its rows, of which nothing is known."""
    return max(0, len(data) - TYPES * _ROW.size)


def _rows(data: bytes) -> Iterator[UnitType]:
    for number in range(TYPES):
        at = number * _ROW.size
        name = text(data, at + _NAME_AT, _NAME)
        yield _type(f"DAT[{number}]", name, _ROW.unpack_from(data, at))


def _type(place: str, name: str, row: tuple[int, ...]) -> UnitType:
    """A type out of its row: number, a zero, the name, and twenty numbers."""
    kind, (strength, turns, cost, move, price), rest = row[0], row[3:8], row[8:]
    if kind not in book_types():
        raise ScenarioFault(place, f"there is no type {kind}; they go to {TYPES - 1}", RULE)
    special, foe, cancels, *able = rest[8:]
    if cancels not in _CANCELS:
        raise ScenarioFault(place, f"there is no trait {cancels} against foes", RULE)
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
