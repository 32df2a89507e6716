"""The ROM from which the original takes its chance (WD-RNG-2, WD-RNG-3)."""

from __future__ import annotations

from collections import Counter

from engine.core.record import replace
from engine.core.ruleset import Imported, ScenarioFault
from engine.rulesets.weltendaemmerung.chance import MODIFIERS
from engine.rulesets.weltendaemmerung.scenario import shipped
from engine.rulesets.weltendaemmerung.tables import chance_table

SIZE = 8192
CIRCLE = 256


class RomImporter:
    """A KERNAL ROM image: its first 256 bytes are the circle of ``chance = c64_cycle``.

    The scenario is the one that comes with the game, with that circle in it; the ``cycle`` field
    can be copied into any other. Rules: WD-RNG-3.
    """

    name = "a C64 KERNAL ROM image (8192 bytes), for chance = c64_cycle"
    companion = ""

    def sniff(self, data: bytes) -> bool:
        """Whether it has the size of the ROM and the weights the rule book gives."""
        return len(data) == SIZE and weights(circle(data)) == chance_table().weights

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:  # noqa: ARG002 - port
        """The usual scenario with the circle of this ROM.

        Raises:
            ScenarioFault: this is another ROM.
        """
        if not self.sniff(data):
            raise ScenarioFault("", "not the ROM that the original draws from", "WD-RNG-2")
        base = next(iter(shipped().values()))
        options = replace(base.options, chance="c64_cycle")
        scenario = replace(
            base,
            name=f"{base.name}-cycle",
            title=f"{base.title}, original chance",
            options=options,
            cycle=circle(data),
        )
        return Imported(scenario)


def circle(data: bytes) -> tuple[int, ...]:
    """The 256 indices 0 to 7 of a ROM image. Rules: WD-RNG-2."""
    return tuple(byte & 7 for byte in data[:CIRCLE])


def weights(indices: tuple[int, ...]) -> tuple[int, ...]:
    """How often each modifier 0 to 4 comes in the circle."""
    found = Counter(MODIFIERS[index] for index in indices)
    return tuple(found[modifier] for modifier in range(5))
