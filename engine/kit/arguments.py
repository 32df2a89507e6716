"""Arguments of tools: words of a command line as numbers and places."""

from __future__ import annotations

from typing import TypeVar

from engine.core.containers import HasId, Plane, Roster
from engine.kit.grid import Place

R = TypeVar("R", bound=HasId)


def whole(text: str, what: str, most: int) -> int:
    """A whole number from 0 on.

    Raises:
        ValueError: it is none, or above ``most``; ``what`` names it.
    """
    text = text.strip()
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) > most:
        raise ValueError(f"{what}: {text!r} is no whole number from 0 to {most}")
    return int(text)


def rows_of(rows: Roster[R], text: str, what: str) -> tuple[R, ...]:
    """Rows of a roster by their numbers in a text ``3,4``, each once.

    Raises:
        ValueError: one is no number, or not there; ``what`` names a row.
    """
    numbers = [whole(part, what, 1 << 20) for part in text.split(",")]
    for number in numbers:
        if number not in rows:
            raise ValueError(f"there is no {what} {number} here")
    return tuple(rows[number] for number in dict.fromkeys(numbers))


def place_of(text: str) -> Place:
    """(x, y) of a text ``x,y``.

    Raises:
        ValueError: it is no place.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise ValueError(f"{text.strip()!r} is no place x,y")
    return int(parts[0]), int(parts[1])


def place_on(plane: Plane, text: str) -> Place:
    """(x, y) of a text ``x,y`` on a plane.

    Raises:
        ValueError: it is no place, or off the map.
    """
    x, y = place_of(text)
    if not plane.has(x, y):
        raise ValueError(f"{x},{y} is not on the map")
    return x, y
