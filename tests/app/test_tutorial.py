"""The guide to a new game, carried out: files, types, tests, and every way to play."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core import registry
from engine.core.archive import SeatPlayer
from tests.app.cli import ROOT
from tests.tui.piloted_app import desk
from tui.play.setup import NewGame

PAGE = (ROOT / "docs" / "adding-a-ruleset.md").read_text(encoding="utf-8")
FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
FILES = dict(FILE.findall(PAGE))
SCRIPTS = re.findall(r"<!-- carried out -->\n```sh\n(.*?)```", PAGE, re.DOTALL)

MOST_LINES = 600
"""Of the game with its rule book, computer players and scenario; without blank lines and tests."""

PYTEST = "-n 0 -p no:cacheprovider"
PROGRAMS = {
    "banneret": "-m app",
    "mypy": f"-m mypy --cache-dir {ROOT / '.mypy_cache' / 'tutorial'}",
    "pytest": f"-m pytest {PYTEST}",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the files of the page, and what ``pip install -e .`` would write of them."""
    folder = tmp_path_factory.mktemp("project")
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    data = tomllib.loads(FILES["pyproject.toml"])["project"]
    info = folder / f"{data['name'].replace('-', '_')}-{data['version']}.dist-info"
    info.mkdir()
    about = f"Metadata-Version: 2.1\nName: {data['name']}\nVersion: {data['version']}\n"
    (info / "METADATA").write_text(about)
    points = [
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in named.items())
        for group, named in data["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(points))
    programs = folder / "bin"
    programs.mkdir()
    for name, words in PROGRAMS.items():
        (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {words} "$@"\n')
        (programs / name).chmod(0o755)
    return folder


@pytest.fixture
def installed(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install the game in this process."""
    monkeypatch.syspath_prepend(str(project))
    yield project
    for name in [name for name in sys.modules if name.partition(".")[0] == "crabs"]:
        del sys.modules[name]


def run(project: Path, script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script as its reader would, with the game installed."""
    return subprocess.run(
        ["/bin/sh", "-ec", script],
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{project / 'bin'}:/usr/bin:/bin",
            "PYTHONPATH": f"{project}:{ROOT}",
            "MYPYPATH": str(ROOT),
            "HOME": str(project),
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_game_of_the_guide_is_short() -> None:
    parts = [text for name, text in FILES.items() if name.startswith("crabs/")]
    assert len(parts) >= 9
    assert sum(bool(line.strip()) for text in parts for line in text.splitlines()) <= MOST_LINES


@pytest.mark.parametrize("number", range(len(SCRIPTS)))
def test_the_commands_of_the_guide_work_as_typed(project: Path, number: int) -> None:
    ended = run(project, SCRIPTS[number], project)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout


def test_the_commands_of_the_guide_check_play_and_compare() -> None:
    typed = "\n".join(SCRIPTS)
    for words in ("mypy --strict", "pytest", "play crabs --plain", "verify", "dump", "lab test"):
        assert words in typed


def test_the_game_of_the_guide_keeps_the_contract(project: Path) -> None:
    suite = "tests/contract --ruleset crabs"
    assert f"pytest {suite}" in PAGE
    ended = run(project, f"pytest {suite} --regenerate", ROOT)
    assert ended.returncode == 0, ended.stdout
    passed = re.search(r"(\d+) passed", ended.stdout)
    assert passed is not None
    assert int(passed[1]) > 100, "the suite has run on the game"
    assert (project / "tests" / "schema.json").is_file()


async def test_the_game_of_the_guide_plays_and_replays_on_the_screen(
    installed: Path, tmp_path: Path
) -> None:
    assert "crabs" in registry.names()
    players = SeatPlayer(0, "Red"), SeatPlayer(1, "Blue", "easy")
    start = NewGame("crabs", "cove", players=players, seed=b"1", name="game")
    async with desk(tmp_path, start=start) as at:
        assert "Round 1 of 8" in at.text
        await at.press("space", "right", "space")
        assert at.lines == ["step crab=1 to=1,0"]
        await at.press("e")
        assert at.lines[1] == "end-turn"
        assert at.lines[-1] == "end-turn"
        assert len(at.lines) > 3, "Blue has moved too"
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("right")
        assert at.note == "Red crab A steps."
