"""Runs on other machines: the same rows, wherever games are played and whichever worker dies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import main
from engine.core.codec import encode
from study.farm.machines import REMOTE_COMMAND
from study.lab.machines import greeting, play_games_exactly
from study.lab.plans import GameTask, LabPlan, setup_of
from study.lab.running import Workers, play_run
from study.lab.store import RunFolder
from tests.farm.test_remote import Cluster, cluster, server
from tests.lab.runs import PORTS, Watcher, plan, run, setup, sorted_rows
from tui.console.exits import Exit

__all__ = ["cluster", "server"]

HOME = Path(__file__).parents[2]


def test_game_without_times_is_the_same_byte_for_byte() -> None:
    play = play_games_exactly(setup("easy", "normal"))
    task = GameTask(0, 0, (0, 1), 1)
    assert encode(play(task)) == encode(play(task))
    assert greeting().startswith(b"lab 1, ")


def played(path: Path, made: LabPlan, on: tuple[str, ...]) -> list[bytes]:
    """Play a run on the given machines. Return its sorted rows."""
    with RunFolder.create(path, made) as folder:
        assert play_run(folder, setup_of(made), Workers(on=on), Watcher(), PORTS)
    return sorted_rows(path)


def test_checked_workers_give_the_same_rows(tmp_path: Path) -> None:
    made = plan(pairs=3)
    run(tmp_path / "here" / "run", made)
    rows = played(tmp_path / "there" / "run", made, ("local*2",))
    assert rows == sorted_rows(tmp_path / "here" / "run")


def test_worker_serves_standard_input_and_ends_with_it() -> None:
    command = [sys.executable, "-m", "app", *REMOTE_COMMAND.split()[1:]]
    done = subprocess.run(command, cwd=HOME, input=b"", capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.slow
def test_cluster_with_a_killed_worker_gives_the_same_rows(cluster: Cluster, tmp_path: Path) -> None:
    """Kill one of two workers in mid-run; the scheduler does not replace it."""
    made = plan(pairs=60)

    class Killer(Watcher):
        def tick(self, farm: object) -> bool:
            if len(self.games) == 40:
                cluster.workers[0].kill()
            return False

    with RunFolder.create(tmp_path / "there" / "run", made) as folder:
        assert play_run(folder, setup_of(made), Workers(on=(cluster.word,)), Killer(), PORTS)
    run(tmp_path / "here" / "run", made, jobs=1)
    assert sorted_rows(tmp_path / "there" / "run") == sorted_rows(tmp_path / "here" / "run")


def test_worker_behind_ssh_is_started_with_the_given_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replace ssh by a script that runs the command in a local shell."""
    client = tmp_path / "ssh"
    client.write_text('#!/bin/sh\nfor command; do :; done\nexec /bin/sh -c "$command"\n')
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    worker = f": > {tmp_path}/begun && cd {HOME} && {sys.executable} -m app lab worker --stdio"
    words = "lab run weltendaemmerung --scenario ford --bots easy,normal --pairs 1 --on ssh:tower"
    assert main([*words.split(), "--worker", worker, "-o", str(tmp_path / "run")]) == Exit.OK
    assert (tmp_path / "begun").is_file()
    assert len(RunFolder.read(tmp_path / "run").rows) == 2


def test_unreachable_machine_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    client = tmp_path / "ssh"
    client.write_text("#!/bin/sh\necho nobody is here >&2\nexit 255\n")
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    words = "lab run weltendaemmerung --scenario ford --bots easy,normal --pairs 1 --on ssh:tower"
    assert main([*words.split(), "-o", str(tmp_path / "run")]) == Exit.STUCK
    line = capsys.readouterr().err.splitlines()[-1]
    reason = "the connection ended: nobody is here"
    assert line == f"banneret: workers end before they begin on ssh:tower: {reason}"
