"""The original's texts: signs, and what is told of cities and sites (section 16.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from struct import unpack_from
from typing import Final, NamedTuple

from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2.checks import TEXT
from engine.rulesets.warlords2.imports.image import clean, text
from engine.strategic.pieces import Sign

RULE: Final = "W2-16.2"
_SIGN: Final = 104
_LINE: Final = 50
_START: Final = re.compile(r"\n[ \t]*#")
_NUMBER: Final = re.compile(r"(\d{1,3})\|")


def signs(data: bytes) -> tuple[Sign, ...]:
    """Signposts: places and up to two lines. Rules: W2-16.2.

    Raises:
        ScenarioFault: they are fewer than it says.
    """
    count = unpack_from("<H", data)[0] if len(data) >= 2 else -1
    if count < 0 or len(data) < 2 + _SIGN * count:
        raise ScenarioFault("SGN", f"{len(data)} bytes are too few for {count} signs", RULE)
    return tuple(_sign(data, 2 + _SIGN * number) for number in range(count))


def _sign(data: bytes, at: int) -> Sign:
    x, y = unpack_from("<2H", data, at)
    lines = (text(data, at + 4 + _LINE * number, _LINE) for number in (0, 1))
    return Sign(x, y, "\n".join(line for line in lines if line))


class Blurbs(NamedTuple):
    """What is told of cities or sites, by their number from 0, and what was left out of it."""

    told: Mapping[int, str]
    notes: tuple[str, ...] = ()


def blurbs(data: bytes, name: str, count: int) -> Blurbs:
    """What is told of each city or site.

    Each text is ``#nnn|line|line|...`` from the beginning of a line on, up to the next one. Files
    count from 0 or from 1; a text with the number 0 tells which. Texts of what is not there, lines
    before the first text and what is too long are left out with a note.

    Args:
        data: the resource.
        name: its letters, for notes and faults.
        count: how many cities or sites there are.

    Rules: W2-16.2.

    Raises:
        ScenarioFault: a text has no number, or one that another has.
    """
    words = data.decode("mac-roman").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    before, *parts = _START.split("\n" + words)
    found: dict[int, str] = {}
    for place, part in enumerate(parts):
        number, text = _numbered(f"{name}[{place}]", part)
        if number in found:
            raise ScenarioFault(f"{name}[{place}]", f"there is another text {number}", RULE)
        found[number] = text
    first = 0 if 0 in found else 1
    told = {number - first: text for number, text in found.items()}
    kept = {number: text[:TEXT] for number, text in told.items() if text and number < count}
    return Blurbs(kept, tuple(_left_out(name, before, told, first, count)))


def _numbered(place: str, part: str) -> tuple[int, str]:
    """A text and its number, out of what stands after the sign that begins it."""
    found = _NUMBER.match(part)
    if found is None:
        raise ScenarioFault(place, "is no number and text, as in #001|text|", RULE)
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
