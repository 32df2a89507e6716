"""Typing a line at a terminal that has no driver on its side: echo, rubbing out, leaving."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

LONGEST: Final = 2_000
"""Most characters of a line that is typed."""

_BELL = "\a"


def _last_word(text: str) -> int:
    """How many characters the last word and the blanks behind it have."""
    return len(text) - len(text.rstrip()[: text.rstrip().rfind(" ") + 1])


_INTERRUPT = "\x03"
_END = "\x04"
_ESCAPE = "\x1b"
_RUB_OUT: Final[dict[str, Callable[[str], int]]] = {
    "\x7f": lambda _text: 1,
    "\b": lambda _text: 1,
    "\x15": len,
    "\x17": _last_word,
}
"""Keys that rub out, and how many characters: one (backspace), all (^U), a word (^W)."""


class Interrupted(Exception):
    """Ctrl-C was pressed."""


class Typed(NamedTuple):
    """What a key led to: what the terminal is to be sent, and a line if that is finished."""

    echo: str
    line: str | None = None


class Editor:
    """A line that is being typed. Knows no cursor keys: what they send is passed over."""

    def __init__(self) -> None:
        """Nothing is typed yet."""
        self.text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._escape = ""
        """What has come of an escape sequence."""
        self._was_return = False

    def signs(self, data: bytes) -> Iterator[str]:
        """The signs in what came; one that came in part only waits for the rest."""
        yield from self._decoder.decode(data)

    def press(self, sign: str) -> Typed:
        """Take one sign.

        Raises:
            Interrupted: it is Ctrl-C.
            EOFError: it is Ctrl-D on an empty line.
        """
        after_return, self._was_return = self._was_return, sign == "\r"
        if self._escape:
            self._pass_over(sign)
            return Typed("")
        if sign in "\r\n":
            return Typed("") if after_return and sign == "\n" else self._finished()
        if sign in _RUB_OUT:
            return self._rub_out(_RUB_OUT[sign](self.text))
        if sign == _INTERRUPT:
            raise Interrupted
        if sign == _END and not self.text:
            raise EOFError
        if sign == _ESCAPE:
            self._escape = sign
            return Typed("")
        return self._add(" " if sign == "\t" else sign)

    def _finished(self) -> Typed:
        line, self.text = self.text, ""
        return Typed("\n", line)

    def _add(self, sign: str) -> Typed:
        if not sign.isprintable() or len(self.text) >= LONGEST:
            return Typed(_BELL)
        self.text += sign
        return Typed(sign)

    def _rub_out(self, count: int) -> Typed:
        if not self.text:
            return Typed(_BELL)
        cells = sum(_cells(sign) for sign in self.text[-count:])
        self.text = self.text[:-count]
        return Typed("\b \b" * cells)

    def _pass_over(self, sign: str) -> None:
        """Swallow an escape sequence: ``ESC [ ... letter``, ``ESC O letter``, ``ESC sign``."""
        self._escape += sign
        begins = self._escape in ("\x1b[", "\x1bO")
        inside = self._escape.startswith("\x1b[") and not "@" <= sign <= "~"
        if not begins and not inside:
            self._escape = ""


def _cells(sign: str) -> int:
    """How many columns a sign takes."""
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
