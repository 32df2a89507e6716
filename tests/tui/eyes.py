"""Colours as different eyes see them, and how far apart they are then."""

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
"""For each palette what the eyes it is made for lack, as Machado (2009) calls it."""


@cache
def distance(one: str, other: str, eye: str = "") -> float:
    """How far two colours are apart in CAM02-UCS; about 1 is just to be noticed side by side."""
    return float(deltaE(_seen(one, eye), _seen(other, eye), input_space="sRGB1"))


@cache
def _seen(name: str, eye: str) -> tuple[float, ...]:
    rgb = np.array(Color.parse(name).get_truecolor()) / 255
    if eye:
        space = {"name": "sRGB1+CVD", "cvd_type": eye, "severity": 100}
        rgb = np.clip(cspace_convert(rgb, space, "sRGB1"), 0, 1)
    return tuple(rgb.tolist())
