"""Scenario files: TOML or JSON in, typed and checked; JSON out."""

from __future__ import annotations

import re
import types
import typing
from functools import cache
from typing import Any

import msgspec

from engine.core.codec import convert, encode, encode_json
from engine.core.documents import read_document
from engine.core.printable import clipped
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault

_LONGEST_NAME = 60
"""Most characters of a field's name in what is said about it."""

_PATH = re.compile(r"(.*) - at `\$\.?(.*)`$")


def parse(rules: AnyRuleset, data: bytes) -> Scenario:
    """A scenario from the bytes of a file; JSON if it begins with ``{``, else TOML.

    Raises:
        ScenarioFault: with the field that is wrong and one line that says why.
    """
    scenario = _typed(rules, _raw(data))
    rules.check(scenario)
    return scenario


def dump(scenario: Scenario) -> str:
    """A scenario as indented JSON that ``parse`` reads again."""
    return msgspec.json.format(encode_json(scenario), indent=1).decode()


def _raw(data: bytes) -> Any:
    try:
        return read_document(data)
    except ValueError as problem:
        raise ScenarioFault("", str(problem)) from None


def _typed(rules: AnyRuleset, raw: Any) -> Scenario:
    _refuse_unknown(raw, rules.scenario_type, "")
    try:
        scenario = convert(raw, rules.scenario_type)
        encode(scenario)
    except msgspec.ValidationError as problem:
        found = _PATH.match(_line(problem))
        place, text = (found[2], found[1]) if found else ("", _line(problem))
        raise ScenarioFault(place, text) from None
    except (OverflowError, UnicodeEncodeError) as problem:
        raise ScenarioFault(_unfit(raw, ""), f"no save can hold that: {_line(problem)}") from None
    assert isinstance(scenario, Scenario)  # noqa: S101 - tells the type checker
    return scenario


def _unfit(raw: Any, path: str) -> str:
    """The place of the first value that cannot be encoded."""
    if isinstance(raw, dict):
        parts = [(f"{path}.{name}" if path else str(name), value) for name, value in raw.items()]
    elif isinstance(raw, list):
        parts = [(f"{path}[{number}]", value) for number, value in enumerate(raw)]
    else:
        return path
    for place, value in parts:
        try:
            encode(value)
        except (OverflowError, UnicodeEncodeError):
            return _unfit(value, place)
    return path


def _line(problem: Exception) -> str:
    return " ".join(str(problem).split())


def _refuse_unknown(raw: Any, kind: Any, path: str) -> None:
    """Complain about a field that no record has: most likely a slip of the pen."""
    for option in typing.get_args(kind) if _is_union(kind) else (kind,):
        if isinstance(raw, dict) and isinstance(option, type) and issubclass(option, Record):
            hints = _hints(option)
            for name, value in raw.items():
                shown = clipped(str(name), _LONGEST_NAME)
                place = f"{path}.{shown}" if path else shown
                if name not in option.__struct_fields__:
                    raise ScenarioFault(place, "there is no such field")
                _refuse_unknown(value, hints[name], place)
        if isinstance(raw, list) and typing.get_origin(option) is tuple:
            for number, value in enumerate(raw):
                _refuse_unknown(value, typing.get_args(option)[0], f"{path}[{number}]")


@cache
def _hints(kind: type[Record]) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, types.UnionType)
