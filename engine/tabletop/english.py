"""English for sentences: counts with their nouns, lists, capitals, articles and percentages."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def many(count: int, one: str, more: str = "") -> str:
    """Return a count with its noun; ``more`` is the plural if an "s" does not make it.

    >>> many(1, "turn"), many(2, "turn"), many(0, "army", "armies")
    ('1 turn', '2 turns', '0 armies')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"


def joined(parts: Sequence[str], word: str = "and") -> str:
    """Return a list as text.

    >>> joined(["a", "b", "c"]), joined(["1 to 3", "7"], "or"), joined(["a"]), joined([])
    ('a, b and c', '1 to 3 or 7', 'a', '')
    """
    return f" {word} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def capital(text: str) -> str:
    """Return a text with an initial capital.

    >>> capital("the Orcs of Kor")
    'The Orcs of Kor'
    """
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text with an initial capital, and a full stop unless it ends with another stop.

    >>> sentence("the Crown falls"), sentence("what now?"), sentence("you could take:")
    ('The Crown falls.', 'What now?', 'You could take:')
    """
    return capital(text) if text.endswith((".", ":", "?")) else f"{capital(text)}."


def article(noun: str) -> str:
    """Return a noun with its indefinite article.

    >>> article("Sword"), article("Archer")
    ('a Sword', 'an Archer')
    """
    return f"{'an' if noun[:1] in 'AEIOU' else 'a'} {noun}"


def whole_percent(chance: float | Fraction) -> int:
    """Return a chance in whole percent; 0 and 100 only if it is certain.

    >>> whole_percent(0), whole_percent(Fraction(1, 1000)), whole_percent(0.999), whole_percent(1)
    (0, 1, 99, 100)
    """
    return 100 * int(chance) if chance in (0, 1) else min(99, max(1, round(100 * chance)))
