"""Voice of line mode: short rows of plain text out, lines in; no colours, no cursor movements."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from typing import Final, TextIO

from engine.core.printable import BYTE_ORDER_MARK, harmless
from engine.tabletop.board import Line
from tui.console.printing import plain_ascii
from tui.play.speech import speakable

WIDTH: Final = 78
"""Maximum columns of a row."""

NARROWEST: Final = 20
"""Minimum columns for which text is wrapped."""

LONGEST: Final = 12_000
"""Maximum characters of an input line; the rest of it is discarded."""

_BLANK_ROWS: Final = 60

_KEY: Final = re.compile(r" \((?:menu, (\w)\)|([a-z])\)(?=\.?$))")
"""Key of a menu that a text of the screen names, or any key at its end."""


class Voice:
    """Output and input of a game in lines.

    ``read`` takes a prompt and returns a line, or raises ``EOFError``.
    """

    def __init__(
        self,
        out: TextIO,
        read: Callable[[str], str],
        *,
        only_ascii: bool = False,
        echo: bool = False,
        width: int = WIDTH,
    ) -> None:
        """Write to ``out``.

        With ``echo``, repeat each answer after its prompt (for piped input).
        """
        self._out = out
        self._read = read
        self._ascii = only_ascii
        self._echo = echo
        self.width = max(NARROWEST, min(width, WIDTH))
        self.command_for: Callable[[str], str] = lambda _key: ""
        """Returns the name of the command behind a key of the screen; empty if there is none."""
        self.count = 0
        """Number of rows written so far."""
        self.rule = ""
        """Id of the rule behind the last line since the latest prompt; empty if no line had one."""
        self.answered_rule = ""
        """Value of ``rule`` at the latest prompt."""

    def say(self, text: str = "") -> None:
        """Write a text, wrapped to rows."""
        text = _KEY.sub(self._command, speakable(harmless(text)))
        rows = textwrap.wrap(text, self.width, subsequent_indent="  ") or [""]
        self.rows(rows)

    def _command(self, key: re.Match[str]) -> str:
        """Return the command that a person types in place of a key, in brackets."""
        name = self.command_for(key[1] or key[2])
        return f" (type {name})" if name else ""

    def rows(self, rows: Iterable[str]) -> None:
        """Write rows unwrapped; control characters are replaced."""
        for row in map(harmless, rows):
            self.count += 1
            self._out.write((plain_ascii(row) if self._ascii else row) + "\n")

    def tell(self, lines: Iterable[Line]) -> None:
        """Write lines, and set ``rule`` to that of the last line that has one."""
        for line in lines:
            self.rule = line.rule or self.rule
            self.say(line.text)

    def clear(self) -> None:
        """Write blank rows until everything before has scrolled off the screen."""
        self.rows([""] * _BLANK_ROWS)

    def flush(self) -> None:
        """Flush the output."""
        self._out.flush()

    def listen(self, prompt: str = "> ") -> str:
        """Return the next line, stripped.

        Raises:
            EOFError: there are no more.
        """
        self._out.flush()
        prompt = plain_ascii(harmless(prompt)) if self._ascii else harmless(prompt)
        line = self._read(prompt)
        line = harmless(line[:LONGEST]).strip()
        self.answered_rule, self.rule = self.rule, ""
        if self._echo:
            self.rows([f"{prompt}{line}"])
        return line


def from_stream(stream: TextIO) -> Callable[[str], str]:
    """Return a reader of lines for a stream that is no terminal."""

    def read(_prompt: str) -> str:
        line = stream.readline(LONGEST)
        rest = line
        while rest and not rest.endswith("\n"):
            rest = stream.readline(LONGEST)
        if not line:
            raise EOFError
        return line.removeprefix(BYTE_ORDER_MARK)

    return read
