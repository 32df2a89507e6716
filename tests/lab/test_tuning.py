"""Tuning: notation of ranges, a resumed search, a planted optimum."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import app
from study.lab.plans import LabPlan
from study.lab.running import Workers
from study.lab.search import ParameterSpan, SearchEnd
from study.lab.store import RunFolder
from study.lab.tuning import Tuning, span_of
from tests.lab.runs import PORTS, Watcher, plan, setup, sorted_rows
from tui.console.exits import Wrong

X = ParameterSpan("x", 0, 1, is_whole=False)
PLAN = plan("py:tests.lab.planted:Planted?x=0.5", "against=normal", pairs=8, options={"rounds": 2})


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("courage=0.0..1.0", ParameterSpan("courage", 0, 1, is_whole=False)),
        ("depth=1..6", ParameterSpan("depth", 1, 6, is_whole=True)),
        ("x=-2..0.5", ParameterSpan("x", -2, 0.5, is_whole=False)),
    ],
)
def test_range_is_read(text: str, span: ParameterSpan) -> None:
    assert span_of(text) == span


@pytest.mark.parametrize("text", ["x", "x=1", "x=2..1", "x=1..1", "x=a..b", "=1..2"])
def test_invalid_range_is_refused(text: str) -> None:
    with pytest.raises(Wrong, match="a range is written NAME=LOW"):
        span_of(text)


def searched(path: Path, made: LabPlan, stop_after: int = 1 << 30) -> tuple[SearchEnd | None, int]:
    """Return the end of a search (None if stopped) and the number of games played by this call."""
    watcher = Watcher(stop_after)
    with RunFolder.create(path, made) as folder:
        folder.keep_setup(setup("easy", "normal"))
        return Tuning(folder, [X], Workers(0), watcher, PORTS).search("halving", 8), len(
            watcher.games
        )


def test_resumed_search_gives_the_same_end_and_repeats_no_game(
    tmp_path: Path,
) -> None:
    whole, count = searched(tmp_path / "whole", PLAN)
    assert whole is not None
    assert whole.pairs * 2 == count
    stopped, before = searched(tmp_path / "parts", PLAN, stop_after=9)
    assert stopped is None
    again, after = searched(tmp_path / "parts", PLAN)
    assert again == whole
    assert before + after == count
    assert sorted_rows(tmp_path / "parts") == sorted_rows(tmp_path / "whole")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("normal --param x=0..1", "normal: a level has no parameters"),
        ("py:tests.lab.planted:Planted", "say what may change: --param NAME=LOW..HIGH"),
        ("py:tests.lab.planted:Planted --param x=0..1 --param x=0..2", "x: it is given twice"),
        ("py:tests.lab.planted:Planted --param x=0..1 --budget 7", "takes at least 8 pairs"),
        ("py:tests.lab.planted:Planted --param y=0..1", "unexpected keyword argument 'y'"),
    ],
)
def test_impossible_tuning_is_refused_in_one_line(
    words: str, reason: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    line = f"lab tune weltendaemmerung {words} --scenario ford -o {tmp_path / 'run'}"
    assert app.main(line.split()) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1


@pytest.mark.slow
def test_planted_optimum_is_found_and_passes_its_test(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    line = (
        "lab tune weltendaemmerung py:tests.lab.planted:Planted?x=0.3 --param x=0.0..1.0"
        f" --scenario ford --budget 2000 --json -o {tmp_path / 'run'}"
    )
    assert app.main(line.split()) == 0
    report = json.loads(capsys.readouterr().out)
    assert abs(report["best"]["x"] - 0.7) <= 0.1
    assert report["test"]["verdict"] == "accepted H1"
    assert report["pairs"] <= 2000
