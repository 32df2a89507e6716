"""Real saves of every released form always open."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import copy
from subprocess import run

from engine.core.archive import Comment, Opened
from engine.core.codec import digest
from engine.core.registry import find
from engine.core.replay import fold
from saves.archive import Folder
from saves.checking import check

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "saves" / "samples" / "format-1.bnr"


def opened() -> Opened:
    return Folder(SAMPLE.parent).read("format-1")


def test_the_sample_of_format_1_folds_to_the_recorded_state() -> None:
    found = opened()
    state = fold(find(found.header.ruleset), found.log.line())
    assert len(found.log) == 68
    assert digest(state).hex() == "bc449b9aa18f0cb7caeec7c446da0955"


def test_the_sample_of_format_1_keeps_its_branches_and_comments() -> None:
    found = opened()
    assert found.log.children(1) == [2, 3, 4]
    assert found.comments == (Comment(1, "went on from here"),)
    assert found.remarks == ()


def test_the_sample_of_format_1_verifies() -> None:
    verdict = check(opened()).verdict
    assert verdict.divergence is None
    assert verdict.entries == 68
    assert verdict.marks + verdict.not_comparable > 10


def test_the_example_in_the_description_of_the_format_reads_the_sample(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "save-format.md").read_text(encoding="utf-8")
    script = text.split("```python\n")[1].split("```")[0]
    copy(SAMPLE, tmp_path / "game.bnr")
    ended = run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    kinds = [line.split()[0] for line in ended.stdout.splitlines()]
    assert kinds.count("entry") == 68
    assert kinds[0] == "header"
    assert {"head", "comment"} <= set(kinds)
