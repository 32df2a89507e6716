"""Scenes of the title and of results in pixels: sky, hills, a castle, big letters, a banner.

A pixel is half a terminal row high, or a whole row without half blocks. Shapes and colours are in
``scene.toml``. No widgets are used here.
"""

from __future__ import annotations

import math
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich.color import Color

from tui.terminal.capabilities import Depth

Sky: TypeAlias = Literal["dusk", "dawn", "embers"]
"""Time of day."""

STEPS: Final = 20
"""Number of pictures in one cycle of the waving banner."""

LETTER_SHADES: Final = 5
"""Shades of a letter from top to bottom."""

_LETTER: Final = (5, 7)
"""Columns and rows of a letter."""

_HORIZON: Final = 0.78
"""Share of the height that the colours of the sky cover."""

_FONT_DECIDES: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-'. ")


class Paint(IntEnum):
    """Meaning of a pixel, from which its colour follows."""

    SKY = 0
    STAR = 1
    SUN = 2
    FAR = 3
    NEAR = 4
    GROUND = 5
    CASTLE = 6
    WINDOW = 7
    POLE = 8
    BANNER = 9
    BANNER_SHADE = 10
    LETTER = 11
    """Topmost shade; the lower shades have the next numbers."""


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(files("tui.style").joinpath("scene.toml").read_text(encoding="utf-8"))


# -- the canvas ------------------------------------------------------------------------------------


