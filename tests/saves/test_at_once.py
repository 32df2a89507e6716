"""Saves that several threads read at once, as the first thing the program does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.core import registry
from saves.archive import Folder
from tests.app.cli import ROOT
from tests.saves.at_once import THREADS
from tui.console.faults import keep
from tui.play.setup import NewGame, begin


@pytest.mark.parametrize("ruleset", [name for name in registry.names() if name != "toy"])
def test_threads_may_read_while_another_one_builds_the_decoder(
    tmp_path: Path, ruleset: str
) -> None:
    table = begin(Folder(tmp_path), NewGame(ruleset, seed=b"1", name="game"), keep)
    entries = len(table.game.log)
    table.close()
    done = subprocess.run(
        [sys.executable, "-m", "tests.saves.at_once", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"{[entries] * THREADS}\n"), done.stderr[-2000:]
