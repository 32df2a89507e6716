"""Acknowledged entries are in the file, even if the writer dies."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import run
from typing import Any

import pytest

from engine.core.archive import Comment, SaveFault
from engine.core.refused import Denied
from engine.core.registry import find
from engine.core.replay import fold
from saves.archive import Folder
from tests.patience import PATIENCE
from tests.saves import games
from tui.play.table import Table


def test_save_cut_at_any_byte_keeps_all_whole_frames(
    tmp_path: Path,
) -> None:
    path = games.saved(tmp_path, entries=30)
    data, archive = path.read_bytes(), Folder(tmp_path)
    whole = archive.read("game")
    ends = _ends(data)
    for cut in range(ends[-6], len(data)):
        torn = tmp_path / "torn.bnr"
        torn.write_bytes(data[:cut])
        found = archive.read("torn")
        kept = sum(end <= cut for end in ends) - 1
        assert len(found.log) == kept
        assert found.log.entries == whole.log.entries[:kept]
        assert bool(found.remarks) == (cut not in ends)
        assert torn.read_bytes() == data[:cut], "a reader never changes a file"


def _ends(data: bytes) -> list[int]:
    from saves.frames import Frame, scan  # noqa: PLC0415 - only here

    return [frame.end for frame in scan(data) if isinstance(frame, Frame)]


def test_next_writer_sets_a_torn_end_aside_and_continues(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=30)
    data = path.read_bytes()
    path.write_bytes(data[:-5])
    archive = Folder(tmp_path)
    opened = archive.open("game")
    assert opened.file is not None
    assert "cut off" in opened.remarks[0]
    aside = path.with_suffix(".torn-1").read_bytes()
    assert data[:-5].endswith(aside)
    opened.file.entry(games.played()[len(opened.log)])
    opened.file.close()
    assert archive.read("game").log.entries == games.played()[:30]
    assert archive.read("game").remarks == ()


def test_next_writer_continues_after_a_cut_at_any_byte(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=12)
    data, archive = path.read_bytes(), Folder(tmp_path)
    ends = _ends(data)
    for cut in range(ends[-2], len(data)):
        path.write_bytes(data[:cut])
        opened = archive.open("game")
        assert opened.file is not None
        kept = sum(end <= cut for end in ends) - 1
        opened.file.entry(games.played()[kept])
        opened.file.close()
        assert path.read_bytes() == data[: ends[kept + 1]]
        if cut not in ends:
            (aside,) = tmp_path.glob("*.torn-*")
            assert aside.read_bytes() == data[ends[kept] : cut]
            aside.unlink()


def test_killed_writer_loses_no_acknowledged_entry(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.saves.soak",
        "--kills",
        "100",
        "--folder",
        str(tmp_path),
    ]
    ended = run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "100 kills" in ended.stdout


@pytest.mark.parametrize("room", [0, 1, 7, 40])
@pytest.mark.parametrize("at", [3, 9])
def test_full_disk_leaves_no_partial_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, at: int
) -> None:
    archive = Folder(tmp_path)
    file = archive.create("full", games.header())
    table = games.start(file)
    games.play_on(table, at)
    before = archive.find("full").read_bytes()
    state = table.game.state
    heard: list[Any] = []
    table.game.listen(heard.append)
    real = os.write

    def full(fd: int, data: Any) -> int:
        if len(data) <= room:
            return real(fd, data)
        if room:
            real(fd, data[:room])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("saves.writer.os.write", full)
    line = "end-phase"
    seat = table.to_act()
    assert seat is not None
    reply = table.submit(seat, line)
    assert (reply.ok, reply.code) == (False, str(Denied.NOT_SAVED))
    assert "No space left" in reply.text
    assert table.game.state is state
    assert heard == []
    assert archive.find("full").read_bytes() == before
    monkeypatch.undo()
    assert table.submit(seat, line).ok
    table.close()
    assert archive.read("full").log.entries == table.game.log.entries


def test_a_save_that_cannot_be_begun_is_named_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_fd: int, _data: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("saves.writer.os.write", full)
    with pytest.raises(SaveFault) as caught:
        Folder(tmp_path).create("full", games.header())
    assert str(caught.value) == "full.bnr: No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_limit_on_the_file_size_is_handled_as_a_full_disk(tmp_path: Path) -> None:
    script = """
