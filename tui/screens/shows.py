"""Shows on the map: animations of the latest events, and replays of other players' turns."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from engine.core.ids import Viewer
from engine.core.replay import BrokenLog
from engine.tabletop.board import Board, Line
from engine.tabletop.roles import Tone
from tui.play import playback
from tui.play.animation import MOST_FRAMES, BoardChange
from tui.play.chronicle import Chronicle
from tui.play.playback import PlaybackScene
from tui.play.session import Session
from tui.replay import losses_table
from tui.screens.ask import Confirm
from tui.screens.map import MapScreen
from tui.screens.motion import FramePlayer
from tui.settings.keymap import known, shown
from tui.terminal.internals import binding_of
from tui.widgets.header import BarContent, scenario_of
from tui.widgets.jobs import begin
from tui.widgets.key_row import KeyWord

_TOLD = 12
"""Maximum number of scenes that a show lists in the log; the present one is last."""

_ALLOWED = {
    *("let_go", "speed", "fire", "paint_anew", "again", "scroll_log", "turn_show"),
    *("turn_phase", "only_mine", "losses", "log", "prices", "glyphs", "minimap", "help"),
}
"""Actions that do not end a show."""


class ShowPlayer(FramePlayer):
    """The part of the game screen that plays animations and shows; any other key ends them."""

    def __init__(self, screen: MapScreen[Any], session: Session) -> None:
        super().__init__(screen)
        self._session = session
        self._show: asyncio.Event | None = None
        """Set to end the show; None if there is no show."""
        self._nudged = asyncio.Event()
        """Set whenever a key changes the course of the show."""
        self._scenes: list[PlaybackScene] = []
        self._at = 0
        """Index of the present scene in ``_scenes``."""
        self._paused = False
        self._turned = 0
        """Number of scenes or phases to move by; negative is back."""
        self._by_phase = False
        """True if ``_turned`` counts phases instead of scenes."""
        self._only_mine = False
        """True if only scenes that concern the viewer are shown."""
        self._watched: dict[Viewer, int] = {}
        """Log position up to which each viewer has seen orders being carried out."""
        self._seen_to = 0
        """Number of log entries that were shown, or played at this screen."""

    # -- news -------------------------------------------------------------------------------------

    def play_news(self, most: int = MOST_FRAMES) -> None:
        """Animate the latest events in at most ``most`` frames; a fight has twice as many."""
        session = self._session
        facts, moments, before = session.facts, session.moments, session.board_before
        session.forget_news()
        change = None if before is None else BoardChange(before, session.board)
        self.play(facts, moments, change, most * 2 if moments else most)

    # -- offers -----------------------------------------------------------------------------------

    def offer_again(self) -> None:
        """Remark, in a resumed game, that the player can see what others have done since."""
        if self._stretch() != (0, 0):
            self._tell_key(self._since)

    def offer_resolution(self) -> None:
        """Remark after a hand-over that others have acted, unless this seat has seen it."""
        stop = self._stretch()[1]
        if stop and self._watched.get(self._session.viewer) != stop:
            together = self._session.table.rules.traits.simultaneous
            self._tell_key("how the orders were carried out" if together else self._since)

    @property
    def _since(self) -> str:
        """Text for what can be shown again; only a player has had a turn."""
        is_player = self._session.viewer in self._session.table.own_seats
        return "what happened since your last turn" if is_player else "what has happened so far"

    def _tell_key(self, what: str) -> None:
        key = shown(self._screen.shell.keymap.of(known()["game.again"])[0])
        self._screen.log_view.say([Line(f"Press {key} to see {what}", Tone.GOOD)])

    @property
    def is_on(self) -> bool:
        """True if a show is in progress."""
        return self._show is not None

    @property
    def _chronicle(self) -> Chronicle:
        return self._session.table.chronicle(self._session.viewer)

    def _stretch(self) -> tuple[int, int]:
        return self._chronicle.away()

    def again(self) -> None:
        """Show what others did since this seat last acted, or end the show."""
        start, stop = self._stretch()
        if self._show is not None:
            self.end()
        elif start == stop:
            self._screen.note("Nobody else has moved yet.")
        else:
            self.offer(start, stop)

    def offer(self, start: int, stop: int, before: Sequence[Line] = ()) -> None:
        """Show the scenes of the entries from ``start`` up to ``stop`` after a confirmation.

        The confirmation begins with the lines ``before``.
        """
        begin(self._screen, partial(self._again, start, stop, before), "again")

    def has_resolution(self) -> bool:
        """Return whether orders of all seats were carried out since the last call.

        False in games in which seats act one after another.
        """
        if not self._session.table.rules.traits.simultaneous:
            return False
        seen, self._seen_to = self._seen_to, len(self._chronicle)
        return self._chronicle.resolved() > seen > 0

    async def show_resolution(self) -> None:
        """Show how the orders were carried out, fight by fight."""
        self._watched[self._session.viewer] = self._stretch()[1]
        found = self._found_scenes(*self._stretch())
        if found and not self.is_still:
            await self._show_scenes(found)

    def _found_scenes(self, start: int, stop: int) -> list[PlaybackScene]:
        """Return the scenes for the viewer; none, with a note, if the log is broken."""
        try:
            return list(self._chronicle.scenes(start, stop))
        except BrokenLog as broken:
            self._screen.note(f"The log is broken: {broken}")
            return []

    async def _again(self, start: int, stop: int, before: Sequence[Line]) -> None:
        found = self._found_scenes(start, stop)
        if not found:
            return
        facts = [fact for scene in found for fact in scene.facts]
        names = self._session.names
        told = playback.summary(facts, names) or playback.uncounted(found)
        told = [*playback.places_lost(facts, self._session.viewer, names), *told]
        if not told:
            self._screen.note("Nothing that you could see has happened since.")
            return
        lines = (*before, *told, Line(""), Line("Play it back?"))
        is_done = start <= self._chronicle.resolved() - 1 < stop
        title = "How the orders were carried out" if is_done else "While you were away"
        if await self._screen.app.push_screen_wait(Confirm(title, lines)):
            await self._show_scenes(found)

    async def _show_scenes(self, found: list[PlaybackScene]) -> None:
        show = self._show = asyncio.Event()
        self._paused = False
        self._turned = number = 0
        number = self._next_of(found, -1, 1)
        try:
            while number < len(found) and not show.is_set():
                self._set_scene(found, number)
                await self._wait(show)
                wanted, by_phase = self._turned or 1, self._by_phase
                self._turned, self._by_phase = 0, False
                for _ in range(abs(wanted)):
                    by = 1 if wanted > 0 else -1
                    step = self._phase_from if by_phase else self._next_of
                    number = step(found, number, by)
        finally:
            if self._show is show:  # else a later show has taken its place
                self._show = None
                self._screen.log_view.restore()
            self.end_frames()
            self._screen.sync()

    def _next_of(self, found: list[PlaybackScene], number: int, by: int) -> int:
        """Return the index of the next scene to show in direction ``by``; past the end if none."""
        seat, at = self._session.viewer, number + by
        while self._only_mine and 0 <= at < len(found) and not found[at].concerns(seat):
            at += 1 if by > 0 else -1
        if at < 0:
            return number if number >= 0 else len(found)
        return at

    def _phase_from(self, found: list[PlaybackScene], number: int, by: int) -> int:
        """Return the first scene of the next phase; backwards, of this or the previous phase."""
        phases = [self._phase_of(scene) for scene in found]
        starts = [at for at in range(len(found)) if not at or phases[at] != phases[at - 1]]
        if by > 0:
            return next((at for at in starts if at > number), len(found) - 1)
        return max((at for at in starts if at < number), default=0)

    def _phase_of(self, scene: PlaybackScene) -> tuple[int, str]:
        status = self._session.presenter.status(scene.view)
        return status.round, status.phase

    def _set_scene(self, found: list[PlaybackScene], number: int) -> None:
        self._scenes, self._at = found, number
        scene, board = found[number], self._board_of(found[number].view)
        has_pieces = scene.before is not None and not board.narrow
        before = self._board_of(scene.before) if has_pieces else board
        self.play(scene.facts, scene.moments, BoardChange(before, board))
        self.draw()
        self._screen.draw_below()

    @property
    def played(self) -> list[PlaybackScene]:
        """Scenes of the show up to the present one; empty without a show."""
        return self._scenes[: self._at + 1] if self._show is not None else []

    def _board_of(self, view: Any) -> Board:
        return self._session.presenter.board(view, self._session.zoom)

    def draw(self) -> bool:
        """Draw the present scene of the show; return False if there is no show."""
        if self._show is None or not self._scenes:
            return False
        palette = self._screen.shell.palette
        found, names = self.played, self._session.names
        scene = found[-1]
        self._screen.board.show(self._staged or self._board_of(scene.view))
        spots = [fact.at for fact in scene.facts if fact.at is not None]
        spots = spots or [line.at for line in scene.lines if line.at is not None]
        self._screen.board.lay((), spots[-1] if spots else None)
        lost = [loss for each in found for loss in each.losses]
        lines = self.told or (*scene.lines, *losses_table.tally(lost, names))
        self._screen.side.put(self._screen.side.fitted(lines))
        text = scene.lines[-1].text if scene.lines else ""
        tone = scene.lines[-1].tone if scene.lines else Tone.QUIET
        self._screen.hint.put(text, "", palette.line(tone, -1))
        self._screen.log_view.speak(line for each in found[-_TOLD:] for line in each.lines)
        self._screen.show_minimap()
        self._tell_show()
        return True

    def _tell_show(self) -> None:
        """Write the position in the show, its mode and its keys into the bars."""
        scene = self._scenes[self._at]
        parts = ["held"] if self._paused else []
        parts += ["only mine"] if self._only_mine else []
        parts.append(f"{self._at + 1} of {len(self._scenes)}")
        table, status = self._session.table, self._session.presenter.status(scene.view)
        title = scenario_of(table.header.title, table.rules.title)
        self._screen.phase.put(BarContent(title, status, tuple(parts), tells_left=False))
        self._screen.put_keys(self._show_keys())

    def _show_keys(self) -> list[KeyWord]:
        """Return the keys that matter during a show."""
        keys = self._screen.key_names()
        wanted = (
            (("game.fire",), "pause"),
            (("show.back", "show.on"), "step"),
            (("show.phase-back", "show.phase-on"), "phase"),
            (("game.slower", "game.faster"), "speed"),
            (("show.mine",), "all" if self._only_mine else "only mine"),
            (("show.losses",), "losses"),
            (("game.let-go",), "end"),
        )
        return [
            KeyWord(" ".join(keys.get(name, "?") for name in names), word) for names, word in wanted
        ]

    async def _wait(self, show: asyncio.Event) -> None:
        """Wait until it is time for the next scene; a window on top of the map pauses the show."""
        pause = max(self._screen.pace, 0.02) + self.seconds_left
        while not show.is_set() and not self._turned:
            self._nudged.clear()
            goes = not self._paused and self._screen.is_active
            try:
                await asyncio.wait_for(self._nudged.wait(), pause if goes else None)
            except TimeoutError:
                if self._screen.is_active:
                    return

    def nudge(self) -> None:
        """Wake up the show after a window that covered it has closed."""
        self._nudged.set()

    def end(self) -> bool:
        """End the show; return whether there was one."""
        if self._show is None:
            return False
        self._show.set()
        self._nudged.set()
        return True

    def pause(self) -> bool:
        """Pause or continue the show; return whether there is one."""
        if self._show is None:
            return False
        self._paused = not self._paused
        self._nudged.set()
        self._tell_show()
        return True

    def turn(self, by: int, *, by_phase: bool = False) -> None:
        """Move by ``by`` scenes, or phases if ``by_phase``, and pause there."""
        if self._show is None:
            self._screen.note("Nothing is played back now.")
            return
        before = self._turned if by_phase == self._by_phase else 0
        self._paused, self._turned, self._by_phase = True, before + by, by_phase
        self._nudged.set()

    def turn_only_mine(self) -> None:
        """Switch between all scenes and those that concern the viewer."""
        self._only_mine = not self._only_mine
        if self._show is None:
            what = "only what concerns you" if self._only_mine else "everything"
            self._screen.remark(f"Playback: {what}.")
        else:
            self._tell_show()

    def take_key(self, key: str) -> None:
        """End the show unless ``key`` controls it; the key then has its usual effect."""
        if self._show is None:
            return
        binding = binding_of(self._screen, key)
        action = binding.action.partition("(")[0] if binding is not None else ""
        if action not in _ALLOWED:
            self.end()
