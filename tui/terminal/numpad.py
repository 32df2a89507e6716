"""Keys of the number pad that terminals send in forms Textual does not know.

In its application mode the pad sends ``ESC O`` and a letter; most of these Textual reads as digits
and signs already. The 5 without NumLock comes as ``kp_begin``, which bindings name.
"""

from __future__ import annotations

from typing import Any, Final, cast

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS

SEQUENCES: Final = {
    "\x1bOl": ",",
    "\x1bOX": "=",
    "\x1bOE": "5",
}
"""What the pad sends, and the sign that is meant."""


def know_the_pad() -> None:
    """Teach Textual these sequences; before the program reads its first key."""
    cast("dict[str, Any]", ANSI_SEQUENCES_KEYS).update(SEQUENCES)
