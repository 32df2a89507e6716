"""Read the data of an element as typed values, with the conventions of the original (19.2).

The annotations of a record are its table: a ``DataColumn`` says how each field is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Final, NamedTuple, TypeVar, get_type_hints

from engine.core.record import Record
from engine.core.ruleset import ScenarioFault
from engine.rulesets.lordsawar.files.tree import Element, shown
from engine.rulesets.lordsawar.files.words import Word

RULE: Final = "LW-19.2"

LARGEST: Final = 1_000_000_000
"""Largest number in a file; numbers of the game stay far below."""

HIGHEST: Final = 1_000_000
"""Maximum of prices and of all other amounts without their own bound."""

LONGEST_TEXT: Final = 20_000
"""Maximum number of characters of a text for people."""

MOST_NUMBERS: Final = 1024
"""Maximum length of a list of numbers."""

MOST_FLAGS: Final = 64
"""Maximum number of words in a set of flags."""

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,10}")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,10}(?:\.[0-9]{0,20})?(?:[eE][+-]?[0-9]{1,2})?")
_HEX: Final = re.compile(r"#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{12})")


class Fields:
    """Data of one element by tag; of several with one tag, the first counts. Rules: LW-19.2.

    A method that reads a value raises ``ScenarioFault`` if the data does not fit.
    """

    def __init__(self, element: Element) -> None:
        self.element = element
        self._data: dict[str, Element] = {}
        for child in element.children:
            if child.tag.startswith("d_"):
                self._data.setdefault(child.tag, child)

    def fault(self, tag: str, text: str, rule: str = RULE) -> ScenarioFault:
        """Return a fault about the data with a tag, or about the element if it has none."""
        return self._data.get(tag, self.element).fault(text, rule)

    def raw(self, tag: str) -> str:
        """Return the text of the data exactly as written.

        Raises:
            ScenarioFault: the element has no such data.
        """
        if tag not in self._data:
            raise self.element.fault(f"{tag} is missing", "LW-19.3")
        return self._data[tag].text

    def text(self, tag: str) -> str:
        """Return the text of a tag for people, such as a name; empty if it is missing."""
        words = self._data[tag].text.strip() if tag in self._data else ""
        if len(words) > LONGEST_TEXT:
            raise self.fault(tag, f"a text of more than {LONGEST_TEXT} characters")
        return words

    def whole(self, tag: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number from ``low`` to ``high``.

        Raises:
            ScenarioFault: the text is no such number, or it is missing and there is no default.
        """
        if default is not None and not self._given(tag):
            return default
        return self._number(tag, self.raw(tag).strip(), low, high)

    def whole_or_none(self, tag: str, low: int, high: int) -> int | None:
        """Return a whole number from ``low`` to ``high``, or None if it is missing or negative."""
        number = self.whole(tag, -LARGEST, high, -1)
        if 0 <= number < low:
            raise self.fault(tag, f"{number} is not from {low} to {high}")
        return None if number < 0 else number

    def wholes(self, tag: str, low: int, high: int) -> tuple[int, ...]:
        """Return whole numbers separated by blanks; empty if the data are missing."""
        words = self.raw(tag).split() if tag in self._data else []
        if len(words) > MOST_NUMBERS:
            raise self.fault(tag, f"more than {MOST_NUMBERS} numbers")
        return tuple(self._number(tag, word, low, high) for word in words)

    def scaled(self, tag: str, scale: int, high: int, default: int) -> int:
        """Return a decimal number from 0 to ``high``, times ``scale`` and rounded.

        ``default`` is scaled already.
        """
        if not self._given(tag):
            return default
        word = self.raw(tag).strip()
        if not _DECIMAL.fullmatch(word):
            raise self.fault(tag, f"{shown(word)} is no number")
        number = Decimal(word)
        if not 0 <= number <= high:
            raise self.fault(tag, f"{shown(word)} is not from 0 to {high}")
        return round(number * scale)

    def percent(self, tag: str) -> int | None:
        """Return a percentage, written as a decimal number; None if it is missing."""
        return self.scaled(tag, 1, 100, 0) if tag in self._data else None

    def switch(self, tag: str, *, default: bool = False) -> bool:
        """Return a truth value, written ``true``, ``false``, 1 or 0; or ``default``."""
        word = self.raw(tag).strip().lower() if self._given(tag) else str(default).lower()
        if word not in {"true", "false", "1", "0"}:
            raise self.fault(tag, f"{shown(word)} is neither true nor false")
        return word in {"true", "1"}

    def word(self, tag: str, kinds: Mapping[int, Word], default: Word) -> Word:
        """Return a word of an enumeration, written ``Class::NAME`` or as its number.

        ``default`` is for missing data.
        """
        if not self._given(tag):
            return default
        text = self.raw(tag).strip()
        if _WHOLE.fullmatch(text) and int(text) in kinds:
            return kinds[int(text)]
        name = text.rpartition("::")[2]
        for kind in kinds.values():
            if kind == name:
                return kind
        known = ", ".join(kinds.values())
        raise self.fault(tag, f"{shown(text)} is unknown; known: {known}")

    def flags(
        self, tag: str, bits: Sequence[str], default: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        """Return flags in the order of their bits, written as words or as a sum of bits.

        ``default`` is for missing data.
        """
        if tag not in self._data:
            return default
        found: set[str] = set()
        words = self.raw(tag).split()
        if len(words) > MOST_FLAGS:
            raise self.fault(tag, f"more than {MOST_FLAGS} flags")
        for word in words:
            name = word.rpartition("::")[2]
            if name in bits:
                found.add(name)
            elif _WHOLE.fullmatch(word) and 0 <= int(word) < 1 << len(bits):
                found.update(name for place, name in enumerate(bits) if int(word) >> place & 1)
            else:
                raise self.fault(tag, f"{shown(word)} is no flag; known: {', '.join(bits)}")
        return tuple(name for name in bits if name in found)

    def colour(self, tag: str) -> str:
        """Return a colour as ``#rrggbb``, the first of several; empty if it is missing."""
        words = self.raw(tag).split() if self._given(tag) else []
        if not words:
            return ""
        if _HEX.fullmatch(words[0]):
            return _short(words[0].lower())
        parts = [self._number(tag, word, 0, 255) for word in words[:3]]
        if len(parts) < 3:
            raise self.fault(tag, f"{shown(' '.join(words))} is no colour")
        return "#" + "".join(f"{part:02x}" for part in parts)

    def place(self, tag_x: str, tag_y: str) -> tuple[int, int]:
        """Return coordinates (x, y), not checked against a map; they may be negative."""
        return self.whole(tag_x, -LARGEST, LARGEST), self.whole(tag_y, -LARGEST, LARGEST)

    def _given(self, tag: str) -> bool:
        return tag in self._data and bool(self._data[tag].text.strip())

    def _number(self, tag: str, word: str, low: int, high: int) -> int:
        if not _WHOLE.fullmatch(word):
            raise self.fault(tag, f"{shown(word)} is no whole number")
        if not low <= int(word) <= high:
            raise self.fault(tag, f"{int(word)} is not from {low} to {high}")
        return int(word)


def _short(colour: str) -> str:
    """Shorten a colour of twelve hexadecimal digits to six."""
    return colour if len(colour) == 7 else f"#{colour[1:3]}{colour[5:7]}{colour[9:11]}"


# -- records as tables -----------------------------------------------------------------------------

R = TypeVar("R", bound=Record)


class DataColumn(NamedTuple):
    """Reader of a record's field: ``Annotated[int, DataColumn(Fields.whole, (0, 9)), "d_size"]``.

    The tag is that of the field's name if none is given.
    """

    read: Callable[..., object]
    """Method of ``Fields`` that reads the value."""

    bounds: tuple[object, ...] = ()
    """Arguments of that method after the tag."""

    default: object = ...
    """Last argument of that method, if any."""


def row(kind: type[R], fields: Fields, model: Record | None = None, /, **own: object) -> R:
    """Return a record with the fields ``own``, and its other columns read from ``fields``.

    The values of a model are the defaults of columns with the same name.

    Raises:
        ScenarioFault: a value is not possible.
    """
    read = dict(own)
    for name, tag, column in _columns(kind):
        if name not in own:
            usual = getattr(model, name, column.default)
            more = () if usual is ... else (usual,)
            read[name] = column.read(fields, tag, *column.bounds, *more)
    return kind(**read)


@cache
def _columns(kind: type[Record]) -> tuple[tuple[str, str, DataColumn], ...]:
    """Return the names of a record's fields with a column, and their tags and columns."""
    found = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        first, *tags = getattr(hint, "__metadata__", ("",))
        if isinstance(first, DataColumn):
            found.append((name, tags[0] if tags else f"d_{name}", first))
    return tuple(found)
