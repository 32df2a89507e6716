"""ASCII in place of other signs, of the same width, for all text of screens and rulesets."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from rich.cells import get_character_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_BY_NAME: Final = (
    ("BOX DRAWINGS|VERTICAL AND", "+"),
    ("BOX DRAWINGS|DOWN AND", "+"),
    ("BOX DRAWINGS|UP AND", "+"),
    ("BOX DRAWINGS|ARC", "+"),
    ("BOX DRAWINGS|VERTICAL", "|"),
    ("BOX DRAWINGS", "-"),
    ("LEFTWARDS", "<"),
    ("LEFT-POINTING", "<"),
    ("RIGHTWARDS", ">"),
    ("RIGHT-POINTING", ">"),
    ("UPWARDS", "^"),
    ("UP-POINTING", "^"),
    ("DOWNWARDS", "v"),
    ("DOWN-POINTING", "v"),
    ("FULL BLOCK", "#"),
    ("DARK SHADE", "#"),
    ("SHADE", ":"),
    ("BLOCK", "="),
    ("BRAILLE", ":"),
    ("MULTIPLICATION", "x"),
    ("ELLIPSIS", "."),
    ("MIDDLE DOT", "."),
    ("BULLET", "*"),
    ("BLACK|CIRCLE", "*"),
    ("BLACK|SQUARE", "#"),
    ("BLACK|", "*"),
    ("WHITE|", "o"),
    ("CHECK MARK", "v"),
    ("SINGLE|QUOTATION", "'"),
    ("QUOTATION", '"'),
    ("PLUS", "+"),
    ("HYPHEN", "-"),
    ("DASH", "-"),
    ("MINUS", "-"),
    ("SHARP S", "s"),
)
"""Words in the name of a sign, and its replacement; the first matching row is used."""


@lru_cache(maxsize=4096)
def _plain(sign: str) -> str:
    """Return a sign in ASCII, with the same width."""
    width: int = get_character_cell_size(sign)
    letter = unicodedata.normalize("NFD", sign)[0]
    if not (letter.isascii() and letter.isprintable()):
        name = unicodedata.name(sign, "")
        fitting = (to for words, to in _BY_NAME if all(word in name for word in words.split("|")))
        letter = " " if sign.isspace() else next(fitting, "?")
    return letter.ljust(width, "?" if letter == "?" else " ")[:width]


def in_ascii(text: str) -> str:
    """Replace all signs of a text by ASCII ones of the same width.

    >>> in_ascii("Brücke → drei…")
    'Brucke > drei.'
    """
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() else _plain(sign) for sign in text)


class AsciiOnly(LineFilter):
    """Filter that sends only ASCII to the terminal."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - as Textual calls it
        """Return the segments with ASCII text only."""
        return [Segment(in_ascii(text), style, control) for text, style, control in segments]
