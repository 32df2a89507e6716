"""Names for the numbers that everything else passes around."""

from __future__ import annotations

from typing import Final, TypeAlias

Seat: TypeAlias = int
"""A player's place in the game: 0, 1, …; or HOUSE."""

Viewer: TypeAlias = int
"""A seat, PUBLIC or REFEREE: whoever looks at a game."""

HOUSE: Final = -1
"""Who begins the game, stops clocks and replaces players."""

PUBLIC: Final = -2
"""Sees what everybody may see."""

REFEREE: Final = -3
"""Sees everything."""

ROOT: Final = -1
"""The parent of the first entry of a log."""


def viewer_name(viewer: Viewer) -> str:
    """``public``, ``referee``, ``house`` or ``seat N``."""
    special = {HOUSE: "house", PUBLIC: "public", REFEREE: "referee"}
    return special.get(viewer, f"seat {viewer}")
