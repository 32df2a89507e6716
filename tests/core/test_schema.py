"""The published JSON Schema describes the data that is really written."""

from __future__ import annotations

import json
from typing import Any

from engine.core.codec import encode_json
from engine.core.notation import to_json
from engine.core.schema import published
from tests.contract.walks import begun, numbers, viewers, walk
from tests.toy import RULES

SCHEMA = published(RULES)


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Return whether a value fits a schema. Supports the keywords that our schemas use."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    if "anyOf" in schema:
        return any(fits(value, one) for one in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    match schema["type"]:
        case "object":
            known = schema.get("properties", {})
            required = set(schema.get("required", ()))
            return (
                isinstance(value, dict)
                and required <= set(value) <= set(known)
                and all(fits(value[key], known[key]) for key in value)
            )
        case "array":
            return isinstance(value, list) and _fits_array(value, schema)
        case kind:
            kinds = {"integer": int, "string": str, "boolean": bool, "null": type(None)}
            return type(value) is kinds[kind]


def _fits_array(value: list[Any], schema: dict[str, Any]) -> bool:
    if "prefixItems" in schema:
        pairs = zip(value, schema["prefixItems"], strict=False)
        return len(value) == len(schema["prefixItems"]) and all(fits(*pair) for pair in pairs)
    return all(fits(one, schema["items"]) for one in value)


def test_written_data_fits_the_published_schema() -> None:
    kinds = SCHEMA["properties"]
    assert list(kinds) == ["command", "event", "view", "scenario"]
    game = begun(RULES, [1])
    for event in game.log[0].events:
        assert fits(json.loads(encode_json(event)), kinds["event"])
    for step in walk(game, numbers("schema", 60)):
        assert fits(json.loads(to_json(step.command)), kinds["command"])
        for event in step.entry.events:
            assert fits(json.loads(encode_json(event)), kinds["event"])
        for viewer in viewers(RULES):
            assert fits(json.loads(encode_json(game.view(viewer))), kinds["view"])
        assert fits(json.loads(encode_json(RULES.position(game.state))), kinds["scenario"])


def test_unpublished_data_does_not_fit_the_schema() -> None:
    kinds = SCHEMA["properties"]
    assert not fits({"do": "fly"}, kinds["command"])
    assert not fits({"do": "seal", "stake": "1"}, kinds["command"])
    assert not fits({}, kinds["view"])
