"""Animation on the map: short frames for marches, shots and fights; any key ends them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.timer import Timer

from engine.tabletop.board import Board, Line
from engine.tabletop.fact import EventMoment, Fact
from tui.play.animation import MOST_FRAMES, BoardChange, PlaybackFrame, frames
from tui.screens.map import MapScreen
from tui.widgets.panels import AnyRow

_BLINK = 0.04
"""Seconds for which each frame is shown."""


class FramePlayer:
    """The part of a screen with a board that plays animations."""

    def __init__(self, screen: MapScreen[Any]) -> None:
        self._screen = screen
        self._frames: list[PlaybackFrame] = []
        self.told: tuple[Line, ...] = ()
        """Lines of the last frame, which fill the panel until a key; empty for the usual panel."""
        self._change: BoardChange | None = None
        """Boards before and after the animated change; None if nothing is animated."""
        self._staged: Board | None = None
        """Board of the present frame, or None for the usual one."""
        self._ticking: Timer | None = None

    @property
    def is_still(self) -> bool:
        """True if animation is off."""
        settings = self._screen.shell.settings
        return settings.animation == "off" or settings.reader == "on" or not self._screen.pace

    def play(
        self,
        facts: Sequence[Fact],
        moments: Sequence[EventMoment] = (),
        change: BoardChange | None = None,
        most: int = MOST_FRAMES,
    ) -> None:
        """Animate facts and moments; this cuts short any animation in progress.

        Nothing is shown while keys are pending: they would end it at once.
        """
        self.end_frames()
        if self.is_still or self._screen.shell.has_keys or not most:
            return
        tile = self._screen.board.columns * self._screen.board.rows
        self._frames, self._change = frames(facts, moments, change, most, tile), change
        if self._frames:
            self._ticking = self._screen.set_interval(_BLINK, self._next_frame)
            self._next_frame()

    def frames_in(self, seconds: float) -> int:
        """Return how many frames fit into ``seconds``."""
        return min(MOST_FRAMES, int(seconds / _BLINK))

    def staged(self, board: Board) -> Board:
        """Return the board of the current frame if ``board`` is being animated; else ``board``."""
        change, staged = self._change, self._staged
        shown = change is not None and staged is not None and change.after is board
        return staged if shown and staged is not None else board

    def _next_frame(self) -> None:
        if not self._frames:
            self._stop()
            return
        frame = self._frames.pop(0)
        with self._screen.painted_together():
            self._stage(frame)
            self._screen.board.flash(frame.marks)
            if frame.lines and frame.lines != self.told:
                self.told = frame.lines
                self._fill_panel()
        if not self._frames:
            self._stop()

    def _stage(self, frame: PlaybackFrame) -> None:
        """Show the board of a frame, if the frame changes any of its cells."""
        if self._change is None or not (frame.cells or self._staged is not None):
            return
        self._staged = self._change.drawn(frame.cells) if frame.cells else None
        self._screen.board.show(self._staged or self._change.after)

    def _fill_panel(self) -> None:
        """Show the lines of the current frame, or the usual panel if it has none."""
        if self.told:
            self._screen.side.put(self._screen.side.laid_over(self.told))
        else:
            self._screen.sync_soon()

    def panel(self, rows: list[AnyRow]) -> list[AnyRow]:
        """Return the rows of the panel with the lines of a fight over them.

        What lies under them stays as it was before the fight until its last frame.
        """
        if not self.told:
            return rows
        return self._screen.side.laid_over(self.told, None if self._frames else rows)

    @property
    def seconds_left(self) -> float:
        """Seconds until the animation ends."""
        return _BLINK * len(self._frames)

    def _stop(self) -> None:
        """Stop the animation; lines about a fight stay in the panel."""
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None
        self._frames = []
        if self.told:
            self._screen.show_panel()
        if self._staged is not None and self._change is not None:
            self._screen.board.show(self._change.after)
            self._screen.show_minimap()
        self._change = self._staged = None
        self._screen.board.flash(())

    def end_frames(self) -> None:
        """Stop the animation and show everything as it is."""
        self._stop()
        if self.told:
            self.told = ()
            self._fill_panel()
