"""Long games of computer players, in which every planted fault shows, for ``shrink``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.debug.corpus import Sort, saved_game
from tests.debug.planted import PlantedFault

MOST: Final = 1500

LONG: Final[Mapping[str, tuple[Sort, int]]] = {
    "weltendaemmerung": (Sort("thainfal", levels=("easy",)), 1),
    "gd6": (Sort("world", 8, levels=("normal", "easy")), 1),
    "kaladan": (Sort("crowns", 4, options={"magic": "on"}), 1),
    "warlords2": (Sort("narrows"), 1),
}
"""Sorts of games with the seeds of those that are long; not all rulesets have as long ones."""


ENDING: Final = (Sort("ford"), 0)
"""A game that ends with the death of a commander, as no long one of computer players does."""


def long_game(folder: Path, fault: PlantedFault) -> Path:
    """A save of a game that shows a fault, of 1500 entries at most; made once in a folder."""
    sort, seed = ENDING if fault.name == "wrong winner" else LONG[fault.ruleset]
    return saved_game(folder, fault.ruleset, sort, seed, MOST)
