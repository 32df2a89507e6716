"""Searching and exporting saved games from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.cli import banneret, banneret_here, is_one_line_fault
from tests.saves.games import saved
from tui.console.exits import Exit


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(saved(tmp_path_factory.mktemp("saves"), entries=60))


def test_query_finds_moments(game: str) -> None:
    ended = banneret("dump", game, "--where", "move where seat = Eldoin and round = 1")
    assert ended.returncode == Exit.OK
    rows = ended.stdout.splitlines()
    assert rows
    assert all("move" in row and "Eldoin" in row and row.split()[0] == "1" for row in rows)
    data = banneret("dump", game, "--where", "move where seat = Eldoin and round = 1", "--json")
    found = [json.loads(line) for line in data.stdout.splitlines()]
    assert len(found) == len(rows)
    assert {row["fact"]["kind"] for row in found} == {"move"}


def test_bad_query_is_one_line_with_the_column(game: str) -> None:
    ended = banneret("dump", game, "--where", "move where seat = Bob")
    assert ended.returncode == Exit.USAGE
    assert is_one_line_fault(ended.stderr)
    assert "column 19" in ended.stderr


def test_recording_is_written_to_a_file(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.cast"
    words = ("--format", "cast", "--from", "2", "--to", "9", "--size", "100x30", "-o", str(file))
    ended = banneret("export", game, *words)
    assert (ended.returncode, ended.stdout, ended.stderr) == (Exit.OK, "", "")
    head, *rest = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, 100, 30)
    assert sum(code == "o" for _, code, _ in rest) == 9


def test_drawings_of_a_range_are_numbered_files(game: str, tmp_path: Path) -> None:
    words = ("--format", "svg", "--from", "9", "--to", "11", "-o", str(tmp_path / "game.svg"))
    assert banneret("export", game, *words).returncode == Exit.OK
    names = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert names == ["game-0009.svg", "game-0010.svg", "game-0011.svg"]
    assert "entry&#160;10&#160;of" in (tmp_path / names[1]).read_text(encoding="utf-8")


def test_texts_and_data_go_to_the_standard_output(game: str) -> None:
    text = banneret("export", game, "--format", "text", "--to", "20", "--glyphs", "ascii")
    assert "entry 20 of 59" in text.stdout
    assert len(text.stdout.splitlines()) == 24
    data = banneret("export", game, "--format", "jsonl", "--from", "58", "--seat", "Dailor")
    assert [json.loads(line)["place"] for line in data.stdout.splitlines()] == ["58", "59"]


def test_export_without_a_format_writes_the_position(game: str) -> None:
    ended = banneret("export", game, "--at", "3")
    assert json.loads(ended.stdout)["name"] == "ford"


@pytest.mark.parametrize(
    "words",
    [
        ("--format", "text", "--to", "60"),
        ("--format", "text", "--from", "-1"),
        ("--format", "text", "--from", "9", "--to", "8"),
        ("--format", "cast", "--size", "big"),
        ("--format", "cast", "--size", "10x10"),
        ("--format", "cast", "--seat", "Bob"),
        ("--format", "svg", "-o", "/nowhere/at/all.svg"),
    ],
)
def test_wrong_arguments_are_one_line(game: str, words: tuple[str, ...]) -> None:
    ended = banneret_here("export", game, *words)
    assert ended.returncode == Exit.USAGE
    assert is_one_line_fault(ended.stderr)
