"""Sequential tests of bots: the verdict depends only on the pairs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from app import main
from engine.core.record import replace
from study.lab.games import GameFault
from study.lab.plans import LabPlan, setup_of, write_plan
from study.lab.running import Workers, play_run
from study.lab.sprt import SequentialTest
from study.lab.stages import games_of
from study.lab.store import RunFolder
from study.lab.testing import ALIKE, RunningTest, VerdictReport
from tests.lab.runs import PORTS, Watcher, plan, run
from tui.console.exits import Exit

WIDE = SequentialTest(0, 100)
MADE = plan("normal", "easy", test=WIDE, pairs=16)


def verdict_of(
    path: Path, made: LabPlan, jobs: int = 0, stop_after: int = 1 << 30
) -> VerdictReport:
    """Play a test to its verdict or until ``stop_after`` games. Return its report."""
    setup = setup_of(made)
    with RunFolder.create(path, made) as folder:
        test = RunningTest(folder, setup)
        watcher = Watcher(stop_after)
        play_run(folder, setup, Workers(jobs), watcher, PORTS, is_enough=test.is_decided)
        return test.report()


class Decided(NamedTuple):
    """A test that has its verdict."""

    path: Path
    report: VerdictReport


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Decided:
    """A test played in this process; neighbouring runs reuse its games."""
    path = tmp_path_factory.mktemp("tests") / "run"
    return Decided(path, verdict_of(path, MADE))


def test_verdict_does_not_depend_on_the_number_of_workers(decided: Decided, tmp_path: Path) -> None:
    report = verdict_of(tmp_path / "run", MADE, 2)
    assert report == decided.report
    assert report.verdict == "accepted H1"
    assert report.pair == sum(report.counts) - 1


def test_pairs_after_the_verdict_change_nothing(decided: Decided) -> None:
    run(decided.path, MADE)
    with RunFolder.read(decided.path) as folder:
        assert RunningTest(folder, setup_of(MADE)).report() == decided.report
        assert len(folder.rows) == 32


def test_bot_against_itself_plays_the_same(tmp_path: Path) -> None:
    made = plan("easy", "same=easy", test=SequentialTest(), pairs=90, options={"rounds": 2})
    report = verdict_of(tmp_path / "run", made)
    assert report.verdict == "play the same"
    assert report.counts == (0, 0, ALIKE, 0, 0)
    assert "went alike" in "\n".join(report.lines())


def test_stopped_test_has_no_verdict_and_can_resume(tmp_path: Path) -> None:
    made = plan("normal", "easy", test=WIDE, pairs=60)
    report = verdict_of(tmp_path / "run", made, stop_after=4)
    assert report.verdict == "stopped by hand"
    assert report.pair is None
    assert verdict_of(tmp_path / "run", made).verdict == "accepted H1", "it goes on"


@pytest.mark.parametrize("void", [0, 3])
def test_void_pair_is_skipped(decided: Decided, tmp_path: Path, void: int) -> None:
    made = plan("normal", "easy", test=WIDE, pairs=8, fault="void")
    path = decided.path.with_name(f"void-{void}")
    run(path, plan("normal", "easy", pairs=8, fault="void"))
    folder = RunFolder.read(path)
    setup = setup_of(made)
    games = games_of(made, setup, folder.rows)
    broken = GameFault(0, "crash", "SIGSEGV")
    lost = [
        replace(game.row, fault=broken) for game in games if game.task.pair == void and game.row
    ]
    with RunFolder.create(tmp_path / "test", made) as fresh:
        fresh.add(list(folder.rows.values()))
        fresh.add(lost[:1])
        report = RunningTest(fresh, setup).report()
    assert sum(report.counts) == 7


def test_named_bots_replace_those_of_a_plan_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_plan(plan("hard", "normal", seed=9), tmp_path / "plan.toml")
    words = f"lab test {tmp_path / 'plan.toml'} easy same=easy --pairs 1 -o {tmp_path / 'run'}"
    assert main([*words.split(), "--jobs", "1"]) == Exit.REFUSED
    assert "easy against same" in capsys.readouterr().out
    made = RunFolder.read(tmp_path / "run").plan
    assert (made.bots, made.seed, made.pairs) == (("easy", "same=easy"), 9, 1)
    again = ["lab", "run", str(tmp_path / "run" / "plan.toml"), "-o", str(tmp_path / "run")]
    assert main(again) == Exit.USAGE
    assert "is the plan of a test; 'lab test' plays it" in capsys.readouterr().err
