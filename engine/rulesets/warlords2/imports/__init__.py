"""Reading scenario files of the original program that a user owns (section 16)."""

from __future__ import annotations

from engine.core.ruleset import Importer
from engine.rulesets.warlords2.imports.original import OriginalImporter

IMPORTERS: tuple[Importer, ...] = (OriginalImporter(),)
