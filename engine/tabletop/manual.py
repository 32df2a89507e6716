"""Rule book for clients: chapters of numbered rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from engine.core.record import Record


class Rule(Record, frozen=True):
    """Numbered rule in a sentence or two, with the notes of the book on its sources."""

    id: str
    text: str
    notes: tuple[tuple[str, str], ...] = ()
    """(heading, text) of the other columns."""


class Chapter(Record, frozen=True):
    """Heading, paragraphs and rules."""

    title: str
    words: tuple[str, ...]
    """Paragraphs of text, each in one line."""
    rules: tuple[Rule, ...] = ()
    id: str = ""
    """Id of all its rules together, or empty; refusals can name it instead of one of its rules."""


_NAMED = re.compile(r"([A-Z][A-Z0-9]*-\d+): ")
_CELL = re.compile(r"(?<!\\)\|")
_ITEM = re.compile(r"- \*\*([^*]+)\*\* (.*)", re.DOTALL)


@lru_cache(maxsize=16)
def manual(package: str, name: str = "RULES.md") -> tuple[Chapter, ...]:
    """Parse the chapters of a package's rule book: ``#`` headings, paragraphs and rules.

    A heading can begin with the id of its chapter (``## LW-11: Items``). Rules are rows of tables
    whose first column is headed ``Id`` and whose second is the rule, or list items that begin with
    the id in bold.
    """
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return tuple(_chapters(text.splitlines()))


def _chapters(lines: list[str]) -> Iterator[Chapter]:
    title, block = "", list[str]()
    for line in [*lines, "# "]:
        if line.startswith("#"):
            if title:
                yield _chapter(title, block)
            title, block = line.lstrip("#").strip(), []
        else:
            block.append(line)


def _chapter(title: str, block: list[str]) -> Chapter:
    named = _NAMED.match(title)
    rows = [_cells(line) for line in block if line.startswith("|")]
    heading = rows[0] if rows else ()
    rules = [_rule(heading, row) for row in rows[2:]] if heading[:1] == ("Id",) else []
    words = []
    for part in _paragraphs(block):
        item = _ITEM.fullmatch(part)
        if item is not None:
            rules.append(Rule(item[1], item[2]))
        else:
            words.append(part)
    if named is None:
        return Chapter(title, tuple(words), tuple(rules))
    return Chapter(title[named.end() :], tuple(words), tuple(rules), named[1])


def _paragraphs(block: list[str]) -> list[str]:
    """Return the text outside tables, each paragraph and list item in one line."""
    text = "\n".join("" if line.startswith("|") else line for line in block)
    parts = re.split(r"\n\s*\n|\n(?=- )", text)
    return [" ".join(part.split()) for part in parts if part.strip()]


def _cells(line: str) -> tuple[str, ...]:
    parts = _CELL.split(line.strip().strip("|"))
    return tuple(part.replace("\\|", "|").strip() for part in parts)


def _rule(heading: tuple[str, ...], row: tuple[str, ...]) -> Rule:
    return Rule(row[0], row[1], tuple(zip(heading[2:], row[2:], strict=True)))
