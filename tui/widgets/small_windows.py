"""What is done on every screen where the window has too little room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.screen import Screen

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.widgets.panels import Rows
from tui.widgets.room import SMALLEST, USUAL, WIDE, too_small

if TYPE_CHECKING:
    from tui.app.local import Banneret


class Small(Rows):
    """Says how large the window should be. Where ``tiny`` nothing else is shown."""

    def __init__(self) -> None:
        super().__init__(id="small")

    def on_resize(self) -> None:
        """Break the lines as there is room."""
        self.dress(cast("Banneret", self.app).palette)
        self.put(self.wrapped([Line(too_small(*self.app.size), Tone.STRONG)]))


def note_room(screen: Screen[Any]) -> bool:
    """Give a screen the classes ``tiny``, ``narrow``, ``wide`` by its size; whether it is tiny."""
    width, height = screen.app.size
    tiny = width < SMALLEST[0] or height < SMALLEST[1]
    screen.set_class(tiny, "tiny")
    screen.set_class(width < USUAL[0], "narrow")
    screen.set_class(width >= WIDE, "wide")
    return tiny
