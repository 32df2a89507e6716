"""Where a player's attention is, and what the stick does with it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.core.record import Record

Direction: TypeAlias = Literal[
    "up", "down", "left", "right", "up-left", "up-right", "down-left", "down-right"
]

DELTAS: dict[Direction, tuple[int, int]] = {
    "up": (0, -1),
    "down": (0, 1),
    "left": (-1, 0),
    "right": (1, 0),
    "up-left": (-1, -1),
    "up-right": (1, -1),
    "down-left": (-1, 1),
    "down-right": (1, 1),
}
"""(dx, dy) of each direction; y grows downwards."""

NOTHING = -1


class Focus(Record, frozen=True):
    """The cursor's cell, and the id of the piece it holds (carried, or chosen to act)."""

    x: int
    y: int
    held: int = NOTHING


class Push(Record, frozen=True):
    """What one press of the stick or the button leads to.

    If ``line`` is empty the focus becomes ``focus``. Otherwise the line is submitted first: the
    focus becomes ``focus`` if it is accepted and ``refused`` (or what it was) if not.

    If ``intent`` is named the focus becomes ``focus`` and the dialogue of that intent is opened
    there; it is one of those that ``intents`` offers for it, without a reason against it. A
    ``line`` beside it is what the dialogue comes to when it is agreed to: players who do not want
    to be asked submit it at once.
    """

    focus: Focus
    line: str = ""
    refused: Focus | None = None
    intent: str = ""
    note: str = ""
    """Why nothing happened, if that needs saying."""
