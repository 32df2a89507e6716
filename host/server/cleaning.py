"""Cleaning of text from outside, before it is stored, logged or shown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

MOST_IN_NAME: Final = 20
"""Maximum cells and characters of a person's name."""

RESERVED: Final = frozenset({"admin", "computer", "guest", "host"})
"""Names that the host itself uses."""

_GUEST = re.compile(r"(?:a )?guest(?: (\d+))?")
"""Names of guests."""

_MOST_DIGITS: Final = 9

_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor, modes
    # Strings: titles, links, the clipboard.
    r"|(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"  # everything else that begins with ESC
)

_UNSEEN = frozenset(
    [
        0x034F,  # combining grapheme joiner
        0x115F,  # fillers of Hangul, which are letters that show nothing
        0x1160,
        0x17B4,  # inherent vowels of Khmer
        0x17B5,
        0x3164,
        0xFFA0,
        *range(0x180B, 0x1810),  # selectors of variants
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    ]
)
_BLANK_SIGN = "\u2800"
"""Braille pattern without a dot: printable, yet invisible."""

_MOST_MARKS = 3
"""Maximum accents on one letter; more would run into the lines above and below."""


class BadName(ValueError):
    """The name is not allowed; the text is one line for people."""


def clean(text: str, most: int) -> str:
    """Return one line of text without anything that a terminal obeys.

    Escape sequences, control and format characters (which include changes of the writing direction)
    and invisible characters are removed, blanks are single, accents composed (NFC). The result has
    at most ``most`` characters and ``most`` cells; cleaning it again changes nothing.
    """
    # Text far beyond the end is never shown; normalizing a flood would waste time.
    text = _SEQUENCE.sub("", text[: 8 * most + 256])
    text = "".join(_tame(text))
    for _ in range(3):  # dropping a mark may let others compose
        before, text = text, unicodedata.normalize("NFC", _fewer_marks(text))
        if before == text:
            break
    return cut(text, most)


def cut(text: str, most: int) -> str:
    """Return the start of a text: at most ``most`` characters and cells, no blank at its end."""
    if len(text) <= most and cells(text) <= most:
        return text
    room = most
    for place, sign in enumerate(text[: most + 1]):
        room -= _cells(sign)
        if room < 0 or place == most:
            return text[:place].rstrip(" ")
    return text


def cells(text: str) -> int:
    """Return the width of a cleaned text in cells of a terminal."""
    return sum(map(_cells, text))


def clean_name(text: str, taken: Iterable[str] = ()) -> str:
    """Return a valid name: 1 to 20 cells of letters, digits, blanks and ``- _ . '``.

    It begins with a letter or a digit, so that it cannot be mistaken for an option of a command.

    Args:
        text: the name as typed.
        taken: names that it must not resemble.

    Raises:
        BadName: the name is invalid or taken; the text says why.
    """
    name = clean(text, 4 * MOST_IN_NAME)
    if not name:
        raise BadName("A name has at least one letter.")
    if len(name) > MOST_IN_NAME or cells(name) > MOST_IN_NAME:
        raise BadName(f"A name is at most {MOST_IN_NAME} letters long.")
    if not all(sign in " -_.'" or unicodedata.category(sign)[0] in "LMN" for sign in name):
        raise BadName("A name is made of letters, digits, blanks and - _ . '")
    if unicodedata.category(name[0])[0] not in "LN":
        raise BadName("A name begins with a letter or a digit.")
    if folded(name) in RESERVED or _GUEST.fullmatch(folded(name)):
        raise BadName(f"Nobody can be called {name}.")
    if folded(name) in map(folded, taken):
        raise BadName(f"Somebody is called {name} already, or nearly so.")
    return name


def guest_called(name: str) -> int | None:
    """Return the number of a guest, 0 or negative, by name; None for other names."""
    found = _GUEST.fullmatch(folded(name))
    if found is None or len(found[1] or "") > _MOST_DIGITS:
        return None
    return -int(found[1] or 0)


def folded(name: str) -> str:
    """Return a form of a name that is equal for names which look alike."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _tame(text: str) -> Iterable[str]:
    """Yield a text with all kinds of blanks as spaces, without invisible characters."""
    for sign in text:
        if sign.isspace() or sign == _BLANK_SIGN:
            yield " "
        elif sign.isprintable() and ord(sign) not in _UNSEEN:
            yield sign


def _fewer_marks(text: str) -> str:
    """Return a text with single blanks, none at the ends, and at most three marks per letter."""
    kept: list[str] = []
    marks = _MOST_MARKS  # no letter before it
    for sign in text:
        if sign == " ":
            marks = _MOST_MARKS
            if kept and kept[-1] != " ":
                kept.append(sign)
        elif unicodedata.category(sign)[0] != "M":
            marks = 0
            kept.append(sign)
        elif marks < _MOST_MARKS:
            marks += 1
            kept.append(sign)
    return "".join(kept).rstrip(" ")


def _cells(sign: str) -> int:
    if unicodedata.category(sign) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in {"W", "F"} else 1
