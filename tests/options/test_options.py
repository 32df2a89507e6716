"""Every option of every command runs, and its effect is checked.

The table is in the ``.toml`` files beside this module; ``rows.py`` documents a row.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.app.cli import ROOT
from tests.options.fixtures import make, seen
from tests.options.rows import OptionRow, mentions, options, rows
from tests.programs import program

ROWS = rows()
RUN = [
    pytest.param(row, marks=[pytest.mark.slow] if row.slow else [], id=str(row))
    for row in ROWS
    if not row.seen_by
]
SEEN_ELSEWHERE = [row for row in ROWS if row.seen_by]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the files on which the commands run."""
    folder = tmp_path_factory.mktemp("options") / "home"
    folder.mkdir()
    make(folder)
    return folder


def test_every_option_of_every_command_has_a_row() -> None:
    tried = {(row.command, row.option) for row in ROWS}
    assert options() - tried == set()
    assert tried - options() == set()


@pytest.mark.parametrize("row", RUN)
def test_an_option_has_its_effect(row: OptionRow, home: Path) -> None:
    if row.needs:
        program(row.needs)
    without, used = (seen(tuple(words), row.given, home) for words in row.words)
    assert used[0] == row.code, used[1]
    assert used[1] != without[1], "the option changes nothing"
    assert row.shows or row.hides
    for pattern, there, away in (
        (row.shows, used[1], without[1]),
        (row.hides, without[1], used[1]),
    ):
        if pattern and pattern != ".":
            assert re.search(pattern, there, re.MULTILINE), there
            assert not re.search(pattern, away, re.MULTILINE), away


@pytest.mark.parametrize("row", SEEN_ELSEWHERE, ids=str)
def test_option_appears_in_the_test_of_its_row(row: OptionRow) -> None:
    file, _, name = row.seen_by.partition("::")
    assert mentions(_text_of(file, name), row.option)


@cache
def _text_of(file: str, name: str) -> str:
    """Return the source of a test with its decorators."""
    text = (ROOT / file).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            first = min(node.lineno, *(one.lineno for one in node.decorator_list), node.lineno)
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    raise AssertionError(f"there is no test {name} in {file}")
