"""Commands as lines and as JSON."""

from __future__ import annotations

import json

import pytest

from engine.core import notation
from engine.core.codec import decoder, encode
from engine.core.record import Command
from engine.core.ruleset import AnyRuleset
from tests.contract.walks import begun, grounds, long_walk, offered, walk


def every_offer(rules: AnyRuleset) -> set[Command]:
    """Return the offers that occur on walks through all small scenarios."""
    found: set[Command] = set()
    for number in range(len(grounds(rules))):
        game = begun(rules, [number])
        for step in walk(game, long_walk(40)):
            found.update(offered(game, step.seat))
    return found


def test_every_offer_can_be_written_and_read_as_a_line_and_as_json(rules: AnyRuleset) -> None:
    offers = every_offer(rules)
    assert offers
    for command in offers:
        line, twin = notation.write(command), notation.to_json(command)
        assert "\n" not in line
        assert notation.read(line, rules.command_type) == command
        assert notation.read(twin, rules.command_type) == command
        assert json.loads(twin)["do"] == line.split(" ", 1)[0]
        assert decoder(rules.command_type).decode(encode(command)) == command


def test_the_usage_names_every_command_and_field(rules: AnyRuleset) -> None:
    usage = notation.usage(rules.command_type)
    classes = notation.command_classes(rules.command_type)
    assert [line.split(" ", 1)[0] for line in usage] == list(classes)
    for line, kind in zip(usage, classes.values(), strict=True):
        for name in kind.__struct_fields__:
            assert f"{name}=<" in line


@pytest.mark.parametrize(
    "line",
    ["", "fly", "{", '{"do":"fly"}', "[]", '{"do":1}', "\x00", "=", "{}" * 5000, "x" * 20_000],
)
def test_what_is_no_command_is_refused_in_one_line(rules: AnyRuleset, line: str) -> None:
    with pytest.raises(notation.BadNotation) as caught:
        notation.read(line, rules.command_type)
    assert "\n" not in caught.value.text
    assert len(caught.value.text) < 2000
