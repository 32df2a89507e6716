"""Arguments of tools: words of a command line as numbers and places."""

from __future__ import annotations

from typing import TypeVar

from engine.core.containers import HasId, Plane, Roster
from engine.kit.grid import Place

R = TypeVar("R", bound=HasId)


def whole(text: str, what: str, most: int) -> int:
    """Parse a whole number from 0 to ``most``.

    Raises:
        ValueError: the text is anything else; the message begins with ``what``.
    """
    text = text.strip()
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or int(text) > most:
        raise ValueError(f"{what}: {text!r} is no whole number from 0 to {most}")
    return int(text)


def rows_of(rows: Roster[R], text: str, what: str) -> tuple[R, ...]:
    """Return the rows of a roster by their numbers in a text ``3,4``, each once.

    Raises:
        ValueError: a number is invalid or unknown; ``what`` is the word for a row.
    """
    numbers = [whole(part, what, 1 << 20) for part in text.split(",")]
    for number in numbers:
        if number not in rows:
            raise ValueError(f"there is no {what} {number} here")
    return tuple(rows[number] for number in dict.fromkeys(numbers))


def place_of(text: str) -> Place:
    """Parse a text ``x,y`` as (x, y).

    Raises:
        ValueError: the text is anything else.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise ValueError(f"{text.strip()!r} is no place x,y")
    return int(parts[0]), int(parts[1])


def place_on(plane: Plane, text: str) -> Place:
    """Parse a text ``x,y`` as a place on a plane.

    Raises:
        ValueError: the text is not a place, or the place is off the map.
    """
    x, y = place_of(text)
    if not plane.has(x, y):
        raise ValueError(f"{x},{y} is not on the map")
    return x, y
