"""What a player can set, and where it is kept. Knows no widgets."""

from __future__ import annotations

from typing import Literal

from engine.core.record import Record

Colours = Literal["auto", "truecolor", "256", "16", "8", "none"]
Tiles = Literal["auto", "one", "two"]
Signs = Literal["auto", "rich", "box", "ascii"]
Scrolling = Literal["smooth", "half"]
Switch = Literal["on", "off"]


class Settings(Record, frozen=True):
    """All settings, as they are when nobody has changed them."""

    colours: Colours = "auto"
    """How many colours the terminal is trusted with."""
    palette: str = "usual"
    """Name of the palette: usual, deuteranopia, protanopia, tritanopia, contrast."""
    glyphs: Signs = "auto"
    tiles: Tiles = "auto"
    """Columns of the screen a cell of the board takes; auto: two where there is room."""
    scrolling: Scrolling = "half"
    """Whether the window goes by one cell or by half a screen when the cursor pushes its edge."""
    animation: Switch = "on"
    speed: int = 3
    """Of computers' turns and replays that play by themselves, 1 to 6; 6 shows only the end."""
    fast: int = 5
    """Cells that the fast cursor goes."""
    minimap: Switch = "off"
    """At 80 columns; where there is more room it is always there."""
    mouse: Switch = "on"
    reader: Switch = "off"
    """For screen readers: no boxes, nothing moves, new lines only, spoken positions."""
    output: Literal["cells", "textual"] = "cells"
    """Who writes to the terminal: a layer that sends changed cells only, or Textual itself."""
    keys: str = "usual"
    """Name of the pack of keys."""
