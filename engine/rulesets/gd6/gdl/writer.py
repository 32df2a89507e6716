"""From document to text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.rulesets.gd6.gdl.document import Block, Document
from engine.rulesets.gd6.gdl.order_lines import write_order
from engine.rulesets.gd6.orders import AnyOrder

_PAIRS = 20
"""Borders in a line."""


def write(document: Document) -> str:
    """The text of a document; ``read`` makes the same document of it. Rules: GD-GDL-5."""
    return "".join(f"{line}\n" for line in lines(document))


def write_list(orders: Iterable[AnyOrder]) -> str:
    """The text of one list, without names. Rules: GD-GDL-3, GD-GDL-5."""
    return "".join(f"{write_order(order)}\n" for order in orders)


def lines(document: Document) -> Iterator[str]:
    """The lines of a document: set-up, then turn after turn. Rules: GD-GDL-1, GD-GDL-5."""
    yield "InitStart"
    yield f"SetNumTerritories {len(document.sketches)}"
    for first in range(0, len(document.borders), _PAIRS):
        pairs = document.borders[first : first + _PAIRS]
        yield "SetBoundaries " + ";".join(f"{one},{other}" for one, other in pairs)
    for sketch in document.sketches:
        if sketch.polygon:
            points = ";".join(f"{x},{y}" for x, y in sketch.polygon)
            yield f"SetCoordinates {sketch.id} {points}"
    for sketch in document.sketches:
        if sketch.name:
            yield f"SetIdentifier {sketch.id} {sketch.name}"
    for member in document.members:
        yield f"AddPlayer {member.name} {member.colour}"
    yield "InitEnd"
    named = False
    for block in document.blocks:
        yield ""
        if not block.lists and not named:
            yield f"Set {document.members[0].name}"  # End needs to follow some Set
        named = True
        yield from _block(document, block)
        yield "End"


def _block(document: Document, block: Block) -> Iterator[str]:
    for seat, orders in block.lists:
        yield f"Set {document.members[seat].name}"
        for written in orders:
            yield write_order(written.order)
