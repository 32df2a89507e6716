"""Reading files of the original program that a user owns (sections 14, 15 and WD-RNG-3)."""

from __future__ import annotations

from engine.core.ruleset import Importer
from engine.rulesets.weltendaemmerung.imports.program import ProgramImporter
from engine.rulesets.weltendaemmerung.imports.rom import RomImporter
from engine.rulesets.weltendaemmerung.imports.saved import SavedImporter

IMPORTERS: tuple[Importer, ...] = (ProgramImporter(), SavedImporter(), RomImporter())
