"""Rows of keys: those for which a screen has room, the others, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment

from tui.style.palette import Palette

NamedKeys = tuple[str, str, str]
"""The ids of one or two bindings, and a word for what they do."""

_ARROWS: Final = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}
"""Signs of keys where there are arrows."""


class KeyWord(NamedTuple):
    """A key, or several, with a few words for what they do."""

    key: str
    word: str

    def __str__(self) -> str:
        return f"{self.key} {self.word}".strip()


def read(text: str) -> list[KeyWord]:
    """Keys and words of a text such as ``Enter: choose   Esc: back``.

    A part without a colon is a word without a key.
    """
    found = []
    for part in filter(None, (part.strip() for part in text.split("  "))):
        key, colon, word = part.partition(": ")
        found.append(KeyWord(f"{key}:", word) if colon else KeyWord("", part))
    return found


def segments_of(row: Sequence[KeyWord], palette: Palette) -> list[Segment]:
    """A row of keys for a bar: the keys stand out, their words do not."""
    segments: list[Segment] = []
    for key, word in row:
        if segments:
            segments.append(Segment("  ", palette.heading))
        segments.append(Segment(key, palette.key))
        segments.append(Segment(f" {word}" if key else word, palette.faint))
    return segments


def named(
    shown: Sequence[NamedKeys], names: Mapping[str, str], *, ascii_only: bool
) -> list[KeyWord]:
    """Keys with their words; ``names`` is the key of each id as it is set now."""

    def key(name: str) -> str:
        found = names.get(name, "?") if name else ""
        return found if ascii_only else _ARROWS.get(found, found)

    return [KeyWord(_pair(key(back), key(on)), word) for back, on, word in shown]


def _pair(back: str, on: str) -> str:
    """Two keys as they are shown: signs side by side, letters and words apart."""
    return f"{back}/{on}" if on and (back + on).isalnum() else back + on


def columns(row: Sequence[KeyWord]) -> int:
    """Columns that a row of keys takes."""
    return sum(cell_len(str(part)) + 2 for part in row) - 2 if row else 0


def row_of(
    parts: Sequence[KeyWord], always: Sequence[KeyWord], width: int
) -> tuple[list[KeyWord], list[KeyWord]]:
    """As many parts as there is room for before what is always shown, and the others."""
    row: list[KeyWord] = []
    rest = list(parts)
    while rest and columns([*row, rest[0], *always]) <= width:
        row.append(rest.pop(0))
    return [*row, *always], rest


def packed(parts: Sequence[KeyWord], width: int) -> list[str]:
    """The parts in as few rows of a width as their order allows."""
    rows: list[str] = []
    for part in map(str, parts):
        if rows and len(rows[-1]) + len(part) + 2 <= width:
            rows[-1] += f"  {part}"
        else:
            rows.append(part)
    return rows
