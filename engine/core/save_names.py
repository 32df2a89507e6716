"""Names of saved games, which every file system accepts."""

from __future__ import annotations

import re
from typing import Final

from engine.core.printable import clipped, composed

LONGEST: Final = 80
"""Maximum number of characters of a save's name."""

_MOST_BYTES: Final = 200
"""Maximum number of bytes of a name; file systems allow 255, with a number and a suffix."""

_UNSAFE: Final = re.compile(r"[^\w .+()-]", re.UNICODE)
_SHOWN: Final = 40
"""Characters of a name that a fault repeats."""


def safe_name(text: str) -> str:
    """Return a text as the name of a save, without forbidden characters; cut if it is too long.

    >>> safe_name("The Ford: 2/3")
    'The Ford 23'

    Raises:
        ValueError: no character of the text is allowed.
    """
    clean = _UNSAFE.sub("", composed(text)).strip(" .")[:LONGEST]
    clean = clean.encode()[:_MOST_BYTES].decode(errors="ignore").strip(" .")
    if not clean:
        raise ValueError(f"{clipped(text, _SHOWN)!r} is no name for a save")
    return clean


def checked_name(text: str) -> str:
    """Return a name that a person gives, without the blanks around it.

    >>> checked_name(" The Ford ")
    'The Ford'
    >>> checked_name("What now?")
    Traceback (most recent call last):
    ...
    ValueError: 'What now?' cannot be the name of a save: it has '?'

    Raises:
        ValueError: it is too long, or has characters that a name cannot hold.
    """
    name = composed(text).strip()
    if safe_name(text) == name:
        return name
    wrong = "".join(dict.fromkeys(_UNSAFE.findall(name)))
    if wrong:
        reason = f"it has {clipped(wrong, _SHOWN)!r}"
    elif len(name) > LONGEST or len(name.encode()) > _MOST_BYTES:
        reason = f"it is longer than {LONGEST} characters or {_MOST_BYTES} bytes"
    else:
        reason = "it begins or ends with a full stop"
    raise ValueError(f"{clipped(name, _SHOWN)!r} cannot be the name of a save: {reason}")
