"""Folders of runs: durable rows, torn lines, locks."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from engine.core.archive import SaveFault
from saves.archive import Folder
from study.lab.plans import LabPlan
from study.lab.store import RESULTS, RunFolder, rows_of_others, run_named
from tests.lab.runs import plan, run, sorted_rows
from tests.programs import FAILS
from tui.console.exits import Wrong


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "played"
    run(path, plan(pairs=1))
    return path


def copied(played: Path, path: Path, results: bytes) -> RunFolder:
    """Copy a run with other bytes in its file of results."""
    path.mkdir()
    for file in ("plan.toml", "setup.bin"):
        (path / file).write_bytes((played / file).read_bytes())
    (path / RESULTS).write_bytes(results)
    return RunFolder.read(path)


def test_torn_last_line_is_cut_off_at_any_byte(played: Path, tmp_path: Path) -> None:
    whole = (played / RESULTS).read_bytes()
    first = whole.index(b"\n") + 1
    size = len(whole)
    for end in sorted({first, first + 1, size - 2, size - 1, *range(first, size, 7)}):
        folder = copied(played, tmp_path / str(end), whole[:end])
        assert len(folder.rows) == 1  # reading changes nothing
        assert (folder.path / RESULTS).read_bytes() == whole[:end]
        with folder:
            assert (folder.path / RESULTS).read_bytes() == whole[:first]
        assert len(folder.remarks) == (end > first)


def test_added_row_follows_the_others(played: Path, tmp_path: Path) -> None:
    whole = (played / RESULTS).read_bytes()
    first = whole.index(b"\n") + 1
    folder = copied(played, tmp_path / "run", whole[: first + 7])
    rows = list(RunFolder.read(played).rows.values())
    with folder:
        folder.add(rows[1:])
        assert list(folder.rows.values()) == rows
    assert (folder.path / RESULTS).read_bytes() == whole


def test_damaged_line_in_the_middle_is_named(played: Path, tmp_path: Path) -> None:
    whole = (played / RESULTS).read_bytes()
    folder = copied(played, tmp_path / "run", b'{"key": 7}\n' + whole)
    with pytest.raises(Wrong, match=r"results\.jsonl, line 1: "):
        assert folder.rows


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"winners":[1]', b'"winners":[7]'),
        (b'"refused":[0,0]', b'"refused":[0]'),
        (b'"fault":null', b'"fault":{"seat":2,"kind":"exit","text":"","place":""}'),
    ],
)
def test_row_about_a_missing_seat_is_named(
    played: Path, tmp_path: Path, before: bytes, after: bytes
) -> None:
    whole = (played / RESULTS).read_bytes()
    assert before in whole
    folder = copied(played, tmp_path / "run", whole.replace(before, after) + whole)
    with pytest.raises(Wrong, match=r"results\.jsonl, line \d: it names a seat"):
        assert folder.rows


def test_unreadable_results_are_refused(played: Path, tmp_path: Path) -> None:
    folder = copied(played, tmp_path / "run", b"")
    (folder.path / RESULTS).unlink()
    (folder.path / RESULTS).mkdir()
    with pytest.raises(Wrong, match=r"results\.jsonl: Is a directory"):
        assert folder.rows
    for _ in range(2):  # the first one has not left it locked
        with pytest.raises(Wrong, match="Is a directory"), folder:
            pass


def test_failed_write_leaves_no_partial_row(played: Path, tmp_path: Path) -> None:
    whole = (played / RESULTS).read_bytes()
    rows = list(RunFolder.read(played).rows.values())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with copied(played, tmp_path / "run", whole) as folder:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 10, hard))
        try:
            with pytest.raises(SaveFault, match=r"results\.jsonl: File too large"):
                folder.add(rows)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert (folder.path / RESULTS).read_bytes() == whole
        folder.add(rows)
    assert (folder.path / RESULTS).read_bytes() == whole * 2


def test_run_has_one_writer(played: Path) -> None:
    with (
        RunFolder.read(played),
        pytest.raises(Wrong, match="another process is playing this run"),
        RunFolder.read(played),
    ):
        pass
    with RunFolder.read(played) as again:
        assert len(again.rows) == 2


def test_folder_of_another_plan_is_refused(played: Path) -> None:
    with pytest.raises(Wrong, match="is a run of another plan"):
        RunFolder.create(played, plan(pairs=3))


def test_run_is_found_by_name_or_path(played: Path) -> None:
    assert run_named("played", str(played.parent)) == played
    assert run_named(str(played), None) == played
    with pytest.raises(Wrong, match="there is no run"):
        run_named("other", str(played.parent))


def test_rows_of_neighbouring_runs_are_found_by_key(played: Path) -> None:
    rows = dict(RunFolder.read(played).rows)
    (some, *_) = rows
    beside = played.parent / "beside"
    assert rows_of_others(beside, [some, "unknown"]) == {some: rows[some]}
    assert rows_of_others(played, [some]) == {}


def test_times_are_kept_apart_from_rows(played: Path) -> None:
    folder = RunFolder.read(played)
    assert folder.times().keys() == folder.rows.keys()
    assert all(len(times.seats) == 2 for times in folder.times().values())
    assert b"seconds" not in b"".join(sorted_rows(played))


def test_every_plan_is_read_as_it_was_written(tmp_path: Path) -> None:
    plans = [
        plan(),
        plan("easy", "bold=py:a.py:B?x=0.5", options={"rounds": 6}, format="swiss", rounds=3),
        LabPlan("gd6", ("easy",), vary={"x": (1, 2)}, keep="all", fault="void", book="a.jsonl"),
    ]
    for number, made in enumerate(plans):
        folder = RunFolder.create(tmp_path / str(number), made)
        assert RunFolder.read(folder.path).plan == made


def test_kept_game_verifies(tmp_path: Path) -> None:
    made = plan(pairs=1, keep="all")
    run(tmp_path / "run", made)
    archive = Folder(tmp_path / "run" / "games")
    keys = RunFolder.read(tmp_path / "run").rows.keys()
    assert {info.name for info in archive.listing()} == set(keys)
    assert all(info.entries > 10 and not info.fault for info in archive.listing())


def test_run_files_are_private_with_any_umask(tmp_path: Path) -> None:
    usual = os.umask(0)
    try:
        path = tmp_path / "new" / "run"
        made = plan("easy", f"cmd:{FAILS}", pairs=1, keep="all")
        run(path, made)
        with RunFolder.create(path, made) as folder:
            folder.stop(stopped=True)
            folder.drop(next(iter(folder.rows)))
    finally:
        os.umask(usual)
    found = sorted((tmp_path / "new").rglob("*"))
    assert {"plan.toml", "setup.bin", "results.jsonl", "times.jsonl", "stopped", "logs"} <= {
        one.name for one in found
    }
    for one in (tmp_path / "new", *found):
        assert one.stat().st_mode & 0o777 == (0o700 if one.is_dir() else 0o600), one
