"""Control characters of terminals, removed from text and escaped in JSON.

C0, DEL, C1, direction marks and line ends may stand in texts from files and from people; whatever
is printed goes through here.
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
"""Mark with which some editors begin a file, and so a stream of joined files some of its lines."""

_IN_BYTES: Final = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)
"""Control characters in UTF-8, except those that JSON escapes anyway."""


def harmless(text: str) -> str:
    """A text with blanks in place of unprintable characters, line ends included."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else " " for sign in text)


def composed(text: str) -> str:
    """A text with each letter and its accents as one character, if there is one."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def writable(text: str) -> str:
    """A text with surrogates replaced, so that UTF-8 can encode it (names of files)."""
    return text.encode("utf-8", "replace").decode()


def clipped(text: str, most: int) -> str:
    """The beginning of a text, with dots where more would follow; at most ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def escaped_json(data: bytes) -> bytes:
    """JSON in UTF-8 with every control character as an escape."""
    if data.isascii() and b"\x7f" not in data:
        return data
    return _IN_BYTES.sub(_escaped, data)


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())
