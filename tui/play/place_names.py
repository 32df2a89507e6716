"""Places by name: in lines of notation, in arguments of ``calc``, and in words of line mode.

A name is what the screen prints for a ``Find``, or the beginning of it, in upper or lower case.
Only the finds of the viewer's own view count, so the name of a hidden place matches nothing.
"""

from __future__ import annotations

import json
import re
import typing
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from engine.core.ids import REFEREE
from engine.core.notation import BadNotation, command_classes, read
from engine.core.record import Command
from engine.core.ruleset import AnyRuleset, Tool
from engine.kit.grid import Place
from engine.tabletop.board import NOWHERE, Board, Find
from engine.tabletop.presenter import AnyPresenter, presenter_of

_WHOSE: Final = re.compile(r" \([^()]*\)$")
"""Matches the end of a find's text, in brackets: its owner, or what it does."""

_VALUE: Final = r'(?:"(?:[^"\\]|\\.)*"|[^\s">])+'
_FIELD: Final = re.compile(rf"(?<=\s)([a-z_][a-z0-9_]*)=({_VALUE}(?:>{_VALUE})*)(?=\s|$)")
_PART: Final = re.compile(_VALUE)
_QUOTED: Final = re.compile(r'("(?:[^"\\]|\\.)*")(.*)')
_PART_OF_NAME: Final = 6
"""Rank of a thing whose name contains the text only inside a word."""
_LISTED: Final = 6
"""Maximum number of candidates that are listed."""


class SeveralPlaces(ValueError):
    """A name fits several places; the text is a line that lists them."""


# -- names -----------------------------------------------------------------------------------------


def name_of(find: Find) -> str:
    """Return the name of a thing without its owner: ``Eastfen`` of ``Eastfen (blue)``."""
    return _WHOSE.sub("", find.text)


def place_named(
    finds: Iterable[Find], text: str, board: Board | None = None, *, anywhere: bool = False
) -> Place | None:
    """Return the cell of the thing with a name, or None.

    A whole name ranks before whole words of one, and those before the beginning of a word. Names
    may lack their first words, as ``Eastfen`` for ``14 Eastfen``. Of things that fit equally well
    the places of the board count, such as a city before a signpost to it. With ``anywhere`` a
    number in a name, and any part of one, is enough if nothing fits better.

    Raises:
        SeveralPlaces: things in several cells fit equally well.
    """
    wanted = " ".join(_unquoted(text).casefold().split())
    if not wanted or not (anywhere or any(map(str.isalpha, wanted))):
        return None
    limit = _PART_OF_NAME + anywhere
    ranked = [(rank, find) for find in finds if (rank := _rank(find, wanted)) < limit]
    best = min((rank for rank, _ in ranked), default=limit)
    fitting = [find for rank, find in ranked if rank == best]
    labels = {_WHOSE.sub("", place.label) for place in board.places} if board is not None else ()
    fitting = [find for find in fitting if name_of(find) in labels] or fitting
    found = {find.at: find for find in reversed(fitting)}
    if len(found) > 1:
        raise SeveralPlaces(_several(text, list(reversed(found.values()))))
    return next(iter(found), None)


def _unquoted(text: str) -> str:
    """Return a name without a pair of double quotes around it."""
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1] if is_quoted else text


def _rank(find: Find, wanted: str) -> int:
    """Return how well a name fits, 0 for best."""
    whole, bare = find.text.casefold(), name_of(find).casefold()
    later = [bare[at + 1 :] for at, sign in enumerate(bare) if sign == " "]
    fits = (
        wanted in (whole, bare),
        wanted in later,
        f"{whole} ".startswith(f"{wanted} "),
        any(one.startswith(f"{wanted} ") for one in later),
        whole.startswith(wanted),
        any(one.startswith(wanted) for one in later),
    )
    if any(fits):
        return fits.index(True)
    return _PART_OF_NAME if wanted in whole else _PART_OF_NAME + 1


def _several(text: str, found: Sequence[Find]) -> str:
    names = [name_of(find) for find in found]
    shown = [
        name if names.count(name) == 1 else f"{name} at {find.at[0]},{find.at[1]}"
        for name, find in zip(names, found, strict=True)
    ]
    more = f" and {len(shown) - _LISTED} more" if len(shown) > _LISTED else ""
    return f"{text[:40]!r} can be {', '.join(shown[:_LISTED])}{more}"


# -- names in commands and questions ---------------------------------------------------------------


