"""Where a game in lines is read and typed: a terminal at the end of a channel, or a pipe."""

from __future__ import annotations

import asyncio

from tui.linemode.voice import LONGEST
from tui.ssh.bridge import Bridge, Inbox
from tui.ssh.calls import Call
from tui.ssh.editing import Editor, Interrupted
from tui.ssh.text import Gone, TooSlow, lines_from, pieces


class Console:
    """Lives in the loop; ``ask`` and ``Pen`` are for the thread."""

    def __init__(self, call: Call, bridge: Bridge) -> None:
        """Read and write on the channel of a call."""
        self._call = call
        self._bridge = bridge
        self._editor = Editor()
        self._asked = asyncio.Event()
        """Set while a prompt stands at the end of what was written."""

    @property
    def _inbox(self) -> Inbox:
        return self._bridge.inbox

    async def listen(self) -> None:
        """Hand over lines until there are no more."""
        try:
            if self._call.has_terminal:
                await self._typed()
            else:
                await self._piped()
        except Interrupted as interrupted:
            self._inbox.end(interrupted, at_once=True)
        except (EOFError, TooSlow) as end:
            self._inbox.end(end)
        except Gone as gone:
            self._inbox.end(gone, at_once=True)
        else:
            self._inbox.end(EOFError())

    async def show(self, text: str) -> None:
        """Write text; where somebody is typing, below that."""
        if self._asked.is_set():
            self._asked.clear()
            text = f"\n{text}"
        await self._call.out.write(text)

    async def prompt(self, text: str) -> None:
        """Ask for a line; what was typed of it already is shown again."""
        if self._call.has_terminal and not self._asked.is_set():
            await self._call.out.write(text + self._editor.text)
            self._asked.set()

    def ask(self, text: str) -> None:
        """``prompt``, for the thread."""
        self._bridge.wait_for(self.prompt(text))

    async def _piped(self) -> None:
        async for line in lines_from(self._call.process.stdin, LONGEST):
            await self._call.paced()
            await self._inbox.put((line or "")[:LONGEST])

    async def _typed(self) -> None:
        """What is typed while nobody asks is kept until somebody does."""
        async for data in pieces(self._call.process.stdin):
            for sign in self._editor.signs(data):
                await self._asked.wait()
                typed = self._editor.press(sign)
                if typed.echo:
                    await self._call.out.write(typed.echo)
                if typed.line is not None:
                    self._asked.clear()
                    await self._call.paced()
                    await self._inbox.put(typed.line)


class Pen:
    """What the thread writes with, as far as a voice needs it."""

    def __init__(self, console: Console, bridge: Bridge) -> None:
        """Nothing is written yet."""
        self._console = console
        self._bridge = bridge
        self._held: list[str] = []

    def write(self, text: str) -> int:
        """Keep text until ``flush``."""
        self._held.append(text)
        return len(text)

    def flush(self) -> None:
        """Write what is held, and wait for the reader.

        Raises:
            Gone, TooSlow: nobody reads it.
        """
        text = "".join(self._held)
        self._held.clear()
        if text:
            self._bridge.wait_for(self._console.show(text))
