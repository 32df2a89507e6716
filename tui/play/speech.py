"""The map in words, for speech and braille: directions, distances, the cell and its surroundings.

Directions are those of the board: x grows to the east, y to the south.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.core.record import Record
from engine.kit.grid import Place
from engine.tabletop.board import Board, BoardMark, Find, Line, condensed
from engine.tabletop.english import many
from engine.tabletop.focus import DELTAS, Direction, Focus
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import MarkSign, Tone
from engine.tabletop.spoken import SpokenMark

WAYS: Final[dict[Direction, str]] = {
    "up": "north",
    "up-right": "north-east",
    "right": "east",
    "down-right": "south-east",
    "down": "south",
    "down-left": "south-west",
    "left": "west",
    "up-left": "north-west",
}
"""Names of the directions, clockwise."""

_SHORT: Final = {"".join(part[0] for part in word.split("-")): way for way, word in WAYS.items()}
_WORDS: Final[dict[str, Direction]] = {
    **_SHORT,
    **{word: way for way, word in WAYS.items()},
    **{word.replace("-", ""): way for way, word in WAYS.items()},
}

_SIGNS: Final = {
    MarkSign.REACH: "within reach",
    MarkSign.STRIKE: "within striking range",
    MarkSign.TARGET: "a target",
    MarkSign.PATH: "on the way",
    MarkSign.HELD: "held",
    MarkSign.DANGER: "in danger",
    MarkSign.IDLE: "can still act",
}

_TEXTS: Final = {"+": "more than 9", "++": "more than 99", ":": ""}
"""Texts of marks that are no words, and the words for them."""

_SPOKEN: Final = (
    (re.compile(r" [·•|] "), ", "),
    (re.compile(r"\N{MINUS SIGN}(?=\d)"), "minus "),
    (re.compile(r" ?[\u2190-\u21ff▸▹►▻] ?"), " to "),
    (re.compile(r"[\u2500-\u25ff\u2800-\u28ff★☆◆♦†‼•·]+"), " "),
    (re.compile(r"  +"), " "),
)
"""Patterns of signs that speech would spell out, and the words that replace them."""

_QUIETLY: Final = 12
"""Number of small events up to which each is reported; beyond that, they are counted."""


class Near(Record, frozen=True):
    """Named thing, and its position relative to a cell."""

    find: Find
    steps: int
    """Distance in cells, with a diagonal step counting as one."""
    where: str
    """Offset such as "3 east, 2 north"."""


def speakable(text: str) -> str:
    """Return a text without signs that a voice would spell out: arrows, bullets, bars, boxes."""
    if text.isascii():
        return text
    for signs, words in _SPOKEN:
        text = signs.sub(words, text)
    return text.strip()


def direction_of(word: str) -> Direction | None:
    """Parse a direction such as ``ne``, ``northeast`` or ``north-east``; None if it is none."""
    return _WORDS.get(word.casefold())


def bearing(dx: int, dy: int) -> str:
    """Return the nearest of the eight directions, ``north-east``; ``here`` for no offset."""
    if dx == dy == 0:
        return "here"
    east = "" if 5 * abs(dx) < 2 * abs(dy) else "east" if dx > 0 else "west"
    north = "" if 5 * abs(dy) < 2 * abs(dx) else "south" if dy > 0 else "north"
    return "-".join(part for part in (north, east) if part)


def offset(dx: int, dy: int) -> str:
    """Return the offset along both axes, ``3 east, 2 north``; ``here`` for none."""
    parts = []
    if dx:
        parts.append(f"{abs(dx)} {'east' if dx > 0 else 'west'}")
    if dy:
        parts.append(f"{abs(dy)} {'south' if dy > 0 else 'north'}")
    return ", ".join(parts) or "here"


def apart(board: Board, one: Place, other: Place) -> tuple[int, int]:
    """Return (dx, dy) from one cell to another, by the shorter way if the board wraps."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    if board.wraps and 2 * abs(dx) > board.width:
        dx -= board.width if dx > 0 else -board.width
    return dx, dy


def distance(dx: int, dy: int) -> int:
    """Return the number of steps for an offset; a diagonal step counts as one."""
    return max(abs(dx), abs(dy))


def spoken(presenter: AnyPresenter, view: Any, focus: Focus) -> str:
    """Describe the cursor position in a few sentences: the cell, its marks, possible actions."""
    said = [line.text for line in presenter.look(view, focus.x, focus.y)]
    overlay = presenter.overlay(view, focus)
    said += [f"{noted.capitalize()}." for noted in marked(overlay.marks, (focus.x, focus.y))]
    if overlay.hint:
        said.append(f"Here you can: {overlay.hint}.")
    return " ".join(said) or "There is nothing here."


