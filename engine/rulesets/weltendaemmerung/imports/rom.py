"""The ROM from which the original takes its chance (WD-RNG-2, WD-RNG-3)."""

from __future__ import annotations

from engine.core.ruleset import Imported, ScenarioFault
from engine.rulesets.weltendaemmerung.imports.circle import is_rom, with_circle
from engine.rulesets.weltendaemmerung.imports.program import ProgramImporter
from engine.rulesets.weltendaemmerung.scenario import shipped


class RomImporter:
    """A KERNAL ROM image: its first 256 bytes are the circle of ``chance = c64_cycle``.

    The scenario is the one of the program file that comes with it, or else the usual one, with that
    circle in it. Rules: WD-RNG-3.
    """

    name = "a C64 KERNAL ROM image (8192 bytes), for chance = c64_cycle"
    companion = "the original program file; without it the usual scenario gets the ROM's chance"

    def sniff(self, data: bytes) -> bool:
        """Whether it has the size of the ROM and the weights the rule book gives."""
        return is_rom(data)

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:
        """The scenario with the circle of this ROM.

        Raises:
            ScenarioFault: this is another ROM, or no program file comes with it.
        """
        if not is_rom(data):
            raise ScenarioFault("", "not the ROM that the original draws from", "WD-RNG-2")
        if companion is None:
            return Imported(with_circle(next(iter(shipped().values())), data))
        program = ProgramImporter()
        if not program.sniff(companion):
            raise ScenarioFault("", "the second file is not the original program", "WD-IMP-1")
        return program.read(companion, data)
