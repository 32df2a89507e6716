"""Resource forks of the classic Macintosh, and the text resources in them (section 16)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from struct import Struct, unpack_from
from typing import Final, NamedTuple

from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2.imports.image import clean, text
from engine.strategic.pieces import Item, ItemKind, Sign
from engine.strategic.scenario_checks import TEXT

# -- resource forks (section 16.1) -----------------------------------------------------------------


FORK_RULE: Final = "W2-16.1"

_HEADER: Final = Struct(">4I")
_LISTS: Final = Struct(">2H")
_TYPE_COUNT: Final = Struct(">H")
_TYPE: Final = Struct(">4s2H")
_REFERENCE: Final = Struct(">2h2I")
_LENGTH: Final = Struct(">I")
_LISTS_AT: Final = 24
_MOST: Final = 4096
"""Maximum number of resources; more than any scenario has."""


def looks_like_fork(data: bytes) -> bool:
    """Return whether a file begins like a resource fork. Rules: W2-16.1."""
    if len(data) < _HEADER.size:
        return False
    first, index, size, index_size = _HEADER.unpack_from(data)
    whole = first + size <= len(data) and index + index_size <= len(data)
    return bool(whole and first >= _HEADER.size and index_size > _LISTS_AT and index >= first)


def resources(data: bytes) -> Mapping[str, bytes]:
    """Return the first resource of each type, by its four letters without blanks. See: W2-16.1.

    Raises:
        ScenarioFault: the file is not a complete resource fork.
    """
    found: dict[str, bytes] = {}
    for (name, _), content in numbered(data).items():
        found.setdefault(name, content)
    return found


def numbered(data: bytes) -> Mapping[tuple[str, int], bytes]:
    """Return every resource by the letters of its type, without blanks, and its number.

    They are in the order of the file; among duplicates the first one counts.

    Rules: W2-16.1.

    Raises:
        ScenarioFault: the file is not a complete resource fork.
    """
    if not looks_like_fork(data):
        raise ScenarioFault("", "no resource fork, or a part of one only", FORK_RULE)
    first, index, _, _ = _HEADER.unpack_from(data)
    types_at = index + int(_read(_LISTS, data, index + _LISTS_AT)[0])
    found: dict[tuple[str, int], bytes] = {}
    count = int(_read(_TYPE_COUNT, data, types_at)[0]) + 1
    if count > _MOST:
        raise ScenarioFault("", f"{count} types of resources are too many", FORK_RULE)
    for place in range(count):
        at = types_at + _TYPE_COUNT.size + place * _TYPE.size
        letters, more, refs = _read(_TYPE, data, at)
        name = bytes(letters).decode("mac-roman").strip()
        for number, offset in _references(data, types_at + int(refs), int(more) + 1):
            found.setdefault((name, number), _content(data, first + offset, name))
    return found


def _references(data: bytes, at: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield the number of each resource of a type, and the offset of its content."""
    if count > _MOST:
        raise ScenarioFault("", f"{count} resources of one type are too many", FORK_RULE)
    for number in range(count):
        id_, _, offset, _ = _read(_REFERENCE, data, at + number * _REFERENCE.size)
        yield int(id_), int(offset) & 0xFFFFFF


def _content(data: bytes, at: int, name: str) -> bytes:
    length = int(_read(_LENGTH, data, at)[0])
    content = data[at + _LENGTH.size : at + _LENGTH.size + length]
    if len(content) != length:
        raise ScenarioFault(name, "ends beyond the end of the file", FORK_RULE)
    return content


def _read(layout: Struct, data: bytes, at: int) -> tuple[int, ...]:
    """Unpack numbers at an offset of the file.

    Raises:
        ScenarioFault: the file ends too early.
    """
    if at + layout.size > len(data):
        raise ScenarioFault("", f"the file ends before byte {at + layout.size}", FORK_RULE)
    return layout.unpack_from(data, at)


# -- signs, and texts about cities and sites -------------------------------------------------------


TEXT_RULE: Final = "W2-16.2"
_SIGN: Final = 104
_SIGN_LINE: Final = 50
_TEXT_START: Final = re.compile(r"\n[ \t]*#")
_TEXT_NUMBER: Final = re.compile(r"(\d{1,3})\|")


def signs(data: bytes) -> tuple[Sign, ...]:
    """Decode signposts: tiles and up to two lines. Rules: W2-16.2.

    Raises:
        ScenarioFault: there are fewer than the count says.
    """
    count = unpack_from("<H", data)[0] if len(data) >= 2 else -1
    if count < 0 or len(data) < 2 + _SIGN * count:
        raise ScenarioFault("SGN", f"{len(data)} bytes are too few for {count} signs", TEXT_RULE)
    return tuple(_sign(data, 2 + _SIGN * number) for number in range(count))


def _sign(data: bytes, at: int) -> Sign:
    x, y = unpack_from("<2H", data, at)
    lines = (text(data, at + 4 + _SIGN_LINE * number, _SIGN_LINE) for number in (0, 1))
    return Sign(x, y, "\n".join(line for line in lines if line))


