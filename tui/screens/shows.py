"""What moves on the map by itself: ways that glide, blows that flash, others' turns shown again."""

from __future__ import annotations

import asyncio
import contextlib

from textual.timer import Timer

from engine.core.replay import BrokenLog
from engine.tabletop.board import Line
from engine.tabletop.fact import Fact
from engine.tabletop.roles import Tone
from tui import playback
from tui.keymap import known, shown
from tui.playback import Frame, Scene
from tui.screens.aids import Aids

_BLINK = 0.045
"""Seconds that a frame stands."""

_MOST_FRAMES = 40
"""Of more only the last are shown."""

_ALLOWED = {"let_go", "speed", "fire", "paint_anew", "again", "scroll_log"}
"""What can be done while something is shown again without ending it at once."""


class Shows(Aids):
    """The part of the game's screen that moves. No key ever waits for it."""

    def set_up_shows(self) -> None:
        """Nothing moves yet."""
        self._frames: list[Frame] = []
        self._ticking: Timer | None = None
        self._show: asyncio.Event | None = None
        """Set to end what is shown again; None if nothing is."""
        self._paused = False

    # -- frames -----------------------------------------------------------------------------------

    @property
    def is_still(self) -> bool:
        """Whether nothing may move."""
        settings = self.banneret.settings
        return settings.animation == "off" or settings.reader == "on" or not self.pace

    def play_news(self) -> None:
        """Show what has just happened as moving marks."""
        facts, self.session.facts = self.session.facts, []
        self.play(facts)

    def play(self, facts: list[Fact] | tuple[Fact, ...]) -> None:
        """Show facts as moving marks; what still moves is cut short."""
        self.end_frames()
        if self.is_still:
            return
        self._frames = playback.frames(facts)[-_MOST_FRAMES:]
        if len(self._frames) > 1:
            self._ticking = self.set_interval(_BLINK, self._next_frame)
            self._next_frame()

    def _next_frame(self) -> None:
        if self._frames:
            self.board.flash(self._frames.pop(0))
        else:
            self.end_frames()

    def end_frames(self) -> None:
        """Show things as they are."""
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None
        self._frames = []
        self.board.flash(())

    # -- again ------------------------------------------------------------------------------------

    def offer_again(self) -> None:
        """After a game is taken up: say that others have acted since."""
        if self._stretch() != (0, 0):
            key = shown(self.banneret.keymap.of(known()["game.again"])[0])
            text = f"{key} shows what happened since you were last to act."
            self.log_view.say([Line(text, Tone.GOOD)])

    def _stretch(self) -> tuple[int, int]:
        session = self.session
        return playback.stretch(session.table.game.log.line(), session.viewer)

    def action_again(self) -> None:
        """What others did since this seat acted last."""
        start, stop = self._stretch()
        if self._show is not None:
            self.end_show()
        elif start == stop:
            self.session.note = "Nobody else has acted yet."
            self.sync()
        else:
            self.run_worker(self._again(start, stop), group="again", exclusive=True)

    async def _again(self, start: int, stop: int) -> None:
        from tui.screens.ask import Confirm  # noqa: PLC0415 - not before it is needed

        session = self.session
        table = session.table
        made = playback.scenes(table.rules, table.game.log.line(), session.viewer, start, stop)
        try:
            found = list(made)
        except BrokenLog as broken:
            session.note = f"The log is broken: {broken}"
            self.sync()
            return
        names = [player.name for player in table.players]
        facts = [fact for scene in found for fact in scene.facts]
        lines = (*playback.summary(facts, names), Line(""), Line("Show it again?"))
        if await self.app.push_screen_wait(Confirm("While you were away", lines)):
            await self._show_scenes(found)

    async def _show_scenes(self, found: list[Scene]) -> None:
        self._show = asyncio.Event()
        self._paused = False
        try:
            for number, scene in enumerate(found, 1):
                self._set_scene(scene, f"{number} of {len(found)}")
                await self._wait()
                if self._show.is_set():
                    break
        finally:
            self._show = None
            self.end_frames()
            self.sync()

    def _set_scene(self, scene: Scene, place: str) -> None:
        session = self.session
        self.board.show(session.presenter.board(scene.view, session.zoom))
        spots = [fact.at for fact in scene.facts if fact.at is not None]
        if spots:
            self.board.reveal(*spots[-1])
        text = scene.lines[-1].text if scene.lines else ""
        tone = scene.lines[-1].tone if scene.lines else Tone.QUIET
        self.hint.put(
            text, f"{place}  Space: pause  Esc: end", self.banneret.palette.line(tone, -1)
        )
        self.play(scene.facts)

    async def _wait(self) -> None:
        """Until the next scene, or until it is to end."""
        assert self._show is not None  # noqa: S101 - only while something is shown
        pause = max(self.pace, 0.02) + _BLINK * len(self._frames)
        while not self._show.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._show.wait(), pause)
            if not self._paused:
                return
            pause = 0.05

    def end_show(self) -> bool:
        """End what is shown again; whether something was."""
        if self._show is None:
            return False
        self._show.set()
        return True

    def pause_show(self) -> bool:
        """Hold or go on with what is shown again; whether something is."""
        if self._show is None:
            return False
        self._paused = not self._paused
        return True

    def key_in_show(self, key: str) -> None:
        """Any key but those of the show ends it, and is then acted on."""
        if self._show is None:
            return
        active = self.active_bindings.get(key)
        action = active.binding.action.partition("(")[0] if active is not None else ""
        if action not in _ALLOWED:
            self._show.set()
