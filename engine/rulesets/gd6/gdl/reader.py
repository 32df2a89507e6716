"""From text to document: line by line, every error with its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engine.rulesets.gd6.gdl.document import Block, Document, Member, Sketch, Written
from engine.rulesets.gd6.gdl.faults import Code, Fault, WrongText, WrongWord
from engine.rulesets.gd6.gdl.order_lines import READERS
from engine.rulesets.gd6.gdl.words import (
    COMMENT,
    border,
    colour,
    polygon,
    shown,
    territory,
    whole,
)
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.orders import AnyOrder

START: Final = "InitStart"
_STOP: Final = "InitEnd"
_SET: Final = "Set"
_END: Final = "End"

_STRANGER: Final = -1
"""Who gives the orders after a Set that names nobody."""

_SETUP: Final = {
    "SetNumTerritories": (1, 1),
    "SetBoundaries": (1, 1),
    "SetCoordinates": (2, 2),
    "SetIdentifier": (2, None),
    "AddPlayer": (2, 2),
}
"""Set-up commands: fewest and most words after them."""

_PLAY: Final = {_SET: (1, 1), _END: (0, 0)} | {word: (n, n) for word, (n, _) in READERS.items()}
"""Order commands: the same."""

_BLANKS: Final = re.compile(r"[ \t]+")


def read(text: str) -> Document:
    """A whole text: set-up and any number of turns. Rules: GD-GDL-1 to GD-GDL-4.

    Raises:
        WrongText: with every error; nothing of such a text counts.
    """
    reading = _Reading()
    for number, words in _lines(text):
        reading.line(number, words)
    return reading.document()


def read_list(text: str, territories: int) -> tuple[AnyOrder, ...]:
    """Nothing but orders, of one seat and one turn. Rules: GD-GDL-3, GD-GDL-4.

    Raises:
        WrongText: with every error, a set-up command or the name of a player among them.
    """
    reading = _Reading(territories, alone=True)
    for number, words in _lines(text):
        reading.line(number, words)
    blocks = reading.document().blocks
    return tuple(written.order for block in blocks for written in block.lists[0][1])


def _lines(text: str) -> list[tuple[int, list[str]]]:
    """The lines that say something, counted from 1, as words. Rules: GD-GDL-3."""
    found = []
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = raw.removesuffix("\r").strip(" \t")
        if line and not line.startswith(COMMENT):
            found.append((number, _BLANKS.split(line)))
    return found


class _Reading:
    """What has been read of a text so far."""

    def __init__(self, territories: int = 0, *, alone: bool = False) -> None:
        self._count = territories
        self._counted = alone
        self._names: dict[int, str] = {}
        self._polygons: dict[int, tuple[tuple[int, int], ...]] = {}
        self._borders: set[tuple[int, int]] = set()
        self._members: dict[str, Member] = {}
        self._opened = False
        """Inside the set-up section, which may also stay open up to the end of the text."""
        self._issuer: int | None = 0 if alone else None
        self._alone = alone
        self._lists: dict[int, list[Written]] = {}
        self._blocks: list[Block] = []
        self._faults: list[Fault] = []

    def line(self, number: int, words: Sequence[str]) -> None:
        """Read a line; what is wrong with it is kept. Rules: GD-GDL-4."""
        try:
            self._check(words[0], len(words) - 1)
            self._take(number, words[0], words[1:])
        except WrongWord as wrong:
            self._faults.append(Fault(wrong.code, number, wrong.text))

    def document(self) -> Document:
        """All of it. Rules: GD-GDL-2.

        Raises:
            WrongText: there were errors.
        """
        if self._faults:
            raise WrongText(tuple(sorted(self._faults, key=lambda fault: fault.line)))
        if self._lists:
            self._close()
        return Document(
            sketches=tuple(
                Sketch(at, self._names.get(at, ""), self._polygons.get(at, ()))
                for at in range(1, self._count + 1)
            ),
            borders=tuple(sorted(self._borders)),
            members=tuple(self._members.values()),
            blocks=tuple(self._blocks),
        )

    def _check(self, keyword: str, count: int) -> None:
        """Keyword, section, issuer and number of words, in this order. Rules: GD-GDL-4."""
        if keyword not in (START, _STOP, *_SETUP, *_PLAY):
            raise WrongWord(Code.UNKNOWN_KEYWORD, f"{shown(keyword)} is no command")
        if keyword in _SETUP and not self._opened:
            text = f"{keyword} stands only between {START} and {_STOP}"
            raise WrongWord(Code.SETUP_OUTSIDE_INIT, text)
        if keyword in _PLAY and self._opened:
            text = f"{keyword} stands only outside of {START} and {_STOP}"
            raise WrongWord(Code.ORDER_INSIDE_INIT, text)
        if keyword == _STOP and not self._opened:
            raise WrongWord(Code.INIT_END_WITHOUT_START, f"{_STOP} has no {START}")
        if keyword in _PLAY and keyword != _SET and self._issuer is None:
            raise WrongWord(Code.NO_ISSUER, f"no {_SET} before this says whose turn it is")
        least, most = (_SETUP | _PLAY).get(keyword, (0, 0))
        if count < least:
            text = f"{keyword} wants {least} words after it, not {count}"
            raise WrongWord(Code.MISSING_ARGUMENT, text)
        if most is not None and count > most:
            text = f"{keyword} wants {most} words after it, not {count}"
            raise WrongWord(Code.BAD_ARGUMENT, text)

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
                raise WrongWord(Code.BAD_ARGUMENT, f"{_END} has no place in a single list")
            self._close()
        elif keyword == _STOP:
            self._opened = False
        elif self._opened or self._alone:
            raise WrongWord(Code.BAD_ARGUMENT, f"{START} has no place here")
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
        """How many territories there are, said once. Rules: GD-GDL-1."""
        if not (word.isascii() and word.isdigit()):
            raise WrongWord(Code.BAD_NUMBER, f"{shown(word)} is no number of territories")
        count, most = whole(word), numbers().most_territories.value
        if count is None or count > most:
            raise WrongWord(Code.BAD_ARGUMENT, f"a map has at most {most} territories")
        if self._counted and count != self._count:
            text = f"there are {self._count} territories already"
            raise WrongWord(Code.BAD_ARGUMENT, text)
        self._count, self._counted = count, True

    def _add_player(self, name: str, hue: str) -> None:
        if name in self._members:
            raise WrongWord(Code.BAD_ARGUMENT, f"there is a player {shown(name)} already")
        self._members[name] = Member(name, colour(hue))

    def _seat(self, name: str) -> int:
        if name not in self._members:
            self._issuer = _STRANGER
            raise WrongWord(Code.UNKNOWN_PLAYER, f"there is no player {shown(name)}")
        return list(self._members).index(name)

    def _close(self) -> None:
        """A turn is complete. Rules: GD-GDL-2."""
        lists = sorted(self._lists.items())
        self._blocks.append(Block(tuple((seat, tuple(orders)) for seat, orders in lists)))
        self._lists = {}
