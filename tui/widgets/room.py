"""How large a screen must be, in columns and rows."""

from __future__ import annotations

from typing import Final

SMALLEST: Final = (40, 16)
"""Below this nothing sensible can be drawn."""

USUAL: Final = (80, 24)
"""What everything is made for first."""

WIDE: Final = 120
"""Columns from which on there is room for more than one thing beside another."""


def too_small(width: int, height: int) -> str:
    """What is said where there is no room."""
    return (
        f"This window has {width} x {height} cells. Please make it larger: "
        f"{USUAL[0]} x {USUAL[1]} is good, {SMALLEST[0]} x {SMALLEST[1]} the least."
    )
