"""The rule indices of the strategic layer name existing objects."""

from __future__ import annotations

import tomllib
from importlib import import_module
from importlib.resources import files
from operator import attrgetter
from typing import Final

import pytest

RULESETS: Final = ("warlords2", "lordsawar")


def index(ruleset: str) -> dict[str, list[str]]:
    """Return the names below ``engine.strategic`` by rule id."""
    file = files(f"engine.rulesets.{ruleset}").joinpath("rule_index.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("ruleset", "rule"), [(ruleset, rule) for ruleset in RULESETS for rule in index(ruleset)]
)
def test_rule_index_names_existing_objects(ruleset: str, rule: str) -> None:
    names = index(ruleset)[rule]
    assert names
    assert len(set(names)) == len(names)
    for name in names:
        parts = name.split(".")
        path = 2 if parts[0] in {"bot", "events"} else 1
        module = import_module(".".join(("engine.strategic", *parts[:path])))
        assert attrgetter(".".join(parts[path:]))(module) is not None if parts[path:] else module
