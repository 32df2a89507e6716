"""One line of text for every command, derived from its fields, and its twin in JSON.

``step unit=12 direction=up``; ``move unit=3 path=4,4>5,4``. Values are whole numbers, ``yes`` and
``no``, words of a closed list, places ``x,y``, or strings in JSON quotes. Sequences are joined by
``>`` (``-`` when empty); an absent value is ``none``. Reading also accepts a string of one plain
word without quotes, and a word of a list in quotes. A command with other fields, such as a sequence
of sequences, has no notation; using it here is a TypeError.
"""

from __future__ import annotations

import json
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from engine.core.codec import convert, encode_json
from engine.core.documents import check_nesting
from engine.core.record import Command, tag
from engine.core.refused import Denied, Refused

LONGEST = 10_000
"""Maximum characters of a line of notation."""

DIGITS = 18
"""Maximum digits of a whole number."""

_NUMBER = re.compile(rf"-?\d{{1,{DIGITS}}}", re.ASCII)
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_FIELD = re.compile(rf'\s*([A-Za-z_][A-Za-z0-9_]*)=((?:{_QUOTED}|[^\s"])*)(?=\s|$)')
_PART = re.compile(rf'((?:{_QUOTED}|[^">])*)(?:>|$)')
_CHOICE = re.compile(r"(?!none$)[A-Za-z0-9_][A-Za-z0-9_-]*")
_PLAIN = re.compile(r"(?!none$)[^\W\d_][\w-]*")
_WORD = re.compile(r"\s*([a-z][a-z0-9-]*)(?=\s|$)")


class BadNotation(Refused):
    """Raised if a line is not a command of this game; the text says what is wrong with it."""

    def __init__(self, text: str) -> None:
        super().__init__(Denied.BAD_NOTATION, text)


@cache
def command_classes(union: Any) -> Mapping[str, type[Command]]:
    """Return the commands of a union by tag, in the order of their declaration."""
    listed = typing.get_args(union) or (union,)
    return {tag(kind): kind for kind in listed}


def write(command: Command) -> str:
    """Return the line for a command.

    Defaults are omitted, so a field added later does not change old lines.
    """
    words, kind = [tag(command)], type(command)
    for info in _infos(kind):
        value = getattr(command, info.name)
        if info.default is not msgspec.NODEFAULT and value == info.default:
            continue
        words.append(f"{info.name}={_write_value(value, _hints(kind)[info.name])}")
    return " ".join(words)


def read(line: str, union: Any) -> Command:
    """Parse the command of a line, in notation or as JSON (a line that begins with ``{``).

    Raises:
        BadNotation: the line is invalid.
    """
    if len(line) > LONGEST:
        raise BadNotation(f"A command cannot be longer than {LONGEST} characters.")
    text = line.strip()
    return _read_json(text, union) if text.startswith("{") else _read_text(text, union)


def to_json(command: Command) -> str:
    """Return the JSON twin of a command's line."""
    return encode_json(command).decode()


def _read_json(text: str, union: Any) -> Command:
    try:
        raw = check_nesting(json.loads(text, object_pairs_hook=_once_each))
    except (ValueError, RecursionError) as problem:
        raise BadNotation(f"No command: {problem}.") from None
    classes = command_classes(union)
    name = raw.get("do")
    if not isinstance(name, str) or name not in classes:
        raise _no_command(str(name), classes)
    for key in raw:
        if key != "do" and key not in _hints(classes[name]):
            raise _no_field(name, key, classes[name])
    return _made(raw, classes[name], name)


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field stands twice")
    return found


def _made(raw: dict[str, Any], kind: type[Command], name: str) -> Command:
    try:
        _check(raw)
        made = convert(raw, kind)
    except (ValueError, msgspec.ValidationError) as problem:
        raise BadNotation(f"{name}: {problem}.") from None
    assert isinstance(made, Command)  # noqa: S101 - tells the type checker
    return made


def _check(value: Any) -> None:
    """Refuse values that can be read but not written to a file."""
    if isinstance(value, int) and abs(value) >= _TOO_LARGE:
        raise ValueError(f"a whole number has at most {DIGITS} digits")
    if isinstance(value, str) and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise ValueError("a string holds half a sign")
    if isinstance(value, _LISTED):
        for part in value.values() if isinstance(value, dict) else value:
            _check(part)


_TOO_LARGE: Final = 10**DIGITS
_LISTED: Final = (list, tuple, dict)


def _no_command(word: str, classes: Mapping[str, type[Command]]) -> BadNotation:
    return BadNotation(f"{word[:40]!r} is no command here; known: {', '.join(classes)}.")


def _no_field(name: str, key: str, kind: type[Command]) -> BadNotation:
    known = ", ".join(_hints(kind)) or "none"
    return BadNotation(f"{name} has no field {key[:40]!r}; known: {known}.")


