"""One table for several runs: bots are identified by their code, and every game counts once."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

import pytest

from study.lab.group_fit import RatingSettings
from study.lab.plans import LabPlan
from study.lab.rate import RatingReport, rate_verb, rating_report, read_run
from study.lab.store import RESULTS, RunFolder
from tests.lab.runs import PORTS, plan, run
from tui.console.commands import CommandParser, find_command, lab_verbs
from tui.console.exits import Exit, Wrong

COPY = """
from engine.core.registry import find


class {name}:
    def plan(self, view, offers, dice):
        return find("weltendaemmerung").bots["easy"].plan(view, offers, dice)
"""


def arguments(*words: str) -> Namespace:
    spec = find_command(lab_verbs(), "rate")
    assert spec is not None
    return spec.parser("banneret lab rate", CommandParser).parse_args(list(words))


def rated(*paths: Path, settings: RatingSettings | None = None) -> RatingReport:
    runs = [read_run(RunFolder.read(path)) for path in paths]
    return rating_report(runs, settings or RatingSettings(resamples=20))


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    home = tmp_path_factory.mktemp("runs")
    run(home / "one", plan(pairs=3))
    run(home / "two", plan("calm=easy", "normal", pairs=3, seed=4))
    return home / "one", home / "two"


def test_bot_with_two_names_is_merged_with_a_remark(two_runs: tuple[Path, Path]) -> None:
    report = rated(*two_runs)
    assert {row.bot for row in report.bots} == {"calm", "normal"}
    assert (report.games, report.pairs) == (12, 6)
    assert "calm, easy: one bot, here calm" in report.remarks


def test_two_bots_with_one_name_are_kept_apart(tmp_path: Path) -> None:
    for name in ("one", "two"):
        home = tmp_path / name
        home.mkdir()
        (home / "copy.py").write_text(COPY.format(name="Copy") + f"# {name}\n", encoding="utf-8")
        run(tmp_path / f"run-{name}", plan(f"py:{home / 'copy.py'}:Copy", "normal", pairs=1))
    report = rated(tmp_path / "run-one", tmp_path / "run-two")
    copies = sorted(row.bot for row in report.bots if row.bot.startswith("Copy@"))
    assert len(copies) == 2
    assert len(report.bots) == 3
    assert "Copy: 2 bots have this name; their code is not the same" in report.remarks
    with pytest.raises(Wrong, match=f"--anchor Copy: there are {', '.join(copies)}"):
        rated(
            tmp_path / "run-one",
            tmp_path / "run-two",
            settings=RatingSettings(anchors=(("Copy", 0.0),)),
        )


def test_game_in_two_runs_counts_once(two_runs: tuple[Path, Path], tmp_path: Path) -> None:
    run(tmp_path / "again", plan(pairs=4))
    alone = rated(two_runs[0])
    both = rated(two_runs[0], tmp_path / "again")
    assert (alone.games, both.games) == (6, 8)


def test_order_of_runs_changes_nothing(two_runs: tuple[Path, Path]) -> None:
    one, two = two_runs
    assert rated(one, two) == rated(two, one)


def test_incomplete_pair_does_not_count(two_runs: tuple[Path, Path], tmp_path: Path) -> None:
    run(tmp_path / "half", plan(pairs=3))
    path = tmp_path / "half" / RESULTS
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    report = rated(tmp_path / "half")
    assert (report.games, report.pairs) == (4, 2)
    assert "1 games do not count: their pairs are not complete" in report.remarks


def test_bot_that_won_every_game_has_a_remark(
    two_runs: tuple[Path, Path],
) -> None:
    for prior, number, words in (
        (1.0, True, "won every game: only the prior keeps the number finite"),
        (0.0, False, "won every game: no number is great enough without a prior"),
    ):
        report = rated(two_runs[0], settings=RatingSettings(prior=prior, resamples=20))
        (row,) = (row for row in report.bots if row.bot == "normal")
        assert row.share == 1
        assert (row.elo is not None) is number
        assert row.remark == words


def test_bots_that_never_met_are_not_compared(tmp_path: Path) -> None:
    run(tmp_path / "one", plan(pairs=2))
    run(tmp_path / "two", LabPlan("kaladan", ("easy", "normal"), ("duel",), pairs=1))
    report = rated(tmp_path / "one", tmp_path / "two")
    names = [row.bot for row in report.bots]
    assert "easy@kaladan" in names
    assert "easy@weltendaemmerung" in names
    mine, other = names.index("easy@kaladan"), names.index("normal@weltendaemmerung")
    assert report.bots[mine].better[other] is None
    assert any(remark.startswith("no game connects these bots") for remark in report.remarks)
    assert {row.start for row in report.seats} == {"weltendaemmerung ford", "kaladan duel"}


def test_verb_prints_a_table_with_its_view_and_anchor(
    two_runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(two_runs[0]), "--anchor", "normal=100"]
    assert rate_verb(arguments(*words), PORTS) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Ratings, from the view of the bot in the row; with normal at 100"
    assert lines[1] == "6 games in 3 pairs, prior 1"
    assert "Chance that the bot of the row is better than the bot of the column" in lines
    assert "Advantage of each seat over the mean of the seats of its start" in lines
    assert any(line.split()[:2] == ["ford", "Eldoin"] for line in lines)
    assert rate_verb(arguments(*words, "--json"), PORTS) == Exit.OK
    found = json.loads(capsys.readouterr().out)
    assert found["bots"][0]["bot"] == "normal"
    assert found["bots"][0]["elo"] == 100


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--anchor", "normal"], "--anchor normal: it is written BOT=ELO"),
        (["--anchor", "nobody=0"], "--anchor nobody: there is no such bot; there are easy, normal"),
        (["--prior", "-1"], "prior, seat_prior and resamples cannot be negative"),
    ],
)
def test_wrong_settings_are_refused(
    two_runs: tuple[Path, Path], words: list[str], text: str
) -> None:
    with pytest.raises(Wrong, match=text):
        rate_verb(arguments(str(two_runs[0]), *words), PORTS)
