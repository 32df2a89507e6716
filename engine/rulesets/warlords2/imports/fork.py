"""Resource forks of the classic Macintosh, saved as plain files (section 16.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from struct import Struct
from typing import Final

from engine.core.ruleset import ScenarioFault

RULE: Final = "W2-16.1"

_HEADER: Final = Struct(">4I")
_LISTS: Final = Struct(">2H")
_COUNT: Final = Struct(">H")
_TYPE: Final = Struct(">4s2H")
_REFERENCE: Final = Struct(">2h2I")
_LENGTH: Final = Struct(">I")
_LISTS_AT: Final = 24
_MOST: Final = 4096
"""More resources than any scenario has."""


def looks_like_fork(data: bytes) -> bool:
    """Whether a file begins as a resource fork does. Rules: W2-16.1."""
    if len(data) < _HEADER.size:
        return False
    first, index, size, index_size = _HEADER.unpack_from(data)
    whole = first + size <= len(data) and index + index_size <= len(data)
    return bool(whole and first >= _HEADER.size and index_size > _LISTS_AT and index >= first)


def resources(data: bytes) -> Mapping[str, bytes]:
    """The first resource of each type, by its four letters without blanks. Rules: W2-16.1.

    Raises:
        ScenarioFault: the file is no whole resource fork.
    """
    found: dict[str, bytes] = {}
    for (name, _), content in numbered(data).items():
        found.setdefault(name, content)
    return found


def numbered(data: bytes) -> Mapping[tuple[str, int], bytes]:
    """Every resource by the letters of its type, without blanks, and its number.

    They stand in the order of the file; of two that are alike in both the first counts.

    Rules: W2-16.1.

    Raises:
        ScenarioFault: the file is no whole resource fork.
    """
    if not looks_like_fork(data):
        raise ScenarioFault("", "no resource fork, or a part of one only", RULE)
    first, index, _, _ = _HEADER.unpack_from(data)
    types_at = index + int(_read(_LISTS, data, index + _LISTS_AT)[0])
    found: dict[tuple[str, int], bytes] = {}
    count = int(_read(_COUNT, data, types_at)[0]) + 1
    if count > _MOST:
        raise ScenarioFault("", f"{count} types of resources are too many", RULE)
    for place in range(count):
        at = types_at + _COUNT.size + place * _TYPE.size
        letters, more, refs = _read(_TYPE, data, at)
        name = bytes(letters).decode("mac-roman").strip()
        for number, offset in _references(data, types_at + int(refs), int(more) + 1):
            found.setdefault((name, number), _content(data, first + offset, name))
    return found


def _references(data: bytes, at: int, count: int) -> Iterator[tuple[int, int]]:
    """The number of each resource of a type, and where its content is."""
    if count > _MOST:
        raise ScenarioFault("", f"{count} resources of one type are too many", RULE)
    for number in range(count):
        id_, _, offset, _ = _read(_REFERENCE, data, at + number * _REFERENCE.size)
        yield int(id_), int(offset) & 0xFFFFFF


def _content(data: bytes, at: int, name: str) -> bytes:
    length = int(_read(_LENGTH, data, at)[0])
    content = data[at + _LENGTH.size : at + _LENGTH.size + length]
    if len(content) != length:
        raise ScenarioFault(name, "ends beyond the end of the file", RULE)
    return content


def _read(layout: Struct, data: bytes, at: int) -> tuple[int, ...]:
    """Numbers at a place of the file.

    Raises:
        ScenarioFault: the file ends before.
    """
    if at + layout.size > len(data):
        raise ScenarioFault("", f"the file ends before byte {at + layout.size}", RULE)
    return layout.unpack_from(data, at)
