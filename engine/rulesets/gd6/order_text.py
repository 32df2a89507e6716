"""A list of orders as text: written in the order language, read from it or from notation."""

from __future__ import annotations

from typing import Final

from engine.core import notation
from engine.rulesets.gd6.gdl.faults import WrongText
from engine.rulesets.gd6.gdl.order_lines import READERS
from engine.rulesets.gd6.gdl.reader import read_list
from engine.rulesets.gd6.gdl.writer import write_list
from engine.rulesets.gd6.order_words import RULES
from engine.rulesets.gd6.seating import read_order
from engine.rulesets.gd6.state import View
from engine.tabletop.listing import ListLine

_TAGS: Final = frozenset(str(kind.__struct_config__.tag) for kind in RULES)
"""The first words of orders in notation."""


def listed(view: View) -> str:
    """The viewer's list, an order a line. Rules: GD-GDL-3, GD-GDL-5."""
    return write_list(view.players[view.viewer].orders) if view.viewer in view.players else ""


def unlisted(view: View, text: str) -> tuple[ListLine, ...]:
    """Each line on its own, so that one that is wrong spoils no other. Rules: GD-GDL-3, GD-GDL-4.

    Lines in notation are taken as they are: the table of orders shows lists so.
    """
    found = []
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = raw.strip()
        if line and line.split()[0] in _TAGS:
            found.append(_noted(number, line))
        elif line:
            found += _spoken(view, number, line)
    return tuple(found)


def _noted(number: int, line: str) -> ListLine:
    try:
        return ListLine(number, line, notation.write(read_order(line)))
    except notation.BadNotation as problem:
        return ListLine(number, line, fault=problem.text)


def _spoken(view: View, number: int, line: str) -> list[ListLine]:
    """A line of the order language; none of a comment."""
    try:
        orders = read_list(line, len(view.territories))
    except WrongText as wrong:
        fault = wrong.faults[0].text
        if line.split(maxsplit=1)[0] not in READERS:
            fault += f"; a list has lines that begin with {', '.join(READERS)}"
        return [ListLine(number, line, fault=fault)]
    return [ListLine(number, line, notation.write(order)) for order in orders]