def _read_text(text: str, union: Any) -> Command:
    classes = command_classes(union)
    first = _WORD.match(text)
    if first is None or first.group(1) not in classes:
        raise _no_command(text.split(maxsplit=1)[0] if text else "", classes)
    word = first.group(1)
    hints = _hints(classes[word])
    raw: dict[str, Any] = {}
    for name, value in _fields(text, first.end()):
        if name not in hints:
            raise _no_field(word, name, classes[word])
        if name in raw:
            raise BadNotation(f"{word}: {name} stands twice.")
        raw[name] = _read_value(value, hints[name], name)
    return _made({"do": word, **raw}, classes[word], word)


def _fields(text: str, at: int) -> Iterator[tuple[str, str]]:
    while text[at:].strip():
        found = _FIELD.match(text, at)
        if found is None:
            raise BadNotation(f"{text[at:].strip()[:40]!r} should be NAME=VALUE.")
        yield found.group(1), found.group(2)
        at = found.end()


@cache
def _infos(kind: type[Command]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a command; cached, because this takes longer than writing it."""
    return msgspec.structs.fields(kind)


@cache
def _hints(kind: type[Command]) -> Mapping[str, Any]:
    hints = typing.get_type_hints(kind)
    for name in kind.__struct_fields__:
        if not _has_notation(hints[name]):
            raise TypeError(f"{kind.__name__}.{name}: there is no notation for {hints[name]}")
    return {name: hints[name] for name in kind.__struct_fields__}


def _has_notation(hint: Any) -> bool:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return len(args) == 2 and types.NoneType in args and _has_notation(_bare(hint))
    if origin is tuple and args[-1] is ...:
        return _is_place(args[0]) or _is_simple(args[0])
    return _is_simple(hint) or _is_place(hint)


def _is_simple(hint: Any) -> bool:
    if typing.get_origin(hint) is typing.Literal:
        return all(isinstance(word, str) and _CHOICE.fullmatch(word) for word in hint.__args__)
    return hint in _SIMPLE


def _write_value(value: Any, hint: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, str):
        return value if _is_word(hint) else json.dumps(value)
    if _is_place(_bare(hint)):
        return ",".join(str(part) for part in value)
    inner = typing.get_args(_bare(hint))[0]
    return ">".join(_write_value(part, inner) for part in value) or "-"


def _read_value(text: str, hint: Any, name: str) -> Any:
    try:
        return _parse(text, _bare(hint), text == "none" and _bare(hint) is not hint)
    except (ValueError, RecursionError):
        raise BadNotation(f"{name}={text[:40]} is not {describe(hint)}.") from None


def _parse(text: str, hint: Any, absent: bool) -> Any:  # noqa: FBT001 - private, one caller
    if absent:
        return None
    if hint in _SIMPLE:
        return _SIMPLE[hint](text)
    if _is_word(hint):
        return _quoted(text) if text.startswith('"') else text
    if _is_place(hint):
        return tuple(_whole(part) for part in text.split(","))
    inner = typing.get_args(hint)[0]
    return tuple(_parse(part, inner, absent=False) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """Yield the parts between the ``>`` that are outside quotes."""
    at = -1 if text == "-" else 0
    while at >= 0:
        found = _PART.match(text, at)
        if found is None:
            raise ValueError
        yield found.group(1)
        at = found.end() if found.group(0).endswith(">") else -1


def _yes_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError
    return text == "yes"


def _whole(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError
    return int(text)


def _quoted(text: str) -> str:
    """Parse a string in quotes, or a plain word such as the name of a tile."""
    if _PLAIN.fullmatch(text):
        return text
    value = json.loads(text)
    if not isinstance(value, str):
        raise ValueError  # noqa: TRY004 - the caller turns every ValueError into one line
    return value


_SIMPLE: dict[Any, Callable[[str], Any]] = {bool: _yes_no, int: _whole, str: _quoted}


@cache
def _bare(hint: Any) -> Any:
    """Return the type without ``| None``."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
    return hint


@cache
def _is_word(hint: Any) -> bool:
    return typing.get_origin(_bare(hint)) is typing.Literal


@cache
def _is_place(hint: Any) -> bool:
    args = typing.get_args(hint)
    return typing.get_origin(hint) is tuple and set(args) == {int}


def describe(hint: Any) -> str:
    """Describe the written form of values of a type, for error texts."""
    bare = _bare(hint)
    if _is_word(bare):
        return "one of " + ", ".join(typing.get_args(bare))
    if bare in (int, bool, str):
        return {int: "a whole number", bool: "yes or no", str: "a string in quotes"}[bare]
    if _is_place(bare):
        return "a place x,y"
    inner = typing.get_args(bare)[0]
    return f"a sequence joined by > of {describe(inner)}"


def usage(union: Any) -> list[str]:
    """Return the syntax of each command, one line each."""
    lines = []
    for name, kind in command_classes(union).items():
        fields = [f"{key}=<{describe(hint)}>" for key, hint in _hints(kind).items()]
        lines.append(" ".join([name, *fields]))
    return lines
