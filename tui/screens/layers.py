"""Aids that a player lays over the map: layers, ways with their prices, letters to jump by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual import events

from engine.tabletop.board import BoardMark, Overlay
from engine.tabletop.focus import Focus
from engine.tabletop.roles import MarkSign
from tui.play.picking import Labels
from tui.play.session import Session
from tui.screens.ask import AskFlow
from tui.screens.map import MapScreen
from tui.widgets.board import Texts


class Layers:
    """A layer of the ruleset and the way from a piece to the cursor, laid over the map."""

    def __init__(self, screen: MapScreen[Any], session: Session, asking: AskFlow) -> None:
        """Nothing is laid over the map yet."""
        self._screen = screen
        self._session = session
        self._asking = asking
        self._layer = ""
        """The name of the layer; empty: none."""
        self._from: Focus | None = None
        """Start of the way; None: no way is shown."""
        self._layered: tuple[tuple[Any, ...], tuple[BoardMark, ...]] = ((), ())
        self._merged: tuple[tuple[Any, ...], tuple[BoardMark, ...]] = ((), ())

    def marks(self, overlay: Overlay) -> tuple[BoardMark, ...]:
        """The marks of the cursor over those of the layer, with the way that is asked for."""
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
        """True if the layer that is shown is about one piece."""
        layers = self._session.presenter.layers
        return any(one.of_piece for one in layers if one.name == self._layer)

    def layer_marks(self) -> tuple[BoardMark, ...]:
        """The marks of the layer; the same tuple as long as nothing has changed them."""
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
        """The marks of the way to the cursor."""
        return tuple(_in_turns(mark) for mark in self._way())

    def _way(self) -> Sequence[BoardMark]:
        session = self._session
        if self._from is None:
            return ()
        return session.presenter.route(session.view, self._from, *self._asking.at)

    def way_told(self) -> str:
        """Price and arrival of the way to the cursor; empty if none is asked for."""
        if self._from is None:
            return ""
        way = self._way()
        if not way:
            return "Can't get there."
        steps = "1 step" if len(way) == 1 else f"{len(way)} steps"
        turn = f", arrives in {way[-1].turn + 1} turns" if way[-1].turn else ", arrives this turn"
        return f"{steps}, cost {way[-1].text}{turn}"

    @property
    def texts(self) -> Texts:
        """The texts of marks that are shown: all of a layer's."""
        return "all" if self._layer else "usual"

    def uncover(self) -> bool:
        """Take away everything that lies over the map; True if anything did."""
        was = bool(self._layer) or self._from is not None
        self._layer, self._from = "", None
        return was

    def laid_over(self) -> list[str]:
        """The names of what lies over the map, a word each."""
        return [name for name in (self._layer, "way" if self._from is not None else "") if name]

    def next_layer(self) -> None:
        """Lay the next layer over the map; after the last none."""
        screen, layers = self._screen, self._session.presenter.layers
        names = ["", *(layer.name for layer in layers)]
        self._layer = names[(names.index(self._layer) + 1) % len(names)]
        label = next((w.label for w in layers if w.name == self._layer), "")
        self._session.note = ""
        screen.sync()
        told = f"Over the map: {label}." if label else "Nothing lies over the map."
        if self._layer and not self.layer_marks():
            piece = " Nothing that moves is here: go to a piece."
            told += piece if self._is_of_piece else " There is nothing of that now."
        screen.remark(told)

    def turn_way(self) -> None:
        """Show the way from the piece here to wherever the cursor goes, or no longer."""
        self._session.note = ""
        if self._from is not None:
            self._from = None
            self._screen.sync()
        else:
            self._from = self._session.focus
            self._screen.sync()
            told = "Go anywhere: the way there with its prices; 2 is the turn after this."
            self._screen.remark(told)


def _in_turns(mark: BoardMark) -> BoardMark:
    """A cell of a way: its price in this turn, later the number of the turn."""
    if not mark.turn:
        return mark
    return BoardMark(mark.x, mark.y, MarkSign.STRIKE, str(mark.turn + 1)[-1], mark.turn)


# -- letters to jump by --------------------------------------------------------------------------


class LabelJumper:
    """Letters on cells in the window; typing one puts the cursor there."""

    def __init__(self, screen: MapScreen[Any], session: Session, asking: AskFlow) -> None:
        """No letters are shown yet."""
        self._screen = screen
        self._session = session
        self._asking = asking
        self.labels: Labels | None = None
        """The letters; None: none are shown."""

    def show(self) -> None:
        """Put letters on what can be jumped to."""
        screen = self._screen
        cells = [cell for cell in self._targets() if screen.board.sees(*cell)]
        if not cells:
            self._session.note = "There is nothing to jump to in the window."
            screen.sync()
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
            self._screen.remark("Type a letter to jump there. Esc: no")

    def take_key(self, event: events.Key) -> bool:
        """Take a key while letters are shown; True if it was taken."""
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
