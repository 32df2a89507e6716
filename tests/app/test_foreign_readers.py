"""Other programs and libraries can open every exported format."""

from __future__ import annotations

import contextlib
import io
import json
import struct
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import pyte
import pytest
from asciinema import asciicast
from jsonschema import Draft202012Validator

import app
from engine.core.archive import SeatPlayer
from engine.core.registry import find, names
from saves.archive import Folder
from tests.contract.plans import plan
from tui.app.export import _TAKEN
from tui.console.commands import PROGRAM, ArgumentGroup, CommandSpec
from tui.console.faults import keep
from tui.play.setup import NewGame, begin

SCENARIOS: Final = {"warlords2": "horseshoe", "weltendaemmerung": "ford"}
"""Scenarios by game; other games use their first one."""

ENTRIES: Final = 12
LARGE: Final = {"gd6", "lordsawar", "warlords2"}
"""Games whose boards take seconds to validate against a schema."""

Reader = Callable[[bytes, str], object]
"""Reader of a ruleset's file; it fails if the file is malformed."""


@cache
def saved(name: str) -> Path:
    """Save a short game of computer players; return its path."""
    folder, rules = Path(mkdtemp()), find(name)
    scenario = SCENARIOS.get(name) or next(iter(rules.scenarios()))
    least, largest = rules.seat_range(rules.scenarios()[scenario])
    level = next(iter(rules.bots))
    count = largest if name == "warlords2" else least
    players = tuple(SeatPlayer(seat, f"Side {seat}", level) for seat in range(count))
    table = begin(Folder(folder), NewGame(name, scenario, {}, players, b"1", "game"), keep)
    game = table.game
    most = ENTRIES if name not in LARGE else 3
    while rules.owes(game.state) and len(game.log) < most:
        seat = min(rules.owes(game.state))
        for command in plan(rules, level, game.view(seat), seat, len(game.log)):
            if seat in rules.owes(game.state) and len(game.log) < most:
                game.submit(seat, command)
    table.close()
    return folder / "game.bnr"


def printed(*words: str) -> bytes:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out):
        assert app.main(words) == 0
    out.flush()
    written = out.buffer
    assert isinstance(written, io.BytesIO)
    return written.getvalue()


@cache
def validator(name: str) -> Draft202012Validator:
    schema = json.loads(printed("schema", name))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


# -- readers ---------------------------------------------------------------------------------------


def position(data: bytes, name: str) -> None:
    validator(name).validate({"scenario": json.loads(data)})


def json_lines(data: bytes, name: str) -> None:
    rows = [json.loads(line) for line in data.decode().splitlines()]
    assert rows
    for row in rows:
        for event in row["events"]:
            validator(name).validate({"event": event})


def cast(data: bytes, _name: str) -> None:
    path = Path(mkdtemp()) / "game.cast"
    path.write_bytes(data)
    with asciicast.open_from_url(str(path)) as recording:
        head = recording.v2_header
        screen = pyte.Screen(head["width"], head["height"])
        stream, last, headings = pyte.Stream(screen), 0.0, set[bool]()
        for now, _, output in recording.events("o"):
            assert now >= last
            last = now
            stream.feed(output)
            headings.add("entry" in screen.display[0])
    assert any(headings)


def cast_of_version_3(data: bytes, _name: str) -> None:
    head, *rest = map(json.loads, data.decode().splitlines())
    screen = pyte.Screen(head["term"]["cols"], head["term"]["rows"])
    stream = pyte.Stream(screen)
    headings = []
    for _, code, output in rest:
        if code == "o":
            stream.feed(output)
            headings.append("entry" in screen.display[0])
    assert any(headings)


def drawing(data: bytes, _name: str) -> None:
    root = ET.fromstring(data)  # noqa: S314 - made here
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "entry" in "".join(root.itertext())


def text(data: bytes, _name: str) -> None:
    assert "entry" in data.decode().splitlines()[0]


def order_language(data: bytes, name: str) -> None:
    (importer,) = find(name).importers
    assert data.decode().strip()
    assert importer.sniff(data)
    assert importer.read(data).scenario.title


def map_resource(data: bytes, _name: str) -> None:
    tiles = struct.unpack(f">{112 * 156}H", data[: 112 * 156 * 2])
    assert len({*tiles}) > 50


EXPORTS: Final[dict[str, Reader]] = {
    "position": position,
    "cast": cast,
    "cast3": cast_of_version_3,
    "svg": drawing,
    "text": text,
    "jsonl": json_lines,
    "gdl": order_language,
    "map": map_resource,
}


SCHEMAS: Final = {"position", "jsonl"}


def exports(*, slow: bool = False) -> Iterator[tuple[str, str]]:
    """Yield rulesets with their formats; the slow ones have a schema and a large board."""
    return (pair for pair in _exports() if (pair[0] in LARGE and pair[1] in SCHEMAS) is slow)


def _exports() -> Iterator[tuple[str, str]]:
    for name in names():
        own = [exporter.name for exporter in find(name).exporters]
        shown = _TAKEN if name == "weltendaemmerung" else ("position", "cast", "jsonl")
        for kind in (*shown, *own):
            yield name, kind


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [*exports(slow=True)])
def test_export_of_a_large_board_fits_the_schema(name: str, kind: str) -> None:
    test_export_is_read_by_another_program(name, kind)


@pytest.mark.parametrize(("name", "kind"), [*exports()])
def test_export_is_read_by_another_program(name: str, kind: str) -> None:
    if kind == "map":
        target = Path(mkdtemp()) / "map"
        printed("export", str(saved(name)), "--format", kind, "-o", str(target))
        data = target.read_bytes()
    else:
        data = printed("export", str(saved(name)), "--format", kind)
    EXPORTS[kind](data, name)


# -- JSON of commands ------------------------------------------------------------------------------

JSON: Final[dict[str, tuple[str, ...]]] = {
    "simulate": (
        "simulate",
        "weltendaemmerung",
        "--scenario",
        "ford",
        "--games",
        "1",
        "--levels",
        "easy,easy",
        "--json",
    ),
    "calc": ("calc", "weltendaemmerung", "reach", "0", "--save", "SAVE", "--json"),
    "verify": ("verify", "SAVE", "--json"),
    "dump": ("dump", "SAVE", "--json"),
    "debug": ("debug", "SAVE", "--json", "where"),
    "saves": ("saves", "--saves", "FOLDER", "--json"),
    "keys": ("keys", "--json"),
    "doctor": ("doctor", "--json"),
}
LINES: Final = {"dump", "debug"}
"""Commands that print one value per line."""


def has_json(spec: CommandSpec) -> bool:
    listed = [one.arguments if isinstance(one, ArgumentGroup) else (one,) for one in spec.arguments]
    return any("--json" in one.names for group in listed for one in group)


def test_every_format_and_every_json_option_has_a_reader() -> None:
    own = {exporter.name for name in names() for exporter in find(name).exporters}
    assert {*EXPORTS} == {*_TAKEN} | own
    assert {*JSON} == {spec.name for spec in PROGRAM if has_json(spec)}


@pytest.mark.parametrize("name", [*JSON])
def test_json_of_a_command_parses_strictly(name: str) -> None:
    save = saved("weltendaemmerung")
    known = {"SAVE": str(save), "FOLDER": str(save.parent)}
    data = printed(*(known.get(word, word) for word in JSON[name])).decode()
    for row in data.splitlines() if name in LINES else [data]:
        json.loads(row, parse_constant=_no_constant, object_pairs_hook=_once)


def _no_constant(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)
