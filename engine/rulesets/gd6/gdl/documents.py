"""Documents in the order language: records, reader and writer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.core.record import Record
from engine.rulesets.gd6.commands import AnyOrder
from engine.rulesets.gd6.gdl.lines import (
    COMMENT,
    READERS,
    FaultCode,
    TextFault,
    WrongText,
    WrongWord,
    border,
    colour,
    polygon,
    shown,
    territory,
    whole,
    write_order,
)
from engine.rulesets.gd6.numbers import numbers

# -- records ---------------------------------------------------------------------------------------


class TerritoryText(Record, frozen=True):
    """Name and polygon of a territory in a text. See: GD-GDL-1."""

    id: int
    name: str = ""
    polygon: tuple[tuple[int, int], ...] = ()


class Member(Record, frozen=True):
    """A player of a text; the first has seat 0. See: GD-GDL-1."""

    name: str
    colour: str


class Written(Record, frozen=True):
    """An order and the number of its line, counted from 1."""

    order: AnyOrder
    line: int = 0


class TurnBlock(Record, frozen=True):
    """A turn or settling round: (seat, orders by priority), seats in order. See: GD-GDL-2.

    Seats without orders are left out.
    """

    lists: tuple[tuple[int, tuple[Written, ...]], ...] = ()


class Document(Record, frozen=True):
    """Content of a whole text. See: GD-GDL-1, GD-GDL-2.

    ``sketches`` has every territory from 1. ``borders`` are pairs in order, each once.
    """

    sketches: tuple[TerritoryText, ...] = ()
    borders: tuple[tuple[int, int], ...] = ()
    members: tuple[Member, ...] = ()
    blocks: tuple[TurnBlock, ...] = ()


# -- reader ----------------------------------------------------------------------------------------

START: Final = "InitStart"
_STOP: Final = "InitEnd"
_SET: Final = "Set"
_END: Final = "End"

_STRANGER: Final = -1
"""Issuer of orders after a Set with an unknown name."""

_SETUP: Final = {
    "SetNumTerritories": (1, 1),
    "SetBoundaries": (1, 1),
    "SetCoordinates": (2, 2),
    "SetIdentifier": (2, None),
    "AddPlayer": (2, 2),
}
"""Set-up commands with the minimum and maximum number of words after them; None: no limit."""

_PLAY: Final = {_SET: (1, 1), _END: (0, 0)} | {word: (n, n) for word, (n, _) in READERS.items()}
"""Order commands with the minimum and maximum number of words after them."""

_BLANKS: Final = re.compile(r"[ \t]+")


def read(text: str) -> Document:
    """Read a document from a whole text: set-up and any number of turns.

    Rules: GD-GDL-1. See: GD-GDL-2 to GD-GDL-4.

    Raises:
        WrongText: with all errors of the text.
    """
    return _Reading().document(text)


def read_list(text: str, territories: int) -> tuple[AnyOrder, ...]:
    """Read orders from a text that is the list of one seat. See: GD-GDL-3, GD-GDL-4.

    Raises:
        WrongText: with all errors; set-up commands and names of players are errors too.
    """
    blocks = _Reading(territories, alone=True).document(text).blocks
    return tuple(written.order for block in blocks for written in block.lists[0][1])


def _worded_lines(text: str) -> list[tuple[int, list[str]]]:
    """Split into numbered lines of words, without empty lines and comments. See: GD-GDL-3."""
    found = []
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = raw.removesuffix("\r").strip(" \t")
        if line and not line.startswith(COMMENT):
            found.append((number, _BLANKS.split(line)))
    return found


class _Reading:
    """Reader of one text."""

    def __init__(self, territories: int = 0, *, alone: bool = False) -> None:
        self._count = territories
        self._counted = alone
        self._names: dict[int, str] = {}
        self._polygons: dict[int, tuple[tuple[int, int], ...]] = {}
        self._borders: set[tuple[int, int]] = set()
        self._members: dict[str, Member] = {}
        self._opened = False
        """True inside the set-up section, which may stay open to the end of the text."""
        self._issuer: int | None = 0 if alone else None
        self._alone = alone
        self._lists: dict[int, list[Written]] = {}
        self._blocks: list[TurnBlock] = []
        self._faults: list[TextFault] = []

    def document(self, text: str) -> Document:
        """Read the document of a text. Rules: GD-GDL-2, GD-GDL-4.

        Raises:
            WrongText: with the errors of all lines.
        """
        for number, words in _worded_lines(text):
            try:
                self._check(words[0], len(words) - 1)
                self._take(number, words[0], words[1:])
            except WrongWord as wrong:
                self._faults.append(TextFault(wrong.code, number, wrong.text))
        if self._faults:
            raise WrongText(tuple(sorted(self._faults, key=lambda fault: fault.line)))
        if self._lists:
            self._close()
        return Document(
            sketches=tuple(
                TerritoryText(at, self._names.get(at, ""), self._polygons.get(at, ()))
                for at in range(1, self._count + 1)
            ),
            borders=tuple(sorted(self._borders)),
            members=tuple(self._members.values()),
            blocks=tuple(self._blocks),
        )

    def _check(self, keyword: str, count: int) -> None:
        """Check keyword, section, issuer and number of words, in this order. Rules: GD-GDL-4."""
        if keyword not in (START, _STOP, *_SETUP, *_PLAY):
            raise WrongWord(FaultCode.UNKNOWN_KEYWORD, f"{shown(keyword)} is no command")
        if keyword in _SETUP and not self._opened:
            text = f"{keyword} stands only between {START} and {_STOP}"
            raise WrongWord(FaultCode.SETUP_OUTSIDE_INIT, text)
        if keyword in _PLAY and self._opened:
            text = f"{keyword} stands only outside of {START} and {_STOP}"
            raise WrongWord(FaultCode.ORDER_INSIDE_INIT, text)
        if keyword == _STOP and not self._opened:
            raise WrongWord(FaultCode.INIT_END_WITHOUT_START, f"{_STOP} has no {START}")
        if keyword in _PLAY and keyword != _SET and self._issuer is None:
            raise WrongWord(FaultCode.NO_ISSUER, f"no {_SET} before this says whose turn it is")
        least, most = (_SETUP | _PLAY).get(keyword, (0, 0))
        if count < least:
            text = f"{keyword} wants {least} words after it, not {count}"
            raise WrongWord(FaultCode.MISSING_ARGUMENT, text)
        if most is not None and count > most:
            text = f"{keyword} wants {most} words after it, not {count}"
            raise WrongWord(FaultCode.BAD_ARGUMENT, text)

    def _take(self, number: int, keyword: str, words: Sequence[str]) -> None:
        if keyword in _SETUP:
            self._set_up(keyword, words)
        elif keyword in READERS:
            order = READERS[keyword][1](words, self._count)
            assert self._issuer is not None  # noqa: S101 - checked before the words
            self._lists.setdefault(self._issuer, []).append(Written(order, number))
        elif keyword == _SET:
            self._issuer = self._seat(words[0])
        elif keyword == _END:
            if self._alone:
                raise WrongWord(FaultCode.BAD_ARGUMENT, f"{_END} has no place in a single list")
            self._close()
        elif keyword == _STOP:
            self._opened = False
        elif self._opened or self._alone:
            raise WrongWord(FaultCode.BAD_ARGUMENT, f"{START} has no place here")
        else:
            self._opened = True

    def _set_up(self, keyword: str, words: Sequence[str]) -> None:
        match keyword:
            case "SetNumTerritories":
                self._number(words[0])
            case "SetBoundaries":
                pairs = [border(pair, self._count) for pair in words[0].split(";")]
                self._borders.update(pairs)
            case "SetCoordinates":
                self._polygons[territory(words[0], self._count)] = polygon(words[1])
            case "SetIdentifier":
                self._names[territory(words[0], self._count)] = " ".join(words[1:])
            case _:
                self._add_player(words[0], words[1])

    def _number(self, word: str) -> None:
        """Set the number of territories; it cannot change later. See: GD-GDL-1."""
        if not (word.isascii() and word.isdigit()):
            raise WrongWord(FaultCode.BAD_NUMBER, f"{shown(word)} is no number of territories")
        count, most = whole(word), numbers().most_territories.value
        if count is None or count > most:
            raise WrongWord(FaultCode.BAD_ARGUMENT, f"a map has at most {most} territories")
        if self._counted and count != self._count:
            text = f"there are {self._count} territories already"
            raise WrongWord(FaultCode.BAD_ARGUMENT, text)
        self._count, self._counted = count, True

    def _add_player(self, name: str, hue: str) -> None:
        if name in self._members:
            raise WrongWord(FaultCode.BAD_ARGUMENT, f"there is a player {shown(name)} already")
        self._members[name] = Member(name, colour(hue))

    def _seat(self, name: str) -> int:
        if name not in self._members:
            self._issuer = _STRANGER
            raise WrongWord(FaultCode.UNKNOWN_PLAYER, f"there is no player {shown(name)}")
        return list(self._members).index(name)

    def _close(self) -> None:
        """End a turn. Rules: GD-GDL-2."""
        lists = sorted(self._lists.items())
        self._blocks.append(TurnBlock(tuple((seat, tuple(orders)) for seat, orders in lists)))
        self._lists = {}


# -- writer ----------------------------------------------------------------------------------------

_PAIRS = 20
"""Borders per line."""


def write(document: Document) -> str:
    """Return the text of a document, from which ``read`` restores it. See: GD-GDL-5."""
    return "".join(f"{line}\n" for line in document_lines(document))


def write_list(orders: Iterable[AnyOrder]) -> str:
    """Return the text of one list, without names of players. See: GD-GDL-3, GD-GDL-5."""
    return "".join(f"{write_order(order)}\n" for order in orders)


def document_lines(document: Document) -> Iterator[str]:
    """Yield the lines of a document: set-up, then turn by turn. Rules: GD-GDL-5. See: GD-GDL-1."""
    yield "InitStart"
    yield f"SetNumTerritories {len(document.sketches)}"
    for first in range(0, len(document.borders), _PAIRS):
        pairs = document.borders[first : first + _PAIRS]
        yield "SetBoundaries " + ";".join(f"{one},{other}" for one, other in pairs)
    for sketch in document.sketches:
        if sketch.polygon:
            points = ";".join(f"{x},{y}" for x, y in sketch.polygon)
            yield f"SetCoordinates {sketch.id} {points}"
    for sketch in document.sketches:
        if sketch.name:
            yield f"SetIdentifier {sketch.id} {sketch.name}"
    for member in document.members:
        yield f"AddPlayer {member.name} {member.colour}"
    yield "InitEnd"
    named = False
    for block in document.blocks:
        yield ""
        if not block.lists and not named:
            yield f"Set {document.members[0].name}"  # since End requires an issuer
        named = True
        for seat, orders in block.lists:
            yield f"Set {document.members[seat].name}"
            yield from (write_order(written.order) for written in orders)
        yield "End"
