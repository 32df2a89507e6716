"""Colours as people with different colour vision see them, and their distances."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from colorspacious import cspace_convert, deltaE
from rich.color import Color

EYES: Final = {
    "usual": "",
    "contrast": "",
    "deuteranopia": "deuteranomaly",
    "protanopia": "protanomaly",
    "tritanopia": "tritanomaly",
}
"""For each palette, the colour vision it is made for, by its name in Machado (2009)."""


@cache
def distance(one: str, other: str, eye: str = "") -> float:
    """Return the distance of two colours in CAM02-UCS; about 1 is barely visible side by side."""
    return float(deltaE(_seen(one, eye), _seen(other, eye), input_space="sRGB1"))


@cache
def _seen(name: str, eye: str) -> tuple[float, ...]:
    rgb = np.array(Color.parse(name).get_truecolor()) / 255
    if eye:
        space = {"name": "sRGB1+CVD", "cvd_type": eye, "severity": 100}
        rgb = np.clip(cspace_convert(rgb, space, "sRGB1"), 0, 1)
    return tuple(rgb.tolist())


_FIRST_SIXTEEN: Final = (
    *("#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa"),
    *("#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff"),
)
"""Default first sixteen colours: those of the Linux console."""


@cache
def lightness(name: str) -> float:
    """Return the lightness of a colour (CIE L*): 0 for black to 100 for white, in even visual
    steps.
    """
    number = Color.parse(name).number
    shown = name if number is None or number > 15 else _FIRST_SIXTEEN[number]
    return float(cspace_convert(Color.parse(shown).get_truecolor(), "sRGB255", "CIELab")[0])
