"""The original's list of things that a game may have, resource ``ITM `` (section 16.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2.imports.image import clean
from engine.strategic.pieces import Item, ItemKind

RULE: Final = "W2-16.2"

KINDS: Final[Mapping[int, ItemKind]] = {
    1: "weapon",
    2: "command",
    5: "flight",
    6: "speed",
    7: "purse",
    8: "standard",
}
"""The kinds of things by their numbers. Rules: W2-10.3."""

_COUNT: Final = re.compile(r"\d{1,3}")
_LINE: Final = re.compile(r"(\S+)\s+(\d{1,5})\s+(\d{1,5})")
_STANDARD: Final = 8


class Pool(NamedTuple):
    """Things to draw from; ``notes``: what was left out of them, in a line each."""

    items: tuple[Item, ...]
    notes: tuple[str, ...]


def read_pool(data: bytes) -> Pool:
    """The things of a list: how many, then a line for each with name, kind and value.

    Blanks in names are written as underscores. Standards and things of a kind that nothing is known
    of are left out with a note, and so is what follows the last line that was counted.

    Rules: W2-16.2, W2-10.3.

    Raises:
        ScenarioFault: it does not begin with a count, has too few lines, or one that is none.
    """
    lines = [line.strip() for line in data.decode("mac-roman").splitlines()]
    said = [line for line in lines if line.strip("\0")]
    if not said or not _COUNT.fullmatch(said[0]):
        raise ScenarioFault("ITM", "does not begin with a count", RULE)
    count, listed = int(said[0]), said[1:]
    if len(listed) < count:
        raise ScenarioFault("ITM", f"{len(listed)} lines are too few for {count} things", RULE)
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
    found = _LINE.fullmatch(line)
    if found is None:
        raise ScenarioFault(f"ITM[{number}]", "is no name, kind and value", RULE)
    return clean(found[1].replace("_", " ")), int(found[2]), int(found[3])


def _is_pooled(kind: int) -> bool:
    return kind in KINDS and kind != _STANDARD


def _why(kind: int) -> str:
    return "a standard" if kind == _STANDARD else f"of the unknown kind {kind}"
