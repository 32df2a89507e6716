"""Handle keys that arrive together in their order.

Textual sends every key to the focused widget immediately; only a key that the widget ignores comes
back to the bindings. Of keys in one packet, as a slow connection or a script sends them, a letter
that a widget consumes would otherwise be handled before the arrow that came first.

So a message follows each key, and the next key waits until it has come back. If no widget has the
focus, the key itself comes back: it goes to the screen and from there to the app, and no message is
needed unless another key waits.

A screen that was just opened has no parts yet, and then nothing in them: keys wait until it has
been laid out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from weakref import WeakSet

from textual.app import App
from textual.events import Event, Key
from textual.message import Message
from textual.screen import Screen

from tui.terminal.internals import is_idle

PATIENCE: Final = 0.1
"""Seconds after which the next key is handled even if the one before is not finished."""

LAYOUT: Final = 1.0
"""Seconds after which keys are handled even if the top screen is not laid out."""

_LAPS: Final = 2
"""Messages that follow a key: after the key itself, and after its consequences."""


class KeyQueue(App[int]):
    """An app that handles a key only after the consequences of the previous one."""

    class Done(Message):
        """Message that follows a key from the focused widget up to the app."""

        def __init__(self, number: int, lap: int) -> None:
            self.number = number
            self.lap = lap
            super().__init__()

    def __init__(self, **wanted: Any) -> None:
        super().__init__(**wanted)
        self._keys: deque[Key] = deque()
        self._number = 0
        self._acting = False
        self._acted: Key | None = None
        """Last key whose action is running without a message after it."""
        self._after_key: list[Callable[[], None]] | None = None
        """Calls to make once the action of a key is done; None without a key."""
        self._acted_on: Screen[Any] | None = None
        """The screen that the last key was for."""
        self._is_waiting = False
        self._laid_out: WeakSet[Screen[Any]] = WeakSet()
        self._awaited: Screen[Any] | None = None
        """The screen whose layout the keys wait for."""

    async def on_event(self, event: Event) -> None:
        """Handle a key now or when its turn comes; the key that leaves at once never waits."""
        if not isinstance(event, Key):
            await super().on_event(event)
        elif self._is_over:
            return
        elif event.is_forwarded:
            await self._come_back(event)
        elif self._acting or self._keys or self._must_wait():
            if await self._check_bindings(event.key, priority=True):
                return
            self._keys.append(event)
            if not self._acting:
                await self._act_on_next()
                return
            self._wait()
            if self._acted is not None:
                self._acted = None
                await self._send_after()
        else:
            await self._act_on(event)

    @property
    def _is_over(self) -> bool:
        """True if the program is ending: then there may be no screen left for a key."""
        return self._exit or self._exception is not None or not self._screen_stack

    @property
    def has_keys(self) -> bool:
        """True if keys are pending; False once the program is ending."""
        return bool(self._keys) and not self._is_over

    @property
    def backlog(self) -> int:
        """Number of keys and messages that are not handled yet."""
        return len(self._keys) + self.message_queue_size

    def hear(self, event: Key) -> None:
        """React to a key that is being handled (a hook)."""

    def after_key(self, deed: Callable[[], None]) -> bool:
        """Call ``deed`` once the action of the present key is done.

        This saves a message. Return False, and do not call it, if no key is being handled.
        """
        if self._after_key is None:
            return False
        if deed not in self._after_key:
            self._after_key.append(deed)
        return True

    async def _act_on(self, event: Key) -> None:
        self._acting = True
        self._acted = None
        self._acted_on = self.screen
        self._number += 1
        self.hear(event)
        await super().on_event(event)
        if event.is_forwarded and self.focused is None and not self._keys:
            self._acted = event
        else:
            await self._send_after()

    async def _come_back(self, event: Key) -> None:
        """Run the binding of a key that no widget has consumed."""
        if self._must_wait():  # work beside the screens has opened one meanwhile
            self._keys.appendleft(Key(event.key, event.character))
            await self._go_on(self._number)
            return
        deeds: list[Callable[[], None]] = []
        self._after_key = deeds
        try:
            await super().on_event(event)
        finally:
            self._after_key = None
        if event is self._acted:
            await self._come_round(self._number, 1)
        for deed in deeds:
            deed()

    async def _send_after(self) -> None:
        """Send a message after the last key."""
        if not self._is_over and not self._follow(1):
            await self._go_on(self._number)

    def _wait(self) -> None:
        """Watch the pending keys with one timer for all, since timers are expensive."""
        if not self._is_waiting:
            self._is_waiting = True
            self.set_timer(PATIENCE, partial(self._lose_patience, self._number))

    async def _lose_patience(self, number: int) -> None:
        self._is_waiting = False
        await self._go_on(number)
        if self._keys:
            self._wait()

    def _follow(self, lap: int) -> bool:
        target = self.focused or self.screen
        return target.post_message(self.Done(self._number, lap))

    async def on_key_queue_done(self, message: Done) -> None:
        """Note that everything before this message has been handled."""
        await self._come_round(message.number, message.lap)

    async def _come_round(self, number: int, lap: int) -> None:
        if number != self._number or self._is_over:
            return
        if self._keys and self._may_follow(lap) and self._follow(lap + 1):
            return
        await self._go_on(number)

    def _may_follow(self, lap: int) -> bool:
        """Return whether a key may have more consequences: in a widget, or on a new screen."""
        return lap < _LAPS and (self.focused is not None or self.screen is not self._acted_on)

    async def _go_on(self, number: int) -> None:
        if number != self._number or not self._acting:
            return
        self._acting = False
        await self._act_on_next()

    async def _act_on_next(self) -> None:
        """Handle the longest-waiting key, unless it must wait further."""
        if self._is_over:
            return
        if self._keys and not self._acting and not self._must_wait():
            await self._act_on(self._keys.popleft())

    # -- screens that are not laid out yet -------------------------------------------------------

    def _must_wait(self) -> bool:
        """Return whether the top screen is not laid out; if so, keys continue once it is."""
        screen = self.screen
        if screen in self._laid_out:
            return False
        if is_idle(screen):
            self._laid_out.add(screen)
            return False
        if screen is not self._awaited:
            self._awaited = screen
            screen.call_after_refresh(self._lay_out, screen)
            self.set_timer(LAYOUT, partial(self._lay_out, screen))
        return True

    def _lay_out(self, screen: Screen[Any]) -> None:
        """Note that a screen is laid out, or has had its time."""
        self._laid_out.add(screen)
        if screen is self._awaited:
            self._awaited = None
            self.call_later(self._act_on_next)
