"""Seats, viewers and the special numbers among them."""

from __future__ import annotations

from typing import Final, TypeAlias

Seat: TypeAlias = int
"""A player's number: 0, 1, …; or HOUSE."""

Viewer: TypeAlias = int
"""A seat, PUBLIC or REFEREE, for whom a view or a feed is made."""

HOUSE: Final = -1
"""The seat of the program itself: begins the game, stops clocks, replaces players."""

PUBLIC: Final = -2
"""The viewer that knows only what is public."""

REFEREE: Final = -3
"""The viewer that knows everything."""

ROOT: Final = -1
"""The parent of the first entry of a log."""


def viewer_name(viewer: Viewer) -> str:
    """Return ``public``, ``referee``, ``house`` or ``seat N``."""
    special = {HOUSE: "house", PUBLIC: "public", REFEREE: "referee"}
    return special.get(viewer, f"seat {viewer}")
