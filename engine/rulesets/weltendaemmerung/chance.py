"""The one draw of the game (section 11)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Final

from engine.core.dice import Dice
from engine.rulesets.weltendaemmerung.state import State, View
from engine.rulesets.weltendaemmerung.tables import chance_table

MODIFIERS: Final = chance_table().modifiers
"""What each index adds to the attack. Rules: WD-RNG-1."""

C64_TOTALS: Final = tuple(accumulate(chance_table().weights))
"""Running totals of the original's weights for modifiers 0 to 4. Rules: WD-RNG-2."""


def draw(state: State, dice: Dice) -> tuple[int | None, int]:
    """(index, modifier) of an attack in the mode of the game. Rules: WD-RNG-1, WD-RNG-3."""
    match state.options.chance:
        case "uniform8":
            index = dice.roll(len(MODIFIERS)) - 1
            return index, MODIFIERS[index]
        case "c64_weights":
            thrown = dice.roll(C64_TOTALS[-1])
            return None, next(m for m, total in enumerate(C64_TOTALS) if thrown <= total)
        case "c64_cycle":
            index = state.cycle[state.attacks % len(state.cycle)]
            return index, MODIFIERS[index]


def shares(position: State | View) -> dict[int, tuple[int, int]]:
    """The exact chance of each modifier now, as (part, whole). Rules: WD-RNG-1, WD-RNG-3."""
    match position.options.chance:
        case "uniform8":
            return _counted(MODIFIERS)
        case "c64_weights":
            starts = (0, *C64_TOTALS)
            return {m: (C64_TOTALS[m] - starts[m], C64_TOTALS[-1]) for m in range(5)}
        case "c64_cycle":
            sure = MODIFIERS[position.cycle[position.attacks % len(position.cycle)]]
            return {sure: (1, 1)}


def _counted(modifiers: Iterable[int]) -> dict[int, tuple[int, int]]:
    listed = list(modifiers)
    return {m: (listed.count(m), len(listed)) for m in sorted(set(listed))}
