"""Extras drawn over the map: layers, routes with costs, letters to jump to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual import events

from engine.tabletop.board import BoardMark, Overlay
from engine.tabletop.english import many
from engine.tabletop.focus import Focus
from engine.tabletop.roles import MarkSign
from tui.play.picking import Labels
from tui.play.session import Session
from tui.screens.ask import AskFlow
from tui.screens.map import MapScreen
from tui.widgets.board_rows import Texts


class Layers:
    """A layer of the ruleset, and the route from a piece to the cursor, drawn over the map."""

    def __init__(self, screen: MapScreen[Any], session: Session, asking: AskFlow) -> None:
        self._screen = screen
        self._session = session
        self._asking = asking
        self._layer = ""
        """Name of the layer that is shown; empty if there is none."""
        self._from: Focus | None = None
        """Start of the route; None if no route is shown."""
        self._layered: tuple[tuple[Any, ...], tuple[BoardMark, ...]] = ((), ())
        self._merged: tuple[tuple[Any, ...], tuple[BoardMark, ...]] = ((), ())

    def marks(self, overlay: Overlay) -> tuple[BoardMark, ...]:
        """Return the marks to draw: those of the layer, the cursor and the route."""
        if not self._layer and self._from is None:
            return overlay.marks
        layer, way = self.layer_marks(), self.way_marks()
        key = (layer, overlay.marks, way)
        if not all(one is other for one, other in zip(key, self._merged[0], strict=False)) or (
            not self._merged[0]
        ):
            above = [mark for mark in overlay.marks if not (layer and mark.sign is MarkSign.IDLE)]
            self._merged = key, (*layer, *above, *way)
        return self._merged[1]

    @property
    def _is_of_piece(self) -> bool:
        """True if the shown layer depends on the piece under the cursor."""
        layers = self._session.presenter.layers
        return any(one.of_piece for one in layers if one.name == self._layer)

    def layer_marks(self) -> tuple[BoardMark, ...]:
        """Return the marks of the layer; the same tuple as long as nothing changes them."""
        if not self._layer:
            return ()
        session = self._session
        known, marks = self._layered
        about = session.focus if self._is_of_piece else None
        key = (self._layer, session.view, about)
        if len(known) == 3 and known[0] == key[0] and known[1] is key[1] and known[2] == about:
            return marks
        marks = session.presenter.layer(session.view, session.focus, self._layer)
        self._layered = key, marks
        return marks

    def way_marks(self) -> tuple[BoardMark, ...]:
        """Return the marks of the route to the cursor."""
        return tuple(_in_turns(mark) for mark in self._way())

    def _way(self) -> Sequence[BoardMark]:
        session = self._session
        if self._from is None:
            return ()
        return session.presenter.route(session.view, self._from, *self._asking.at)

    def way_told(self) -> str:
        """Return a sentence on the route to the cursor: steps, cost, arrival; empty without one."""
        if self._from is None:
            return ""
        way = self._way()
        if not way:
            return "Can't get there"
        turns = way[-1].turn + 1
        when = f"arrives in {turns} turns" if turns > 1 else "arrives this turn"
        return f"Way here: {many(len(way), 'step')}, costs {way[-1].text.strip()}, {when}."

    @property
    def texts(self) -> Texts:
        """Texts of marks to show: all of them if there is a layer."""
        return "all" if self._layer else "usual"

    def uncover(self) -> bool:
        """Remove the layer and the route; return whether any was shown."""
        was = bool(self._layer) or self._from is not None
        self._layer, self._from = "", None
        return was

    def laid_over(self) -> list[str]:
        """Return the names of what is shown over the map, one word each."""
        return [name for name in (self._layer, "way" if self._from is not None else "") if name]

    def next_layer(self) -> None:
        """Show the next layer over the map; after the last one, none."""
        screen, layers = self._screen, self._session.presenter.layers
        names = ["", *(layer.name for layer in layers)]
        self._layer = names[(names.index(self._layer) + 1) % len(names)]
        label = next((w.label for w in layers if w.name == self._layer), "")
        screen.note("")
        told = f"Map shows: {label}." if label else "Map shows no layer."
        if self._layer and not self.layer_marks():
            piece = f"{told} Go to a piece that can move."
            told = piece if self._is_of_piece else f"None now: {label}."
        screen.remark(told)

    def turn_way(self) -> None:
        """Show the route from the cell under the cursor to wherever it moves next, or hide it."""
        self._from = self._session.focus if self._from is None else None
        self._screen.note("")
        if self._from is not None:
            self._screen.remark("Move the cursor to see the way there and what it costs.")


def _in_turns(mark: BoardMark) -> BoardMark:
    """Return a mark of a route unchanged, or with the number of its turn if that is a later one."""
    if not mark.turn:
        return mark
    return BoardMark(mark.x, mark.y, MarkSign.STRIKE, str(mark.turn + 1)[-1], mark.turn)


# -- letters to jump by --------------------------------------------------------------------------


class LabelJumper:
    """Letters on visible cells; typing one moves the cursor to its cell."""

    def __init__(self, screen: MapScreen[Any], session: Session, asking: AskFlow) -> None:
        self._screen = screen
        self._session = session
        self._asking = asking
        self.labels: Labels | None = None
        """The letters, or None if they are hidden."""

    def show(self) -> None:
        """Put letters on the things that can be jumped to."""
        screen = self._screen
        cells = [cell for cell in self._targets() if screen.board.sees(*cell)]
        if not cells:
            screen.note("Nothing in sight to jump to.")
            return
        self.labels = Labels(list(dict.fromkeys(cells)))
        self._write()

    def _targets(self) -> Sequence[tuple[int, int]]:
        pick, session = self._asking.pick, self._session
        if pick is not None:
            return tuple((mark.x, mark.y) for mark in pick.marks)
        jumps = session.presenter.jumps
        return [
            cell
            for kind in ("idle", "enemy", "site")
            for cell in jumps(session.view, session.focus, kind)
        ]

    def _write(self) -> None:
        shown = self.labels.shown if self.labels is not None else {}
        self._screen.board.label(shown)
        if shown:
            self._screen.remark("Type a letter to jump there. Esc: cancel")

    def take_key(self, event: events.Key) -> bool:
        """Handle a key while letters are shown; return whether it was consumed."""
        if self.labels is None:
            return False
        event.stop()
        event.prevent_default()
        cell = self.labels.press(event.character or "")
        if cell is None and (event.character or "") in "".join(self.labels.shown.values()):
            self._write()
            return True
        self.labels = None
        self._write()
        if cell is not None:
            self._screen.go_to(*cell)
        self._screen.sync()
        return True