class _Places(NamedTuple):
    """Places of a view: things with names, and the board that numbers them."""

    finds: tuple[Find, ...]
    board: Board

    @classmethod
    def of(cls, presenter: AnyPresenter, view: Any) -> _Places:
        """Return the places that a view shows."""
        return cls(presenter.finds(view), presenter.board(view, presenter.zooms[0]))

    def cell(self, text: str) -> Place | None:
        """Return the cell of a named place, or None."""
        return place_named(self.finds, text, self.board)

    def number(self, text: str) -> int | None:
        """Return the number of a named place, or None."""
        at = place_named(filter(self._is_numbered, self.finds), text, self.board)
        return None if at is None else int(self.board.place[at[1], at[0]])

    def _is_numbered(self, find: Find) -> bool:
        return bool(self.board.place[find.at[1], find.at[0]] != NOWHERE)

    def counted(self, text: str) -> tuple[int, int] | None:
        """Return (number, count) of a text such as ``Eastfen,3``, or None if it is none."""
        name, _, count = text.rpartition(",")
        number = self.number(name) if count.isdecimal() else None
        return None if number is None else (number, int(count))

    def label(self, text: str) -> str | None:
        """Return the name of a place as written on the board, or None."""
        number = self.number(text)
        return next((place.label for place in self.board.places if place.id == number), None)


def with_places(rules: AnyRuleset, view: Any, line: str) -> str:
    """Replace names of places in a line of notation by the cells or numbers that it needs.

    Raises:
        BadNotation: a name fits several places, or none although only a place can stand there.
    """
    word, *_ = line.split(maxsplit=1) or [""]
    writers = _Writers(rules, view, word)

    def part(name: str, text: str) -> str:
        quoted = _QUOTED.fullmatch(text)
        try:
            said = f"{json.loads(quoted[1])}{quoted[2]}" if quoted else text
        except ValueError:
            return text
        value = writers.written(name, said)
        is_name = said != "none" and any(map(str.isalpha, said))
        if value is None and is_name and writers.is_place(name):
            raise BadNotation(f"{name}: no place called {said[:40]!r} is known.")
        if value is None or value == said:
            return text
        return json.dumps(value) if isinstance(value, str) else _numbers(value)

    def field(found: re.Match[str]) -> str:
        return f"{found[1]}={_PART.sub(lambda one: part(found[1], one[0]), found[2])}"

    try:
        return _FIELD.sub(field, line)
    except SeveralPlaces as several:
        raise BadNotation(f"{several}.") from None


def read_command(rules: AnyRuleset, view: Any, line: str) -> Command:
    """Parse a line of notation in which places may be given by their names in a view.

    Raises:
        BadNotation: the line is no command, or a name fits several places.
    """
    return read(with_places(rules, view, line), rules.command_type)


def _numbers(value: int | tuple[int, int]) -> str:
    return str(value) if isinstance(value, int) else f"{value[0]},{value[1]}"


class _Writers:
    """Values for the fields of a command from names of places; the board is drawn when needed."""

    def __init__(self, rules: AnyRuleset, view: Any, word: Any) -> None:
        kind = command_classes(rules.command_type).get(word) if isinstance(word, str) else None
        self._presenter = presenter_of(rules)
        self._view = view
        self._hints = typing.get_type_hints(kind) if kind is not None else {}

    @cached_property
    def _places(self) -> _Places:
        return _Places.of(self._presenter, self._view)

    def is_place(self, name: str) -> bool:
        """Return whether a field holds only the cell or the number of a place."""
        kind, _ = _leaf(self._hints[name]) if name in self._hints else ((), False)
        return kind == (int, int) or (name in self._presenter.place_fields and kind == (int,))

    def written(self, name: str, text: str) -> Any:
        """Return the value of a field for a named place.

        None if the field is none, or the name unknown.

        Raises:
            SeveralPlaces: several places have that name.
        """
        if name not in self._hints or not any(map(str.isalpha, text)):
            return None
        kind, is_list = _leaf(self._hints[name])
        is_numbered = name in self._presenter.place_fields
        if kind == (int, int):
            counted = is_numbered and is_list
            return self._places.counted(text) if counted else self._places.cell(text)
        if not is_numbered or kind not in ((int,), (str,)):
            return None
        return self._places.number(text) if kind == (int,) else self._places.label(text)


def _leaf(hint: Any) -> tuple[tuple[Any, ...], bool]:
    """Return (types without None, False); for a sequence (types of its items, True)."""
    args = typing.get_args(hint)
    if type(None) in args:
        return _leaf(next(arg for arg in args if arg is not type(None)))
    if typing.get_origin(hint) is not tuple:
        return (hint,), False
    if args[-1] is ...:
        return _leaf(args[0])[0], True
    return args, False


def arguments_with_places(
    rules: AnyRuleset, state: Any, tool: Tool, given: Mapping[str, str]
) -> dict[str, str]:
    """Replace names of places in a tool's arguments by the cells or numbers that the tool takes.

    A tool sees the whole state, so every place has a name.

    Raises:
        SeveralPlaces: several places have that name.
    """
    presenter = presenter_of(rules)
    are_places = {one.name for one in tool.arguments if one.kind in ("place", "path")}
    if not any(name in are_places and any(map(str.isalpha, given[name])) for name in given):
        return dict(given)
    places = _Places.of(presenter, rules.view(state, REFEREE))

    def part(name: str, text: str) -> str:
        if name in presenter.place_fields:
            return places.label(text) or text
        at = places.cell(text)
        return text if at is None else f"{at[0]},{at[1]}"

    return {
        name: ">".join(part(name, one) for one in text.split(">")) if name in are_places else text
        for name, text in given.items()
    }
