"""Pages of the rule book that are made out of tables."""

from __future__ import annotations

from engine.strategic.picture.style import Style
from engine.strategic.picture.words import many, traits
from engine.strategic.pieces import UnitType
from engine.tabletop.manual import Chapter


def units(style: Style) -> Chapter:
    """Every type with its numbers and its sign, by strength and price. Rules: W2-7."""
    listed = sorted(style.types, key=lambda kind: (kind.strength, abs(kind.price), kind.id))
    words = tuple(_unit(kind, style.letters.get(kind.id, "?")) for kind in listed)
    return Chapter("Types of unit", words)


def _unit(kind: UnitType, letter: str) -> str:
    text = f"{letter}  {kind.name}: strength {kind.strength}, moves {kind.move}"
    if "hero" in kind.traits:
        return f"{text}."
    price = f"{kind.price} gold" if kind.price >= 0 else "not for sale"
    parts = [text, many(kind.turns, "turn"), f"upkeep {kind.cost // 2}", price]
    return f"{', '.join([*parts, *traits(kind)])}."
