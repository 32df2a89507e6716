"""The reasons for strengths in a battle."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.core.record import Record
from engine.strategic.pieces import NONE

Source: TypeAlias = Literal[
    "leader",
    "command",
    "standard",
    "pack",
    "works",
    "defence",
    "cap",
    "foe",
    "own",
    "weapons",
    "aboard",
    "limit",
    "support",
]
"""Where strength comes from: the side's leader, its heroes' command items and standards, the best
pack bonus, field works, walls; the limit of all that; the foe's malus; the army's own bonus on
such ground, a hero's weapons, fighting as a ship, the limits of strength; all that the side gives
as one."""


class Part(Record, frozen=True):
    """One reason for a strength. ``army`` is who gives it; ``cancelled``: the foe undoes it."""

    source: Source
    value: int
    army: int = NONE
    cancelled: bool = False
