"""``lab status``: the state of a run in this or another process, and of all runs."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.core.record import replace
from study.lab.live import LineDisplay, LiveWatcher
from study.lab.plans import LabPlan, setup_of
from study.lab.progress import RunStatus
from study.lab.running import Workers, play_run
from study.lab.sprt import SequentialTest
from study.lab.status import status_of, status_verb, told_status
from study.lab.store import RunFolder
from tests.lab.runs import PORTS, Watcher, plan, setup
from tui.console.commands import CommandParser, find_command, lab_verbs
from tui.console.exits import Exit, Wrong


def args(*words: str) -> Namespace:
    spec = find_command(lab_verbs(), "status")
    assert spec is not None
    return spec.parser("banneret lab status", CommandParser).parse_args(words)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert status_verb(args(*words), PORTS) is Exit.OK
    return capsys.readouterr().out.splitlines()


def played(path: Path, made: LabPlan, stop_after: int = 1 << 30) -> Path:
    """Play a run without noting its progress."""
    with RunFolder.create(path, made) as folder:
        play_run(folder, setup_of(made), Workers(0), Watcher(stop_after), PORTS)
    return path


NOTED = RunStatus(
    run="x",
    ruleset="weltendaemmerung",
    format="round-robin",
    state="paused",
    done=5,
    total=9,
    faults=0,
    elapsed=3.0,
    rate=2.0,
    left=2.0,
    bots=(),
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs in all states."""
    home = tmp_path_factory.mktemp("runs")
    played(home / "over", plan(pairs=1))
    played(home / "cut", plan(pairs=3, seed=7), stop_after=1)
    RunFolder.create(home / "new", plan(pairs=4))
    played(home / "lab" / "inside", plan("easy", pairs=2, options={"rounds": 3}))
    (home / "no-run").mkdir()
    return home


def test_all_runs_are_listed_with_their_state(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [line.split() for line in said(capsys, "--runs", str(runs))]
    assert rows == [
        ["run", "game", "format", "state", "games", "left"],
        ["cut", "weltendaemmerung", "round-robin", "stopped", "2", "of", "6", "-"],
        ["lab/inside", "weltendaemmerung", "round-robin", "over", "2", "of", "2", "-"],
        ["new", "weltendaemmerung", "round-robin", "never", "begun", "-", "-"],
        ["over", "weltendaemmerung", "round-robin", "over", "2", "of", "2", "-"],
    ]
    listed = [json.loads(line) for line in said(capsys, "--runs", str(runs), "--json")]
    assert next((row["run"], row["done"]) for row in listed) == ("cut", 2)


def test_run_is_shown_with_its_bots(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "over", "--runs", str(runs))
    assert (lines[0].split()[0], lines[0].split()[-1]) == ("over", "over")
    assert [line.split()[:2] for line in lines[-2:]] == [["easy", "2"], ["normal", "2"]]
    assert said(capsys, "over", "--runs", str(runs), "--plain")[0].startswith("over: 2 of 2 games")
    (row,) = map(json.loads, said(capsys, "over", "--runs", str(runs), "--json"))
    assert row["bots"][0]["games"] == 2
    assert said(capsys, "over", "--runs", str(runs), "--follow")[0] == lines[0], "it ends at once"


def test_run_in_another_process_shows_its_noted_progress(tmp_path: Path) -> None:
    path = played(tmp_path / "run", plan(pairs=2), stop_after=1)
    with RunFolder.create(path, plan(pairs=2)) as folder:
        assert status_of(RunFolder.read(path)).state == "running", "nothing is noted yet"
        folder.keep_progress(NOTED)
        assert status_of(RunFolder.read(path)) == replace(NOTED, run="run")
    killed = status_of(RunFolder.read(path))
    assert (killed.state, killed.done, killed.total) == ("stopped", 2, 4)


def test_progress_noted_at_the_end_is_kept(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", plan(pairs=1)) as folder:
        display = LineDisplay((tmp_path / "told").open("w", encoding="utf-8"), None, seconds=60)
        watcher = LiveWatcher(folder, setup("easy", "normal"), display)
        play_run(folder, setup("easy", "normal"), Workers(0), watcher, PORTS)
        watcher.end(is_cut=folder.is_stopped)
        noted = folder.progress()
    assert noted is not None
    assert (noted.state, noted.done, noted.left) == ("over", 2, None)
    assert status_of(RunFolder.read(tmp_path / "run")) == noted
    assert (tmp_path / "told").read_text(encoding="utf-8").startswith("over: 2 of 2 games")


@pytest.mark.parametrize(("games", "state", "pairs"), [(8, "stopped", 4), (16, "over", 7)])
def test_sequential_test_is_over_once_decided(
    tmp_path: Path, games: int, state: str, pairs: int
) -> None:
    made = plan("normal", "easy", pairs=40, test=SequentialTest(0.0, 200.0))
    status = status_of(RunFolder.read(played(tmp_path / "run", made, stop_after=games)))
    assert status.test is not None
    assert (status.state, status.test.pairs) == (state, pairs)
    assert (status.total, status.test.most) == (80, 40)
    assert (status.test.left == 0) == (state == "over") == (status.test.llr >= status.test.upper)


@pytest.mark.parametrize("name", ["", "..", "../over", "/", "none", "over/../over"])
def test_run_name_is_never_taken_as_a_path(
    runs: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("study.lab.status.default_runs", lambda: runs)
    with pytest.raises(Wrong, match="there is no run"):
        told_status(name, json=False)
    assert told_status("over", json=False)[0].startswith("over  weltendaemmerung")
    assert len(told_status(None, json=True)) == 4


@pytest.mark.parametrize(
    ("words", "text"), [(("none",), "there is no run"), (("--follow",), "which run")]
)
def test_missing_run_is_refused(runs: Path, words: Sequence[str], text: str) -> None:
    with pytest.raises(Wrong, match=text):
        status_verb(args(*words, "--runs", str(runs)), PORTS)


def test_damaged_run_does_not_hide_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "plan.toml").write_text("bots = 3")
    assert said(capsys, "--runs", str(tmp_path))[1].split() == ["bad", "damaged", "-", "-"]