def words_of(mark: BoardMark) -> str:
    """Return the text of a mark in words."""
    text = mark.text.strip()
    said = mark.words if isinstance(mark, SpokenMark) else ""
    return said or _TEXTS.get(text, text)


def _price(mark: BoardMark) -> str:
    """Return the price of a cell within reach; empty for other marks."""
    is_price = mark.sign is MarkSign.REACH and mark.text.isdecimal()
    return many(int(mark.text), "move") if is_price else ""


def sign_name(sign: str) -> str:
    """Return a sign with its name, as voices skip many signs: ``# (number sign)``."""
    return sign if sign.isalnum() else f"{sign} ({unicodedata.name(sign, 'unknown sign').lower()})"


def marked(marks: Iterable[BoardMark], at: Place) -> list[str]:
    """Return what the marks on a cell mean, in words; each text once."""
    found = [
        ", ".join(part for part in (_SIGNS[mark.sign], _price(mark) or words_of(mark)) if part)
        for mark in marks
        if (mark.x, mark.y) == at
    ]
    return list(dict.fromkeys(found))


def around(
    presenter: AnyPresenter, view: Any, board: Board, at: Place, most: int = 8
) -> tuple[Near, ...]:
    """Return the ``most`` nearest named things, without those on the cell itself."""
    return nearest(presenter.finds(view), board, at)[:most]


def nearest(finds: Iterable[Find], board: Board, at: Place) -> tuple[Near, ...]:
    """Return named things sorted by distance from a cell, without those on it."""
    found = []
    for find in finds:
        dx, dy = apart(board, at, find.at)
        if (dx, dy) != (0, 0):
            found.append(Near(find, distance(dx, dy), offset(dx, dy)))
    return tuple(sorted(found, key=lambda near: (near.steps, near.find.at[::-1], near.find.text)))


def way_of(start: Place, cells: Sequence[Place]) -> str:
    """Return a path in runs: "3 east, 1 north, 2 east". The first cell follows ``start``."""
    runs: list[tuple[str, int]] = []
    before = start
    for cell in cells:
        word = bearing(cell[0] - before[0], cell[1] - before[1])
        if runs and runs[-1][0] == word:
            runs[-1] = word, runs[-1][1] + 1
        else:
            runs.append((word, 1))
        before = cell
    return ", ".join(f"{count} {word}" for word, count in runs)


def summary_of(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return lines short enough to listen to; many small events are replaced by their number."""
    kept = condensed(lines)
    small = [line for line in kept if line.tone == Tone.QUIET]
    if len(small) <= _QUIETLY:
        return tuple(kept)
    told = [line for line in kept if line.tone != Tone.QUIET]
    return (*told, Line(f"And {len(small)} smaller things; again tells them.", Tone.QUIET))


_PLACE: Final = re.compile(r"\s*(\d{1,6})\s*,\s*(\d{1,6})\s*")
_LONGEST: Final = 200
"""Maximum steps that are read from words."""


def place_of(text: str, at: Place) -> Place | None:
    """Parse a cell ``x,y``, or a path from ``at`` such as ``3 east 2 north``.

    Return None if the text is neither.
    """
    found = _PLACE.fullmatch(text)
    if found is not None:
        return int(found[1]), int(found[2])
    steps = steps_of(text)
    if not steps:
        return None
    deltas = [DELTAS[step] for step in steps]
    return at[0] + sum(dx for dx, _ in deltas), at[1] + sum(dy for _, dy in deltas)


def steps_of(text: str) -> list[Direction] | None:
    """Parse ``3 east, 2 n`` or ``e e north`` into single steps; None if the text is something else.

    A number belongs to the direction after it; in a text of two words it may also follow.
    """
    words = re.findall(r"\d+|[a-z-]+|\S", text.casefold().replace(",", " "))
    if len(words) == 2 and words[1].isdecimal():
        words.reverse()
    steps: list[Direction] = []
    count = ""
    for word in words:
        if word.isascii() and word.isdecimal() and not count and len(word) < 4:
            count = word
            continue
        way = direction_of(word)
        if way is None:
            return None
        steps += [way] * int(count or 1)
        count = ""
    return None if count or not steps or len(steps) > _LONGEST else steps
