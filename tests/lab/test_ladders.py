"""The ladder: levels against their earlier selves, which plan in another copy of the program."""

from __future__ import annotations

import json
import shutil
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.registry import find
from engine.core.sources import players_code
from study.debug.tree_process import TreeFault
from study.lab.ladders import (
    LADDER_FORM,
    LadderEntry,
    LadderFile,
    LadderRow,
    LadderTest,
    end_copies,
    ladder_verb,
    level_test,
    old_copy,
    read_ladder,
    write_ladder,
)
from study.lab.plans import LabPlan, setup_of
from tests.lab.runs import PORTS
from tui.console.commands import CommandParser, find_command, lab_verbs
from tui.console.exits import Exit, Wrong

HOME = Path(__file__).parents[2]
RULESET = "weltendaemmerung"


def ladder(*words: str) -> Exit:
    spec = find_command(lab_verbs(), "ladder")
    assert spec is not None
    args: Namespace = spec.parser("banneret lab ladder", CommandParser).parse_args(list(words))
    args.jobs = 0
    return ladder_verb(args, PORTS)


@pytest.fixture(scope="module", autouse=True)
def copies() -> Iterator[None]:
    """End all copies of the program after these tests."""
    yield
    end_copies()


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program in which the levels ``easy`` and ``normal`` are swapped."""
    tree = tmp_path_factory.mktemp("trees") / "other"
    for name in ("engine", "saves"):
        shutil.copytree(HOME / name, tree / name)  # with what was compiled: copies compile nothing
    players = tree / "engine" / "rulesets" / RULESET / "bot" / "players.py"
    text = players.read_text(encoding="utf-8")
    easy, normal = '"easy": PhasePlanner(SIMPLE)', '"normal": PhasePlanner(USUAL)'
    assert easy in text
    assert normal in text
    text = text.replace(easy, '"easy": PhasePlanner(USUAL)')
    text = text.replace(normal, '"normal": PhasePlanner(SIMPLE)')
    players.write_text(text, encoding="utf-8")
    return tree


def file_with(folder: Path, *entries: LadderEntry) -> str:
    path = folder / "ladder.json"
    write_ladder(path, LadderFile(LADDER_FORM, {RULESET: LadderRow("ford", entries)}))
    return str(path)


def test_unchanged_level_plays_as_before() -> None:
    found = level_test(RULESET, "easy", "ford", HOME, LadderTest(jobs=0))
    assert (found.verdict, found.counts, found.alike) == ("plays as before", (0, 0, 20, 0, 0), 20)


@pytest.mark.parametrize(
    ("level", "verdict", "column"), [("easy", "dropped", 0), ("normal", "no drop", 4)]
)
def test_verdict_tells_a_drop_in_strength_from_a_gain(
    other: Path, level: str, verdict: str, column: int
) -> None:
    found = level_test(RULESET, level, "ford", other, LadderTest(drop=200, jobs=0))
    assert found.verdict == verdict
    assert found.counts[column] > sum(found.counts) / 2
    assert sum(found.counts) < 100
    assert found.alike == 0


def test_too_few_pairs_are_undecided(other: Path) -> None:
    found = level_test(RULESET, "easy", "ford", other, LadderTest(pairs=2, jobs=0))
    assert (found.verdict, sum(found.counts)) == ("undecided", 2)


def test_copy_that_cannot_plan_is_reported(tmp_path: Path) -> None:
    with pytest.raises(TreeFault, match="its players are not found"):
        old_copy(tmp_path, RULESET)
    with pytest.raises(TreeFault, match="no ruleset"):
        old_copy(HOME, "nothing")


def test_levels_that_cannot_read_current_views_are_not_compared(other: Path) -> None:
    copy = old_copy(other, RULESET)
    with pytest.raises(TreeFault, match="ValidationError"):
        copy.answer(("easy", b"\x90", 0, b"", 1, False))
    found = level_test(RULESET, "easy", "ford", other, LadderTest(jobs=0))
    assert found.verdict == "cannot be compared"
    assert found.remark.startswith("python: ")
    end_copies()  # this one has ended with the fault


def test_check_plays_nothing_when_no_player_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_with(tmp_path)
    assert ladder("check", "--file", path) == Exit.OK
    assert capsys.readouterr().out.endswith(": the first entry\n")
    assert read_ladder(Path(path)).rulesets[RULESET].entries == ()
    assert ladder("add", "--file", path, "--label", "one") == Exit.OK
    (entry,) = read_ladder(Path(path)).rulesets[RULESET].entries
    assert (entry.label, entry.players) == ("one", players_code(find(RULESET)))
    capsys.readouterr()
    assert ladder("check", "--file", path, "--with", "no tree is looked for") == Exit.OK
    assert capsys.readouterr().out == f"{path}: no players have changed since the last entry\n"


def test_drop_sets_the_exit_code_and_adds_an_entry(
    other: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = LadderEntry("old", old_copy(other, RULESET).greeting)
    path = file_with(tmp_path, old)
    words = ("--file", path, "--with", str(other), "--level", "easy", "--drop", "200")
    assert ladder("add", *words, "--json") == Exit.REFUSED
    found = json.loads(capsys.readouterr().out)
    assert found[RULESET]["levels"][0]["verdict"] == "dropped"
    entries = read_ladder(Path(path)).rulesets[RULESET].entries
    assert [entry.label for entry in entries] == ["old", "test"]
    assert ladder("show", "--file", path) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{RULESET}, from ford; Elo of each level over the entry before"
    assert lines[-1].split()[:2] == ["easy", "dropped"]


def test_other_tree_must_match_the_last_entry(other: Path, tmp_path: Path) -> None:
    path = file_with(tmp_path, LadderEntry("old", "0" * 32))
    with pytest.raises(Wrong, match="its players of weltendaemmerung are not those of old"):
        ladder("check", "--file", path, "--with", str(other))
    with pytest.raises(Wrong, match="--with"):
        ladder("check", "--file", path)
    with pytest.raises(Wrong, match="'gd6' is not in the ladder; there are weltendaemmerung"):
        ladder("check", "--file", path, "--ruleset", "gd6")


@pytest.mark.parametrize(
    ("text", "told"), [("{", "truncated"), ('{"form": 2, "rulesets": {}}', "its form is 2")]
)
def test_invalid_ladder_file_is_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    with pytest.raises(Wrong, match=told):
        ladder("--file", str(tmp_path / "x.json"))


def test_ladder_of_this_project_can_be_played() -> None:
    found = read_ladder(HOME / "docs" / "ladder.json")
    assert len(found.rulesets) == 5
    for name, row in found.rulesets.items():
        level, *_ = find(name).bots
        assert setup_of(LabPlan(name, (level,), (row.scenario,), seats=2)).seats == 2
