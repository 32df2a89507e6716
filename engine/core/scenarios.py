"""Scenario files: TOML or JSON in, typed and checked; JSON out."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import msgspec

from engine.core.codec import convert, encode_json
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault

LARGEST = 4_000_000
"""Most bytes a scenario file may have."""

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
    if len(data) > LARGEST:
        raise ScenarioFault("", f"the file is larger than {LARGEST} bytes")
    try:
        text = data.decode("utf-8")
        return json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except UnicodeDecodeError as problem:
        raise ScenarioFault("", f"no UTF-8 text: byte {problem.start} does not fit") from None
    except (ValueError, RecursionError) as problem:
        raise ScenarioFault("", f"neither TOML nor JSON: {problem}") from None


def _typed(rules: AnyRuleset, raw: Any) -> Scenario:
    if isinstance(raw, dict):
        unknown = sorted(set(raw) - set(rules.scenario_type.__struct_fields__))
        if unknown:
            raise ScenarioFault(unknown[0], "there is no such field")
    try:
        scenario = convert(raw, rules.scenario_type)
    except msgspec.ValidationError as problem:
        text = str(problem)
        found = _PATH.match(text)
        raise ScenarioFault(found[2], found[1]) if found else ScenarioFault("", text) from None
    assert isinstance(scenario, Scenario)  # noqa: S101 - tells the type checker
    return scenario
