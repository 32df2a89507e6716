"""Focus of a player on the board, and the effects of stick and button."""

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
    """Cursor cell, and the id of the piece that is held (carried, or chosen to act)."""

    x: int
    y: int
    held: int = NOTHING


class Push(Record, frozen=True):
    """Effect of one press of the stick or the button.

    If ``line`` is empty, the focus becomes ``focus``. If not, the line is submitted first. The
    focus becomes ``focus`` if it is accepted, and ``refused`` if it is refused; without ``refused``
    it stays as it was.

    With an ``intent``, the focus becomes ``focus`` and the dialogue of that intent opens there.
    ``intents`` must offer it for this focus without a reason against it. A ``line`` beside it is
    the result of the dialogue if it is confirmed: for players who turned confirmations off, it is
    submitted at once.
    """

    focus: Focus
    line: str = ""
    refused: Focus | None = None
    intent: str = ""
    note: str = ""
    """Reason why nothing happened, if the player needs to know it."""
