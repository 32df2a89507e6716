"""Sections of a report, each a title with sentences and a table, as text, Markdown or HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.core.printable import harmless
from engine.core.record import Record
from tui.console.printing import columns

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|#])")
"""Characters with a meaning in Markdown."""

_STYLE: Final = (
    "body{font:15px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{padding:.15em .7em;border-bottom:1px solid #ccc}"
    "td.n,th.n{text-align:right}th{text-align:left}"
)


class ReportSection(Record, frozen=True):
    """Part of a report."""

    title: str
    text: tuple[str, ...] = ()
    """Sentences before the table, one per line."""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    words: int = 1
    """Number of columns with words, on the left; the others hold numbers."""
    after: tuple[str, ...] = ()
    """Sentences after the table, one per line."""


def text_lines(sections: Iterable[ReportSection]) -> list[str]:
    """Return sections as lines for a terminal."""
    found: list[str] = []
    for section in sections:
        found += ["", section.title] if found else [section.title]
        found += section.text
        if section.rows:
            found += columns([section.head, *section.rows])
        found += section.after
    return found


# -- Markdown ----------------------------------------------------------------------------------


def markdown(sections: Iterable[ReportSection], level: int = 2) -> str:
    """Format sections as Markdown. ``level`` is that of their headings; 0 makes them bold."""
    return "\n\n".join(block for section in sections for block in _markdown(section, level)) + "\n"


def _markdown(section: ReportSection, level: int) -> Iterator[str]:
    title = _plain(section.title)
    yield f"{'#' * level} {title}" if level else f"**{title}**"
    if section.text:
        yield "\n".join(f"- {_plain(line)}" for line in section.text)
    if section.rows:
        numbers = len(section.head) - section.words
        rule = ["---"] * section.words + ["---:"] * numbers
        yield "\n".join(_row(row) for row in (section.head, rule, *section.rows))
    if section.after:
        yield "\n".join(f"- {_plain(line)}" for line in section.after)


def _row(cells: Sequence[str]) -> str:
    is_rule = all(re.fullmatch("---:?", cell) for cell in cells)
    return f"| {' | '.join(cells if is_rule else map(_plain, cells))} |"


def _plain(text: str) -> str:
    """Escape a text so that Markdown, even in HTML, shows it unchanged."""
    return _SPECIAL.sub(r"\\\1", harmless(text).replace("&", "&amp;").replace("\n", " "))


# -- HTML --------------------------------------------------------------------------------------


def web_page(title: str, sections: Iterable[ReportSection]) -> str:
    """Format sections as a self-contained web page."""
    body = "\n".join(line for section in sections for line in _html(section))
    name = _shown(title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f"<title>{name}</title><style>{_STYLE}</style></head>\n"
        f"<body>\n<h1>{name}</h1>\n{body}\n</body></html>\n"
    )


def _html(section: ReportSection) -> Iterator[str]:
    yield f"<h2>{_shown(section.title)}</h2>"
    yield from (f"<p>{_shown(line)}</p>" for line in section.text)
    if section.rows:
        yield "<table>"
        yield _cells("th", section.head, section.words)
        yield from (_cells("td", row, section.words) for row in section.rows)
        yield "</table>"
    yield from (f"<p>{_shown(line)}</p>" for line in section.after)


def _cells(tag: str, row: Sequence[str], words: int) -> str:
    kinds = (f"{tag}" if at < words else f'{tag} class="n"' for at in range(len(row)))
    cells = (f"<{kind}>{_shown(cell)}</{tag}>" for kind, cell in zip(kinds, row, strict=True))
    return f"<tr>{''.join(cells)}</tr>"


def _shown(text: str) -> str:
    return html.escape(harmless(text))
