"""Untrusted TOML and JSON, within limits that bound the time of parsing.

The TOML parser is quadratic in the parts of a dotted key and takes seconds for a megabyte. Files
that are too large, too deep or too long are refused before they are parsed.
"""

from __future__ import annotations

import json
import re
import tomllib
from itertools import chain
from typing import Any, Final

from engine.core.printable import composed

DEEPEST: Final = 64
"""Maximum nesting of lists and tables in data from outside."""

_NESTING: Final = (dict, list)

LARGEST: Final = 4_000_000
"""Maximum bytes of a file of either kind."""

LARGEST_TOML: Final = 500_000
"""Maximum characters of a TOML file."""

MOST_PARTS: Final = 16
"""Maximum parts of a dotted key."""

LONGEST_PART: Final = 200
"""Maximum characters of such a part, and of an unquoted word."""

_PART: Final = r"""(?:[A-Za-z0-9_+-]++|"(?:[^"\\\n]|\\.)*+"?+|'[^'\n]*+'?+)"""
_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?+'
    r"|'''(?:[^']|'(?!''))*+(?:''')?+"
    r"|\#[^\n]*+"
    rf"|(?P<words>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)",
    re.DOTALL,
)
_WORD: Final = re.compile(_PART)


def check_nesting(value: Any, most: int = DEEPEST) -> Any:
    """Return plain data unchanged; refuse lists and tables nested more than ``most`` deep.

    Raises:
        ValueError: the data is nested too deeply to be handled and shown.
    """
    level: list[Any] = [value] if isinstance(value, _NESTING) else []
    for _ in range(most):
        if not level:
            return value
        parts = chain.from_iterable(one.values() if isinstance(one, dict) else one for one in level)
        level = [part for part in parts if isinstance(part, _NESTING)]
    raise ValueError(f"nested more than {most} deep")


def read_document(data: bytes) -> Any:
    """Parse the plain data of a file: JSON if it begins with ``{``, else TOML.

    Raises:
        ValueError: the text is one line with the reason.
    """
    text = _text(data)
    if not text.lstrip().startswith("{"):
        return _toml(text)
    try:
        return check_nesting(json.loads(text))
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"neither TOML nor JSON: {_line(problem)}") from None


def read_toml(data: bytes) -> dict[str, Any]:
    """Parse the plain data of a TOML file.

    Raises:
        ValueError: the text is one line with the reason.
    """
    return _toml(_text(data))


def _text(data: bytes) -> str:
    if len(data) > LARGEST:
        raise ValueError(f"the file is larger than {LARGEST} bytes")
    try:
        return composed(data.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        raise ValueError(f"no UTF-8 text: byte {problem.start} does not fit") from None


def _toml(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_TOML:
        raise ValueError(f"TOML of more than {LARGEST_TOML} characters; JSON may be longer")
    _check_keys(text)
    try:
        found: dict[str, Any] = check_nesting(tomllib.loads(text))
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"neither TOML nor JSON: {_line(problem)}") from None
    return found


def _check_keys(text: str) -> None:
    """Refuse dotted keys with too many parts and words too long for a key or number."""
    for found in _TOKEN.finditer(text):
        words = found["words"]
        if words is None or (len(words) <= LONGEST_PART and words.count(".") < MOST_PARTS):
            continue
        parts = _WORD.findall(words)
        if len(parts) > MOST_PARTS:
            raise ValueError(f"a key of more than {MOST_PARTS} parts: {words[:40]}...")
        if any(len(part) > LONGEST_PART and part[0] not in "\"'" for part in parts):
            raise ValueError(f"a word of more than {LONGEST_PART} characters: {words[:40]}...")


def _line(problem: Exception) -> str:
    return " ".join(str(problem).split())
