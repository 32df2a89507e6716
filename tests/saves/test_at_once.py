"""Several threads read saves at once, as the first action of the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from engine.core import registry
from saves.archive import Folder
from tests.app.cli import ROOT
from tests.patience import PATIENCE
from tests.saves.at_once import THREADS
from tui.console.faults import keep
from tui.play.setup import NewGame, begin


def test_threads_read_while_another_builds_the_decoder(tmp_path: Path) -> None:
    names = [name for name in registry.names() if name != "toy"]
    told = ""
    for name in names:
        table = begin(Folder(tmp_path / name), NewGame(name, seed=b"1", name="game"), keep)
        told += f"{[len(table.game.log)] * THREADS}\n"
        table.close()
    assert len(names) == 5
    done = subprocess.run(
        [sys.executable, "-m", "tests.saves.at_once", *(str(tmp_path / name) for name in names)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, told), done.stderr[-2000:]
