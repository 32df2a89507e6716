"""The order language for the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.core.log import AnyEntry
from engine.core.ruleset import Exporter, Imported, Importer, ScenarioFault
from engine.rulesets.gd6.gdl.document import Document
from engine.rulesets.gd6.gdl.faults import Code, WrongText
from engine.rulesets.gd6.gdl.games import document_of, recording_of
from engine.rulesets.gd6.gdl.reader import START, read
from engine.rulesets.gd6.gdl.words import COMMENT
from engine.rulesets.gd6.gdl.writer import lines


class GdlImporter:
    """A text in the order language as a scenario. Rules: GD-GDL-6."""

    name = "a Global Domination text in the order language (GDL)"
    companion = ""

    def sniff(self, data: bytes) -> bool:
        """Whether the first line that says something opens a set-up."""
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        said = (line.strip() for line in text.split("\n"))
        first = next((line for line in said if line and not line.startswith(COMMENT)), "")
        return first.split()[:1] == [START]

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:  # noqa: ARG002 - port
        """The scenario of a text, and what was played. Rules: GD-GDL-6, GD-GDL-7.

        Raises:
            ScenarioFault: with the line of the first error.
        """
        found = recording_of(parsed(data))
        return Imported(found.scenario, found.remarks, found.play)


def parsed(data: bytes) -> Document:
    """The document in the bytes of a file. Rules: GD-GDL-4.

    Raises:
        ScenarioFault: with the line of the first error.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        fault = f"{Code.BAD_ARGUMENT.value}: no UTF-8 text"
        raise ScenarioFault(f"line {line}", fault, "GD-GDL-4") from None
    try:
        return read(text)
    except WrongText as problem:
        first = problem.faults[0]
        fault = f"{first.code.value}: {first.text}"
        raise ScenarioFault(f"line {first.line}", fault, "GD-GDL-4") from None


class GdlExporter:
    """A game as a text in the order language. Rules: GD-GDL-5."""

    name = "gdl"
    text = "map, players and the lists of all turns in the order language (GDL)"

    def content(self, entries: Iterable[AnyEntry]) -> bytes:
        """A game's line of play as a text.

        Raises:
            ScenarioFault: the language cannot say it.
        """
        return "".join(f"{line}\n" for line in lines(document_of(entries))).encode()


IMPORTERS: Final[tuple[Importer, ...]] = (GdlImporter(),)
EXPORTERS: Final[tuple[Exporter, ...]] = (GdlExporter(),)
