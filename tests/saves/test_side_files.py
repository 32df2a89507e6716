"""Files beside a save: the program replaces and removes only its own."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import pytest

from engine.core.archive import SaveFault
from engine.core.codec import encode_json
from engine.core.registry import find
from engine.core.replay import fold
from saves.archive import Folder
from saves.side_files import check_name, keyframe_file, load_marks, mark_file
from tests.saves import games
from tui.console.files import whole

ENDINGS = (".keys", ".keys-new", ".marks", ".marks-new", ".lock")


def watched(path: Path) -> None:
    """Store keyframes and marks of a save, rename it and back, and delete it."""
    archive, name = Folder(path.parent), f"{path.parent}/{path.name}"
    opened = archive.read(name)
    archive.keep_keyframes(opened, {0: fold(find(opened.header.ruleset), opened.log.line(0))})
    with suppress(SaveFault):
        archive.keep_marks(opened, "", {"ambush": "3.1"})


def written(path: Path) -> None:
    """Write a short save under any name."""
    games.saved(path.parent, "written", entries=2).rename(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_foreign_file_beside_a_save_survives_everything(ending: str, tmp_path: Path) -> None:
    save, other = tmp_path / "mine", tmp_path / f"mine{ending}"
    written(save)
    other.write_bytes(b'{"my own": {"notes": "of this game"}}')
    before = other.read_bytes()
    watched(save)
    archive = Folder(tmp_path)
    archive.rename(str(save), "yours")
    assert other.read_bytes() == before
    archive.rename("yours", "mine")
    assert other.read_bytes() == before
    archive.delete("mine")
    assert other.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [other.name]


def test_save_named_like_a_side_file_survives_another_replay(tmp_path: Path) -> None:
    written(tmp_path / "mine")
    written(tmp_path / "mine.keys")
    before = (tmp_path / "mine.keys").read_bytes()
    watched(tmp_path / "mine")
    assert (tmp_path / "mine.keys").read_bytes() == before
    assert len(Folder(tmp_path).read(f"{tmp_path}/mine.keys").log) > 0


@pytest.mark.parametrize("ending", [*ENDINGS, ".torn-1"])
def test_new_save_may_not_be_named_like_a_side_file(ending: str, tmp_path: Path) -> None:
    with pytest.raises(SaveFault, match="files beside saves; choose another name"):
        Folder(tmp_path).create(f"{tmp_path}/mine{ending}", games.header())
    assert not list(tmp_path.iterdir())


def test_saves_with_the_same_side_files_are_refused(tmp_path: Path) -> None:
    archive = Folder(tmp_path)
    written(tmp_path / "mine")
    with pytest.raises(SaveFault, match="mine is there, which would share"):
        archive.create(f"{tmp_path}/mine.bnr", games.header())
    file = archive.create("mine", games.header())
    file.close()
    assert file.name == "mine 2"
    with pytest.raises(SaveFault, match=r"mine 2.bnr is there, which would share"):
        check_name(tmp_path / "mine 2")


def test_names_with_dots_have_separate_side_files() -> None:
    names = ("game.v1", "game.v2", "game", "game.v1.bnr")
    sides = [keyframe_file(Path(name)).name for name in names]
    assert sides == ["game.v1.keys", "game.v2.keys", "game.keys", "game.v1.keys"]


def test_files_of_earlier_versions_are_read_and_replaced(tmp_path: Path) -> None:
    save = tmp_path / "mine.bnr"
    written(save)
    mark_file(save).write_bytes(encode_json({"": {"first": "1.1"}}))
    keyframe_file(save).write_bytes(hashlib.blake2b(b"old", digest_size=16).digest() + b"old")
    watched(save)
    assert load_marks(save) == {"": {"ambush": "3.1"}}
    assert keyframe_file(save).read_bytes().startswith(b"BNRKEYS1")
    Folder(tmp_path).delete("mine")
    assert not list(tmp_path.iterdir())


def test_whole_leaves_neighbouring_files_alone(tmp_path: Path) -> None:
    for name in ("book.new", "part-book", "book"):
        (tmp_path / name).write_text(name)
    with whole(tmp_path / "book") as part:
        part.write_text("fresh")
    with suppress(ValueError), whole(tmp_path / "book") as part:
        part.write_text("half")
        raise ValueError
    found = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert found == {"book.new": "book.new", "part-book": "part-book", "book": "fresh"}