import resource, signal, sys
from pathlib import Path
from saves.archive import Folder
from tests.saves import games
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
archive = Folder(Path(sys.argv[1]))
file = archive.create("small", games.header())
table = games.start(file)
size = archive.find("small").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 700, size + 700))
replies = [table.submit(table.to_act(), "end-phase") for _ in range(20)]
assert [reply.code for reply in replies if not reply.ok], "nothing was refused"
assert {reply.code for reply in replies if not reply.ok} == {"NOT_SAVED"}
assert archive.read("small").log.entries == table.game.log.entries
"""
    ended = run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


def test_new_save_syncs_its_header_and_then_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, int]] = []
    real = os.fsync

    def sync(fd: int) -> None:
        real(fd)
        found = os.fstat(fd)
        synced.append((found.st_ino, found.st_size))

    monkeypatch.setattr("saves.writer.os.fsync", sync)
    file = Folder(tmp_path).create("new", games.header())
    monkeypatch.undo()
    folder, save = tmp_path.stat(), (tmp_path / "new.bnr").stat()
    assert [inode for inode, _ in synced] == [save.st_ino, folder.st_ino]
    assert synced[0][1] == save.st_size > 0
    file.close()


def test_save_is_not_created_if_its_folder_cannot_be_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def broken(fd: int) -> None:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(errno.EIO, "Input/output error")
        real(fd)

    monkeypatch.setattr("saves.writer.os.fsync", broken)
    with pytest.raises(SaveFault, match="Input/output error"):
        Folder(tmp_path).create("new", games.header())
    assert list(tmp_path.iterdir()) == []


def test_failed_sync_does_not_acknowledge_an_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = Folder(tmp_path)
    table = games.start(archive.create("sync", games.header()))

    def broken(_fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("saves.writer.os.fsync", broken)
    assert table.submit(0, "end-phase").code == "NOT_SAVED"
    monkeypatch.undo()
    assert len(archive.read("sync").log) == 1
    assert table.submit(0, "end-phase").ok


def test_failed_sync_over_unsynced_entries_stops_the_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = Folder(tmp_path)
    file = archive.create("sync", games.header())
    table = games.start(file)
    file.patient = True
    assert table.submit(0, "end-phase").ok
    file.patient = False

    def broken(_fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("saves.writer.os.fsync", broken)
    seat = table.to_act()
    assert seat is not None
    assert table.submit(seat, "end-phase").code == "NOT_SAVED"
    monkeypatch.undo()
    later = table.submit(seat, "end-phase")
    assert (later.code, "open the game again" in later.text) == ("NOT_SAVED", True)
    table.close()
    assert archive.read("sync").log.entries == table.game.log.entries


def test_a_second_writer_is_refused_in_one_line(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=3)
    opened = Folder(tmp_path).open("game")
    script = (
        "import sys; from pathlib import Path; from saves.archive import Folder\n"
        "from engine.core.archive import SaveFault\n"
        "try: Folder(Path(sys.argv[1])).open('game')\n"
        "except SaveFault as fault: print(fault)"
    )
    ended = run(
        [sys.executable, "-c", script, str(path.parent)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout == "game: this game is open in another window or program\n"
    assert opened.file is not None
    opened.file.close()
    again = Folder(tmp_path).open("game")
    assert again.file is not None
    again.file.close()


def test_undo_branches_and_comments_survive_quitting(tmp_path: Path) -> None:
    archive = Folder(tmp_path)
    table = games.start(archive.create("tree", games.header()))
    states = [table.game.state]
    for line in ("step unit=0 direction=up", "step unit=0 direction=up"):
        assert table.submit(0, line).ok
        states.append(table.game.state)
    assert table.submit(0, "undo").ok
    assert table.submit(0, "step unit=0 direction=down").ok
    assert table.file is not None
    table.file.comment(Comment(2, "better not"))
    assert table.submit(0, "go 1").ok
    table.close()
    opened = archive.read("tree")
    assert opened.log.head == 1
    assert opened.log.children(1) == [2, 3]
    assert opened.comments == (Comment(2, "better not"),)
    assert fold(table.rules, opened.log.line()) == states[1]
    assert fold(table.rules, opened.log.line(2)) == states[2]


def test_the_same_seed_and_commands_give_the_same_bytes(tmp_path: Path) -> None:
    one, other = games.saved(tmp_path, "one"), games.saved(tmp_path, "other")
    assert one.read_bytes() == other.read_bytes()


def test_saves_are_private_to_their_owner(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=2)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_failed_creation_names_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveFault, match="file"):
        Folder(tmp_path / "file" / "below").create("x", games.header())


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_link_to_a_save_does_not_bypass_its_lock(
    tmp_path: Path, link: Callable[[Path, Path], None]
) -> None:
    path = games.saved(tmp_path, entries=3)
    link(tmp_path / "other.bnr", path)
    archive = Folder(tmp_path)
    opened = archive.open("game")
    for touch in (archive.open, archive.delete, archive.repair):
        with pytest.raises(SaveFault, match="other: this game is open in another"):
            touch("other")
    assert opened.file is not None
    opened.file.close()
    again = archive.open("other")
    assert again.file is not None
    again.file.close()


def test_save_of_a_new_game_is_locked(tmp_path: Path) -> None:
    archive = Folder(tmp_path)
    table = games.start(archive.create("game", games.header()))
    with pytest.raises(SaveFault, match="open in another"):
        archive.open("game")
    table.close()


def test_closed_writer_leaves_no_files_beside_the_save(tmp_path: Path) -> None:
    games.saved(tmp_path, entries=3)
    archive = Folder(tmp_path)
    opened = archive.open("game")
    assert opened.file is not None
    opened.file.close()
    assert [path.name for path in tmp_path.iterdir()] == ["game.bnr"]


def test_lock_follows_a_renamed_save(tmp_path: Path) -> None:
    games.saved(tmp_path, entries=3)
    archive = Folder(tmp_path)
    opened = archive.open("game")
    assert opened.file is not None
    (tmp_path / "game.bnr").rename(tmp_path / "moved.bnr")
    games.saved(tmp_path, entries=2)
    with pytest.raises(SaveFault, match="moved: this game is open in another"):
        archive.open("moved")
    other = archive.open("game")
    assert other.file is not None
    opened.file.entry(games.played()[3])
    opened.file.close()
    other.file.close()
    assert len(archive.read("moved").log) == 4
    assert len(archive.read("game").log) == 2


@pytest.mark.parametrize("change", ["longer", "shorter", "removed", "replaced"])
def test_writer_stops_if_its_file_was_changed_by_others(tmp_path: Path, change: str) -> None:
    path = games.saved(tmp_path, entries=5)
    opened = Folder(tmp_path).open("game")
    assert opened.file is not None
    data = path.read_bytes()
    if change == "removed":
        path.unlink()
    elif change == "replaced":
        (tmp_path / "copy").write_bytes(data)
        (tmp_path / "copy").rename(path)
    else:
        path.write_bytes(data[:-3] if change == "shorter" else data + b"x")
    left = path.read_bytes() if path.exists() else None
    table = Table.resume(find(games.RULESET), opened)
    for _ in range(2):
        reply = table.submit(table.to_act() or 0, "end-phase")
        assert reply.code == "NOT_SAVED"
        assert "game.bnr: " in reply.text
        assert "open the game again" in reply.text
    assert len(table.game.log) == 5
    table.close()
    assert (path.read_bytes() if path.exists() else None) == left


def test_read_only_save_can_be_read_and_removed(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=3)
    path.chmod(0o400)
    archive = Folder(tmp_path)
    if os.geteuid() != 0:  # nothing is forbidden to root
        with pytest.raises(SaveFault, match="Permission denied"):
            archive.open("game")
    assert len(archive.read("game").log) == 3
    archive.rename("game", "other")
    archive.delete("other")
    assert list(tmp_path.iterdir()) == []
