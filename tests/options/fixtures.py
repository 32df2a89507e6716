"""Files on which the commands of the table run, written once."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final
from unittest.mock import patch

from study.farm.supervisor import Farm
from tests.app.cli import banneret_here

_SHOWN: Final = 60_000
"""Maximum bytes of a written file that a row compares."""

_GDL: Final = """InitStart
SetNumTerritories 6
SetBoundaries 1,2;2,3;3,4;4,5;5,6;6,1
AddPlayer North #f00
AddPlayer South #0f0
InitEnd
Set North
Con 1 Hq
Set South
Con 4 Hq
End
"""

_ACCENTS: Final = """{"name": "accents", "title": "Caf\u00e9", "about": "",
"borders": [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 1]],
"players": [{"id": 0, "name": "Ren\u00e9"}, {"id": 1, "name": "Zo\u00e9"}]}"""

_PLAN: Final = """ruleset = "weltendaemmerung"
scenarios = ["ford"]
bots = ["easy", "normal"]
pairs = 1
"""

_BOOK: Final = ("--from", "ford.bnr", "--where", "round = 1", "--runs", "2", "--balance", "0..1")

_SECRETS: Final = "A: hq at=1\nA: spawn at=1 count=1\nA: seal\nB: hq at=12\nB: seal\n"


@contextmanager
def in_process() -> Iterator[list[str]]:
    """Run farms in this process; yield a list that gets a line of arguments for each farm."""
    told: list[str] = []
    usual = Farm.__init__

    def begin(farm: Farm[Any, Any, Any], work: Any, setup: Any, **given: Any) -> None:
        told.append("farm " + " ".join(f"{name}={value}" for name, value in given.items()))
        usual(farm, work, setup, workers=0)

    with patch.object(Farm, "__init__", begin):
        yield told


def make(folder: Path) -> None:
    """Write the files that the commands run on."""
    (folder / "kept").mkdir()
    computers = ("--seat", "Eldoin=bot:easy", "--seat", "Dailor=bot:easy")
    ford = ("run", "--ruleset", "weltendaemmerung", "--scenario", "ford", *computers)
    done(folder, *ford, "--save", "ford.bnr", "--quiet", "-")
    shutil.copy(folder / "ford.bnr", folder / "kept" / "game.bnr")
    west = ("run", "--ruleset", "gd6", "--scenario", "west", "--seats", "2")
    done(folder, *west, "--save", "west.bnr", "--quiet", "-", given=_SECRETS)
    (folder / "game.gdl").write_text(_GDL)
    (folder / "accents.json").write_text(_ACCENTS, encoding="utf-8")
    (folder / "A").write_bytes(b"")
    reports = folder / "banneret" / "reports"
    reports.mkdir(parents=True)
    (reports / "fault-0001.json").write_text('{"fault": "planted"}')
    (folder / "plan.toml").write_text(_PLAN)
    lab = ("lab", "run", "weltendaemmerung", "--scenario", "ford", "--bots", "easy,normal")
    done(folder, *lab, "--pairs", "2", "--keep", "all", "-o", "night")
    done(folder, *lab, "--pairs", "1", "-o", "other")
    done(folder, *lab[:-1], "easy", "--pairs", "1", "-o", "runs/own")
    done(folder, "lab", "report", "night", "-o", "night.json")
    done(folder, "lab", "book", *_BOOK, "-o", "book.jsonl")


def done(folder: Path, *words: str, given: str = "") -> str:
    """Run a command that must succeed; return its output."""
    with in_process():
        ended = banneret_here(*words, given=given, folder=folder)
    assert ended.returncode == 0, (words, ended.stdout, ended.stderr)
    return ended.stdout


@cache
def seen(words: tuple[str, ...], given: str, home: Path) -> tuple[int, str]:
    """Run a command; return its exit code, and all its effects: code, outputs, written files."""
    folder = Path(mkdtemp(dir=home.parent))
    shutil.copytree(home, folder, dirs_exist_ok=True)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    with in_process() as farms:
        ended = banneret_here(*words, given=given, folder=folder)
    parts = [f"exit {ended.returncode}", ended.stdout, ended.stderr, *farms]
    for path in sorted(folder.rglob("*")):
        if path.is_file() and before.get(path) != path.stat().st_mtime_ns:
            text = path.read_bytes()[:_SHOWN].decode("utf-8", "replace")
            parts += [f"file {path.relative_to(folder)}", text]
    shutil.rmtree(folder)
    return ended.returncode, re.sub(re.escape(os.fspath(folder)), "FOLDER", "\n".join(parts))
