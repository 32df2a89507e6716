"""The published form of commands, events, views and scenarios, as golden files.

A changed file is a changed format. Unless only a field with a default was added, old saves need a
new schema number and a function that lifts them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.core.codec import plain
from engine.core.notation import command_classes
from engine.core.record import tag
from engine.core.ruleset import AnyRuleset
from engine.core.schema import published
from tests.contract.aids import TESTS, folder_of_tests
from tests.contract.walks import begun

pytestmark = pytest.mark.portable

SCHEMAS = Path(__file__).parent / "schemas"


def committed(rules: AnyRuleset) -> Path:
    """Return the golden file of a ruleset.

    It is in this folder; that of a separate package is beside its tests.
    """
    inside = folder_of_tests(rules).is_relative_to(TESTS)
    return SCHEMAS / f"{rules.name}.json" if inside else folder_of_tests(rules) / "schema.json"


def test_the_published_schema_is_the_committed_one(
    rules: AnyRuleset, golden: Callable[[Path, str], None]
) -> None:
    text = json.dumps(published(rules), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    golden(committed(rules), text)


def test_every_reference_in_the_schema_leads_somewhere(rules: AnyRuleset) -> None:
    schema = published(rules)
    for name in _references(schema):
        assert name in schema["$defs"]


def _references(node: Any) -> list[str]:
    found: list[str] = []
    if isinstance(node, dict):
        if "$ref" in node:
            found.append(str(node["$ref"]).removeprefix("#/$defs/"))
        for value in node.values():
            found.extend(_references(value))
    if isinstance(node, list):
        for value in node:
            found.extend(_references(value))
    return found


def test_tags_are_unique_and_written_out(rules: AnyRuleset) -> None:
    for union in (rules.command_type, rules.event_type):
        listed = command_classes(union)
        names = [tag(kind) for kind in listed.values()]
        assert len(set(names)) == len(names)
        for name in names:
            assert name == name.lower()
            assert name.replace("-", "").isalnum()


def test_every_old_schema_can_be_lifted(rules: AnyRuleset) -> None:
    assert sorted(rules.upcasts) == list(range(1, rules.schema))
    raw = plain(begun(rules).log[0])
    for lift in rules.upcasts.values():
        assert lift(raw) == raw
