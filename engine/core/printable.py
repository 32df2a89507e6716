"""Control characters of terminals, removed from text and escaped in JSON.

Texts from files and people may contain C0, DEL, C1, direction marks and line ends. All printed text
goes through this module.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

CONTROLS: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters, which steer a terminal, and surrogates, which cannot be written."""

BYTE_ORDER_MARK: Final = "\ufeff"
"""Byte order mark. Some editors write it at the start of a file, so in a stream of joined files it
can start any line."""

_IN_BYTES: Final = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)
"""Control characters in UTF-8, except those that JSON escapes anyway."""


def harmless(text: str) -> str:
    """Replace unprintable characters by blanks, line ends included."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else " " for sign in text)


def composed(text: str) -> str:
    """Compose each letter and its accents into one character, if one exists."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def writable(text: str) -> str:
    """Replace surrogates, so that UTF-8 can encode the text (names of files)."""
    return text.encode("utf-8", "replace").decode()


def clipped(text: str, most: int) -> str:
    """Shorten a text to at most ``most`` characters, with dots at the end if it is cut."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def escaped_json(data: bytes) -> bytes:
    """Escape every control character in JSON of UTF-8."""
    if data.isascii() and b"\x7f" not in data:
        return data
    return _IN_BYTES.sub(_escaped, data)


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())
