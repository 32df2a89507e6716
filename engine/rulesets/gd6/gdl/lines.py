"""Words and order lines of the order language, in both directions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Final, TypeAlias, assert_never

from engine.core.record import Record
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6.commands import UNITS, AnyOrder, Construct, InventoryItem, Unit
from engine.rulesets.gd6.numbers import unit_rows

# -- faults ----------------------------------------------------------------------------------------


class FaultCode(StrEnum):
    """Codes of errors. See: GD-GDL-4."""

    UNKNOWN_KEYWORD = "gdl_unknown_keyword"
    SETUP_OUTSIDE_INIT = "gdl_setup_outside_init"
    ORDER_INSIDE_INIT = "gdl_order_inside_init"
    INIT_END_WITHOUT_START = "gdl_init_end_without_start"
    NO_ISSUER = "gdl_no_issuer"
    UNKNOWN_PLAYER = "gdl_unknown_player"
    UNKNOWN_TERRITORY = "gdl_unknown_territory"
    BAD_COLOUR = "gdl_bad_colour"
    BAD_COORDINATES = "gdl_bad_coordinates"
    BAD_ARGUMENT = "gdl_bad_argument"
    BAD_PATH = "gdl_bad_path"
    BAD_NUMBER = "gdl_bad_number"
    UNKNOWN_ITEM = "gdl_unknown_item"
    MISSING_ARGUMENT = "gdl_missing_argument"


class TextFault(Record, frozen=True):
    """An error in a line; lines are counted from 1. See: GD-GDL-4."""

    code: FaultCode
    line: int
    text: str

    def __str__(self) -> str:
        """Return the error as one line for people."""
        return f"line {self.line}: {self.code.value}: {self.text}"


class WrongWord(ValueError):
    """An error in the current line."""

    def __init__(self, code: FaultCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class WrongText(ValueError):
    """A text with errors, which is rejected as a whole. See: GD-GDL-4."""

    def __init__(self, faults: tuple[TextFault, ...]) -> None:
        super().__init__(str(faults[0]))
        self.faults = faults


# -- words -----------------------------------------------------------------------------------------

ARROW: Final = "→"
"""Separator between the territories of a path."""
PLAIN_ARROW: Final = "->"
"""Alternative to the arrow, read but never written."""

COMMENT: Final = "//"

HQ: Final = "Hq"
MINES: Final = "M"

CONSTRUCT_WORDS: Final[Mapping[str, Construct]] = {
    "Tow": "watchtower",
    "Biv": "bivouac",
    "Lib": "library",
}
ITEM_WORDS: Final[Mapping[str, InventoryItem]] = {"Crp": "crop", "Dyn": "dynamite", "Tox": "toxic"}

_DIGITS: Final = re.compile(r"[0-9]{1,9}")
_QUANTITY: Final = re.compile(r"([0-9]{1,9})([A-Z])")
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{3}")


@cache
def unit_letters() -> Mapping[str, Unit]:
    """Return the types of units by letter. See: GD-UNIT-1."""
    return {unit_rows()[unit].letter: unit for unit in UNITS}


def whole(word: str) -> int | None:
    """Parse a number of one to nine digits; None for any other word."""
    return int(word) if _DIGITS.fullmatch(word) else None


def territory(word: str, count: int) -> int:
    """Parse the number of a territory from 1 to ``count``. See: GD-GDL-4.

    Raises:
        WrongWord: there is no such territory.
    """
    at = whole(word)
    if at is None or not 1 <= at <= count:
        known = f"there are 1 to {count}" if count else "the text has none yet"
        raise WrongWord(FaultCode.UNKNOWN_TERRITORY, f"{shown(word)} is no territory; {known}")
    return at


def pieces(word: str) -> list[str]:
    """Split a path into the words between its arrows. Rules: GD-GDL-3.

    Raises:
        WrongWord: a word is missing between two arrows or at an end.
    """
    parts = word.replace(PLAIN_ARROW, ARROW).split(ARROW)
    if not all(parts):
        raise WrongWord(FaultCode.BAD_PATH, f"{shown(word)} has an arrow without a territory")
    return parts


def path(word: str, count: int) -> tuple[int, ...]:
    """Parse the territories of a path. See: GD-GDL-3.

    Raises:
        WrongWord: the word is not a path, or names a territory that does not exist.
    """
    return tuple(territory(part, count) for part in pieces(word))


def quantity(word: str) -> tuple[int, str]:
    """Parse a number and a letter, such as ``3A``. See: GD-GDL-3.

    Raises:
        WrongWord: the word has another form.
    """
    found = _QUANTITY.fullmatch(word)
    if found is None:
        text = f"{shown(word)} is no number with a letter, such as 3A"
        raise WrongWord(FaultCode.BAD_ARGUMENT, text)
    return int(found[1]), found[2]


def unit_of(letter: str, word: str) -> Unit:
    """Return the type of unit of a letter; ``word`` is for the message. See: GD-GDL-3.

    Raises:
        WrongWord: no type of unit has that letter.
    """
    if letter not in unit_letters():
        known = ", ".join(unit_letters())
        raise WrongWord(FaultCode.BAD_ARGUMENT, f"{shown(word)} counts no units; known: {known}")
    return unit_letters()[letter]


def item(word: str) -> InventoryItem:
    """Return the item that a word names. See: GD-GDL-3.

    Raises:
        WrongWord: no item has that name.
    """
    if word not in ITEM_WORDS:
        known = ", ".join(ITEM_WORDS)
        raise WrongWord(FaultCode.UNKNOWN_ITEM, f"{shown(word)} is no item; known: {known}")
    return ITEM_WORDS[word]


def colour(word: str) -> str:
    """Check a colour such as ``#0f8`` and return it. See: GD-GDL-1.

    Raises:
        WrongWord: the word is not ``#`` with three hexadecimal digits.
    """
    if not _COLOUR.fullmatch(word):
        raise WrongWord(FaultCode.BAD_COLOUR, f"{shown(word)} is no colour such as #0f8")
    return word


def border(word: str, count: int) -> tuple[int, int]:
    """Parse a pair of neighbouring territories; return the lower number first. See: GD-GDL-1.

    Raises:
        WrongWord: the word is not a pair of different territories.
    """
    parts = word.split(",")
    if len(parts) != 2:
        text = f"{shown(word)} is no pair of territories such as 1,2"
        raise WrongWord(FaultCode.BAD_ARGUMENT, text)
    one, other = (territory(part, count) for part in parts)
    if one == other:
        raise WrongWord(FaultCode.BAD_ARGUMENT, f"territory {one} does not lie beside itself")
    return min(one, other), max(one, other)


def polygon(word: str) -> tuple[tuple[int, int], ...]:
    """Parse a polygon of at least three points. See: GD-GDL-1.

    Raises:
        WrongWord: there are fewer points, or a point is not a pair of whole numbers.
    """
    points = tuple(_point(part) for part in word.split(";"))
    if len(points) < 3:
        text = f"a polygon has at least 3 points, not {len(points)}"
        raise WrongWord(FaultCode.BAD_COORDINATES, text)
    return points


def _point(word: str) -> tuple[int, int]:
    numbers = [whole(part) for part in word.split(",")]
    if len(numbers) == 2:
        x, y = numbers
        if x is not None and y is not None:
            return x, y
    raise WrongWord(FaultCode.BAD_COORDINATES, f"{shown(word)} is no point such as 120,45")


def shown(word: str) -> str:
    """Quote a word for a message, cut to 40 characters."""
    return repr(word[:40])


# -- orders ----------------------------------------------------------------------------------------

OrderReader: TypeAlias = Callable[[Sequence[str], int], AnyOrder]
"""Converts the words after a keyword, and the number of territories, to an order."""


def _con(words: Sequence[str], count: int) -> AnyOrder:
    """Settle, build, spawn, promote or lay mines. Rules: GD-GDL-3."""
    at, what = territory(words[0], count), words[1]
    if what == HQ:
        return do.PlaceHq(at)
    if what in CONSTRUCT_WORDS:
        return do.Build(at, CONSTRUCT_WORDS[what])
    if not what[:1].isdigit():
        known = ", ".join((HQ, *CONSTRUCT_WORDS))
        text = f"nothing called {shown(what)} is built in this version of the game; known: {known}"
        raise WrongWord(FaultCode.BAD_ARGUMENT, f"{text}, or a number with a letter such as 3A")
    number, letter = quantity(what)
    if letter == MINES:
        return do.LayMines(at, number)
    unit = unit_of(letter, what)
    return do.Spawn(at, number) if unit == "army" else do.Promote(at, unit, number)


def _buy(words: Sequence[str], count: int) -> AnyOrder:  # noqa: ARG001 - all readers are alike
    """Buy an item. Rules: GD-GDL-3."""
    return do.Buy(item(words[0]))


def _use(words: Sequence[str], count: int) -> AnyOrder:
    """Use an item; the item is read before the territories. Rules: GD-GDL-3. See: GD-GDL-4."""
    where, what = words[0], item(words[1])
    if what == "crop":
        return do.UseCrop(_lots(where, count))
    parts = pieces(where)
    if what == "dynamite":
        if len(parts) != 2:
            text = f"{words[1]} wants two territories, not {shown(where)}"
            raise WrongWord(FaultCode.BAD_PATH, text)
        source, target = path(where, count)
        return do.UseDynamite(source, target)
    if len(parts) > 2:
        text = f"{words[1]} wants one territory or two, not {shown(where)}"
        raise WrongWord(FaultCode.BAD_PATH, text)
    found = path(where, count)
    return do.UseToxic(found[0], found[-1])


def _lots(word: str, count: int) -> tuple[tuple[int, int], ...]:
    lots: dict[int, int] = {}
    for pair in word.split(","):
        parts = pair.split(":")
        if len(parts) != 2:
            text = f"{shown(pair)} is no territory with a number, such as 4:2"
            raise WrongWord(FaultCode.BAD_ARGUMENT, text)
        at, armies = territory(parts[0], count), whole(parts[1])
        if armies is None:
            raise WrongWord(FaultCode.BAD_ARGUMENT, f"{shown(parts[1])} is no number of armies")
        if at in lots:
            raise WrongWord(FaultCode.BAD_ARGUMENT, f"territory {at} stands twice")
        lots[at] = armies
    return tuple(lots.items())


def _mov(words: Sequence[str], count: int) -> AnyOrder:
    """Move units; the length of the path is checked with the order. Rules: GD-GDL-3."""
    way = path(words[0], count)
    number, letter = quantity(words[1])
    return do.Move(way, number, unit_of(letter, words[1]))


READERS: Final[Mapping[str, tuple[int, OrderReader]]] = {
    "Con": (2, _con),
    "Buy": (1, _buy),
    "Use": (2, _use),
    "Mov": (2, _mov),
}
"""Keywords of orders, each with the number of words that follow and its reader."""


def write_order(order: AnyOrder) -> str:  # noqa: C901, PLR0911 - one case per order
    """Return the line of an order. Rules: GD-GDL-5. See: GD-GDL-3."""
    match order:
        case do.PlaceHq():
            return f"Con {order.at} {HQ}"
        case do.Build():
            return f"Con {order.at} {_word(CONSTRUCT_WORDS, order.construct)}"
        case do.Spawn():
            return f"Con {order.at} {_counted(order.count, 'army')}"
        case do.Promote():
            return f"Con {order.at} {_counted(order.count, order.unit)}"
        case do.LayMines():
            return f"Con {order.at} {order.count}{MINES}"
        case do.Move():
            way = ARROW.join(map(str, order.path))
            return f"Mov {way} {_counted(order.count, order.unit)}"
        case do.Buy():
            return f"Buy {_word(ITEM_WORDS, order.item)}"
        case do.UseCrop():
            lots = ",".join(f"{at}:{armies}" for at, armies in order.lots)
            return f"Use {lots} {_word(ITEM_WORDS, 'crop')}"
        case do.UseDynamite():
            way = f"{order.source}{ARROW}{order.target}"
            return f"Use {way} {_word(ITEM_WORDS, 'dynamite')}"
        case do.UseToxic():
            onto = "" if order.source == order.target else f"{ARROW}{order.target}"
            return f"Use {order.source}{onto} {_word(ITEM_WORDS, 'toxic')}"
        case _:
            assert_never(order)


def _counted(count: int, unit: Unit) -> str:
    return f"{count}{_word(unit_letters(), unit)}"


def _word(words: Mapping[str, str], meaning: str) -> str:
    return next(word for word, meant in words.items() if meant == meaning)
