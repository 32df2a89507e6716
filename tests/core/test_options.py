"""Options of a game."""

from __future__ import annotations

import pytest

from engine.core.options import Option, OptionFault, Value, parse_options, settle

ROUNDS = Option("rounds", 15, "how long", low=1, high=99)
STEPS = Option("steps", "four", "which way", choices=("four", "eight"))
LEFT = Option("left", None, "the scenario says", low=0, high=9)
ALL = (ROUNDS, STEPS, LEFT)


def test_missing_options_take_defaults_or_the_scenarios_values() -> None:
    assert settle(ALL, {}) == {"rounds": 15, "steps": "four"}
    assert settle(iter(ALL), {"left": 3}) == {"rounds": 15, "steps": "four", "left": 3}


@pytest.mark.parametrize("value", [6, "6", "06"])
def test_numbers_may_come_as_text(value: Value) -> None:
    assert settle(ALL, {"rounds": value})["rounds"] == 6


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("rounds", 0, "0 is not from 1 to 99"),
        ("rounds", "100", "100 is not from 1 to 99"),
        ("rounds", "six", "'six' is not a whole number"),
        ("rounds", "1_0", "'1_0' is not a whole number"),
        ("rounds", " 6", "' 6' is not a whole number"),
        ("rounds", "٦", "is not a whole number"),
        ("rounds", "9" * 5000, "is not a whole number"),
        ("rounds", "", "'' is not a whole number"),
        ("steps", "six", "'six' is none of four, eight"),
        ("steps", 8, "8 is none of four, eight"),
        ("stops", "four", "no option 'stops'; known: rounds, steps, left"),
    ],
)
def test_a_wrong_option_is_named(name: str, value: Value, complaint: str) -> None:
    with pytest.raises(OptionFault, match=complaint) as caught:
        settle(ALL, {name: value})
    assert len(str(caught.value)) < 120


def test_options_are_written_as_name_and_value() -> None:
    assert parse_options(["rounds=6", "steps=", "a=b=c"]) == {
        "rounds": "6",
        "steps": "",
        "a": "b=c",
    }
    assert parse_options([]) == {}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [(["rounds"], "NAME=VALUE, not 'rounds'"), (["=6"], "NAME=VALUE"), (["a=1", "a=1"], "twice")],
)
def test_malformed_option_is_refused(words: list[str], complaint: str) -> None:
    with pytest.raises(OptionFault, match=complaint):
        parse_options(words)
