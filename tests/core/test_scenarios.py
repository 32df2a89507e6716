"""Tests of scenario files, with those of the toy."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.documents import LARGEST, LARGEST_TOML, LONGEST_PART, MOST_PARTS, read_toml
from engine.core.record import Range, Record
from engine.core.ruleset import ScenarioFault
from engine.core.scenarios import check_ranges, dump, parse
from tests.toy import RULES

MELEE = RULES.scenarios()["melee"]
RAW: dict[str, Any] = json.loads(dump(MELEE))


def test_scenario_reads_back_the_same_from_a_file() -> None:
    assert parse(RULES, dump(MELEE).encode()) == MELEE
    assert parse(RULES, b"\xef\xbb\xbf " + dump(MELEE).encode()) == MELEE


def test_toml_and_json_give_the_same_scenario() -> None:
    toml = """
        name = "duel"
        title = "A duel"
        about = "Two bands."
        clans = 2
        rounds = 1
        strengths = [5]
        rows = ["..", ".*"]
        bands = [{ clan = 0, x = 0, y = 0 }, { clan = 1, x = 1, y = 1 }]
    """
    scenario = parse(RULES, toml.encode())
    assert parse(RULES, dump(scenario).encode()) == scenario
    assert dump(scenario).count("\n") > 10


def changed(path: str, value: Any) -> bytes:
    """Return the scenario with one value changed, as the bytes of a file."""
    raw = json.loads(json.dumps(RAW))
    node, *rest = raw, *path.split(".")
    for key in rest[:-1]:
        node = node[int(key) if key.isdigit() else key]
    node[int(rest[-1]) if rest[-1].isdigit() else rest[-1]] = value
    return json.dumps(raw).encode()


@pytest.mark.parametrize(
    ("path", "value", "place", "text"),
    [
        ("clans", "two", "clans", "Expected `int`, got `str`"),
        ("bands.1.x", 1.5, "bands[1].x", "Expected `int`, got `float`"),
        ("bands.1.x", 10**18, "bands[1]", "not on the map"),
        ("bands.1.x", 10**30, "bands[1].x", "no save can hold that"),
        ("rounds", 10**30, "rounds", "no save can hold that"),
        ("title", "\ud800", "title", "no save can hold that"),
        ("title", None, "title", "Expected `str`, got `null`"),
        ("surprise", 1, "surprise", "there is no such field"),
        ("bands.2.colour", "red", "bands[2].colour", "there is no such field"),
        ("now.clans.1.glory", 1, "now.clans[1].glory", "there is no such field"),
        ("now.phase", 1, "now.phase", "there is no such field"),
        ("options.stakes", "maybe", "options.stakes", "Invalid enum value 'maybe'"),
        ("rows.1", "...", "rows[1]", "is not as long as the first"),
        ("now", 5, "now", "Expected `object | null`, got `int`"),
    ],
)
def test_a_fault_names_its_place_in_one_line(path: str, value: Any, place: str, text: str) -> None:
    with pytest.raises(ScenarioFault, match=text.replace("|", r"\|")) as caught:
        parse(RULES, changed(path, value))
    assert caught.value.place == place
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xff\xfe", "byte 0 does not fit"),
        (b"name = ", "neither TOML nor JSON"),
        (b"{", "neither TOML nor JSON"),
        (b"{" + b'"a":{' * 100_000, "neither TOML nor JSON"),
        (b"a = " + b"[" * 100_000, "neither TOML nor JSON"),
        (b"", "missing required field"),
        (b" " * (LARGEST + 1), "larger than"),
        (b" " * (LARGEST_TOML + 1), "TOML of more than"),
        (b".".join([b"a"] * 1_000_000), "TOML of more than"),
        (b".".join([b"a"] * 200_000), "a key of more than"),
        (b"x = 1\n[" + b" . ".join([b"'a'"] * (MOST_PARTS + 1)) + b"]", "a key of more than"),
        (b"x = { " + b".".join([b'"a"'] * 70_000) + b" = 1 }", "a key of more than"),
        (b"a" * (LONGEST_PART + 1) + b" = 1", "a word of more than"),
        (b"a = " + b"9" * 400_000, "a word of more than"),
        (b'"' + b"a" * 400_000 + b'" = 1', "there is no such field"),
        (b'{"' + b"a" * 3_000_000 + b'": 1}', "there is no such field"),
        (b'"""\\' * 100_000, "neither TOML nor JSON"),
        (b"'" * 400_000, "neither TOML nor JSON"),
        (b'{"clans": ' + b"9" * 9000 + b"}", "neither TOML nor JSON"),
    ],
)
def test_invalid_scenario_file_is_refused_in_one_line(data: bytes, text: str) -> None:
    with pytest.raises(ScenarioFault, match=text) as caught:
        parse(RULES, data)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 300


@given(st.binary(max_size=100))
def test_random_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ScenarioFault):
        parse(RULES, data)


def test_dots_in_strings_and_comments_make_no_keys() -> None:
    dots = ".".join(["word"] * 40)
    toml = f"""
        title = "{dots}" # {dots}
        about = '''
        {dots} "{dots}
        '''
        name = '{dots}'
        1.5.5 = "{"long" * 100}"
    """
    assert read_toml(toml.encode())["title"] == dots


class Tent(Record, frozen=True):
    """A part of a scenario with bounds."""

    beds: Annotated[int, Range(1, 4, "X-1")] = 2
    stakes: Annotated[int | None, Range(0, 9, "X-2", "is not up to {high}")] = None


class Camp(Record, frozen=True):
    """A part of a scenario that contains tents."""

    tents: tuple[Tent, ...] = ()
    main: Tent | None = None
    free: int = 10**6


@pytest.mark.parametrize(
    ("camp", "text", "rule"),
    [
        (Camp((Tent(), Tent(beds=5))), "tents[1].beds: 5 is not from 1 to 4", "X-1"),
        (Camp(main=Tent(stakes=10)), "main.stakes: is not up to 9", "X-2"),
        (Camp((Tent(beds=0),)), "tents[0].beds: 0 is not from 1 to 4", "X-1"),
    ],
)
def test_number_outside_its_range_is_refused(camp: Camp, text: str, rule: str) -> None:
    with pytest.raises(ScenarioFault) as caught:
        check_ranges(camp)
    assert (str(caught.value), caught.value.rule) == (text, rule)


def test_numbers_in_range_pass_and_faults_name_the_place() -> None:
    check_ranges(Camp((Tent(1), Tent(4, 0)), Tent(3, 9)))
    with pytest.raises(ScenarioFault, match=r"camps\[2\]\.main\.beds"):
        check_ranges(Camp(main=Tent(9)), "camps[2]")