class Canvas:
    """Pixels of a scene. Coordinates are columns and half rows, whatever the height of a pixel."""

    def __init__(self, width: int, rows: int, tall: int = 2) -> None:
        """Begin with sky only; ``tall`` is the number of pixels per terminal row."""
        self.width, self.rows, self.tall = width, rows, tall
        self.height = 2 * rows
        self.pixels: NDArray[np.uint8] = np.zeros((rows * tall, width), np.uint8)

    def fill(self, left: float, top: float, right: float, bottom: float, paint: int) -> None:
        """Paint a rectangle; parts outside the canvas are left out."""
        x, stop = max(0, round(left)), max(0, round(right))
        y, end = max(0, self._pixel(top)), max(0, self._pixel(bottom))
        self.pixels[y:end, x:stop] = paint

    def _pixel(self, half_row: float) -> int:
        return round(half_row * self.tall / 2)

    def ridge(self, base: float, high: float, length: float, paint: int) -> None:
        """Paint hills around height ``base``, up to about ``high``, and everything below them.

        ``length`` is about the width of a hill.
        """
        x = np.arange(self.width) / max(1.0, length)
        shape = np.sin(x * 6.3) * 0.5 + np.sin(x * 2.6 + 1.3) * 0.9 + np.sin(x * 14.7) * 0.12
        outline = (base - high * shape) * self.tall / 2
        self.pixels[np.arange(len(self.pixels))[:, None] >= outline[None, :]] = paint

    def stars(self, bottom: float, every: int) -> None:
        """Paint about one star per ``every`` pixels above ``bottom``, always in the same places."""
        count = int(self.width * bottom) // every
        for number in range(1, count):
            x = number * 7919 % self.width
            y = self._pixel((number * 104729 // 7) % max(1, int(bottom)))
            if y < len(self.pixels) and self.pixels[y, x] == Paint.SKY:
                self.pixels[y, x] = Paint.STAR

    def disc(self, x: float, y: float, radius: float, paint: int) -> None:
        """Paint a disc around (x, y), in columns and half rows."""
        for row in range(math.ceil(-radius), math.ceil(radius)):
            half = math.sqrt(max(0.0, radius**2 - (row + 0.5) ** 2))
            self.fill(x - half, y + row, x + half, y + row + 1, paint)

    def write(self, word: str, left: int, top: int, scale: int) -> None:
        """Paint a word in letters with strokes ``scale`` columns wide."""
        across, down = _LETTER
        high = max(1, scale * self.tall // 2)
        first = self._pixel(top)
        letters = _data()["letters"]
        for number, sign in enumerate(word):
            for row, dots in enumerate(letters.get(sign, "").split()):
                y = first + row * high
                for column, dot in enumerate(dots):
                    if dot == "1":
                        x = left + (number * (across + 1) + column) * scale
                        self.pixels[y : y + high, max(0, x) : x + scale] = Paint.LETTER
        last = first + down * high
        for y in range(first, min(last, len(self.pixels))):
            # Both halves of a cell have the same shade: a row of a letter is then one run.
            upper = y // self.tall * self.tall
            shade = max(0, upper - first) * LETTER_SHADES // (last - first)
            row_of = self.pixels[y]
            row_of[row_of == Paint.LETTER] = Paint.LETTER + shade


def spelt_out(word: str) -> str:
    """Return a word for big letters, without accents; empty if a character has no big letter.

    >>> spelt_out("Örrin")
    'ORRIN'
    """
    plain = unicodedata.normalize("NFD", word.replace("ß", "ss")).upper()
    bare = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return bare if set(bare) <= _FONT_DECIDES else ""


def room_of(word: str, scale: int) -> int:
    """Return how many columns a word takes in big letters of a scale."""
    return max(0, (len(word) * (_LETTER[0] + 1) - 1) * scale)


def scale_of(word: str, width: int, height: int, tall: int = 2) -> int:
    """Return the largest scale of a word for columns and half rows; 0 if none fits."""
    most = width // max(1, room_of(word, 1))
    while most > 1 and most * tall // 2 * _LETTER[1] * 2 > height * tall:
        most -= 1
    fits = max(1, most * tall // 2) * _LETTER[1] * 2 <= height * tall
    return most if fits else 0


# -- the banner ------------------------------------------------------------------------------------


class Banner(NamedTuple):
    """A banner on the right of a pole. Its position and size are in columns and half rows."""

    x: int
    y: int
    length: int
    high: int

    @property
    def sway(self) -> int:
        """Half rows by which the free end moves up and down."""
        return max(1, self.high // 5)

    def columns(self, step: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield (column, top, bottom, paint) of each column in picture ``step`` of the wave."""
        tails = max(2, self.high // 2)
        fold = max(1, self.high // 4)
        for at in range(self.length):
            # Columns of a fold move together: then a step changes few cells, side by side.
            part = at // fold * fold / self.length
            turn = 2 * math.pi * (step / STEPS - part / 0.9)
            down = round(self.sway * min(1.0, 1.5 * part) * math.sin(turn))
            top = self.y + down
            cut = at - (self.length - tails)
            paint = Paint.BANNER_SHADE if cut >= 0 else Paint.BANNER
            if cut < 0:
                yield self.x + at, top, top + self.high, paint
                continue
            middle = self.high / 2
            half = (cut + 1) * middle / (tails + 1)
            yield self.x + at, top, top + round(middle - half), paint
            yield self.x + at, top + round(middle + half), top + self.high, paint

    def fly(self, canvas: Canvas, step: int) -> None:
        """Paint the picture ``step`` of the wave."""
        for x, top, bottom, paint in self.columns(step):
            if x < canvas.width:
                canvas.fill(x, top, x + 1, bottom, paint)


# -- the scenes ------------------------------------------------------------------------------------

NAME: Final = "BANNERET"


def title(canvas: Canvas) -> Banner | None:
    """Paint the title scene; return its banner, not painted yet, or None if too small."""
    width, height = canvas.width, canvas.height
    scale = scale_of(NAME, width * 4 // 5, max(14, height * 3 // 10), canvas.tall)
    margin = max(1, width // 40)
    foot = 3 + 7 * scale * (2 if canvas.tall == 1 and scale == 1 else 1)
    room = min(width / 66, height / 46)
    unit = max(0.6, room if room < 1 else int(room * 2) / 2)
    base = height - 6.5 * unit
    canvas.stars(height * 0.4, 90 if unit < 2 else 220)
    left = round(width - (_data()["castle"]["width"] + 2) * unit)
    canvas.disc(left - 6 * unit, base - 10 * unit, 3.6 * unit, Paint.SUN)
    canvas.ridge(base - 9 * unit, 3.2 * unit, 26 * unit, Paint.FAR)
    canvas.ridge(base - 2 * unit, 2.4 * unit, 34 * unit, Paint.NEAR)
    canvas.fill(0, base, width, height, Paint.GROUND)
    _castle(canvas, left, base, unit)
    if scale:
        canvas.write(NAME, margin, 2, scale)
    pole = round(left + 14 * unit)
    top = base - 32 * unit
    if pole < margin + room_of(NAME, scale) + 2 * unit:
        top = max(top, foot + 1)
    canvas.fill(pole, top - 1, pole + max(1, round(unit / 2)), base - 24 * unit, Paint.POLE)
    x, high = pole + max(1, round(unit / 2)), max(3, round(5 * unit))
    length = min(round(12 * unit), width - x - 1)
    return Banner(x, round(top + unit), length, high) if length > high else None


def _castle(canvas: Canvas, left: float, base: float, unit: float) -> None:
    """Paint walls and towers with their battlements, then lit windows."""
    castle = _data()["castle"]
    for block in castle["blocks"]:
        x, top = left + block["at"] * unit, base - block["high"] * unit
        wide, teeth = block["wide"] * unit, 2 * block["merlons"] - 1
        canvas.fill(x, top + 1.5 * unit, x + wide, base + unit, Paint.CASTLE)
        for tooth in range(0, teeth, 2):
            start = x + tooth * wide / teeth
            canvas.fill(start, top, start + wide / teeth, top + 2 * unit, Paint.CASTLE)
    for at, high, size in castle["windows"]:
        x, y = left + at * unit, base - high * unit
        canvas.fill(x, y, x + max(1, size * unit), y + max(1, 1.4 * size * unit), Paint.WINDOW)


def field_of(word: str, canvas: Canvas) -> Banner | None:
    """Paint the scene of a result; return its banner, not painted yet, or None if too small."""
    width, height = canvas.width, canvas.height
    unit = max(0.8, height / 14)
    canvas.ridge(height - 2 * unit, 1.2 * unit, 30 * unit, Paint.FAR)
    canvas.ridge(height - 0.8 * unit, 0.9 * unit, 44 * unit, Paint.NEAR)
    length, high = round(13 * unit), max(4, round(5 * unit))
    pole = width - length - round(4 * unit)
    scale = scale_of(word, pole - 4, height - 3, canvas.tall)
    if scale:
        deep = 7 * max(1, scale * canvas.tall // 2) * 2 // canvas.tall
        canvas.write(word, max(2, (pole - room_of(word, scale)) // 2), (height - deep) // 2, scale)
    elif pole < width // 2:
        return None
    canvas.fill(pole, 1, pole + max(1, round(unit / 2)), height, Paint.POLE)
    return Banner(pole + max(1, round(unit / 2)), round(1.8 * unit), length, high)


def word_fits(word: str, width: int, rows: int, tall: int) -> bool:
    """Return whether a word fits in big letters; ``tall`` is pixels per row."""
    trial = Canvas(width, rows, tall)
    field_of(word, trial)
    return bool((trial.pixels >= Paint.LETTER).any())


# -- colours ---------------------------------------------------------------------------------------


class SceneColours(NamedTuple):
    """Colours of a scene for one depth: of each row of sky, and of each paint."""

    sky: tuple[str, ...]
    paints: tuple[str, ...]

    def of(self, paint: int, row: int) -> str:
        """Return the colour of a pixel in a terminal row."""
        return self.sky[row] if paint == Paint.SKY else self.paints[paint]


def colours(
    depth: Depth, sky: Sky, rows: int, banner: tuple[str, str] = ("", ""), letters: str = ""
) -> SceneColours:
    """Return the colours of a scene of ``rows`` terminal rows.

    Args:
        depth: colour depth of the terminal.
        sky: time of day.
        rows: number of terminal rows.
        banner: colours of the banner and its tails, if not gold.
        letters: colour of the letters, if not that of the time of day.
    """
    name = "16" if depth == "none" else depth
    table = _data()[name]
    paints = table["paints"]
    found = [""] + [paints[paint.name.lower()] for paint in Paint if 0 < paint < Paint.LETTER]
    found[Paint.BANNER] = banner[0] or found[Paint.BANNER]
    found[Paint.BANNER_SHADE] = banner[1] or banner[0] or found[Paint.BANNER_SHADE]
    shades = paints["defeat" if sky == "embers" else "letters"]
    found += [letters] * len(shades) if letters else shades
    stops = table["sky"][sky]
    spread = max(1.0, rows * _HORIZON)
    blend = _flowing if depth == "truecolor" else _banded
    return SceneColours(tuple(blend(stops, row / spread) for row in range(rows)), tuple(found))


def _banded(stops: list[str], part: float) -> str:
    return stops[min(len(stops) - 1, int(part * len(stops)))]


def _flowing(stops: list[str], part: float) -> str:
    at = min(part, 1.0) * (len(stops) - 1)
    first = min(len(stops) - 2, int(at))
    pairs = zip(
        *(Color.parse(stop).get_truecolor() for stop in stops[first : first + 2]), strict=True
    )
    red, green, blue = (round(one + (other - one) * (at - first)) for one, other in pairs)
    return f"#{red:02x}{green:02x}{blue:02x}"
