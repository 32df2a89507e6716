"""The index of rules that the strategic layer keeps names functions that exist."""

from __future__ import annotations

import tomllib
from importlib import import_module
from importlib.resources import files
from operator import attrgetter
from typing import Final

import pytest

IN_THE_LAYER: Final = tomllib.loads(
    files("engine.rulesets.warlords2").joinpath("rule_index.toml").read_text(encoding="utf-8")
)
"""Names below ``engine.strategic``, by rule id."""


@pytest.mark.parametrize("rule", IN_THE_LAYER)
def test_every_rule_of_the_index_is_kept_by_something_of_the_layer(rule: str) -> None:
    assert IN_THE_LAYER[rule]
    for name in IN_THE_LAYER[rule]:
        parts = name.split(".")
        path = 2 if parts[0] == "events" else 1
        module = import_module(".".join(("engine.strategic", *parts[:path])))
        assert attrgetter(".".join(parts[path:]))(module) is not None if parts[path:] else module
