"""Made-up git histories of the sources: small changes, some of them faults."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.debug.planted import ROOT, PlantedFault, copied, plant, rewrite
from tests.programs import program

Change = Callable[[Path], None]
"""A change to a tree of sources, which is then committed."""

_BEGINNING: Final = 1_700_000_000
"""Time of the first commit, in seconds; with equal times, git could test any commit first."""

_WHO: Final = ("AUTHOR", "COMMITTER")


def git(place: Path, *words: str, second: int = 0) -> str:
    """Run git in a repository with a fixed author, a fixed clock and no user settings."""
    author = {f"GIT_{who}_{what}": "ann@home" for who in _WHO for what in ("NAME", "EMAIL")}
    author |= {f"GIT_{who}_DATE": f"{_BEGINNING + second} +0000" for who in _WHO}
    alone = dict.fromkeys(("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"), os.devnull)
    done = subprocess.run(
        [program("git"), "-C", str(place), *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **author, **alone},
    )
    return done.stdout


_OTHERS: Final = ("gd6", "kaladan", "lordsawar", "warlords2", "strategic")
"""Code of games other than weltendaemmerung: most files of the engine."""


def repository(place: Path) -> Path:
    """Create a repository with one commit of the current sources of one game."""
    copied(place, compiled=False, without=_OTHERS)
    git(place, "init", "-q")
    git(place, "config", "gc.auto", "0")
    git(place, "add", "-A")
    git(place, "commit", "-q", "-m", "As it is")
    return place


def history(
    place: Path, count: int, changes: Mapping[int, tuple[str, Change]], every: int = 3
) -> list[str]:
    """Add commits up to ``count`` to a repository of one. Return the ids of all, oldest first.

    ``changes`` are the subjects and changes of commits by number, from 1. Of the others, one in
    ``every`` adds a comment to code that decides; the rest change other files.
    """
    commits = [git(place, "rev-parse", "HEAD").strip()]
    for number in range(1, count):
        subject, change = changes.get(number, (f"Small change {number}", _small(number, every)))
        change(place)
        git(place, "commit", "-q", "-a", "-m", subject, second=number)
        commits.append(git(place, "rev-parse", "HEAD").strip())
    return commits


def _small(number: int, every: int) -> Change:
    def change(tree: Path) -> None:
        file = "engine/core/ids.py" if number % every == 0 else "tui/__init__.py"
        rewrite(tree / file, f"{(tree / file).read_text(encoding='utf-8')}# {number}\n")

    return change


def planted(fault: PlantedFault) -> Change:
    """Return the change that plants a fault."""

    def change(tree: Path) -> None:
        plant(fault, tree)

    return change


def taken_back(fault: PlantedFault) -> Change:
    """Return the change that removes a planted fault."""

    def change(tree: Path) -> None:
        _as_it_was(tree, fault.file)

    return change


def broken(tree: Path) -> None:
    """Break the sources so that the program cannot start."""
    rewrite(tree / "engine/core/refused.py", "this is no Python\n")


def mended(tree: Path) -> None:
    """Undo ``broken``."""
    _as_it_was(tree, "engine/core/refused.py")


def _as_it_was(tree: Path, file: str) -> None:
    rewrite(tree / file, (ROOT / file).read_text(encoding="utf-8"))


def picture(top: Path) -> dict[str, bytes]:
    """Return the content of every file in a folder, including git's, by relative path."""
    return {
        str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()
    }
