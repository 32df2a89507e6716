"""The original's texts: signs, and what is told of cities and sites (section 16.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from struct import unpack_from
from typing import Final

from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2.checks import TEXT
from engine.rulesets.warlords2.imports.image import text
from engine.strategic.pieces import Sign

RULE: Final = "W2-16.2"
_SIGN: Final = 104
_LINE: Final = 50
_BLURB: Final = re.compile(r"#(\d{1,3})\|([^#]*)")


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


def blurbs(data: bytes) -> Mapping[int, str]:
    """What is told of each city or site, by its number from 0. Rules: W2-16.2.

    Files count from 0 or from 1; a text with the number 0 tells which.
    """
    told = {
        int(number): _plain("\n".join(line.strip() for line in lines.split("|") if line.strip()))
        for number, lines in _BLURB.findall(data.decode("mac-roman").replace("\r", ""))
    }
    first = 0 if 0 in told else 1
    return {number - first: words[:TEXT] for number, words in told.items()}


def _plain(words: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in words).strip()