class Blurbs(NamedTuple):
    """Texts about cities or sites by number from 0, and notes on omissions."""

    told: Mapping[int, str]
    notes: tuple[str, ...] = ()


def blurbs(data: bytes, name: str, count: int) -> Blurbs:
    """Decode the texts about each city or site.

    Each text is ``#nnn|line|line|...`` from the beginning of a line up to the next text. Files
    count from 0 if they have a text number 0, else from 1. Texts of unknown numbers, lines before
    the first text and overlong parts are left out with a note.

    Rules: W2-16.2.

    Args:
        data: the resource.
        name: its letters, for notes and faults.
        count: the number of cities or sites.

    Raises:
        ScenarioFault: a text has no number, or a duplicate one.
    """
    words = data.decode("mac-roman").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    before, *parts = _TEXT_START.split("\n" + words)
    found: dict[int, str] = {}
    for place, part in enumerate(parts):
        number, text = _numbered(f"{name}[{place}]", part)
        if number in found:
            raise ScenarioFault(f"{name}[{place}]", f"there is another text {number}", TEXT_RULE)
        found[number] = text
    first = 0 if 0 in found else 1
    told = {number - first: text for number, text in found.items()}
    kept = {number: text[:TEXT] for number, text in told.items() if text and number < count}
    return Blurbs(kept, tuple(_left_out(name, before, told, first, count)))


def _numbered(place: str, part: str) -> tuple[int, str]:
    """Parse the number and the text after the ``#`` that begins it."""
    found = _TEXT_NUMBER.match(part)
    if found is None:
        raise ScenarioFault(place, "is no number and text, as in #001|text|", TEXT_RULE)
    lines = (line.strip() for line in part[found.end() :].replace("\n", "|").split("|"))
    return int(found[1]), clean("\n".join(line for line in lines if line))


def _left_out(
    name: str, before: str, told: Mapping[int, str], first: int, count: int
) -> Iterator[str]:
    if before.strip():
        yield f"{name}: what stands before the first text is not read"
    nowhere = [str(number + first) for number in sorted(told) if number >= count]
    if nowhere:
        yield f"{name}: texts of what is not there are left out: {', '.join(nowhere)}"
    long = [str(number + first) for number in sorted(told) if len(told[number]) > TEXT]
    if long:
        yield f"{name}: texts are cut after {TEXT} letters: {', '.join(long)}"


# -- the list of items, ``ITM `` -------------------------------------------------------------------


KINDS: Final[Mapping[int, ItemKind]] = {
    1: "weapon",
    2: "command",
    5: "flight",
    6: "speed",
    7: "purse",
    8: "standard",
}
"""Kinds of items by their numbers. See: W2-10.3."""

_ITEM_COUNT: Final = re.compile(r"\d{1,3}")
_ITEM_LINE: Final = re.compile(r"(\S+)\s+(\d{1,5})\s+(\d{1,5})")
_STANDARD: Final = 8


class Pool(NamedTuple):
    """Items to draw from, and a note for each omission."""

    items: tuple[Item, ...]
    notes: tuple[str, ...]


def read_pool(data: bytes) -> Pool:
    """Decode a list of items: their count, then a line for each with name, kind and value.

    Blanks in names are written as underscores. Standards, items of unknown kinds and lines beyond
    the count are left out with a note.

    Rules: W2-16.2. See: W2-10.3.

    Raises:
        ScenarioFault: the count is missing, lines are missing, or one is malformed.
    """
    lines = [line.strip() for line in data.decode("mac-roman").splitlines()]
    said = [line for line in lines if line.strip("\0")]
    if not said or not _ITEM_COUNT.fullmatch(said[0]):
        raise ScenarioFault("ITM", "does not begin with a count", TEXT_RULE)
    count, listed = int(said[0]), said[1:]
    if len(listed) < count:
        raise ScenarioFault("ITM", f"{len(listed)} lines are too few for {count} things", TEXT_RULE)
    rows = [_row(number, line) for number, line in enumerate(listed[:count])]
    known = [(name, KINDS[kind], value) for name, kind, value in rows if _is_pooled(kind)]
    items = tuple(
        Item(number, kind, max(value, 1), name) for number, (name, kind, value) in enumerate(known)
    )
    notes = [
        f"ITM: {name} is left out, {_why(kind)}" for name, kind, _ in rows if not _is_pooled(kind)
    ]
    if len(listed) > count:
        notes.append(f"ITM: {len(listed) - count} lines after the last thing are not read")
    return Pool(items, tuple(notes))


def _row(number: int, line: str) -> tuple[str, int, int]:
    found = _ITEM_LINE.fullmatch(line)
    if found is None:
        raise ScenarioFault(f"ITM[{number}]", "is no name, kind and value", TEXT_RULE)
    return clean(found[1].replace("_", " ")), int(found[2]), int(found[3])


def _is_pooled(kind: int) -> bool:
    return kind in KINDS and kind != _STANDARD


def _why(kind: int) -> str:
    return "a standard" if kind == _STANDARD else f"of the unknown kind {kind}"
