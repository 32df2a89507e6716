"""Notation: commands as lines and as JSON."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.notation import (
    BadNotation,
    command_classes,
    describe,
    read,
    to_json,
    usage,
    write,
)
from engine.core.record import Command
from engine.core.refused import Denied
from tests.core.samples import Both, Everything, Nothing

NUMBERS = st.integers(-(10**18) + 1, 10**18 - 1)
PLACES = st.tuples(NUMBERS, NUMBERS)
PATHS = st.lists(PLACES, max_size=3).map(tuple)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
COMMANDS = st.builds(
    Everything,
    number=NUMBERS,
    word=st.sampled_from(["up-left", "down"]),
    at=PLACES,
    path=PATHS,
    numbers=st.lists(NUMBERS, max_size=3).map(tuple),
    texts=st.lists(TEXTS, max_size=3).map(tuple),
    words=st.lists(st.sampled_from(["one", "two"]), max_size=3).map(tuple),
    text=TEXTS,
    yes=st.booleans(),
    maybe=st.none() | NUMBERS,
    maybe_text=st.none() | TEXTS,
    maybe_path=st.none() | PATHS,
    preset=st.integers(0, 9),
)
SAMPLE = Everything(
    number=-3,
    word="up-left",
    at=(4, -5),
    path=((1, 2), (3, 4)),
    numbers=(),
    texts=("a > b", 'say "no"', ""),
    words=("two", "one"),
    text="Käse = 1\n",
    yes=True,
)
LINE = (
    "every-thing number=-3 word=up-left at=4,-5 path=1,2>3,4 numbers=- "
    r'texts="a > b">"say \"no\"">"" words=two>one text="K\u00e4se = 1\n" yes=yes'
)


@given(COMMANDS)
def test_written_command_reads_back_the_same(command: Everything) -> None:
    line = write(command)
    assert line.isascii()
    assert len(line.splitlines()) == 1
    assert read(line, Both) == command
    assert read(f"  {line}  ", Both) == command
    assert read(to_json(command), Both) == command


def test_line_has_the_documented_form() -> None:
    assert write(SAMPLE) == LINE
    assert read(LINE, Both) == SAMPLE
    assert write(Nothing()) == "nothing"
    assert read("nothing", Both) == Nothing()


def test_fields_may_have_any_order_and_defaults_are_optional() -> None:
    word, *fields = LINE.split(" ", 2)
    turned = f"{word} preset=7 {fields[1]} {fields[0]}"
    assert read(turned, Both) == SAMPLE
    assert "preset" not in write(SAMPLE)
    assert "preset=8" in write(read(f"{LINE} preset=8", Both))


def test_raw_unicode_may_be_typed_in_quotes() -> None:
    line = LINE.replace(r"K\u00e4se", "Käse")
    assert read(line, Both) == SAMPLE


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("number=-3", "number=", "not a whole number"),
        ("number=-3", "number=-", "not a whole number"),
        ("number=-3", "number=1.0", "not a whole number"),
        ("number=-3", "number=1_0", "not a whole number"),
        ("number=-3", "number=٣", "not a whole number"),
        ("number=-3", "number=+3", "not a whole number"),
        ("number=-3", "number=none", "not a whole number"),
        ("number=-3", f"number={10**18}", "not a whole number"),
        ("number=-3", 'number="3"', "not a whole number"),
        ("number=-3", "number=3 number=3", "stands twice"),
        ("number=-3", "do=nothing", "no field 'do'"),
        ("number=-3", "nummer=3", "no field 'nummer'"),
        ("number=-3", "number 3", "should be NAME=VALUE"),
        (" number=-3", "", "missing required field `number`"),
        ("word=up-left", "word=up", "Invalid enum value"),
        ("word=up-left", 'word="dawn"', "Invalid enum value"),
        ("at=4,-5", "at=4", "length 2, got 1"),
        ("at=4,-5", "at=4,5,6", "length 2, got 3"),
        ("at=4,-5", "at=4,", "not a place"),
        ("at=4,-5", "at=-", "not a place"),
        ("path=1,2>3,4", "path=1,2>", "not a sequence"),
        ("path=1,2>3,4", "path=>1,2", "not a sequence"),
        ("path=1,2>3,4", "path=", "not a sequence"),
        ("path=1,2>3,4", "path=1,2>->3,4", "not a sequence"),
        ("numbers=-", "numbers=1>2>x", "not a sequence"),
        ("words=two>one", "words=two>three", "Invalid enum value"),
        ("yes=yes", "yes=true", "not yes or no"),
        ("yes=yes", 'text="unclosed', "should be NAME=VALUE"),
        ("yes=yes", "yes=yes text=bare", "stands twice"),
        ("yes=yes", r'yes=yes maybe_text="\ud800"', "half a sign"),
        ("yes=yes", 'yes=yes maybe_text="\n"', "not a string in quotes"),
        ("yes=yes", r'yes=yes maybe_text="\x"', "not a string in quotes"),
        ("yes=yes", 'yes=yes maybe_text="\ud800"', "half a sign"),
        ("yes=yes", "yes=yes maybe_text=5", "not a string in quotes"),
    ],
)
def test_a_wrong_field_is_named(field: str, value: str, complaint: str) -> None:
    with pytest.raises(BadNotation, match=complaint) as caught:
        read(LINE.replace(field, value, 1), Both)
    assert caught.value.code is Denied.BAD_NOTATION


JSON: dict[str, Any] = json.loads(to_json(SAMPLE))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"number": "3"}, "Expected `int`, got `str`"),
        ({"number": 3.0}, "Expected `int`, got `float`"),
        ({"number": True}, "Expected `int`, got `bool`"),
        ({"number": None}, "Expected `int`, got `null`"),
        ({"number": 10**18}, "at most 18 digits"),
        ({"number": -(2**70)}, "at most 18 digits"),
        ({"at": [1, 2, 3]}, "length 2, got 3"),
        ({"at": [1, 2**64]}, "at most 18 digits"),
        ({"at": {"x": 1}}, "Expected `array`"),
        ({"path": [[1]]}, "length 2, got 1"),
        ({"word": "up"}, "Invalid enum value"),
        ({"text": "\ud800"}, "half a sign"),
        ({"yes": 1}, "Expected `bool`"),
        ({"extra": 1}, "no field 'extra'"),
        ({"do": "dance"}, "'dance' is no command"),
        ({"do": 5}, "no command"),
        ({"do": None}, "no command"),
    ],
)
def test_json_form_is_as_strict_as_the_line(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadNotation, match=complaint):
        read(json.dumps({**JSON, **change}), Both)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"do":"nothing","do":"nothing"}', "stands twice"),
        ('{"do":"nothing"', "No command"),
        ('{"do":"nothing"} x', "No command"),
        ("{" * 3000, "No command"),
        ('{"a":' * 1500, "No command"),
        ("{}", "no command"),
        ('{"do":"nothing","x":NaN}', "no field"),
        ("x" * 10_001, "cannot be longer"),
        ("", "'' is no command here; known: every-thing, nothing"),
        ("NOTHING", "'NOTHING' is no command"),
        ("nothing=1", "no command"),
        ("nothing x", "should be NAME=VALUE"),
        ("nothing x=1", "no field 'x'; known: none"),
        ("y" * 9_999, "no command"),
    ],
)
def test_text_that_is_no_command_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadNotation, match=complaint) as caught:
        read(text, Both)
    assert len(caught.value.text) < 300


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        command = read(text, Both)
    except BadNotation as bad:
        text = bad.text
        assert text
    else:
        assert read(write(command), Both) == command


class Deep(Command, frozen=True, tag="deep"):
    """A command without a notation: its field nests twice."""

    rows: tuple[tuple[int, ...], ...] = ()


class Either(Command, frozen=True, tag="either"):
    """A command without a notation: its field has two types."""

    value: int | str = 0


class Clash(Command, frozen=True, tag="clash"):
    """A command without a notation: its field has the word ``none``."""

    value: Literal["none", "some"] = "some"


@pytest.mark.parametrize("command", [Deep(((1,),)), Either(1), Clash("none")])
def test_writing_a_command_without_a_notation_is_an_error(command: Command) -> None:
    with pytest.raises(TypeError, match="no notation"):
        write(command)


def test_usage_describes_the_form_of_each_value() -> None:
    every, nothing = usage(Both)
    assert nothing == "nothing"
    assert "number=<a whole number>" in every
    assert "word=<one of up-left, down>" in every
    assert "at=<a place x,y>" in every
    assert "path=<a sequence joined by > of a place x,y>" in every
    assert "maybe=<a whole number>" in every
    assert describe(bool) == "yes or no"
    assert list(command_classes(Both)) == ["every-thing", "nothing"]
    assert command_classes(Nothing) == {"nothing": Nothing}


@pytest.mark.parametrize("depth", [70, 500, 985])
def test_deeply_nested_json_is_refused(depth: int) -> None:
    text = '{"do": "nothing", "x": ' + "[" * depth + "]" * depth + "}"
    with pytest.raises(BadNotation, match="No command: "):
        read(text, Both)
