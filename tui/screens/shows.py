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
from tui.plain.chronicle import Chronicle
from tui.playback import Frame, Scene
from tui.screens.aids import Aids

_BLINK = 0.045
"""Seconds that a frame stands."""

_MOST_FRAMES = 40
"""Of more only the last are shown."""

_ALLOWED = {"let_go", "speed", "fire", "paint_anew", "again", "scroll_log", "turn_show"}
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
        self._turned = 0
        """So many scenes on or back are wanted at once."""
        self._seen_to = 0
        """The entries of the log that were shown, or played at this screen."""

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

    @property
    def _chronicle(self) -> Chronicle:
        return self.session.table.chronicle(self.session.viewer)

    def _stretch(self) -> tuple[int, int]:
        return self._chronicle.away()

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

    def has_resolution(self) -> bool:
        """Whether everybody's orders were carried out since this was asked last."""
        seen, self._seen_to = self._seen_to, len(self._chronicle)
        return self._chronicle.resolved() > seen > 0

    async def show_resolution(self) -> None:
        """Show how the orders were carried out, fight by fight."""
        found = self._found_scenes(*self._stretch())
        if found and not self.is_still:
            await self._show_scenes(found)

    def _found_scenes(self, start: int, stop: int) -> list[Scene]:
        """What a viewer is to be shown; empty, with a note, if the log is broken."""
        session = self.session
        try:
            return list(self._chronicle.scenes(start, stop))
        except BrokenLog as broken:
            session.note = f"The log is broken: {broken}"
            self.sync()
            return []

    async def _again(self, start: int, stop: int) -> None:
        from tui.screens.ask import Confirm  # noqa: PLC0415 - not before it is needed

        found = self._found_scenes(start, stop)
        if not found:
            return
        table = self.session.table
        names = [player.name for player in table.players]
        facts = [fact for scene in found for fact in scene.facts]
        lines = (*playback.summary(facts, names), Line(""), Line("Show it again?"))
        all_at_once = table.rules.traits.simultaneous
        title = "How the orders were carried out" if all_at_once else "While you were away"
        if await self.app.push_screen_wait(Confirm(title, lines)):
            await self._show_scenes(found)

    async def _show_scenes(self, found: list[Scene]) -> None:
        show = self._show = asyncio.Event()
        self._paused = False
        self._turned = number = 0
        try:
            while number < len(found) and not show.is_set():
                self._set_scene(found[number], f"{number + 1} of {len(found)}")
                await self._wait(show)
                number = max(0, number + (self._turned or 1))
                self._turned = 0
        finally:
            if self._show is show:  # else a later show has taken its place
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
        self.hint.put(text, place, self.banneret.palette.line(tone, -1))
        self.keys_bar.put(self._show_keys(), "", self.banneret.palette.heading)
        self.play(scene.facts)

    def _show_keys(self) -> str:
        """The keys that matter while something is shown again."""
        keys = self.key_names()
        wanted = (
            (("game.fire",), "pause"),
            (("show.back", "show.on"), "back and on"),
            (("game.slower", "game.faster"), "speed"),
            (("game.let-go",), "end"),
        )
        return "  ".join(
            f"{' '.join(keys.get(name, '?') for name in names)} {word}" for names, word in wanted
        )

    async def _wait(self, show: asyncio.Event) -> None:
        """Until the next scene, or until it is to end."""
        pause = max(self.pace, 0.02) + _BLINK * len(self._frames)
        while not show.is_set() and not self._turned:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(show.wait(), pause)
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

    def action_turn_show(self, by: int) -> None:
        """One scene on or back, and hold there."""
        if self._show is None:
            self.session.note = "Nothing is shown again just now."
            self.sync()
            return
        self._paused, self._turned = True, by

    def key_in_show(self, key: str) -> None:
        """Any key but those of the show ends it, and is then acted on."""
        if self._show is None:
            return
        active = self.active_bindings.get(key)
        action = active.binding.action.partition("(")[0] if active is not None else ""
        if action not in _ALLOWED:
            self._show.set()
