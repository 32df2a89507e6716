"""TOML and JSON from outside, within bounds that keep reading them quick.

The parser of TOML takes time that grows with the square of the parts of a dotted key, and seconds
for a file of a megabyte. What is too large, too deep or too long is refused before it is parsed.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, Final

LARGEST: Final = 4_000_000
"""Most bytes a file may have, JSON and all."""

LARGEST_TOML: Final = 500_000
"""Most bytes a file of TOML may have."""

MOST_PARTS: Final = 16
"""Most parts of a dotted key."""

LONGEST_PART: Final = 200
"""Most characters of such a part, and of a word that is no string."""

_PART: Final = r"""(?:[A-Za-z0-9_+-]++|"(?:[^"\\\n]|\\.)*+"?+|'[^'\n]*+'?+)"""
_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?+'
    r"|'''(?:[^']|'(?!''))*+(?:''')?+"
    r"|\#[^\n]*+"
    rf"|(?P<words>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)",
    re.DOTALL,
)
_WORD: Final = re.compile(_PART)


def read_document(data: bytes) -> Any:
    """The plain data of a file: JSON if it begins with ``{``, else TOML.

    Raises:
        ValueError: with one line that says why not.
    """
    text = _text(data)
    if not text.lstrip().startswith("{"):
        return _toml(text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"neither TOML nor JSON: {_line(problem)}") from None


def read_toml(data: bytes) -> dict[str, Any]:
    """The plain data of a file of TOML.

    Raises:
        ValueError: with one line that says why not.
    """
    return _toml(_text(data))


def _text(data: bytes) -> str:
    if len(data) > LARGEST:
        raise ValueError(f"the file is larger than {LARGEST} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise ValueError(f"no UTF-8 text: byte {problem.start} does not fit") from None


def _toml(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_TOML:
        raise ValueError(f"TOML of more than {LARGEST_TOML} characters; JSON may be longer")
    _check_keys(text)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"neither TOML nor JSON: {_line(problem)}") from None


def _check_keys(text: str) -> None:
    """Refuse dotted keys of many parts and words that no key or number is like."""
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
