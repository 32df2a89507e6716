"""Line input over a channel: line editing at a terminal, or lines from a pipe."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from host.ssh.bridge import Bridge, Inbox
from host.ssh.calls import Call
from host.ssh.text import Gone, TooSlow, lines_from, pieces
from host.ssh.wire import Wire, read_typed
from tui.linemode import voice
from tui.terminal.input_units import UnitReader, typed_text

# -- keys that make a line ------------------------------------------------------------------------


_LONGEST_TYPED: Final = 2_000
"""Maximum characters of a typed line; further keys are refused."""

_BELL = "\a"


def _last_word(text: str) -> int:
    """Return the number of characters of the last word and the blanks after it."""
    return len(text) - len(text.rstrip()[: text.rstrip().rfind(" ") + 1])


_INTERRUPT = "\x03"
_END = "\x04"
_ESCAPE = "\x1b"
_GIVE_UP: Final = (_INTERRUPT, _END, _ESCAPE)
_RUB_OUT: Final[dict[str, Callable[[str], int]]] = {
    "\x7f": lambda _text: 1,
    "\b": lambda _text: 1,
    "\x15": len,
    "\x17": _last_word,
}
"""Erasing keys and how many characters they erase: one (Backspace), all (^U), a word (^W)."""


class Interrupted(Exception):
    """Ctrl-C was pressed."""


class Typed(NamedTuple):
    """Result of one key: text to send to the terminal, and the line if it is finished."""

    echo: str
    line: str | None = None


class Editor:
    """Line editor without cursor keys: escape sequences and replies of terminals are skipped."""

    def __init__(self, longest: int = _LONGEST_TYPED) -> None:
        """Start with an empty line, of at most ``longest`` characters."""
        self.text = ""
        self._longest = longest
        self._reader = UnitReader()
        self._was_return = False

    def signs(self, data: bytes) -> Iterator[str]:
        """Decode typed bytes, and yield characters; an incomplete one waits for the next call."""
        yield from typed_text([*self._reader.tick(), *self._reader.feed(data)])

    def press(self, sign: str) -> Typed:
        """Handle one character of input.

        Raises:
            Interrupted: it is Ctrl-C.
            EOFError: it is Ctrl-D on an empty line.
        """
        after_return, self._was_return = self._was_return, sign == "\r"
        if sign in "\r\n":
            return Typed("") if after_return and sign == "\n" else self._finished()
        if sign in _RUB_OUT:
            return self._rub_out(_RUB_OUT[sign](self.text))
        if sign == _INTERRUPT:
            raise Interrupted
        if sign == _END and not self.text:
            raise EOFError
        if sign == _ESCAPE:
            return Typed("")
        return self._add(" " if sign == "\t" else sign)

    def _finished(self) -> Typed:
        line, self.text = self.text, ""
        return Typed("\n", line)

    def _add(self, sign: str) -> Typed:
        if not sign.isprintable() or len(self.text) >= self._longest:
            return Typed(_BELL)
        self.text += sign
        return Typed(sign)

    def _rub_out(self, count: int) -> Typed:
        if not self.text:
            return Typed(_BELL)
        cells = sum(_cells(sign) for sign in self.text[-count:])
        self.text = self.text[:-count]
        return Typed("\b \b" * cells)


def _cells(sign: str) -> int:
    """Return the width of a character in columns."""
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


# -- a question at a terminal ----------------------------------------------------------------------


async def asked(wire: Wire, question: str, longest: int) -> str:
    """Ask a question and return the answer: a line of at most ``longest`` characters, stripped.

    Empty if nothing was typed, it was cancelled with Ctrl-C, or the connection is lost.
    """
    wire.write(question.encode())
    editor, reader = Editor(longest), UnitReader()
    while signs := await read_typed(wire, reader):
        for at, sign in enumerate(signs):
            typed = editor.press(sign) if sign not in _GIVE_UP else Typed("\n", "")
            wire.write(typed.echo.replace(_BELL, "").replace("\n", "\r\n").encode())
            if typed.line is not None:
                if sign not in _GIVE_UP:
                    wire.unread(signs[at + 1 :].lstrip("\n").encode())
                return typed.line.strip()
    return ""


# -- the console of a game in lines ---------------------------------------------------------------


class Console:
    """Input and output of a game in lines; ``ask`` and ``ConsoleWriter`` are for the thread."""

    def __init__(self, call: Call, bridge: Bridge) -> None:
        """Read and write on the channel of a call."""
        self._call = call
        self._bridge = bridge
        self._editor = Editor()
        self._asked = asyncio.Event()
        """Set while a prompt is shown."""

    @property
    def _inbox(self) -> Inbox:
        return self._bridge.inbox

    async def listen(self) -> None:
        """Put lines into the inbox until the input ends."""
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
        """Write text, on a new line if a prompt is shown."""
        if self._asked.is_set():
            self._asked.clear()
            text = f"\n{text}"
        await self._call.out.write(text)

    async def prompt(self, text: str) -> None:
        """Show a prompt, followed by the part of the line that is already typed."""
        if self._call.has_terminal and not self._asked.is_set():
            await self._call.out.write(text + self._editor.text)
            self._asked.set()

    def ask(self, text: str) -> None:
        """Show a prompt, from the thread."""
        self._bridge.wait_for(self.prompt(text))

    async def _piped(self) -> None:
        async for line in lines_from(self._call.process.stdin, voice.LONGEST):
            await self._call.paced()
            await self._inbox.put((line or "")[: voice.LONGEST])

    async def _typed(self) -> None:
        """Handle keys; those typed before a prompt are kept for it."""
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


class ConsoleWriter:
    """Text stream to the console, for the thread."""

    def __init__(self, console: Console, bridge: Bridge) -> None:
        self._console = console
        self._bridge = bridge
        self._held: list[str] = []

    def write(self, text: str) -> int:
        """Buffer text until ``flush``."""
        self._held.append(text)
        return len(text)

    def flush(self) -> None:
        """Write the buffer and wait for the reader.

        Raises:
            Gone, TooSlow: the client does not read it.
        """
        text = "".join(self._held)
        self._held.clear()
        if text:
            self._bridge.wait_for(self._console.show(text))
