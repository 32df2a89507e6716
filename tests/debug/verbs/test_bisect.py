"""``bisect``: find the revision that changed the course of a game."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.app.cli import ROOT, banneret_here
from tests.debug.corpus import corpus
from tests.debug.histories import (
    broken,
    git,
    history,
    mended,
    picture,
    planted,
    repository,
    taken_back,
)
from tests.debug.planted import FAULTS
from tests.patience import PATIENCE

FAULT = FAULTS[0]
"""Hits in weltendaemmerung are one point harder."""

UNRELATED = next(fault for fault in FAULTS if fault.rule == "WD-NUM-3")
"""Steps cost more, which shows in the first entry."""


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of trees for these tests: each tree is unpacked and compiled once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short game with attacks."""
    return corpus(tmp_path_factory.mktemp("saves"), FAULT.ruleset, 1, entries=30)[0]


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A history of ten commits; the third and ninth cannot start, the tenth repairs and changes."""
    top = repository(tmp_path_factory.mktemp("history") / "sources")

    def both(tree: Path) -> None:
        mended(tree)
        planted(UNRELATED)(tree)

    changes = {
        2: ("Nothing starts", broken),
        3: ("It starts again", mended),
        5: ("Hits are harder", planted(FAULT)),
        8: ("Nothing starts once more", broken),
        9: ("It starts again, with dearer steps", both),
    }
    return top, history(top, 10, changes)


@pytest.fixture
def eight(ten: tuple[Path, list[str]]) -> tuple[Path, list[str]]:
    """Its first eight commits: the sixth is the culprit, the third cannot start."""
    top, commits = ten
    return top, commits[:8]


def bisected(
    save: Path, top: Path, commits: Sequence[str], *words: str
) -> tuple[list[dict[str, Any]], str]:
    """Bisect from the first to the last commit. Return the answers and the error output."""
    ends = ("--good", commits[0], "--bad", commits[-1], "--repo", str(top))
    done = banneret_here("debug", "--json", str(save), "bisect", *ends, *words)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def culprit(answers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the answer that names the first bad revision."""
    return next(one for one in answers if "culprit" in one)


def test_culprit_is_found_with_diffstat_and_first_parting_entry(
    save: Path, eight: tuple[Path, list[str]]
) -> None:
    top, commits = eight
    before = picture(top)
    answers, errors = bisected(save, top, commits, "--skip-if-broken")
    assert errors == ""
    assert culprit(answers)["culprit"] == commits[5]
    texts = [str(one.get("text", "")) for one in answers]
    assert any("fighting.py | 2 +-" in text for text in texts)
    assert answers[0]["entry"] == 17
    assert "WD-ATT-3" in answers[0]["rules"]
    assert picture(top) == before


@pytest.mark.parametrize("option", ["--output", "--log"])
def test_log_can_be_replayed_by_git(
    save: Path, eight: tuple[Path, list[str]], tmp_path: Path, option: str
) -> None:
    top, commits = eight
    log = tmp_path / "bisect.log"
    bisected(save, top, [commits[3], *commits[5:]], option, str(log))
    clone = tmp_path / "clone"
    git(top, "clone", "-q", "-s", str(top), str(clone))
    git(clone, "bisect", "replay", str(log))
    assert f"# first bad commit: [{commits[5]}]" in git(clone, "bisect", "log")


def test_command_judges_revisions_by_exit_code(
    save: Path, eight: tuple[Path, list[str]], tmp_path: Path
) -> None:
    top, commits = eight
    script = tmp_path / "judge.py"
    script.write_text(
        "import os, sys, pathlib\n"
        f"text = (pathlib.Path(os.environ['BANNERET_TREE']) / {FAULT.file!r}).read_text()\n"
        f"sys.exit({FAULT.planted!r} in text)\n"
    )
    answers, errors = bisected(save, top, commits, "--keep", f"exit:{sys.executable} {script}")
    assert errors == ""
    assert culprit(answers)["culprit"] == commits[5]


def test_broken_revision_stops_the_search_or_stays_a_suspect(
    save: Path, ten: tuple[Path, list[str]]
) -> None:
    top, commits = ten[0], ten[1][7:]
    _, errors = bisected(save, top, commits)
    assert f"{commits[1][:10]} is broken: " in errors
    assert "SyntaxError" in errors
    assert "--skip-if-broken" in errors
    assert errors.count("\n") == 1
    answers, _ = bisected(save, top, commits, "--skip-if-broken")
    assert {one["suspect"] for one in answers if "suspect" in one} == {*commits[1:]}


@pytest.mark.parametrize(
    ("good", "bad", "told"),
    [
        (0, 0, "are the same revision"),
        (-1, 0, "does not come before"),
        (6, 7, "decide this game alike"),
    ],
)
def test_impossible_ends_are_refused_in_one_line(
    save: Path, eight: tuple[Path, list[str]], good: int, bad: int, told: str
) -> None:
    top, commits = eight
    answers, errors = bisected(save, top, [commits[good], commits[bad]])
    assert not answers
    assert told in errors
    assert errors.count("\n") == 1


def test_ctrl_c_leaves_the_repository_unchanged(
    save: Path, eight: tuple[Path, list[str]], tmp_path: Path
) -> None:
    top, commits = eight
    before = picture(top)
    ready = tmp_path / "ready"
    script = tmp_path / "judge.py"
    script.write_text(
        f"import pathlib, time; pathlib.Path({str(ready)!r}).touch(); time.sleep(1000)"
    )
    words = ["--good", commits[0], "--bad", commits[-1], "--repo", str(top)]
    words += ["--keep", f"exit:{sys.executable} {script}"]
    running = subprocess.Popen(
        [sys.executable, "-m", "app", "debug", str(save), "bisect", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    while not ready.exists():
        assert running.poll() is None
    os.killpg(running.pid, signal.SIGINT)
    out, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert "stopped after 1 builds" in out
    assert "git bisect start" in out
    assert "Traceback" not in errors
    assert picture(top) == before


@pytest.mark.slow
@pytest.mark.parametrize(("every", "ends", "first"), [(3, 0, 33), (1, 2, 32)], ids=["some", "all"])
def test_culprit_among_64_commits_is_found_in_at_most_8_builds(
    save: Path, tmp_path: Path, every: int, ends: int, first: int
) -> None:
    """Builds of the two ends are not counted if all commits change code that decides.

    ``first`` is the commit that git tests first. The number of commits that change such code is
    even; with an odd number two would be in the middle, and their ids would decide.
    """
    top = repository(tmp_path / "sources")
    changes = {
        20: ("Nothing starts", broken),
        21: ("It starts again", mended),
        first: ("Steps are dearer", planted(UNRELATED)),
        first + 1: ("Steps as they were", taken_back(UNRELATED)),
        45: ("Hits are harder", planted(FAULT)),
        50: ("Nothing starts again", broken),
        51: ("It starts at last", mended),
    }
    commits = history(top, 65, changes, every)
    before = picture(top)
    answers, errors = bisected(save, top, commits, "--skip-if-broken")
    assert errors == ""
    found = culprit(answers)
    assert found["culprit"] == commits[45]
    assert found["builds"] - ends <= 8
    assert commits[first] in found["skipped"]
    assert picture(top) == before
    assert git(top, "status", "--porcelain") == ""
