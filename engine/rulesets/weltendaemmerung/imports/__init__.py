"""Importers for files of the original program that a player owns (sections 14 and 15)."""

from engine.rulesets.weltendaemmerung.imports.program import ProgramImporter, RomImporter
from engine.rulesets.weltendaemmerung.imports.saved import SavedImporter

IMPORTERS = (ProgramImporter(), SavedImporter(), RomImporter())
