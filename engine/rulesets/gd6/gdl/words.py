"""Single words of the order language, in and out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.rulesets.gd6.gdl.faults import Code, WrongWord
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.orders import UNITS, Construct, Item, Unit

ARROW: Final = "→"
"""Between the territories of a path."""
PLAIN_ARROW: Final = "->"
"""Read as an arrow, never written."""

COMMENT: Final = "//"

HQ: Final = "Hq"
MINES: Final = "M"

CONSTRUCT_WORDS: Final[Mapping[str, Construct]] = {
    "Tow": "watchtower",
    "Biv": "bivouac",
    "Lib": "library",
}
ITEM_WORDS: Final[Mapping[str, Item]] = {"Crp": "crop", "Dyn": "dynamite", "Tox": "toxic"}

_DIGITS: Final = re.compile(r"[0-9]{1,9}")
_QUANTITY: Final = re.compile(r"([0-9]{1,9})([A-Z])")
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{3}")


@cache
def unit_letters() -> Mapping[str, Unit]:
    """The types of units by letter. Rules: GD-UNIT-1."""
    return {unit_rows()[unit].letter: unit for unit in UNITS}


def whole(word: str) -> int | None:
    """A whole number written in digits alone, of nine at the most; None if it is none."""
    return int(word) if _DIGITS.fullmatch(word) else None


def territory(word: str, count: int) -> int:
    """A territory from 1 to ``count``. Rules: GD-GDL-4.

    Raises:
        WrongWord: there is none of that number, or it is no number.
    """
    at = whole(word)
    if at is None or not 1 <= at <= count:
        known = f"there are 1 to {count}" if count else "the text has none yet"
        raise WrongWord(Code.UNKNOWN_TERRITORY, f"{shown(word)} is no territory; {known}")
    return at


def pieces(word: str) -> list[str]:
    """The words between the arrows of a path. Rules: GD-GDL-3.

    Raises:
        WrongWord: there is nothing between two arrows, or at an end.
    """
    parts = word.replace(PLAIN_ARROW, ARROW).split(ARROW)
    if not all(parts):
        raise WrongWord(Code.BAD_PATH, f"{shown(word)} has an arrow without a territory")
    return parts


def path(word: str, count: int) -> tuple[int, ...]:
    """The territories of a path. Rules: GD-GDL-3."""
    return tuple(territory(part, count) for part in pieces(word))


def quantity(word: str) -> tuple[int, str]:
    """A number and the letter of what it counts. Rules: GD-GDL-3.

    Raises:
        WrongWord: it is something else.
    """
    found = _QUANTITY.fullmatch(word)
    if found is None:
        raise WrongWord(Code.BAD_ARGUMENT, f"{shown(word)} is no number with a letter, such as 3A")
    return int(found[1]), found[2]


def unit_of(letter: str, word: str) -> Unit:
    """The type of unit of a letter. Rules: GD-GDL-3.

    Raises:
        WrongWord: there is none.
    """
    if letter not in unit_letters():
        known = ", ".join(unit_letters())
        raise WrongWord(Code.BAD_ARGUMENT, f"{shown(word)} counts no units; known: {known}")
    return unit_letters()[letter]


def item(word: str) -> Item:
    """An item. Rules: GD-GDL-3.

    Raises:
        WrongWord: there is none of that name.
    """
    if word not in ITEM_WORDS:
        known = ", ".join(ITEM_WORDS)
        raise WrongWord(Code.UNKNOWN_ITEM, f"{shown(word)} is no item; known: {known}")
    return ITEM_WORDS[word]


def colour(word: str) -> str:
    """A colour. Rules: GD-GDL-1.

    Raises:
        WrongWord: it is no sharp with three hexadecimal digits.
    """
    if not _COLOUR.fullmatch(word):
        raise WrongWord(Code.BAD_COLOUR, f"{shown(word)} is no colour such as #0f8")
    return word


def border(word: str, count: int) -> tuple[int, int]:
    """Two territories that lie beside each other, the lower first. Rules: GD-GDL-1.

    Raises:
        WrongWord: it is no pair of different territories.
    """
    parts = word.split(",")
    if len(parts) != 2:
        raise WrongWord(Code.BAD_ARGUMENT, f"{shown(word)} is no pair of territories such as 1,2")
    one, other = (territory(part, count) for part in parts)
    if one == other:
        raise WrongWord(Code.BAD_ARGUMENT, f"territory {one} does not lie beside itself")
    return min(one, other), max(one, other)


def polygon(word: str) -> tuple[tuple[int, int], ...]:
    """At least three points. Rules: GD-GDL-1.

    Raises:
        WrongWord: there are fewer, or one is no pair of whole numbers.
    """
    points = tuple(_point(part) for part in word.split(";"))
    if len(points) < 3:
        text = f"a polygon has at least 3 points, not {len(points)}"
        raise WrongWord(Code.BAD_COORDINATES, text)
    return points


def _point(word: str) -> tuple[int, int]:
    numbers = [whole(part) for part in word.split(",")]
    if len(numbers) == 2:
        x, y = numbers
        if x is not None and y is not None:
            return x, y
    raise WrongWord(Code.BAD_COORDINATES, f"{shown(word)} is no point such as 120,45")


def shown(word: str) -> str:
    """A word of a text as it can be repeated in one line."""
    return repr(word[:40])
