"""Runs that are killed at any moment end with the same rows as undisturbed ones."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from study.lab.reporting import short_report
from study.lab.store import RunFolder
from tests.lab.runs import sorted_rows

KILLS = 200
LATEST = 2.5
"""Latest moment of a kill, in seconds after the start of a run."""


def command(folder: Path) -> list[str]:
    """Return the command of a run whose parent folder holds no other runs."""
    words = "lab run weltendaemmerung --scenario ford --bots easy,normal --pairs 60 --jobs 2 -o"
    return [sys.executable, "-m", "app", *words.split(), str(folder / "run")]


def killed(folder: Path, seconds: float) -> bool:
    """Return whether the run was killed after ``seconds``; False if it had finished before."""
    with subprocess.Popen(
        command(folder),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            _, told = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return True
        assert process.returncode == 0, told
        return False


@pytest.mark.slow
def test_killed_run_resumes_to_the_same_rows_and_report(tmp_path: Path) -> None:
    subprocess.run(command(tmp_path / "whole"), check=True, stdout=subprocess.DEVNULL)
    rows = sorted_rows(tmp_path / "whole" / "run")
    report = short_report(RunFolder.read(tmp_path / "whole" / "run"))
    chance = random.Random(20)  # noqa: S311 - moments, not secrets
    kills = number = 0
    while kills < KILLS:
        folder = tmp_path / str(number)
        while killed(folder, chance.uniform(0.1, LATEST)):
            kills += 1
        assert sorted_rows(folder / "run") == rows
        assert short_report(RunFolder.read(folder / "run")) == report
        number += 1
