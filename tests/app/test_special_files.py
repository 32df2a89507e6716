"""Special files, damaged packs and deep nesting as input: one error line, and no hanging."""

from __future__ import annotations

import os
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from app import main
from engine.core.archive import SaveFault
from saves.archive import Folder
from study.debug import bundle
from study.debug.debugger import Debugger
from tests.saves.games import saved
from tui.console.exits import Exit, Wrong
from tui.console.files import content, settings_in

COMMANDS = (
    ("debug", "FILE.zip"),
    ("debug", "FILE.bnr"),
    ("verify", "FILE.bnr"),
    ("dump", "FILE.bnr"),
    ("export", "FILE.bnr"),
    ("play", "--plain", "FILE.bnr"),
    ("saves", "repair", "FILE.bnr"),
    ("import", "FILE.gdl"),
    ("import", "GOOD", "--with", "FILE.prg"),
    ("run", "--ruleset", "gd6", "FILE.txt"),
    ("run", "--ruleset", "gd6", "--scenario", "FILE.json", "GOOD"),
    ("bot", "--ruleset", "gd6", "--scenario", "FILE.json"),
    ("calc", "gd6", "income", "--scenario", "FILE.json"),
    ("lab", "run", "FILE.toml"),
    ("lab", "verify", "FILE.json"),
    ("lab", "report", "FILE.json"),
    ("lab", "ladder", "--file", "FILE.json"),
    ("lab", "games", "RUN"),
    ("lab", "rate", "RUN"),
    ("lab", "status", "RUN"),
)


@pytest.fixture(params=["pipe", "socket", "device", "directory"])
def special(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """The stem of files of one special kind, with every suffix that a command wants."""
    with socket.socket(socket.AF_UNIX) as listening:
        for suffix in ("zip", "bnr", "gdl", "prg", "txt", "json", "toml"):
            _make(request.param, tmp_path / f"file.{suffix}", listening)
        (tmp_path / "run").mkdir()
        for name in ("plan.toml", "setup.bin", "results.jsonl", "lock"):
            _make(request.param, tmp_path / "run" / name, listening)
        (tmp_path / "good").write_text("", encoding="utf-8")
        yield tmp_path / "file"


def _make(kind: str, path: Path, listening: socket.socket) -> None:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(os.path.relpath(path))
        case "device":
            path.symlink_to("/dev/zero")
        case _:
            path.mkdir()


def test_special_file_is_refused_in_one_line_by_every_command(
    special: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"GOOD": str(special.with_name("good")), "RUN": str(special.with_name("run"))}
    commands = COMMANDS[2:] if special.with_suffix(".bnr").is_dir() else COMMANDS
    for words in commands:
        line = [given.get(word, word.replace("FILE", str(special))) for word in words]
        assert main(line) in {Exit.USAGE, Exit.DAMAGED}, words
        told = capsys.readouterr().err
        assert told.startswith("banneret: "), words
        assert told.count("\n") == 1, words


def test_content_is_bounded_and_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"12345")
    assert content(path, 5) == b"12345"
    with pytest.raises(Wrong, match=r"text: larger than 4 bytes"):
        content(path, 4)
    with pytest.raises(Wrong, match="No such file"):
        content(tmp_path / "missing", 4)
    with pytest.raises(Wrong, match="null"):
        content(Path("a\0b"), 4)


def test_deeply_nested_settings_are_a_fault_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("x = " + "[" * 5000 + "]" * 5000, encoding="utf-8")
    with pytest.raises(ValueError, match="nested too deeply"):
        settings_in(path)


# -- bundles -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = saved(tmp_path_factory.mktemp("saves"), entries=6)
    archive = Folder(path.parent)
    bench = Debugger(archive.read(str(path)), archive=archive)
    return bundle.game_bundle(bench, len(bench.line))


def test_mutated_bundle_gives_at_most_one_line(packed: bytes, tmp_path: Path) -> None:
    path, dice, refused = tmp_path / "evil.zip", Random(5), 0  # noqa: S311 - a test's
    for number in range(120):
        data = bytearray(packed)
        for _ in range(1 + number % 3):
            at = dice.randrange(len(data))
            data[at : at + dice.randrange(3)] = dice.randbytes(dice.randrange(3))
        path.write_bytes(data)
        told = _complaint(path)
        assert "\n" not in told, number
        refused += bool(told)
    assert refused > 30


def _complaint(path: Path) -> str:
    """Return the reason why a bundle cannot be opened, or ""."""
    try:
        bundle.opened(Folder(path.parent), str(path))
    except (Wrong, SaveFault) as fault:
        return str(fault)
    return ""


def test_bundle_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(bundle.GAME, bytes(30 << 20))
    with pytest.raises(Wrong, match="too large"):
        bundle.opened(Folder(tmp_path), str(path))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as made:
        made.writestr(bundle.GAME, b"game")
    with pytest.raises(Wrong, match="packed as no bundle is"):
        bundle.opened(Folder(tmp_path), str(path))
