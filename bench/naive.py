"""A simple version of the board: one ``Static`` and one ``Text``, made again for each key.

``python -m bench.naive FOLDER NAME`` shows a saved game with a cursor moved by arrows and hjkl.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from engine.core.registry import find
from engine.core.replay import fold
from engine.tabletop.presenter import presenter_of
from saves.archive import Folder
from tui.style.palette import FULL

WINDOW = (47, 40)
"""Visible cells, two columns each."""


class Naive(App[None]):
    """A map and a panel, both updated as a whole."""

    CSS = "#side { width: 26; } #map { width: 94; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "move(-1, 0)"),
        Binding("right,l", "move(1, 0)"),
        Binding("up,k", "move(0, -1)"),
        Binding("down,j", "move(0, 1)"),
    ]

    def __init__(self, folder: str, name: str) -> None:
        super().__init__()
        opened = Folder(Path(folder)).read(name)
        rules = find(opened.header.ruleset)
        self.presenter = presenter_of(rules)
        self.view = rules.view(fold(rules, opened.log.line()), 0)
        self.board = self.presenter.board(self.view, self.presenter.zooms[0])
        start = self.presenter.start(self.view)
        self.at = start.x, start.y

    def compose(self) -> ComposeResult:
        """Yield the map and the panel."""
        with Horizontal():
            yield Static(id="map")
            yield Static(id="side")

    def on_mount(self) -> None:
        """Draw for the first time."""
        self.draw()

    def action_move(self, x: int, y: int) -> None:
        """Move the cursor and draw everything."""
        self.at = self.at[0] + x, self.at[1] + y
        self.draw()

    def draw(self) -> None:
        """Draw the whole map as one text and the whole panel as another."""
        text, (columns, rows) = Text(no_wrap=True), WINDOW
        symbols, board = self.presenter.symbols, self.board
        for y in range(min(rows, board.height)):
            for x in range(min(columns, board.width)):
                ground = symbols[int(board.ground.cells[y, x])]
                piece = int(board.piece.cells[y, x])
                role = symbols[piece].role if piece else None
                style = FULL.cell(ground.role, role, int(board.owner.cells[y, x]), None)
                if (x, y) == self.at:
                    style = FULL.under_cursor(style, holding=False)
                text.append((symbols[piece] if piece else ground).rich + " ", style)
            text.append("\n")
        self.query_one("#map", Static).update(text)
        lines = self.presenter.look(self.view, *self.at)
        self.query_one("#side", Static).update("\n".join(line.text for line in lines))


if __name__ == "__main__":
    Naive(*sys.argv[1:]).run()
