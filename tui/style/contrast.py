"""How well a colour can be read on another, measured as web pages are (WCAG 2)."""

from __future__ import annotations

from functools import cache
from typing import Final

from rich.color import Color

LEAST: Final = 3.0
"""What a sign needs to be made out; text needs 4.5."""


@cache
def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21; names as in palettes.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(name: str) -> float:
    red, green, blue = (_linear(part / 255) for part in Color.parse(name).get_truecolor())
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def legible(ink: str, back: str, *others: str) -> str:
    """The ink if it can be made out on what is behind it, else the best of the others."""
    if contrast(ink, back) >= LEAST:
        return ink
    return max(others, key=lambda other: contrast(other, back))
