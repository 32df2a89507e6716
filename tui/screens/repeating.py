"""Recording and playing macros on the map."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial

from textual import events
from textual.keys import key_to_character

from tui.screens.shows import Shows
from tui.settings import macros
from tui.settings.keymap import known, shown
from tui.widgets.jobs import begin

_PATIENCE = 0.5
"""Seconds after which a macro goes on whatever the screen is doing."""


class Repeating(Shows):
    """The part of the game's screen that does again what was done."""

    def action_record(self) -> None:
        """Record what is done from now on, or end that and choose a key for it."""
        recorder = self.shell.recorder
        if not recorder.is_on:
            recorder.begin()
            self.session.note = "Recording. The same key ends it."
            self.sync()
            return
        steps = recorder.end()
        if steps:
            self._ask_key("Which key is to play it?", lambda key: self._keep(key, steps))
        else:
            self.session.note = "Nothing was recorded."
            self.sync()

    def _ask_key(self, title: str, chosen: Callable[[str], None]) -> None:
        from tui.screens.settings import PressKey  # noqa: PLC0415 - not before it is needed

        def pressed(key: str | None) -> None:
            if key is not None:
                chosen(key)

        self.app.push_screen(PressKey(title, ""), pressed)

    def _keep(self, key: str, steps: Sequence[str]) -> None:
        try:
            macros.keep(self.shell.preferences.macros_file, key, steps)
        except OSError as problem:
            self.session.note = f"The macro is not kept: {problem}"
        else:
            self.session.note = f"{len(steps)} steps are kept under {shown(key)}."
        self.sync()

    def action_macro(self) -> None:
        """Choose a macro by its key, and play it."""
        found, fault = macros.load(self.shell.preferences.macros_file)
        if not found:
            record = self.key_names().get("macro.record", "?")
            self.session.note = fault or f"There is no macro yet: {record} records one."
            self.sync()
            return
        names = ", ".join(shown(key) for key in found)
        self._ask_key(f"Which macro? There are: {names}", lambda key: self._play_macro(key, found))

    def _play_macro(self, key: str, found: dict[str, tuple[str, ...]]) -> None:
        if key not in found:
            self.session.note = f"There is no macro under {shown(key)}."
            self.sync()
            return
        begin(self, partial(self._repeat, found[key]), "macro")

    async def _repeat(self, steps: Sequence[str]) -> None:
        """Do the steps one after the other; a refusal ends it."""
        self.session.refused = None
        for number, step in enumerate(steps, 1):
            await self._do(step)
            if self._was_refused():
                self.session.note += f" The macro ends at step {number} of {len(steps)}."
                self.sync()
                return

    def _was_refused(self) -> bool:
        return self.session.refused is not None

    async def _do(self, step: str) -> None:
        app = self.app
        if step.startswith(macros.KEY):
            key = step.removeprefix(macros.KEY)
            app.screen.post_message(events.Key(key, key_to_character(key)))
        else:
            await app.run_action(known()[step].action, app.screen)
        await self._settled()

    async def _settled(self) -> None:
        """Wait until the screen on top has done what it was told; one that goes says nothing."""
        done = asyncio.Event()
        self.app.screen.call_after_refresh(done.set)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), _PATIENCE)
