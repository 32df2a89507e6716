"""Long games of computer players in which the planted faults show, for ``shrink``."""

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
"""Kinds of games with seeds that make them long; not all rulesets have such games."""


ENDING: Final = (Sort("ford"), 0)
"""A game that ends with a commander's death; no long game of computer players does."""


def long_game(folder: Path, fault: PlantedFault) -> Path:
    """Return a save of a game that shows a fault, of at most 1500 entries; reuse it if possible."""
    sort, seed = ENDING if fault.name == "wrong winner" else LONG[fault.ruleset]
    return saved_game(folder, fault.ruleset, sort, seed, MOST)
