"""Output of commands to standard output and standard error.

``say`` prints lines of text. ``tamed`` guards it and all other output while a command runs, so that
no content of a file reaches the terminal as a control character, and a full disk under the output
is one fault for people.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TextIO, cast

from engine.core.codec import encode_json
from engine.core.printable import CONTROLS, harmless

_LATIN: Final = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "ß": "ss",
        "æ": "ae",
        "Æ": "AE",
        "ø": "o",
        "Ø": "O",
        "\u2026": "...",
        "\u2013": "-",
        "\u2014": "-",
        "\u2212": "-",
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u00d7": "x",
        "\u2192": "->",
        "\u2190": "<-",
        "\u00b7": "-",
        "\u2022": "-",
    }
)


def plain_ascii(text: str) -> str:
    """Return a text in ASCII: umlauts written out, accents removed, "?" for all other signs."""
    taken = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text).translate(_LATIN))
    bare = "".join(sign for sign in taken if not unicodedata.combining(sign))
    return bare.encode("ascii", "replace").decode("ascii")


class Unwritable(Exception):
    """Standard output takes no more; the text is the reason in one line."""


def is_ascii_asked() -> bool:
    """Return whether the locale C was requested, for which Python uses UTF-8 regardless."""
    asked = os.environ.get("LC_ALL") or os.environ.get("LANG")
    return bool(sys.flags.utf8_mode) and asked in {"C", "POSIX"}


def say(*lines: str) -> None:
    """Print each argument on a line; a line break within one is replaced."""
    for line in lines:
        sys.stdout.write(harmless(line) + "\n")


def warn(of: str, remarks: Iterable[str]) -> None:
    """Write remarks about the file ``of`` to standard error, a line each."""
    for remark in remarks:
        sys.stderr.write(f"banneret: {harmless(f'{of}: {remark}')}\n")


def say_json(*lines: str) -> None:
    """Print lines of JSON, whose control characters are already escaped."""
    for line in lines:
        sys.stdout.write(line + "\n")


def say_report(lines: Iterable[str], *values: object, json: bool) -> None:
    """Print values as lines of JSON, or else the lines for people."""
    if json:
        say_json(*(encode_json(value).decode() for value in values))
    else:
        say(*lines)


def show_progress(text: str) -> None:
    """Show a line on standard error in place of the last one, if that is a terminal."""
    stream = raw(sys.stderr)
    if stream.isatty():
        stream.write(f"\r\x1b[K{text}")
        stream.flush()


def columns(rows: Sequence[Sequence[str]], measure: Callable[[str], int] = len) -> list[str]:
    """Return rows of cells as lines with aligned columns.

    ``measure`` returns the number of terminal columns of a text.
    """
    widths = [max(map(measure, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text + " " * (width - measure(text)) for text, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def raw(stream: TextIO) -> TextIO:
    """Return the stream under ``tamed``, which lets the program's own control sequences through."""
    tamed_or_not: object = stream
    return tamed_or_not.bare if isinstance(tamed_or_not, _Tamed) else stream


@contextlib.contextmanager
def tamed() -> Iterator[None]:
    """Keep control characters from standard output and standard error in a ``with`` block.

    A standard input that was closed before the program began is empty.
    """
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = _guarded(sys.stdout, "standard output")
    sys.stderr = _guarded(sys.stderr, "")
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams


def let_go(stream: TextIO) -> None:
    """Flush a standard stream; if nothing can be written to it any longer, redirect it to nowhere.

    Without this, Python's own flush at exit would fail and change the exit code.
    """
    found: object = raw(stream)
    stream = found.stream if isinstance(found, _Checked) else stream
    try:
        stream.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _nowhere(mode: str) -> TextIO:
    """Return a stream that replaces one that was closed before the program began."""
    return cast("TextIO", Path(os.devnull).open(mode, encoding="utf-8"))


def _guarded(stream: TextIO | None, name: str) -> TextIO:
    bare = raw(stream or _nowhere("w"))
    if isinstance(bare, io.TextIOWrapper):
        ascii_only = "ascii" if is_ascii_asked() and bare.isatty() else None
        errors = "plain" if bare.isatty() else "backslashreplace"
        with contextlib.suppress(OSError):  # the stream is full, as the next text will find
            bare.reconfigure(encoding=ascii_only, errors=errors)
    return cast("TextIO", _Tamed(cast("TextIO", _Checked(bare, name))))


def _plain(fault: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks by ASCII."""
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    return plain_ascii(fault.object[fault.start : fault.end]), fault.end


codecs.register_error("plain", _plain)


class _Checked:
    """Stream that raises ``Unwritable`` with its name if it is full; without a name it drops text.

    All other attributes are those of the wrapped stream.
    """

    def __init__(self, bare: TextIO, name: str) -> None:
        self.stream = bare
        self._name = name

    def write(self, text: str) -> int:
        try:
            return self.stream.write(text)
        except OSError as fault:
            self._fail(fault)
            return len(text)

    def flush(self) -> None:
        """Write what the wrapped stream holds back."""
        try:
            self.stream.flush()
        except OSError as fault:
            self._fail(fault)

    def _fail(self, fault: OSError) -> None:
        if isinstance(fault, BrokenPipeError):
            raise fault
        if self._name:
            raise Unwritable(f"{self._name}: {fault.strerror or fault}") from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _Tamed:
    """Stream that replaces control characters by blanks and delegates everything else."""

    def __init__(self, bare: TextIO) -> None:
        self.bare = bare

    def write(self, text: str) -> int:
        """Write a text; line breaks and tabs are kept."""
        self.bare.write(CONTROLS.sub(_blank, text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)


def _blank(found: re.Match[str]) -> str:
    return found[0] if found[0] in "\n\t" else " "
