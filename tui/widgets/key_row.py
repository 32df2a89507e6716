"""Rows of keys: those for which the last row of a screen has room, and the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

NamedKeys = tuple[str, str, str]
"""The ids of one or two bindings, and a word for what they do."""

_ARROWS: Final = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}
"""Signs of keys where there are arrows."""


def named(shown: Sequence[NamedKeys], names: Mapping[str, str], *, ascii_only: bool) -> list[str]:
    """Keys with their words; ``names`` is the key of each id as it is set now."""

    def key(name: str) -> str:
        found = names.get(name, "?") if name else ""
        return found if ascii_only else _ARROWS.get(found, found)

    return [f"{_pair(key(back), key(on))} {word}" for back, on, word in shown]


def _pair(back: str, on: str) -> str:
    """Two keys as they are shown: signs side by side, letters and words apart."""
    return f"{back}/{on}" if on and (back + on).isalnum() else back + on


def row_of(parts: Sequence[str], always: str, width: int) -> tuple[str, list[str]]:
    """As many parts as there is room for before what is always shown, and the others."""
    row, rest = "", list(parts)
    while rest and len(row) + len(rest[0]) + 2 + len(always) <= width:
        row += f"{rest.pop(0)}  "
    return row + always, rest


def packed(parts: Sequence[str], width: int) -> list[str]:
    """The parts in as few rows of a width as their order allows."""
    rows: list[str] = []
    for part in parts:
        if rows and len(rows[-1]) + len(part) + 2 <= width:
            rows[-1] += f"  {part}"
        else:
            rows.append(part)
    return rows
