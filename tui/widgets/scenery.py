"""Scenery behind a menu or over a result, in half blocks; only its banner moves.

A row of sky has one colour, so that most of a row is one run of spaces: a scene costs few bytes.
Without colours it is drawn in shades, in ASCII without half blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import groupby
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.timer import Timer

from engine.tabletop.board import GlyphSet
from tui.style.palette import FULL, Palette
from tui.style.scene import STEPS, Banner, Canvas, Paint, SceneColours, Sky, colours
from tui.terminal.painted import Painted

PACE: Final = 0.5
"""Seconds between two pictures of the banner."""

REST: Final = 240
"""Number of pictures after which the banner stops until a key is pressed."""

Draw = Callable[[Canvas], Banner | None]
"""Paints all of a scene except its banner, and returns the banner's position, if any."""

_UPPER: Final = "▀"

_SHADES: Final = " ·░░▒▒▓ │█▓"
_SIGNS: Final = " .o.::# |=-"
"""Signs for the paints before the letters, on terminals without colours."""


class Scenery(Painted):
    """Widget with a scene; ``wave`` shows the next picture of its banner."""

    def __init__(self, draw: Draw, sky: Sky = "dusk", *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self._draw = draw
        self.sky: Sky = sky
        self.banner_colours = ("", "")
        """Colours of the banner and its tails; gold if empty."""
        self.letter_colour = ""
        """Colour of the letters; empty for those of the time of day."""
        self.glyphs: GlyphSet = "rich"
        self.palette: Palette = FULL
        self.step = 0
        """Number of the picture of the banner."""
        self._ground: Canvas | None = None
        self._flown: Canvas | None = None
        self._banner: Banner | None = None
        self._colours: SceneColours | None = None
        self._timer: Timer | None = None
        self._shown_still = 0

    # -- looks -----------------------------------------------------------------------------------

    def dress(self, glyphs: GlyphSet, palette: Palette) -> None:
        """Set signs and colours, and redraw."""
        if (glyphs, palette) != (self.glyphs, self.palette):
            self.glyphs, self.palette = glyphs, palette
            self.draw_again()

    def draw_again(self) -> None:
        """Repaint the whole scene, for another size or look."""
        self._ground = self._flown = self._colours = None
        self.refresh()

    def on_resize(self) -> None:
        """Repaint the scene for its new size."""
        self.draw_again()

    @property
    def tall(self) -> int:
        """Pixels per row of the screen."""
        return 1 if self.glyphs == "ascii" else 2

    def _painted(self) -> tuple[Canvas, SceneColours]:
        """Return the scene with its banner, and its colours."""
        if self._ground is None or self._flown is None or self._colours is None:
            width, rows = self.size
            self._ground = Canvas(width, rows, self.tall)
            self._banner = self._draw(self._ground)
            depth, sky = self.palette.depth, self.sky
            self._colours = colours(depth, sky, rows, self.banner_colours, self.letter_colour)
            self._flown = self._with_banner(self._ground)
        return self._flown, self._colours

    def _with_banner(self, ground: Canvas) -> Canvas:
        flown = Canvas(ground.width, 0, ground.tall)
        flown.rows, flown.height = ground.rows, ground.height
        flown.pixels = ground.pixels.copy()
        if self._banner is not None:
            self._banner.fly(flown, self.step)
        return flown

    def render_line(self, y: int) -> Strip:
        """Render one row of the screen."""
        canvas, shades = self._painted()
        tall = canvas.tall
        if not 0 <= y < canvas.rows:
            return Strip([Segment(" " * self.size.width, self.palette.blank)], self.size.width)
        upper = canvas.pixels[y * tall].tolist()
        lower = canvas.pixels[y * tall + tall - 1].tolist()
        plain = self.palette.depth == "none"
        segments = []
        for (top, bottom), run in groupby(zip(upper, lower, strict=True)):
            count = sum(1 for _ in run)
            if plain:
                sign, style = _shaded(top, bottom, self.glyphs == "ascii")
            else:
                sign, style = _coloured(shades.of(top, y), shades.of(bottom, y))
            segments.append(Segment(sign * count, style))
        return Strip(segments, canvas.width)

    # -- motion ----------------------------------------------------------------------------------

    def move(self, *, on: bool) -> None:
        """Let the banner wave, or stop it."""
        self._shown_still = 0
        if on and self._timer is None:
            self._timer = self.set_interval(PACE, self.wave)
        elif not on and self._timer is not None:
            self._timer.stop()
            self._timer = None

    @property
    def moves(self) -> bool:
        """True if the banner waves on a timer."""
        return self._timer is not None

    def wave(self) -> None:
        """Show the next picture of the banner; only changed cells are painted."""
        self._shown_still += 1
        if self._shown_still > REST or self._ground is None or self._flown is None:
            return
        self.step = (self.step + 1) % STEPS
        before, self._flown = self._flown, self._with_banner(self._ground)
        regions = _changed(before, self._flown)
        if regions:
            self.refresh(*regions)

    def wake(self) -> None:
        """Let the banner wave again after a key, as a player is present."""
        self._shown_still = 0


def _changed(before: Canvas, after: Canvas) -> list[Region]:
    """Return the cells that differ between two scenes of one size, adjacent ones as one region."""
    differ = before.pixels != after.pixels
    cells = differ.reshape(after.rows, after.tall, after.width).any(axis=1)
    found: list[Region] = []
    for y in cells.any(axis=1).nonzero()[0].tolist():
        found += [Region(x, y, wide, 1) for x, wide in _runs(cells[y].nonzero()[0].tolist())]
    return found


def _runs(columns: Iterable[int]) -> list[tuple[int, int]]:
    """Group sorted columns into runs: the first column and the length."""
    runs: list[tuple[int, int]] = []
    for x in columns:
        if runs and x == sum(runs[-1]):
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((x, 1))
    return runs


@cache
def _coloured(top: str, bottom: str) -> tuple[str, Style]:
    """Return sign and style of a cell with two colours; a space if they are equal."""
    if top == bottom:
        return " ", Style(bgcolor=top)
    return _UPPER, Style(color=top, bgcolor=bottom)


_SOLID: Final = frozenset({Paint.BANNER, *range(Paint.LETTER, Paint.LETTER + 5)})
"""Paints that are drawn in half cells on terminals without colours."""


@cache
def _shaded(top: int, bottom: int, ascii_only: bool) -> tuple[str, Style]:  # noqa: FBT001 - the key of the cache
    """Return sign and style of a cell without colours."""
    if not ascii_only and (top in _SOLID) != (bottom in _SOLID):
        return ("▀" if top in _SOLID else "▄"), Style(bold=True)
    paint = bottom if top == Paint.SKY else top
    if paint >= Paint.LETTER:
        return ("#" if ascii_only else "█"), Style(bold=True)
    sign = (_SIGNS if ascii_only else _SHADES)[paint]
    return sign, Style(dim=paint in {Paint.FAR, Paint.NEAR, Paint.GROUND, Paint.STAR})
