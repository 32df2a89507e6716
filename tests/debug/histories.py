"""Made-up histories of the sources: a repository of small changes, some of which are faults."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.debug.planted import ROOT, PlantedFault, copied, plant, rewrite
from tests.programs import program

Change = Callable[[Path], None]
"""A change of a tree of sources, which is committed."""

_BEGINNING: Final = 1_700_000_000
"""Second of the first commit; equal seconds would leave it open what git tests first."""

_WHO: Final = ("AUTHOR", "COMMITTER")


def git(place: Path, *words: str, second: int = 0) -> str:
    """Run git in a repository, with an author of its own, nobody's settings, and its own clock."""
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
"""Code of other games than weltendaemmerung: most of the engine's files."""


def repository(place: Path) -> Path:
    """A repository with one commit, the sources of one game as they are."""
    copied(place, compiled=False, without=_OTHERS)
    git(place, "init", "-q")
    git(place, "config", "gc.auto", "0")
    git(place, "add", "-A")
    git(place, "commit", "-q", "-m", "As it is")
    return place


def history(
    place: Path, count: int, changes: Mapping[int, tuple[str, Change]], every: int = 3
) -> list[str]:
    """Add commits up to ``count`` to a repository of one; the ids of all, the first one first.

    ``changes`` are the subjects and changes of commits by number, from 1 on. Of the others one in
    ``every`` adds a comment to code that decides, and the rest are about other things.
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
    """The change that plants a fault."""

    def change(tree: Path) -> None:
        plant(fault, tree)

    return change


def taken_back(fault: PlantedFault) -> Change:
    """The change that takes a fault back."""

    def change(tree: Path) -> None:
        _as_it_was(tree, fault.file)

    return change


def broken(tree: Path) -> None:
    """A change after which nothing starts."""
    rewrite(tree / "engine/core/refused.py", "this is no Python\n")


def mended(tree: Path) -> None:
    """The change that makes it start again."""
    _as_it_was(tree, "engine/core/refused.py")


def _as_it_was(tree: Path, file: str) -> None:
    rewrite(tree / file, (ROOT / file).read_text(encoding="utf-8"))


def picture(top: Path) -> dict[str, bytes]:
    """Every file of a folder, those of git included."""
    return {
        str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()
    }
