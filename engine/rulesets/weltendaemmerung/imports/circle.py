"""The circle of chance: what the original draws from, out of the ROM of its machine (WD-RNG-2)."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.core.record import replace
from engine.rulesets.weltendaemmerung.chance import MODIFIERS
from engine.rulesets.weltendaemmerung.state import Map
from engine.rulesets.weltendaemmerung.tables import chance_table

SIZE: Final = 8192
_CIRCLE: Final = 256


def is_rom(data: bytes) -> bool:
    """Whether a file has the size of the ROM and the weights of the rule book. Rules: WD-RNG-2."""
    return len(data) == SIZE and weights(circle(data)) == chance_table().weights


def circle(data: bytes) -> tuple[int, ...]:
    """The 256 indices 0 to 7 of a ROM image. Rules: WD-RNG-2."""
    return tuple(byte & 7 for byte in data[:_CIRCLE])


def weights(indices: tuple[int, ...]) -> tuple[int, ...]:
    """How often each modifier 0 to 4 comes in the circle."""
    found = Counter(MODIFIERS[index] for index in indices)
    return tuple(found[modifier] for modifier in range(5))


def with_circle(base: Map, rom: bytes) -> Map:
    """A scenario that draws from the circle of a ROM image. Rules: WD-RNG-3."""
    return replace(
        base,
        name=f"{base.name}-cycle",
        title=f"{base.title}, original chance",
        options=replace(base.options, chance="c64_cycle"),
        cycle=circle(rom),
    )
